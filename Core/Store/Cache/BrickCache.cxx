// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Cache/BrickCache.h"

#include "Base/Bytes.h"
#include "Base/SyncPoint.h"
#include "Parallel/Team.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <unordered_map>

namespace rivulet
{

namespace
{

using Clock = std::chrono::steady_clock;

constexpr std::size_t kCacheLine = 64;
constexpr std::int64_t kShareUnused = 4;    ///< part of a bank for prefetched bricks not yet used
constexpr std::int64_t kSlotsPerThread = 2; ///< two, for a pair of time steps

double seconds_since(Clock::time_point start)
{
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct HashOfKey
{
  std::size_t operator()(const BrickKey& key) const { return hash_of(key); }
};

} // namespace

/// A part of the cache with its own lock.
struct alignas(kCacheLine) BrickCache::Bank
{
  mutable std::mutex mutex;
  std::condition_variable loaded; ///< a slot is no longer Loading
  SlotTable table;                ///< Loading and Ready
  SlotAges ages;                  ///< Ready, not in `ahead`
  SlotsAhead ahead;               ///< Ready
  std::int64_t unused = 0;        ///< number of slots ahead
  std::int64_t bytes = 0;         ///< of the slots in the table
  std::unordered_map<BrickKey, std::shared_ptr<const Error>, HashOfKey> failed;
  SourceStatistics counts;

  /// The slot to evict next, closed; nullptr if all are in use.
  [[nodiscard]] Slot* take_oldest()
  {
    const bool many_unused = kShareUnused * unused > table.size();
    Slot* slot = many_unused ? ahead.take_oldest() : ages.take_oldest();
    if (slot == nullptr)
    {
      slot = many_unused ? ages.take_oldest() : ahead.take_oldest();
    }
    unused -= slot != nullptr && slot->ahead.exchange(false) ? 1 : 0;
    return slot;
  }
};

BrickCache::BrickCache(BrickSource& owner, BrickLoader& loader, const BrickCacheOptions& options)
  : BrickCache(owner, options)
{
  loader_ = &loader;
}

BrickCache::BrickCache(BrickSource& owner, const BrickCacheOptions& options)
  : owner_(owner)
  , bytes_of_(options.bytes_of)
  , banks_(static_cast<std::size_t>(resolve_threads(options.banks)))
  , memory_(round_up(std::max<std::int64_t>(1, options.slot_bytes), kPage), options.use,
        [this](std::int64_t bytes) { return reclaim(bytes); })
{
  set_memory_budget(options.memory_budget);
}

BrickCache::~BrickCache() = default;

BrickCache::Bank& BrickCache::bank_of(std::uint64_t hash)
{
  return banks_[(hash >> 32U) % banks_.size()]; // the bank's table uses the low bits
}

Slot* BrickCache::pin(const Bank& bank, std::uint64_t hash, const BrickKey& key)
{
  Slot* slot = bank.table.pin(hash);
  if (slot != nullptr && !(slot->key == key))
  {
    unpin(std::exchange(slot, nullptr));
  }
  return slot;
}

Lookup BrickCache::try_get(const BrickKey& key)
{
  const std::uint64_t hash = hash_of(key);
  Bank& bank = bank_of(hash);
  if (Slot* slot = pin(bank, hash, key))
  {
    hits_.add(1);
    return pinned(*slot);
  }
  Slot* taken = nullptr;
  for (;;)
  {
    std::unique_lock lock(bank.mutex);
    Slot* found = bank.table.find(key);
    const bool known = found != nullptr || bank.failed.contains(key);
    if (known && taken != nullptr)
    {
      // Another thread was faster. The slot is free for others while this one waits for that load.
      lock.unlock();
      give_back(*std::exchange(taken, nullptr));
    }
    else if (known)
    {
      return found != nullptr ? join(bank, *found, lock) : Lookup{ Lookup::State::Failed, {}, bank.failed.at(key) };
    }
    else if (taken != nullptr)
    {
      begin(bank, *taken, key, false);
      lock.unlock();
      return load(bank, *taken);
    }
    else
    {
      lock.unlock();
      taken = take_slot(bank, key);
      if (taken == nullptr)
      {
        return refused(key);
      }
      RIVULET_SYNC_POINT("BrickCache::try_get: has a slot");
    }
  }
}

void BrickCache::begin(Bank& bank, Slot& slot, const BrickKey& key, bool ahead)
{
  bank.ages.reserve(bank.table.size() + 1);
  bank.ahead.reserve(bank.table.size() + 1);
  slot.ahead = ahead;
  slot.begin(key);
  bank.table.insert(slot);
  bank.bytes += slot.bytes;
}

Lookup BrickCache::pinned(Slot& slot)
{
  memory_.touch();
  return { Lookup::State::Ready, BrickPin(&owner_, &slot, slot.view), nullptr };
}

Lookup BrickCache::join(Bank& bank, Slot& slot, std::unique_lock<std::mutex>& lock)
{
  ++slot.users;
  if (slot.state == Slot::State::Loading)
  {
    RIVULET_SYNC_POINT("BrickCache::join: waits for a load");
    const Clock::time_point start = Clock::now();
    bank.loaded.wait(lock, [&] { return slot.state != Slot::State::Loading; });
    bank.counts.stall_seconds += seconds_since(start);
  }
  if (slot.state == Slot::State::Failed)
  {
    Lookup failed{ Lookup::State::Failed, {}, slot.error };
    leave(slot, lock);
    return failed;
  }
  hits_.add(1);
  return pinned(slot);
}

Lookup BrickCache::load(Bank& bank, Slot& slot)
{
  const Clock::time_point start = Clock::now();
  Result<LoadedBrick> loaded = loader_->load(slot.key, slot.data);
  const double seconds = seconds_since(start);

  std::unique_lock lock(bank.mutex);
  bank.counts.stall_seconds += seconds;
  misses_.add(1);
  return finish(bank, slot, std::move(loaded), lock);
}

Lookup BrickCache::finish(Bank& bank, Slot& slot, Result<LoadedBrick>&& loaded, std::unique_lock<std::mutex>& lock)
{
  if (!loaded)
  {
    return fail_load(bank, slot, std::move(loaded.error()), lock);
  }
  ++bank.counts.bricks_read;
  bank.counts.bytes_read += loaded->bytes_read;
  slot.view = loaded->view;
  slot.state = Slot::State::Ready;
  if (slot.ahead)
  {
    bank.ahead.add(slot);
    ++bank.unused;
    ++bank.counts.bricks_prefetched;
  }
  else
  {
    bank.ages.add(slot);
  }
  slot.open();
  bank.loaded.notify_all();
  return pinned(slot);
}

Lookup BrickCache::find(const BrickKey& key)
{
  const std::uint64_t hash = hash_of(key);
  Bank& bank = bank_of(hash);
  Slot* slot = pin(bank, hash, key);
  if (slot == nullptr)
  {
    const std::lock_guard lock(bank.mutex);
    slot = bank.table.find(key);
    if (slot != nullptr && slot->state == Slot::State::Ready)
    {
      ++slot->users;
    }
    else if (const auto failed = bank.failed.find(key); failed != bank.failed.end())
    {
      return { Lookup::State::Failed, {}, failed->second };
    }
    else
    {
      slot = nullptr;
    }
  }
  if (slot != nullptr)
  {
    return found(bank, *slot);
  }
  return without_memory(key) ? no_slot(key) : Lookup{};
}

/// Counts the lookup of a pinned slot. The first one of a brick that was loaded ahead gives it an age.
Lookup BrickCache::found(Bank& bank, Slot& slot)
{
  if (slot.ahead.load(std::memory_order_relaxed) && slot.ahead.exchange(false))
  {
    const std::lock_guard lock(bank.mutex);
    bank.ages.add(slot);
    --bank.unused;
    ++bank.counts.prefetched_used;
  }
  const bool first = slot.fresh.load(std::memory_order_relaxed) && slot.fresh.exchange(false);
  (first ? misses_ : hits_).add(1);
  return pinned(slot);
}

bool BrickCache::settled(const BrickKey& key)
{
  const Bank& bank = bank_of(hash_of(key));
  const std::lock_guard lock(bank.mutex);
  const Slot* slot = bank.table.find(key);
  return (slot != nullptr && slot->state == Slot::State::Ready) || bank.failed.contains(key);
}

Slot* BrickCache::begin_load(const BrickKey& key, bool ahead)
{
  Bank& bank = bank_of(hash_of(key));
  Slot* slot = take_slot(bank, key);
  if (slot != nullptr)
  {
    const std::lock_guard lock(bank.mutex);
    begin(bank, *slot, key, ahead);
  }
  return slot;
}

Lookup BrickCache::end_load(Slot& slot, Result<LoadedBrick>&& loaded)
{
  Bank& bank = bank_of(hash_of(slot.key));
  std::unique_lock lock(bank.mutex);
  slot.fresh = loaded.has_value();
  misses_.add(loaded ? 0 : 1);
  return finish(bank, slot, std::move(loaded), lock);
}

bool BrickCache::without_memory(const BrickKey& key)
{
  return memory_.held() == 0 && !memory_.can_take(bytes_of(key));
}

Lookup BrickCache::fail_load(Bank& bank, Slot& slot, Error&& error, std::unique_lock<std::mutex>& lock)
{
  slot.error = std::make_shared<const Error>(std::move(error));
  slot.state = Slot::State::Failed;
  Lookup failed{ Lookup::State::Failed, {}, slot.error };
  bank.failed.emplace(slot.key, slot.error);
  bank.table.remove(slot);
  bank.bytes -= slot.bytes;
  bank.loaded.notify_all();
  leave(slot, lock);
  return failed;
}

void BrickCache::leave(Slot& slot, std::unique_lock<std::mutex>& lock)
{
  const bool last = --slot.users == Slot::kClosed;
  lock.unlock();
  if (last)
  {
    give_back(slot);
  }
}

Lookup BrickCache::no_slot(const BrickKey& key) const
{
  if (memory_.held() > 0)
  {
    return {};
  }
  // No slot is held, so no unpin could end the wait.
  Error error{ ErrorCode::BudgetTooSmall,
    "the process's memory limit leaves no room for a brick of " + format_bytes(memory_.size_for(bytes_of(key))),
    "raise RIVULET_MEMORY_LIMIT (or the limit of addresses, ulimit -v) or close other fields", {} };
  return { Lookup::State::Failed, {}, std::make_shared<const Error>(std::move(error)) };
}

/// Answers a try_get() without a slot. Other waiters may have been told to wait while this thread tried to take a slot;
/// without any slot nothing would ever wake them, so they are told now.
Lookup BrickCache::refused(const BrickKey& key)
{
  Lookup answer = no_slot(key);
  if (answer.state == Lookup::State::Failed && has_waiters_.load())
  {
    tell_waiters();
  }
  return answer;
}

Slot* BrickCache::evict(Bank& bank, std::int64_t at_least)
{
  const std::lock_guard lock(bank.mutex);
  Slot* slot = bank.bytes >= at_least ? bank.take_oldest() : nullptr;
  if (slot != nullptr)
  {
    bank.table.remove(*slot);
    bank.bytes -= slot->bytes;
    slot->state = Slot::State::Free;
  }
  return slot;
}

std::int64_t BrickCache::bytes_of(const BrickKey& key) const
{
  return bytes_of_ ? std::min(bytes_of_(key), slot_bytes()) : slot_bytes();
}

Slot* BrickCache::take_slot(Bank& home, const BrickKey& key)
{
  const std::int64_t bytes = bytes_of(key);
  for (;;)
  {
    if (Slot* slot = memory_.take(bytes))
    {
      return slot;
    }
    Slot* evicted = evict_one(home);
    if (evicted == nullptr || evicted->bytes == memory_.size_for(bytes))
    {
      return evicted;
    }
    memory_.drop(*evicted);
  }
}

/// A slot without users, with the brick that is least likely to be used again; nullptr if there is none.
Slot* BrickCache::evict_one(Bank& home)
{
  const auto banks = static_cast<std::int64_t>(banks_.size());
  const std::int64_t fair = memory_.capacity() / banks;
  if (Slot* slot = evict(home, fair))
  {
    return slot;
  }
  const std::int64_t first = &home - banks_.data();
  for (const std::int64_t at_least : { fair + 1, std::int64_t{ 0 } })
  {
    for (std::int64_t i = 1; i <= banks; ++i)
    {
      if (Slot* slot = evict(banks_[static_cast<std::size_t>((first + i) % banks)], at_least))
      {
        return slot;
      }
    }
  }
  return nullptr;
}

void BrickCache::give_back(Slot& slot)
{
  memory_.give_back(slot);
  if (has_waiters_.load())
  {
    tell_waiters();
  }
}

void BrickCache::unpin(void* token)
{
  if (!static_cast<Slot*>(token)->unpin())
  {
    return;
  }
  if (memory_.over_capacity())
  {
    trim();
  }
  if (has_waiters_.load())
  {
    tell_waiters();
  }
}

bool BrickCache::can_serve(const BrickKey& key)
{
  const std::int64_t bytes = bytes_of(key);
  if (memory_.can_take(bytes) || memory_.held() == 0) // without a slot, waiting would never end
  {
    return true;
  }
  {
    const Bank& home = bank_of(hash_of(key));
    const std::lock_guard lock(home.mutex);
    if (home.table.find(key) != nullptr || home.failed.contains(key))
    {
      return true;
    }
  }
  std::int64_t lacking = memory_.size_for(bytes) - memory_.available();
  return std::any_of(banks_.begin(), banks_.end(),
      [&](const Bank& bank)
      {
        const std::lock_guard lock(bank.mutex);
        lacking -= bank.ages.unused_bytes(lacking);
        lacking -= lacking > 0 ? bank.ahead.unused_bytes(lacking) : 0;
        return lacking <= 0;
      });
}

void BrickCache::request(const BrickKey& key, BrickWaiter& waiter)
{
  {
    const std::lock_guard lock(waiters_mutex_);
    waiters_.push_back({ key, &waiter });
    has_waiters_.store(true);
  }
  RIVULET_SYNC_POINT("BrickCache::request: has asked");
  // Checked only now: a slot that is unpinned later finds the waiter, one that was unpinned before is found here.
  if (can_serve(key))
  {
    tell_waiters();
  }
}

void BrickCache::tell_waiters()
{
  std::vector<Waiting> told;
  {
    const std::lock_guard lock(waiters_mutex_);
    told.swap(waiters_);
    has_waiters_.store(false);
  }
  // All of them: a waiter that is told may never ask again, and the others would wait for it in vain.
  for (const Waiting& waiting : told)
  {
    waiting.waiter->brick_arrived(waiting.key, {});
  }
}

void BrickCache::set_memory_budget(std::int64_t bytes)
{
  budget_.store(bytes, std::memory_order_relaxed);
  const std::int64_t capacity = std::max(slot_bytes(), bytes);
  memory_.set_capacity(capacity);
  memory_.set_minimum(std::min(capacity, kSlotsPerThread * resolve_threads(0) * slot_bytes()));
  trim();
  tell_waiters();
}

void BrickCache::trim()
{
  memory_.trim();
  bool dropped = true;
  while (memory_.over_capacity() && dropped)
  {
    dropped = false;
    for (Bank& bank : banks_)
    {
      Slot* slot = memory_.over_capacity() ? evict(bank, 0) : nullptr;
      if (slot != nullptr)
      {
        memory_.give_back(*slot);
        dropped = true;
      }
    }
  }
}

std::int64_t BrickCache::reclaim(std::int64_t bytes)
{
  std::int64_t dropped = memory_.drop_spare(bytes);
  for (bool any = true; any && dropped < bytes;)
  {
    any = false;
    for (Bank& bank : banks_)
    {
      Slot* slot = dropped < bytes ? evict(bank, 0) : nullptr;
      if (slot != nullptr)
      {
        dropped += slot->bytes;
        memory_.drop(*slot);
        any = true;
      }
    }
  }
  return dropped;
}

SourceStatistics BrickCache::statistics() const
{
  SourceStatistics sum;
  for (const Bank& bank : banks_)
  {
    const std::lock_guard lock(bank.mutex);
    sum += bank.counts;
  }
  sum.cache_hits = hits_.total();
  sum.cache_misses = misses_.total();
  sum.peak_bytes = memory_.peak();
  return sum;
}

} // namespace rivulet
