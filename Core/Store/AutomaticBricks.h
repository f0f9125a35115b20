// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A field that is read in whichever way serves the run at hand best: the strategy Automatic. Until the first run it is
/// read as choose_strategy() says, which asks nothing of the storage. When a run begins, the storage is measured
/// (once per device, see Io/KnownStorage.h) and choose_for_run() decides. Use open_field() (BrickStore.h).
///
/// One source is in use at a time and has the whole budget; those that were before stay, because somebody may still
/// hold their pins, and are emptied.
///
/// Threads, lifetime and errors as in BrickSource.h. A run that begins while another is under way may change the
/// source beneath it: that one asks again, and gets the same values. Bytes.
#pragma once

#include "Store/BrickStore.h"
#include "Store/ChooseStrategy.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

namespace rivulet
{

class AutomaticBricks final : public FileBricks
{
public:
  /// What there is to choose among, and from. The functions are called by one thread at a time.
  struct Field
  {
    StorageFacts facts;
    std::string note; ///< to be added to every reason
    /// The field, read as it is said; the sources must cut it into the same bricks.
    std::function<Result<std::shared_ptr<FileBricks>>(StrategyChoice&&, std::int64_t budget)> open;
    /// What the storage does with the bricks that a run begins with.
    std::function<MeasuredStorage(const Workload&)> measure;
  };

  /// Where the system refuses to map the field it is never mapped. Fails as Field::open does.
  [[nodiscard]] static Result<std::shared_ptr<FileBricks>> open(Field&& field, std::int64_t budget);

  [[nodiscard]] const FieldInfo& info() const override { return now().info(); }
  [[nodiscard]] const BrickGrid& bricks(int variable) const override { return now().bricks(variable); }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override { return now().try_get(key); }
  void request(const BrickKey& key, BrickWaiter& waiter) override { now().request(key, waiter); }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override
  {
    now().request_for(key, waiter, particles);
  }
  void withdraw(BrickWaiter& waiter) override;
  void prepare(const Workload& workload) override;
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return now().working_minimum(workers); }
  [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const override { return now().storage_order(key); }
  /// What was read to measure the storage is in bytes_read.
  [[nodiscard]] SourceStatistics statistics() const override;
  [[nodiscard]] Result<void> health() override { return now().health(); }

  [[nodiscard]] const std::string& path() const override { return now().path(); }
  [[nodiscard]] AccessStrategy strategy() const override { return now().strategy(); }
  [[nodiscard]] std::string strategy_reason() const override;
  [[nodiscard]] bool chooses_for_each_run() const override { return true; }
  [[nodiscard]] std::int64_t memory_budget() const override { return now().memory_budget(); }
  void set_memory_budget(std::int64_t bytes) override;
  [[nodiscard]] Result<std::vector<std::array<float, 2>>> brick_ranges(int variable, int step) override
  {
    return now().brick_ranges(variable, step);
  }
  [[nodiscard]] bool hides(Centering centering, int step) const override { return now().hides(centering, step); }
  [[nodiscard]] Result<void> read_hidden(
      Centering centering, int step, const Box& box, std::uint8_t* out) const override
  {
    return now().read_hidden(centering, step, box, out);
  }

private:
  explicit AutomaticBricks(Field&& field)
    : field_(std::move(field))
  {
  }
  void unpin(void*) override {} // pins belong to the sources
  [[nodiscard]] FileBricks& now() const { return *now_.load(std::memory_order_acquire); }
  [[nodiscard]] Result<void> change_to(const StrategyChoice& choice, std::int64_t budget);
  [[nodiscard]] Result<void> begin_with(const StrategyChoice& choice, std::int64_t budget);
  [[nodiscard]] std::vector<FileBricks*> all() const;

  struct Opened
  {
    AccessStrategy strategy;
    bool direct;
    std::shared_ptr<FileBricks> source;
  };

  Field field_; ///< stays as it is but for facts.mapped, which `choosing_` guards
  std::atomic<FileBricks*> now_{ nullptr };
  std::mutex choosing_;        ///< held while a run's choice is made
  mutable std::mutex mutex_;   ///< guards what follows; never held while the storage is asked
  std::vector<Opened> opened_; ///< each stays: its pins may
  std::string reason_;
  std::int64_t probed_bytes_ = 0;
};

} // namespace rivulet
