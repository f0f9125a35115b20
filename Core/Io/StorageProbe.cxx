// SPDX-License-Identifier: BSD-3-Clause
#include "Io/StorageProbe.h"

#include "Base/Bytes.h"
#include "Io/File.h"
#include "Io/ReadEngine.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <random>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace rivulet
{

namespace
{

using Clock = std::chrono::steady_clock;

constexpr int kMostAlone = 24;

double seconds_since(Clock::time_point start)
{
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct FreeMemory
{
  void operator()(std::byte* memory) const { std::free(memory); }
};

/// Random whole pages of an area. Not the same ones each time: a device has caches of its own.
class Places
{
public:
  Places(const ProbeArea& area, std::int64_t request)
    : first_(round_up(area.begin, kPage) / kPage)
    , count_((area.end - request) / kPage - first_)
  {
  }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::int64_t next() { return (first_ + which_(random_)) * kPage; }

private:
  std::int64_t first_;
  std::int64_t count_;
  std::mt19937_64 random_{ std::random_device{}() };
  std::uniform_int_distribution<std::int64_t> which_{ 0, std::max<std::int64_t>(0, count_ - 1) };
};

/// The median, so that a hiccup of a device that others use too does not count.
double median(std::vector<double> values)
{
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Per second, from when each was answered: `together` at a time, as many as are under way, because these come in
/// bursts.
double median_rate(const std::vector<double>& answered, std::size_t together)
{
  std::vector<double> seconds;
  for (std::size_t last = together; last < answered.size(); last += together)
  {
    seconds.push_back(answered[last] - answered[last - together]);
  }
  return static_cast<double>(together) / std::max(1e-9, median(std::move(seconds)));
}

/// One probe of one file.
class Probe
{
public:
  Probe(const File& file, const ProbeArea& area, const ProbeLimits& limits)
    : file_(file)
    , limits_(limits)
    , request_(round_up(area.request, kPage))
    , places_(area, request_)
    , engine_(open_read_engine({ file.descriptor() }, limits.io_uring ? EngineChoice::Best : EngineChoice::Threads))
    , depth_(std::min(limits.depth, engine_->depth()))
    , memory_(static_cast<std::byte*>(
          std::aligned_alloc(static_cast<std::size_t>(kPage), static_cast<std::size_t>(depth_ * request_))))
  {
  }

  Result<ProbedStorage> run();

private:
  [[nodiscard]] Result<double> latency();
  [[nodiscard]] Result<double> rate();
  void submit(FileRead& read);
  [[nodiscard]] tl::unexpected<Error> failure(std::int64_t answer) const
  {
    return fail(ErrorCode::CannotRead, "the storage cannot be tried out", {}, file_.path(), -1,
        answer < 0 ? static_cast<int>(-answer) : 0);
  }

  const File& file_;
  const ProbeLimits& limits_;
  std::int64_t request_;
  Places places_;
  std::unique_ptr<ReadEngine> engine_;
  int depth_;
  std::unique_ptr<std::byte, FreeMemory> memory_;
  std::int64_t bytes_read_ = 0;
};

Result<double> Probe::latency()
{
  std::vector<double> seconds;
  const Clock::time_point start = Clock::now();
  while (seconds.size() < kMostAlone && (seconds.empty() || seconds_since(start) < limits_.seconds))
  {
    const Clock::time_point before = Clock::now();
    const ssize_t read = ::pread(file_.descriptor(), memory_.get(), static_cast<std::size_t>(request_), places_.next());
    if (read != request_)
    {
      return failure(read < 0 ? -errno : read);
    }
    seconds.push_back(seconds_since(before));
    bytes_read_ += request_;
  }
  return median(std::move(seconds));
}

void Probe::submit(FileRead& read)
{
  read.offset = places_.next();
  engine_->submit(read);
  bytes_read_ += request_;
}

Result<double> Probe::rate()
{
  std::vector<FileRead> reads(static_cast<std::size_t>(depth_));
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < reads.size(); ++i)
  {
    reads[i].parts = { { memory_.get() + static_cast<std::int64_t>(i) * request_,
        static_cast<std::size_t>(request_) } };
    submit(reads[i]);
  }
  std::vector<double> answered{ 0.0 }; // when, in seconds
  std::vector<ReadAnswer> answers;
  std::int64_t bad = request_;
  for (int under_way = depth_; under_way > 0;)
  {
    answers.clear();
    // Without sleeping while it counts: in a run the processors have other work, here they would fall asleep, and
    // waking them for each answer would be all that is measured.
    engine_->wait(std::chrono::milliseconds(seconds_since(start) < 2.0 * limits_.seconds ? 0 : 100), answers);
    for (const ReadAnswer& answer : answers)
    {
      bad = answer.result == request_ ? bad : answer.result;
      answered.push_back(seconds_since(start));
      const bool more = bad == request_ && answered.back() < limits_.seconds && bytes_read_ + request_ <= limits_.bytes;
      more ? submit(*answer.read) : static_cast<void>(--under_way);
    }
  }
  if (bad != request_)
  {
    return failure(bad);
  }
  return median_rate(answered, static_cast<std::size_t>(depth_));
}

Result<ProbedStorage> Probe::run()
{
  if (places_.count() < depth_ || memory_ == nullptr)
  {
    return fail(ErrorCode::BadArgument, "there is too little to try the storage out", {}, file_.path());
  }
  Result<double> alone = latency();
  Result<double> together = alone ? rate() : alone;
  if (!together)
  {
    return forward_error(together);
  }
  return ProbedStorage{ { *alone, *together }, bytes_read_ };
}

/// Whether mincore tells the truth: to others it says that all is there.
bool may_be_told(const File& file)
{
  struct stat status = {};
  return ::fstat(file.descriptor(), &status) == 0 &&
         (::geteuid() == 0 || ::geteuid() == status.st_uid || ::access(file.path().c_str(), W_OK) == 0);
}

} // namespace

Result<ProbedStorage> probe_storage(const ProbeArea& area, const ProbeLimits& limits)
{
  Result<DirectLimits> direct = direct_limits(area.path);
  if (!direct)
  {
    return forward_error(direct);
  }
  if (direct->memory > kPage || direct->offset > kPage || area.request <= 0)
  {
    return fail(ErrorCode::Unsupported, "the file system wants direct reads in larger units than pages", {}, area.path);
  }
  Result<File> file = File::open(area.path, File::Mode::ReadDirect);
  if (!file)
  {
    return forward_error(file);
  }
  try
  {
    return Probe(*file, area, limits).run();
  }
  catch (const std::system_error& refused)
  {
    return fail(ErrorCode::CannotRead, "the system gives no threads to try the storage out", {}, area.path, -1,
        refused.code().value());
  }
}

std::optional<double> cached_share(const std::string& path, const std::vector<std::int64_t>& offsets)
{
  Result<File> file = File::open(path, File::Mode::Read);
  const std::int64_t bytes = file ? file->size().value_or(0) : 0;
  if (bytes == 0 || !may_be_told(*file))
  {
    return std::nullopt;
  }
  const auto length = static_cast<std::size_t>(bytes);
  void* mapped = ::mmap(nullptr, length, PROT_READ, MAP_SHARED | MAP_NORESERVE, file->descriptor(), 0);
  if (mapped == MAP_FAILED)
  {
    return std::nullopt;
  }
  int there = 0;
  int told = 0;
  for (const std::int64_t offset : offsets)
  {
    unsigned char flags = 0;
    const bool known = offset >= 0 && offset < bytes &&
                       ::mincore(static_cast<std::byte*>(mapped) + offset / kPage * kPage, kPage, &flags) == 0;
    told += known ? 1 : 0;
    there += known && (flags & 1U) != 0 ? 1 : 0;
  }
  ::munmap(mapped, length);
  return told == 0 ? std::nullopt : std::optional(static_cast<double>(there) / told);
}

} // namespace rivulet
