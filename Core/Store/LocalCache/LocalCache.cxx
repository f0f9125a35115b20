// SPDX-License-Identifier: BSD-3-Clause
#include "Store/LocalCache/LocalCache.h"

#include "Io/Files/FileIdentity.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <system_error>
#include <unistd.h>

namespace rivulet
{

namespace
{

/// Open caches of the process, by device and inode of their files.
struct OpenCaches
{
  std::mutex mutex;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::weak_ptr<LocalCache>> by_file;
};

OpenCaches& open_caches()
{
  static OpenCaches caches;
  return caches;
}

/// The first page in a piece of memory.
std::byte* first_page(std::byte* memory)
{
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  return memory + (round_up(static_cast<std::int64_t>(address), kPage) - static_cast<std::int64_t>(address));
}

} // namespace

Result<LocalCacheOptions> or_of_environment(const LocalCacheOptions& options)
{
  const char* folder = std::getenv("RIVULET_CACHE_DIRECTORY");
  const char* limit = std::getenv("RIVULET_CACHE_LIMIT");
  LocalCacheOptions settled = options;
  settled.folder = options.folder.empty() && folder != nullptr ? folder : options.folder;
  if (settled.folder.empty() || options.limit != 0 || limit == nullptr || *limit == '\0')
  {
    return settled;
  }
  Result<std::int64_t> bytes = parse_bytes(limit);
  if (!bytes)
  {
    return fail(ErrorCode::BadArgument, "RIVULET_CACHE_LIMIT is no number of bytes: " + bytes.error().what,
        "write it as 64GiB", settled.folder);
  }
  settled.limit = *bytes;
  return settled;
}

CacheChoice local_cache_for(const std::string& file, const LocalCacheOptions& options)
{
  Result<LocalCacheOptions> wanted = or_of_environment(options);
  if (wanted && wanted->folder.empty())
  {
    return {};
  }
  Result<std::shared_ptr<LocalCache>> opened =
      wanted ? LocalCache::open(*wanted) : Result<std::shared_ptr<LocalCache>>(forward_error(wanted));
  if (!opened)
  {
    return { .why_not = "There is no local cache. " + opened.error().describe(), .trouble = true };
  }
  const std::optional<FileIdentity> of_file = FileIdentity::of(file);
  if (of_file && of_file->device() == (*opened)->file().device())
  {
    return { .why_not = "The local cache is on the file system of the field, so it is not used." };
  }
  return { .cache = std::move(*opened) };
}

Result<std::shared_ptr<LocalCache>> LocalCache::open(const LocalCacheOptions& options)
{
  OpenCaches& caches = open_caches();
  const std::lock_guard lock(caches.mutex);
  Result<CacheDescriptors> opened = open_cache_file(options.folder, options.limit);
  if (!opened)
  {
    return forward_error(opened);
  }
  std::weak_ptr<LocalCache>& known = caches.by_file[{ opened->device, opened->inode }];
  if (std::shared_ptr<LocalCache> cache = known.lock(); cache && cache->usable())
  {
    return cache;
  }
  try
  {
    std::shared_ptr<LocalCache> cache(
        new LocalCache(std::move(*opened), Buffer<std::byte>(static_cast<std::size_t>(2 * kBatch + kPage))));
    known = cache;
    return cache;
  }
  catch (const std::exception&) // std::bad_alloc or std::system_error
  {
    return fail(ErrorCode::CannotWrite, "the system gives no memory or no thread for the local cache",
        "close other programs", options.folder);
  }
}

LocalCache::LocalCache(CacheDescriptors&& opened, Buffer<std::byte>&& memory)
  : file_(std::move(opened))
  , memory_(std::move(memory))
{
  account_.take(static_cast<std::int64_t>(memory_.size()));
  filling_.memory = first_page(const_cast<std::byte*>(memory_.data()));
  writing_.memory = filling_.memory + kBatch;
  filling_.values.reserve(static_cast<std::size_t>(kBatch / kPage));
  writing_.values.reserve(static_cast<std::size_t>(kBatch / kPage));
  // Signals are for the host's own threads.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try
  {
    thread_ = std::thread([this] { write_batches(); });
  }
  catch (...)
  {
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

LocalCache::~LocalCache()
{
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.notify_all();
  thread_.join();
}

LocalCache::Counts LocalCache::counts() const
{
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::string LocalCache::trouble() const
{
  const std::lock_guard lock(mutex_);
  return trouble_;
}

void LocalCache::note_trouble(const std::string& text)
{
  const std::lock_guard lock(mutex_);
  trouble_ = text;
}

/// Hands a full batch over, if the other one is free.
bool LocalCache::make_room(std::unique_lock<std::mutex>& lock, std::int64_t bytes, IfBusy if_busy)
{
  while (!resting() && usable() && filling_.bytes + bytes > kBatch)
  {
    work_.notify_one();
    if (if_busy == IfBusy::Drop)
    {
      return false;
    }
    done_.wait(lock);
  }
  return !resting() && usable();
}

bool LocalCache::keep(const CacheKey& key, std::span<const std::byte> value, IfBusy if_busy)
{
  const std::int64_t bytes = round_up(key.bytes, kPage);
  std::unique_lock lock(mutex_);
  if (key.bytes <= 0 || key.bytes > CacheShape::kMostValue || stopping_ || !make_room(lock, bytes, if_busy))
  {
    ++counts_.dropped;
    return false;
  }
  std::byte* to = filling_.memory + filling_.bytes;
  std::memcpy(to, value.data(), value.size());
  std::memset(to + value.size(), 0, static_cast<std::size_t>(bytes) - value.size());
  const bool first = filling_.values.empty();
  filling_.values.push_back({ key, filling_.bytes });
  filling_.bytes += bytes;
  if (first || filling_.bytes > kBatch / 2)
  {
    work_.notify_one();
  }
  return true;
}

void LocalCache::count_left_out()
{
  const std::lock_guard lock(mutex_);
  ++counts_.dropped;
}

bool LocalCache::read(const CacheKey& key, std::byte* to)
{
  const std::optional<CachePlace> place = usable() ? file_.find(key) : std::nullopt;
  if (!place)
  {
    return false;
  }
  const auto bytes = static_cast<std::size_t>(key.bytes);
  const ssize_t got = ::pread(file_.descriptor(false), to, bytes, place->offset);
  if (got == static_cast<ssize_t>(bytes) && CacheFile::is_right(key, *place, { to, bytes }))
  {
    file_.touch(*place);
    return true;
  }
  file_.forget(key);
  return false;
}

void LocalCache::flush()
{
  std::unique_lock lock(mutex_);
  hurry_ = true;
  work_.notify_one();
  done_.wait(lock, [this] { return filling_.values.empty() && !busy_; });
  hurry_ = false;
}

void LocalCache::write_batches()
{
  std::unique_lock lock(mutex_);
  for (;;)
  {
    work_.wait(lock, [this] { return stopping_ || !filling_.values.empty(); });
    if (filling_.values.empty())
    {
      file_.leave(segment_);
      return;
    }
    // More may come: one write of many values is cheaper.
    work_.wait_for(lock, kLinger, [this] { return stopping_ || hurry_ || filling_.bytes > kBatch / 2; });
    std::swap(filling_, writing_);
    busy_ = true;
    lock.unlock();
    done_.notify_all();
    Result<void> written = write_batch();
    lock.lock();
    const auto values = static_cast<std::int64_t>(writing_.values.size());
    (written ? counts_.kept : counts_.dropped) += values;
    if (!written)
    {
      trouble_ = written.error().describe();
      rest_until_ = Clock::now() + kRest;
    }
    writing_.values.clear();
    writing_.bytes = 0;
    busy_ = false;
    done_.notify_all();
  }
}

Result<void> LocalCache::write_batch()
try
{
  if (Result<void> well = file_.health(); !well)
  {
    usable_.store(false);
    return well;
  }
  for (std::size_t next = 0; next < writing_.values.size();)
  {
    Result<std::size_t> written = write_some(next);
    if (!written)
    {
      return forward_error(written);
    }
    next = *written;
  }
  return {};
}
catch (const std::bad_alloc&)
{
  return fail(ErrorCode::CannotWrite, "there is no memory to write the local cache", {}, file_.path());
}

Result<std::size_t> LocalCache::write_some(std::size_t first)
{
  const std::vector<Value>& values = writing_.values;
  const auto end_of = [&](std::size_t value)
  {
    return value + 1 < values.size() ? values[value + 1].begin : writing_.bytes;
  };
  const std::int64_t begin = values[first].begin;
  if (segment_.number < 0 || segment_.room() < end_of(first) - begin)
  {
    file_.leave(segment_);
    segment_ = {};
    Result<OpenSegment> claimed = file_.claim(end_of(first) - begin);
    if (!claimed)
    {
      return forward_error(claimed);
    }
    segment_ = *claimed;
  }
  std::size_t last = first;
  while (last + 1 < values.size() && end_of(last + 1) - begin <= segment_.room())
  {
    ++last;
  }
  const std::byte* from = writing_.memory + begin;
  Result<std::int64_t> at = file_.write(segment_, { from, static_cast<std::size_t>(end_of(last) - begin) });
  if (!at)
  {
    return forward_error(at);
  }
  std::vector<CacheFile::Entry> entries;
  for (std::size_t i = first; i <= last; ++i)
  {
    const CacheKey& key = values[i].key;
    const std::span value(writing_.memory + values[i].begin, static_cast<std::size_t>(key.bytes));
    entries.push_back({ key, *at + values[i].begin - begin, seal_of(name_of(key), value) });
  }
  if (Result<void> entered = file_.enter(segment_, entries); !entered)
  {
    return forward_error(entered);
  }
  return last + 1;
}

} // namespace rivulet
