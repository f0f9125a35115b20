// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Cache of the values of patches of one dump. A patch is read when it is first held, and kept while the budget has
/// room.
///
///     auto store = std::make_shared<PatchStore>(std::move(dump), budget);
///     Result<std::shared_ptr<const StoredPatch>> patch = store->hold(17, 2);
///
/// The shared pointer to a patch keeps it in memory. If the cache exceeds the budget, it drops patches that are not
/// held, the least recently used first. keep() is hold() for long times: it fails, without reading, if the patch does
/// not fit into the budget together with all patches kept so.
///
/// Patches are in the process's account: patches that are not held go when others need memory. At the process's limit a
/// patch waits for reads under way to end; it is read past the limit if there are none, so that filters go on. keep()
/// fails instead.
///
/// If patches share chunks of a dataset, one read serves as many of them as fit into a quarter of the budget.
///
/// Vectors in two dimensions get a third component of 0.
///
/// Any thread may call any function. A patch is read once; other threads that want it wait. libhdf5 is not called. The
/// budget and sizes are in bytes.
#pragma once

#include "Amr/PatchReader.h"
#include "Parallel/ObjectPool.h"
#include "Store/Memory/MemoryAccount.h"
#include "Store/Source/BudgetedStore.h"

#include <array>
#include <atomic>
#include <condition_variable>
#include <list>
#include <map>
#include <mutex>

namespace rivulet
{

/// All values of one variable in one patch, without ghost layers.
struct StoredPatch
{
  StoredType type = StoredType::Float64;
  std::int32_t components = 1;
  SlabBuffer values; ///< row-major, components together, in the byte order of this machine
};

class PatchStore final : public BudgetedStore
{
public:
  using Patch = std::shared_ptr<const StoredPatch>;

  /// Cache with a budget in bytes; 0 means default_memory_budget(). `local_cache` keeps patches on a disk; nullptr:
  /// none.
  PatchStore(AmrDump&& dump, std::int64_t budget, std::shared_ptr<LocalCache> local_cache = nullptr);

  [[nodiscard]] const AmrDump& dump() const { return dump_; }
  /// Components of the arrays of a variable, including an added third one.
  [[nodiscard]] std::int32_t components_of(std::int32_t variable) const;
  /// Bytes of the values of a patch if they have type `type`.
  [[nodiscard]] std::int64_t bytes_of(std::int32_t patch, std::int32_t variable, StoredType type) const;

  /// Values of a patch, which are read if they are not in the cache. Fails as PatchReader::read(), also with the error
  /// of the value.
  [[nodiscard]] Result<Patch> hold(std::int32_t patch, std::int32_t variable);
  /// The same for long times. `type` is the expected type of the values. Also fails with BudgetTooSmall.
  [[nodiscard]] Result<Patch> keep(std::int32_t patch, std::int32_t variable, StoredType type);
  /// Ends a keep().
  void let_go(const Patch& patch);

  [[nodiscard]] std::string path() const override { return dump_.path; }
  [[nodiscard]] std::int64_t memory_budget() const override;
  void set_memory_budget(std::int64_t bytes) override;
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return workers * largest_; }
  /// Counters of the cache; bricks_read is the number of patches read.
  [[nodiscard]] SourceStatistics statistics() const override;

  /// Notes an error for all users of the store. The first error is kept for take_error(), later ones are dropped, so
  /// that one message is shown and not one per patch.
  void note_error(std::shared_ptr<const Error> error);
  [[nodiscard]] bool has_error() const { return has_error_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::shared_ptr<const Error> take_error();

private:
  using Key = std::pair<std::int32_t, std::int32_t>;
  struct Entry
  {
    Patch patch; ///< nullptr while it is being read
    std::list<Key>::iterator age;
  };

  /// Whether a patch is read past the process's limit.
  enum class AtLimit : std::uint8_t
  {
    Read,
    Fail
  };
  [[nodiscard]] Result<Patch> find(const Key& key, AtLimit at_limit);
  /// Reads a patch. Called with the mutex locked; unlocks it during the read.
  [[nodiscard]] Result<Patch> bring_in(std::unique_lock<std::mutex>& lock, const Key& key, AtLimit at_limit);
  /// Reads all these patches, of which the first is wanted and for which `room` was taken. Unlocks the mutex meanwhile.
  [[nodiscard]] Result<Patch> read_unlocked(std::unique_lock<std::mutex>& lock, std::span<const std::int32_t> patches,
      std::int32_t variable, std::int64_t room);
  /// Range of patches, end exclusive, around that of the key whose values share its chunks.
  [[nodiscard]] std::array<std::int32_t, 2> in_same_chunks(const Key& key);
  [[nodiscard]] std::int64_t chunk_of(const Key& key);
  [[nodiscard]] std::vector<Result<Patch>> read(std::span<const std::int32_t> patches, std::int32_t variable);
  /// The next two functions throw std::bad_alloc.
  [[nodiscard]] std::vector<Result<Patch>> read_sound(std::span<const std::int32_t> patches, std::int32_t variable);
  [[nodiscard]] Result<Patch> made_of(PatchVariable& values, const Key& key) const;
  /// Takes memory for a patch before it is read. The functions below are called with the mutex locked.
  [[nodiscard]] bool take_room(std::unique_lock<std::mutex>& lock, std::int64_t room, AtLimit at_limit);
  void begin_reading(const Key& key, std::int64_t room);
  [[nodiscard]] std::int64_t expected(const Key& key) const;
  /// Puts a patch that was read into the cache, and returns its bytes.
  std::int64_t settle(const Key& key, const Result<Patch>& made);
  void evict_excess() { drop(held_ + reading_ - budget_); }
  /// Drops the oldest patches that are not held until `bytes` are free; returns the number of bytes freed.
  std::int64_t drop(std::int64_t bytes);
  /// The mutex may be held by a thread that waits for its turn to ask others.
  [[nodiscard]] std::int64_t reclaim(std::int64_t bytes);
  [[nodiscard]] Result<void> check_room(std::int32_t variable, std::int64_t bytes) const;

  AmrDump dump_;
  const std::shared_ptr<LocalCache> local_cache_;
  std::int64_t largest_ = 0;        ///< bytes of the largest array of a patch, as doubles
  ObjectPool<PatchReader> readers_; ///< each with its own index of the files
  mutable std::mutex mutex_;        ///< guards the members below
  std::condition_variable read_;
  std::map<Key, Entry> entries_;
  std::list<Key> ages_;                ///< patches in memory, the least recently used first
  std::vector<StoredType> types_;      ///< of each variable, as it was read last
  std::map<Key, std::int64_t> chunks_; ///< values per chunk, by level and variable
  std::int64_t budget_;
  std::int64_t held_ = 0;    ///< bytes of the patches in memory
  std::int64_t reading_ = 0; ///< bytes reserved for patches that are being read
  std::int64_t kept_ = 0;    ///< bytes of the patches held by keep()
  SourceStatistics counts_;
  std::shared_ptr<const Error> error_;
  std::atomic<bool> has_error_{ false };
  MemoryLease lease_; ///< goes before the patches
};

} // namespace rivulet
