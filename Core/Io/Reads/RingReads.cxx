// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Reads/RingReads.h"

#ifdef RIVULET_HAVE_LIBURING

#include "Base/Bytes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <liburing.h>
#include <mutex>
#include <new>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <unordered_map>

namespace rivulet
{

namespace
{

constexpr int kDepth = 128;
constexpr unsigned kEntries = 2 * kDepth; ///< reads, and one entry for wake()
constexpr unsigned kMostRegistered = 4096;

/// Memory registered with the kernel, by its start. The kernel's table has empty places from the beginning, so that
/// entries come and go one by one.
class RegisteredMemory
{
public:
  explicit RegisteredMemory(io_uring& ring)
    : ring_(ring)
    , free_(io_uring_register_buffers_sparse(&ring, kMostRegistered) == 0 ? kMostRegistered : 0)
  {
  }

  /// Number of the memory in the table; -1 if the kernel takes no more (RLIMIT_MEMLOCK).
  int number_of(const iovec& memory)
  {
    const std::lock_guard lock(mutex_);
    const auto known = numbers_.find(memory.iov_base);
    if (known != numbers_.end())
    {
      return known->second.bytes >= memory.iov_len ? known->second.number : -1;
    }
    if (spare_.empty() && free_ == 0)
    {
      return -1;
    }
    const int number = spare_.empty() ? static_cast<int>(kMostRegistered - free_) : spare_.back();
    if (!update(number, memory))
    {
      free_ = 0; // it will not take the next one either
      spare_.clear();
      return -1;
    }
    spare_.empty() ? static_cast<void>(--free_) : spare_.pop_back();
    numbers_[memory.iov_base] = { number, memory.iov_len };
    return number;
  }

  void forget(const void* memory)
  {
    const std::lock_guard lock(mutex_);
    const auto known = numbers_.find(memory);
    if (known == numbers_.end())
    {
      return;
    }
    if (update(known->second.number, {}))
    {
      spare_.push_back(known->second.number);
    }
    numbers_.erase(known);
  }

private:
  struct Place
  {
    int number;
    std::size_t bytes;
  };

  bool update(int number, const iovec& memory)
  {
    __u64 tag = 0;
    return io_uring_register_buffers_update_tag(&ring_, static_cast<unsigned>(number), &memory, &tag, 1) == 1;
  }

  io_uring& ring_;
  std::mutex mutex_; ///< guards the members below
  unsigned free_;    ///< places never used
  std::vector<int> spare_;
  std::unordered_map<const void*, Place> numbers_;
};

class RingReads final : public ReadEngine
{
public:
  explicit RingReads(std::vector<int> descriptors)
    : descriptors_(std::move(descriptors))
  {
    refused_.reserve(kDepth);
  }
  ~RingReads() override;

  [[nodiscard]] Result<void> set_up();

  [[nodiscard]] std::string name() const override { return "io_uring"; }
  [[nodiscard]] int depth() const override { return kDepth; }
  void submit(FileRead& read) override;
  void wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers) override;
  void wake() override { ::eventfd_write(event_, 1); }
  void forget(const void* memory) override
  {
    if (memory_)
    {
      memory_->forget(memory);
    }
  }

private:
  [[nodiscard]] tl::unexpected<Error> refused(int number) const
  {
    return fail(ErrorCode::Unsupported, "the kernel refuses io_uring", "", "", -1, number);
  }
  [[nodiscard]] Result<void> try_out();
  void arm();
  [[nodiscard]] int number_of(const FileRead& read) noexcept;
  void take(io_uring_cqe* cqe, std::vector<ReadAnswer>& answers);

  std::vector<int> descriptors_;
  io_uring ring_ = {};
  bool ready_ = false;
  bool fixed_files_ = false;
  bool armed_ = false;
  int event_ = -1;
  eventfd_t event_value_ = 0;
  std::unique_ptr<RegisteredMemory> memory_;
  std::vector<ReadAnswer> refused_; ///< reads that there was no memory for
  alignas(kPage) std::array<std::byte, kPage> waste_{};
};

Result<void> RingReads::set_up()
{
  io_uring_params parameters = {};
  if (const int status = io_uring_queue_init_params(kEntries, &ring_, &parameters); status < 0)
  {
    return refused(-status);
  }
  ready_ = true;
  // A wait with a time limit, and no lost answers: Linux 5.11.
  constexpr unsigned kNeeded = IORING_FEAT_EXT_ARG | IORING_FEAT_NODROP;
  event_ = ::eventfd(0, EFD_CLOEXEC);
  if ((parameters.features & kNeeded) != kNeeded || event_ < 0)
  {
    return refused(ENOSYS);
  }
  fixed_files_ = !descriptors_.empty() &&
                 io_uring_register_files(&ring_, descriptors_.data(), static_cast<unsigned>(descriptors_.size())) == 0;
  memory_ = std::make_unique<RegisteredMemory>(ring_);
  return try_out();
}

Result<void> RingReads::try_out()
{
  // A sandbox may allow making a ring but not using it.
  io_uring_prep_nop(io_uring_get_sqe(&ring_));
  int status = io_uring_submit(&ring_);
  io_uring_cqe* cqe = nullptr;
  status = status < 0 ? status : io_uring_wait_cqe(&ring_, &cqe);
  if (status < 0)
  {
    return refused(-status);
  }
  io_uring_cqe_seen(&ring_, cqe);
  return {};
}

RingReads::~RingReads()
{
  // The kernel may still write the eight bytes of wake(): take that answer while the memory exists.
  std::vector<ReadAnswer> none;
  for (int attempt = 0; armed_ && attempt < 100; ++attempt)
  {
    wake();
    wait(std::chrono::milliseconds(100), none);
  }
  if (ready_)
  {
    io_uring_queue_exit(&ring_);
  }
  if (event_ >= 0)
  {
    ::close(event_);
  }
}

void RingReads::arm()
{
  if (!armed_)
  {
    event_value_ = 0;
    io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
    io_uring_prep_read(sqe, event_, &event_value_, sizeof event_value_, 0);
    io_uring_sqe_set_data(sqe, nullptr);
    armed_ = true;
  }
}

/// Number of the read's registered memory; -1 if it has none.
int RingReads::number_of(const FileRead& read) noexcept
{
  try
  {
    return read.same_memory && read.parts.size() == 1 ? memory_->number_of(read.parts.front()) : -1;
  }
  catch (const std::bad_alloc&)
  {
    return -1;
  }
}

void RingReads::submit(FileRead& read)
{
  try
  {
    read.parts = with_waste(read.parts, waste_.data(), waste_.size());
  }
  catch (const std::bad_alloc&)
  {
    refused_.push_back({ &read, -ENOMEM });
    return;
  }
  // There is always room: the caller keeps to depth(), and there are twice as many entries.
  io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
  const bool fixed = fixed_files_ && read.descriptor < 0;
  const int file = fixed                  ? read.file
                   : read.descriptor >= 0 ? read.descriptor
                                          : descriptors_[static_cast<std::size_t>(read.file)];
  const auto offset = static_cast<std::uint64_t>(read.offset);
  const iovec& first = read.parts.front();
  const int number = number_of(read);
  if (number >= 0)
  {
    io_uring_prep_read_fixed(sqe, file, first.iov_base, static_cast<unsigned>(first.iov_len), offset, number);
  }
  else
  {
    io_uring_prep_readv(sqe, file, read.parts.data(), static_cast<unsigned>(read.parts.size()), offset);
  }
  sqe->flags |= fixed ? IOSQE_FIXED_FILE : 0U;
  io_uring_sqe_set_data(sqe, &read);
}

void RingReads::take(io_uring_cqe* cqe, std::vector<ReadAnswer>& answers)
{
  auto* read = static_cast<FileRead*>(io_uring_cqe_get_data(cqe));
  if (read == nullptr)
  {
    armed_ = false;
    return;
  }
  answers.push_back({ read, cqe->res });
}

void RingReads::wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers)
{
  arm();
  for (; !refused_.empty() && has_room(answers); refused_.pop_back())
  {
    answers.push_back(refused_.back());
    most = std::chrono::milliseconds(0);
  }
  __kernel_timespec limit = {};
  limit.tv_sec = most.count() / 1000;
  limit.tv_nsec = most.count() % 1000 * 1'000'000;
  io_uring_cqe* cqe = nullptr;
  const int status = io_uring_submit_and_wait_timeout(&ring_, &cqe, 1, &limit, nullptr);
  if (status < 0 && status != -ETIME && status != -EINTR)
  {
    // No memory or no room for answers: submitted reads are still answered, so try again soon.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  // An answer that there is no memory for stays in the ring until the next call.
  while (has_room(answers) && io_uring_peek_cqe(&ring_, &cqe) == 0)
  {
    take(cqe, answers);
    io_uring_cqe_seen(&ring_, cqe);
  }
}

} // namespace

Result<std::unique_ptr<ReadEngine>> open_ring(const std::vector<int>& descriptors)
{
  auto ring = std::make_unique<RingReads>(descriptors);
  if (Result<void> ready = ring->set_up(); !ready)
  {
    return forward_error(ready);
  }
  return ring;
}

} // namespace rivulet

#else

namespace rivulet
{

Result<std::unique_ptr<ReadEngine>> open_ring(const std::vector<int>&)
{
  return fail(ErrorCode::Unsupported, "this build has no liburing");
}

} // namespace rivulet

#endif
