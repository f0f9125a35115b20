// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A cache of bricks in pre-allocated, page-aligned slots under a hard limit: the user-managed cache of Jiang et al.,
/// "Multi-Threaded Streamline Tracing for Data-Intensive Architectures", LDAV 2014, sections 3.2.1 and 4.1. Sources
/// that read bricks own one and forward to it:
///
///     class MyBricks : public FileBricks, BrickLoader
///     {
///       Lookup try_get(const BrickKey& key) override { return cache_.try_get(key); }
///       void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t) override { cache_.request(key,
///       waiter); } void unpin(void* token) override { cache_.unpin(token); } Result<LoadedBrick> load(const BrickKey&
///       key, std::byte* slot) override;   // read, check, describe BrickCache cache_{ *this, *this, { .slot_bytes =
///       largest record, .bytes_of = record of a brick } };
///     };
///
/// Records of similar size have slots of one size (SlotMemory.h). Where their sizes differ much, as on AMR meshes, a
/// cache holds many times more records than with slots for the largest.
///
/// A slot is in one of these states. Transitions are made under the mutex of its bank; only the loading itself is done
/// without a lock.
///
///     Free ----- a miss takes it ----> Loading ---- read, sound -----> Ready ---- evicted, unpinned ---> Free
///                                         |                                     (or given to another miss)
///                                         +---- cannot be had -------> Failed --- last waiter left ----> Free
///
/// A lookup of a brick that is ready, and its unpin, take no lock (SlotLists.h).
///
/// Keys are hashed to banks, each with its own mutex, table and order by last use. Slots do not stay with a bank. A
/// miss takes, in this order: a slot never used or freed; the oldest of its own bank if that has its fair share
/// (capacity / banks); the oldest of a bank with more than its share; the oldest unpinned slot of any bank. A slot of
/// another size is given back to the system, and the next one is taken, until there is memory for the brick. So all
/// memory can serve every brick, and a cache with a largest slot for each thread works with any number of banks.
///
/// A source whose reads are answered later gives the cache no loader and fills the slots in two steps:
///
///     if (Slot* slot = cache_.begin_load(key)) { start reading into slot->data; }
///     ...
///     Lookup arrived = cache_.end_load(*slot, std::move(loaded));   // Ready, pinned: or Failed
///
/// Its try_get() is find(), which never waits. Prefetched bricks are loaded `ahead`. Until a lookup finds them, they
/// are in a list of their own, and are evicted first if they are more than a quarter of a bank.
///
/// When the process's limit is reached, another cache may take slots away: the oldest unpinned ones.
///
/// A brick that failed stays failed as long as the cache lives: later lookups get its error without another read.
///
/// Threads: any. A thread whose brick is being loaded by another waits for that load. The cache must outlive its pins,
/// and every waiter must have been told before it is destroyed. Bytes, seconds.
#pragma once

#include "Base/Metrics.h"
#include "Store/Memory/SlotMemory.h"
#include "Store/Source/BrickSource.h"

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace rivulet
{

/// Result of a loader: the values in the slot, and the bytes read for them.
struct LoadedBrick
{
  BrickView view; ///< points into the slot
  std::int64_t bytes_read = 0;
};

/// Fills a slot with one brick.
class BrickLoader
{
public:
  /// Called on the thread that asked for the brick, or on one that makes bricks for others; by several threads at once,
  /// but never for the same key. `slot` is page-aligned, with slot_bytes bytes of any contents.
  [[nodiscard]] virtual Result<LoadedBrick> load(const BrickKey& key, std::byte* slot) = 0;

protected:
  ~BrickLoader() = default;
};

struct BrickCacheOptions
{
  std::int64_t slot_bytes = 0;                             ///< bytes of the largest record; rounded up to whole pages
  std::function<std::int64_t(const BrickKey&)> bytes_of{}; ///< bytes of a brick's record; empty: slot_bytes, for all
  std::int64_t memory_budget = 0;                          ///< bytes; at least one slot is used even if it is smaller
  int banks = 0;                                           ///< 0: one per core
  MemoryUse use = MemoryUse::Bricks;
};

class BrickCache
{
public:
  /// `owner`: the source that pins are returned to.
  BrickCache(BrickSource& owner, BrickLoader& loader, const BrickCacheOptions& options);
  /// For a source that fills the slots itself.
  BrickCache(BrickSource& owner, const BrickCacheOptions& options);
  BrickCache(const BrickCache&) = delete;
  BrickCache& operator=(const BrickCache&) = delete;
  ~BrickCache();

  /// Loads the brick on a miss. Answers Miss if every slot is pinned or being loaded: ask again. Banks are searched one
  /// after the other, so this may happen, rarely, although a slot was free at every moment. Answers Failed if the brick
  /// cannot be read, or if RIVULET_MEMORY_LIMIT leaves this cache no slot.
  [[nodiscard]] Lookup try_get(const BrickKey& key);
  /// Tells the waiter (with a Miss) as soon as a slot can be had, possibly at once; reads nothing.
  void request(const BrickKey& key, BrickWaiter& waiter);
  void unpin(void* token);

  /// As try_get(), but a brick that is not loaded is a Miss. The first find() of a brick since it was loaded counts as
  /// a miss of the cache, later ones as hits.
  [[nodiscard]] Lookup find(const BrickKey& key);
  /// Whether the brick is there or has failed.
  [[nodiscard]] bool settled(const BrickKey& key);
  /// Memory of slots, which is given back only for other caches or a smaller budget.
  [[nodiscard]] std::int64_t held_bytes() const { return memory_.held(); }
  /// A slot that no other thread sees until end_load(); nullptr if there is none now. The brick must not be in the
  /// cache, and no other load of it under way. `ahead`: it is a prefetch.
  [[nodiscard]] Slot* begin_load(const BrickKey& key, bool ahead = false);
  [[nodiscard]] Lookup end_load(Slot& slot, Result<LoadedBrick>&& loaded);
  /// Whether the process's limit leaves this cache no slot for the brick, so that waiting for one would never end.
  [[nodiscard]] bool without_memory(const BrickKey& key);

  /// Of the largest brick.
  [[nodiscard]] std::int64_t slot_bytes() const { return memory_.slot_bytes(); }
  [[nodiscard]] std::int64_t memory_budget() const { return budget_.load(std::memory_order_relaxed); }
  /// Evicts at once the slots above the budget, each bank's oldest first; pinned ones follow when they are unpinned.
  void set_memory_budget(std::int64_t bytes);

  /// hits + misses = lookups answered Ready, and lookups answered Failed after a read of their own.
  [[nodiscard]] SourceStatistics statistics() const;

private:
  struct Bank;

  [[nodiscard]] Bank& bank_of(std::uint64_t hash);
  /// The slot of a brick that is ready. nullptr: the bank's mutex must be locked to know.
  [[nodiscard]] Slot* pin(const Bank& bank, std::uint64_t hash, const BrickKey& key);
  [[nodiscard]] Lookup found(Bank& bank, Slot& slot);
  static void begin(Bank& bank, Slot& slot, const BrickKey& key, bool ahead);
  [[nodiscard]] Lookup pinned(Slot& slot);
  [[nodiscard]] Lookup join(Bank& bank, Slot& slot, std::unique_lock<std::mutex>& lock);
  [[nodiscard]] Lookup load(Bank& bank, Slot& slot);
  [[nodiscard]] Lookup finish(Bank& bank, Slot& slot, Result<LoadedBrick>&& loaded, std::unique_lock<std::mutex>& lock);
  [[nodiscard]] Lookup fail_load(Bank& bank, Slot& slot, Error&& error, std::unique_lock<std::mutex>& lock);
  [[nodiscard]] Lookup no_slot(const BrickKey& key) const;
  [[nodiscard]] Lookup refused(const BrickKey& key);

  [[nodiscard]] std::int64_t bytes_of(const BrickKey& key) const;
  [[nodiscard]] Slot* take_slot(Bank& home, const BrickKey& key);
  [[nodiscard]] Slot* evict_one(Bank& home);
  [[nodiscard]] static Slot* evict(Bank& bank, std::int64_t at_least);
  void leave(Slot& slot, std::unique_lock<std::mutex>& lock);
  void give_back(Slot& slot);
  void trim();
  [[nodiscard]] std::int64_t reclaim(std::int64_t bytes);
  [[nodiscard]] bool can_serve(const BrickKey& key);
  void tell_waiters();

  BrickSource& owner_;
  BrickLoader* loader_ = nullptr;
  const std::function<std::int64_t(const BrickKey&)> bytes_of_;
  std::atomic<std::int64_t> budget_{ 0 };
  ShardedCounter hits_;
  ShardedCounter misses_;
  std::vector<Bank> banks_;
  SlotMemory memory_; ///< destroyed before the banks, which reclaim for other caches searches

  struct Waiting
  {
    BrickKey key;
    BrickWaiter* waiter;
  };
  std::mutex waiters_mutex_; ///< guards waiters_; never held together with another mutex
  std::vector<Waiting> waiters_;
  std::atomic<bool> has_waiters_{ false };
};

} // namespace rivulet
