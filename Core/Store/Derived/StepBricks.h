// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A few time steps of a variable, each from a source of its own, as one source of all steps. For pipelines that have
/// one step at a time.
///
///     StepBricks velocity(times, { source_of_step_0, variable });
///     if (Result<void> good = velocity.hold({ { 0, { s0, v0 } }, { 1, { s1, v1 } } }); good)
///       ... trace through the interval between steps 0 and 1 ...
///
/// A brick of a step that is not held cannot be had (NotFound), nor one of a step that is lost: that has an error of
/// its own.
///
/// On AMR meshes the bricks belong to the steps that are held, which must have one mesh. The next steps may have
/// another one on the same coarsest grid: bricks() and own_cut() must be called again after hold().
///
/// Rows, one brick with a value for each node or cell of a mesh that is no grid, may have other lengths at other steps
/// (Rows::MayDiffer). Then bricks() and info() belong to the first step that is held.
///
/// Lifetime: the sources must live as long as they are held. Threads: any, but hold() only while no request is under
/// way and no brick is pinned.
#pragma once

#include "Store/Source/BrickSource.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace rivulet
{

class StepBricks final : public BrickSource
{
public:
  /// One step of a variable.
  struct Values
  {
    BrickSource* source = nullptr;
    std::int32_t variable = 0;
    std::int32_t step = 0; ///< of the source
  };
  struct Step
  {
    std::int32_t number = 0; ///< of the field
    Values values;
  };

  enum class Rows
  {
    None,
    MayDiffer
  };

  /// `times` of all steps. `like`: values of any step, which tell of grid, bricks, type and components of all others.
  StepBricks(std::vector<double> times, const Values& like, Rows rows = Rows::None);
  ~StepBricks() override;

  /// Replaces the times. Steps that are held must keep their numbers. Only while hold() may be called.
  void set_times(std::vector<double> times) { info_.times = std::move(times); }

  /// Numbers of steps that cannot be had, and why.
  using Lost = std::map<std::int32_t, std::shared_ptr<const Error>>;

  /// Takes the place of the steps held before. Fails with Unsupported if the values of a step are not like the others:
  /// then nothing is held.
  [[nodiscard]] Result<void> hold(std::vector<Step> steps, Lost lost = {});

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return bricks_; }
  [[nodiscard]] const BrickCut* own_cut() const override { return own_cut_; }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override;
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override;
  void withdraw(BrickWaiter& waiter) override;
  void prefetch(std::span<const BrickKey> keys, std::int64_t priority) override;
  void prepare(const Workload& workload) override;
  [[nodiscard]] int useful_threads(int wanted) const override;
  [[nodiscard]] std::int64_t bricks_at_once() const override;
  [[nodiscard]] std::int64_t working_minimum(int workers) const override;
  [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const override;
  /// None: the sources count.
  [[nodiscard]] SourceStatistics statistics() const override { return {}; }
  [[nodiscard]] Result<void> health() override;

private:
  class Answers;

  void unpin(void*) override {} // pins are of the sources
  void follow_cut(const Values& values);
  [[nodiscard]] Result<void> check(const Step& step) const;
  [[nodiscard]] const Step* held(std::int32_t number) const;
  [[nodiscard]] Answers* answers_for(BrickWaiter& waiter, const Step& step, bool make);
  [[nodiscard]] std::shared_ptr<const Error> not_held(std::int32_t number) const;

  FieldInfo info_;
  BrickGrid bricks_;
  const BrickCut* own_cut_;
  Rows rows_;
  std::vector<Step> steps_;
  Lost lost_;
  std::mutex mutex_; ///< guards answers_
  std::map<std::pair<BrickWaiter*, std::int32_t>, std::unique_ptr<Answers>> answers_;
};

} // namespace rivulet
