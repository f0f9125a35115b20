// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The patches of one dump, each read when it is first wanted and kept as long as there is room.
///
///     auto store = std::make_shared<PatchStore>(std::move(dump), budget);
///     Result<std::shared_ptr<const StoredPatch>> patch = store->hold(17, 2);
///
/// Who holds a patch keeps it in memory. What nobody holds goes, the longest unused first, when what is kept exceeds
/// the budget. keep() is hold() for long: it refuses what does not fit the budget together with all that is kept, and
/// does not read it.
///
/// Where patches share chunks of a dataset, a chunk is read for as many of them as a quarter of the budget has room
/// for.
///
/// Two components of a vector in the plane are handed out as three, the third 0.
///
/// Threads: every function may be called from any thread; a patch is read once, whoever else wants it waits. The HDF5
/// library is not called.
#pragma once

#include "Amr/PatchReader.h"
#include "Parallel/Spares.h"
#include "Store/BudgetedStore.h"

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
  SlabBuffer values; ///< row-major, components together, in this machine's byte order
};

class PatchStore final : public BudgetedStore
{
public:
  using Patch = std::shared_ptr<const StoredPatch>;

  /// `budget` in bytes; 0 = default_memory_budget().
  PatchStore(AmrDump&& dump, std::int64_t budget);
  ~PatchStore() override;

  [[nodiscard]] const AmrDump& dump() const { return dump_; }
  /// Components as handed out.
  [[nodiscard]] std::int32_t components_of(std::int32_t variable) const;
  /// Bytes of a patch's values if they are of that type.
  [[nodiscard]] std::int64_t bytes_of(std::int32_t patch, std::int32_t variable, StoredType type) const;

  [[nodiscard]] Result<Patch> hold(std::int32_t patch, std::int32_t variable);
  /// `type`: what the patch is expected to be stored as.
  [[nodiscard]] Result<Patch> keep(std::int32_t patch, std::int32_t variable, StoredType type);
  /// Ends a keep().
  void let_go(const Patch& patch);

  [[nodiscard]] std::string path() const override { return dump_.path; }
  [[nodiscard]] std::int64_t memory_budget() const override;
  void set_memory_budget(std::int64_t bytes) override;
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return workers * largest_; }
  /// bricks_read counts patches.
  [[nodiscard]] SourceStatistics statistics() const override;

  /// For those who share the store: the first failure that was noted is handed out, once; what comes after is dropped,
  /// so that a user reads one message and not one for each patch.
  void note_error(std::shared_ptr<const Error> error);
  [[nodiscard]] bool has_error() const { return has_error_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::shared_ptr<const Error> take_error();

private:
  using Key = std::pair<std::int32_t, std::int32_t>;
  struct Entry
  {
    Patch patch; ///< nullptr: being read
    std::list<Key>::iterator age;
  };

  /// With the mutex held, which is free meanwhile.
  [[nodiscard]] Result<Patch> bring_in(std::unique_lock<std::mutex>& lock, const Key& key);
  /// The first of the patches around that of the key whose values lie in the same chunks, and the end of them.
  [[nodiscard]] std::array<std::int32_t, 2> in_same_chunks(const Key& key);
  [[nodiscard]] std::int64_t chunk_of(const Key& key);
  [[nodiscard]] std::vector<Result<Patch>> read(std::span<const std::int32_t> patches, std::int32_t variable);
  /// These two throw std::bad_alloc.
  [[nodiscard]] std::vector<Result<Patch>> read_sound(std::span<const std::int32_t> patches, std::int32_t variable);
  [[nodiscard]] Result<Patch> made_of(PatchVariable& values, const Key& key) const;
  /// With the mutex held: makes room for a patch that is on its way, and takes it back when it is there. The bytes that
  /// begin_reading() counts on.
  std::int64_t begin_reading(const Key& key);
  void end_reading(std::int64_t room);
  [[nodiscard]] std::int64_t expected(const Key& key) const;
  void settle(const Key& key, const Result<Patch>& made);
  void drop_what_is_too_much();
  [[nodiscard]] Result<void> check_room(std::int32_t variable, std::int64_t bytes) const;

  AmrDump dump_;
  std::int64_t largest_ = 0;    ///< array of a patch, of double
  Spares<PatchReader> readers_; ///< each has an index of its own
  mutable std::mutex mutex_;    ///< guards what follows
  std::condition_variable read_;
  std::map<Key, Entry> entries_;
  std::list<Key> ages_;                ///< of what is there, the oldest first
  std::vector<StoredType> types_;      ///< of each variable where it was read last
  std::map<Key, std::int64_t> chunks_; ///< values of those of a level's dataset, by level and variable
  std::int64_t budget_;
  std::int64_t held_ = 0;    ///< bytes of what is there
  std::int64_t reading_ = 0; ///< of what is on its way
  std::int64_t kept_ = 0;    ///< of what is there, by keep()
  SourceStatistics counts_;
  std::shared_ptr<const Error> error_;
  std::atomic<bool> has_error_{ false };
};

} // namespace rivulet
