// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Reads/RingReads.h"

#ifdef RIVULET_HAVE_LIBURING

#include "Base/Bytes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <liburing.h>
#include <new>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace rivulet
{

namespace
{

constexpr int kDepth = 128;
constexpr unsigned kEntries = 2 * kDepth; ///< reads, and one entry for wake()

class RingReads final : public ReadEngine
{
public:
  RingReads() { refused_.reserve(kDepth); }
  ~RingReads() override;

  [[nodiscard]] Result<void> set_up();

  [[nodiscard]] std::string name() const override { return "io_uring"; }
  [[nodiscard]] int depth() const override { return kDepth; }
  void submit(FileRead& read) override;
  void wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers) override;
  void wake() override { ::eventfd_write(event_, 1); }

private:
  [[nodiscard]] tl::unexpected<Error> refused(int number) const
  {
    return fail(ErrorCode::Unsupported, "the kernel refuses io_uring", "", "", -1, number);
  }
  [[nodiscard]] Result<void> try_out();
  void arm();
  void take(io_uring_cqe* cqe, std::vector<ReadAnswer>& answers);

  io_uring ring_ = {};
  bool ready_ = false;
  bool armed_ = false;
  int event_ = -1;
  eventfd_t event_value_ = 0;
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

void RingReads::submit(FileRead& read)
{
  try
  {
    if (std::any_of(read.parts.begin(), read.parts.end(), [](const iovec& part) { return part.iov_base == nullptr; }))
    {
      read.parts = with_waste(read.parts, waste_.data(), waste_.size());
    }
  }
  catch (const std::bad_alloc&)
  {
    refused_.push_back({ &read, -ENOMEM });
    return;
  }
  // There is always room: the caller keeps to depth(), and there are twice as many entries.
  io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
  const auto offset = static_cast<std::uint64_t>(read.offset);
  io_uring_prep_readv(sqe, read.descriptor, read.parts.data(), static_cast<unsigned>(read.parts.size()), offset);
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

Result<std::unique_ptr<ReadEngine>> open_ring()
{
  auto ring = std::make_unique<RingReads>();
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

Result<std::unique_ptr<ReadEngine>> open_ring()
{
  return fail(ErrorCode::Unsupported, "this build has no liburing");
}

} // namespace rivulet

#endif
