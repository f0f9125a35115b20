// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// An open field in files: one or two locators, and the access in use. The strategy can be changed while the field is
/// open. Automatic chooses when a run begins (ChooseStrategy.h), from the run's number of lines, the bricks that are
/// held and the contents of the page cache. Use open_field() (Field/OpenField.h).
///
/// One access is in use at a time and has the whole budget. Earlier ones are emptied and kept, because their pins may
/// still be held. So a change of the strategy drops the bricks that were read. Automatic keeps the access in use, even
/// one that was asked for before, while reason_to_keep() has a reason: it holds most bricks in which the lines of the
/// run begin, or the lines are few. It chooses anew where lines begin elsewhere, where a smaller budget has dropped
/// these bricks, and after a mapping, whose bricks stay in the page cache.
///
/// Threads, lifetime and errors as in BrickSource.h. A run may change the access while another run is under way. The
/// other run asks again, and gets the same values. Bytes.
#pragma once

#include "Io/Files/FileChangeGuard.h"
#include "Store/Access/LocatedBricks.h"
#include "Store/Field/ChooseStrategy.h"
#include "Store/Field/FileBricks.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace rivulet
{

class StoredField final : public FileBricks
{
public:
  /// Locators and facts from one kind of files.
  struct Layout
  {
    std::shared_ptr<BrickLocator> bricks;   ///< for values that are read into memory
    std::shared_ptr<BrickLocator> in_place; ///< for values that are mapped; nullptr if they cannot be used in place
    std::string why_not_in_place;           ///< a sentence
    std::shared_ptr<FileChangeGuard> seen;
    StorageFacts facts;
    std::vector<std::string> notices{}; ///< FileBricks::notices()
  };

  ~StoredField() override;

  /// `options.memory_budget` is set. Fails if the files can be opened in no way, or not in the requested one.
  [[nodiscard]] static Result<std::shared_ptr<FileBricks>> open(Layout layout, const OpenOptions& options);

  [[nodiscard]] const FieldInfo& info() const override { return layout_.bricks->info(); }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override { return now().bricks(variable); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override { return now().try_get(key); }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override
  {
    now().request_for(key, waiter, particles);
  }
  void withdraw(BrickWaiter& waiter) override;
  void prefetch(std::span<const BrickKey> keys, std::int64_t priority) override { now().prefetch(keys, priority); }
  [[nodiscard]] HintStore* hints() override;
  void prepare(const Workload& workload) override;
  [[nodiscard]] int useful_threads(int wanted) const override { return now().useful_threads(wanted); }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return now().working_minimum(workers); }
  [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const override { return now().storage_order(key); }
  [[nodiscard]] SourceStatistics statistics() const override;
  [[nodiscard]] Result<void> health() override { return now().health(); }

  [[nodiscard]] const std::string& path() const override { return layout_.bricks->path(); }
  [[nodiscard]] AccessStrategy strategy() const override;
  [[nodiscard]] std::string strategy_reason() const override;
  [[nodiscard]] AccessStrategy asked_strategy() const override;
  [[nodiscard]] Result<void> set_strategy(AccessStrategy strategy) override;
  [[nodiscard]] std::int64_t memory_budget() const override { return now().memory_budget(); }
  void set_memory_budget(std::int64_t bytes) override;
  [[nodiscard]] std::shared_ptr<const WholeArray> whole_array(int variable, int step) override
  {
    return now().whole_array(variable, step);
  }
  void read_ahead(const BrickKey& key, const Box& box) override { now().read_ahead(key, box); }
  [[nodiscard]] Result<std::vector<std::array<float, 2>>> brick_ranges(int variable, int step) override
  {
    return layout_.bricks->brick_ranges(variable, step);
  }
  [[nodiscard]] Result<std::vector<PlacesMeasure>> brick_places(int step) override
  {
    return layout_.bricks->brick_places(step);
  }
  [[nodiscard]] std::vector<std::string> notices() const override { return layout_.notices; }
  [[nodiscard]] LocalCache* local_cache() const override { return local_cache_.get(); }
  [[nodiscard]] bool hides(Centering centering, int step) const override
  {
    return layout_.bricks->hides(centering, step);
  }
  [[nodiscard]] Result<void> read_hidden(
      Centering centering, int step, const Box& box, std::uint8_t* out) const override
  {
    return layout_.bricks->read_hidden(centering, step, box, out);
  }

private:
  /// An access that is or was in use.
  struct Opened
  {
    StrategyChoice wanted;
    StrategyChoice got; ///< differs from the choice if the system gave no threads
    std::shared_ptr<LocatedBricks> bricks;
  };

  StoredField(Layout layout, const OpenOptions& options);
  void unpin(void*) override {} // pins are returned to the accesses
  [[nodiscard]] LocatedBricks& now() const { return *now_.load(std::memory_order_acquire); }
  void open_local_cache(const LocalCacheOptions& options);
  void choose_for(const Workload& workload);
  void open_hints();
  [[nodiscard]] StrategyChoice choose(AccessStrategy strategy) const;
  [[nodiscard]] Result<void> take_up(AccessStrategy strategy, std::int64_t budget);
  [[nodiscard]] Result<void> change_to(StrategyChoice choice, std::int64_t budget);
  [[nodiscard]] Result<std::shared_ptr<LocatedBricks>> open_access(StrategyChoice& choice, std::int64_t budget);
  [[nodiscard]] Result<std::shared_ptr<LocatedBricks>> open_known(StrategyChoice& choice, std::int64_t budget);
  [[nodiscard]] std::optional<double> cached_share_of(const Workload& workload) const;
  [[nodiscard]] HeldBricks held_for(const Workload& workload) const;
  /// Whether values in place are cut into other bricks than values in memory.
  [[nodiscard]] bool has_own_cut() const { return layout_.in_place && layout_.in_place != layout_.bricks; }
  [[nodiscard]] std::vector<LocatedBricks*> all() const;

  Layout layout_; ///< constant except facts.mapped, which `choosing_` guards
  const bool io_uring_;
  const std::string hints_folder_;
  const std::string more_hints_folder_;
  const LocalCache::IfBusy if_busy_;
  std::shared_ptr<LocalCache> local_cache_; ///< constant after open(); nullptr: none is used
  std::string why_no_cache_;                ///< a sentence; empty if one is used or none was asked for
  std::atomic<LocatedBricks*> now_{ nullptr };
  std::mutex choosing_;      ///< held while the strategy is changed
  mutable std::mutex mutex_; ///< guards the members below; never held during system calls on storage
  AccessStrategy asked_;
  AccessStrategy strategy_ = AccessStrategy::BufferedCache;
  std::vector<Opened> opened_; ///< all are kept, because of their pins
  std::string reason_;
  std::unique_ptr<HintStore> hints_; ///< nullptr: not opened yet
};

} // namespace rivulet
