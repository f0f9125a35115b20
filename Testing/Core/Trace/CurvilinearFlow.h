// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Flows on curvilinear grids whose nodes and values lie in bricks of any size, and the same as rows of foreign cells.
#pragma once

#include "Core/Trace/BentLattice.h"
#include "Core/Trace/FlowInMemory.h"
#include "Store/Derived/StepBricks.h"
#include "Support/FaultyBricks.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Contract/TraceOptions.h"

#include <gtest/gtest.h>

namespace rivulet::test
{

/// Arrays of three doubles at the nodes of a lattice, one for each step, in bricks of so many cells.
class CutArrays final : public BrickSource
{
public:
  CutArrays(const Int3& nodes, const Int3& cells, std::vector<std::vector<double>> steps)
    : steps_(std::move(steps))
  {
    info_.grid.nodes = nodes;
    info_.variables = { { "velocity", ScalarType::Float64, 3, Centering::Node } };
    info_.ranges.resize(1);
    for (std::size_t step = 0; step < steps_.size(); ++step)
    {
      info_.times.push_back(static_cast<double>(step));
    }
    grid_.lattice = nodes;
    grid_.cells = cells;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      grid_.count[axis] = (nodes[axis] - 2) / cells[axis] + 1;
    }
  }

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return grid_; }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override
  {
    const Int3 at = from_row_major(key.index, grid_.count);
    Box box;
    std::int64_t first = 0;
    const Long3 stride{ 3, std::int64_t{ 3 } * grid_.lattice[0],
      std::int64_t{ 3 } * grid_.lattice[0] * grid_.lattice[1] };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      box.begin[axis] = at[axis] * grid_.cells[axis];
      box.end[axis] = std::min(box.begin[axis] + grid_.cells[axis] + 1, grid_.lattice[axis]);
      first += box.begin[axis] * stride[axis];
    }
    const double* const values = steps_[static_cast<std::size_t>(key.step)].data() + first;
    return { Lookup::State::Ready, BrickPin(this, nullptr, { values, ScalarType::Float64, 3, box, stride, 1 }),
      nullptr };
  }
  [[nodiscard]] std::int64_t working_minimum(int) const override { return 0; }
  [[nodiscard]] SourceStatistics statistics() const override { return {}; }

private:
  void unpin(void*) override {}

  FieldInfo info_;
  BrickGrid grid_;
  std::vector<std::vector<double>> steps_;
};

inline std::vector<double> points_of(const BentLattice& lattice)
{
  std::vector<double> values;
  for (std::int64_t i = 0; i < volume(lattice.nodes()); ++i)
  {
    const Vec3 x = lattice.point(i);
    values.insert(values.end(), x.begin(), x.end());
  }
  return values;
}

inline std::vector<double> velocities(const BentLattice& lattice, double scale = 1.0, double speed = 1.0)
{
  std::vector<double> values;
  for (std::int64_t i = 0; i < volume(lattice.nodes()); ++i)
  {
    const Vec3 x = lattice.point(i);
    const Vec3 v{ scale * (0.5 - x[1]) + 0.1 * std::sin(7 * x[2]), scale * (x[0] - 0.5), 0.15 - 0.1 * x[0] * scale };
    values.insert(values.end(), { speed * v[0], speed * v[1], speed * v[2] });
  }
  return values;
}

/// A flow that turns faster and slower from step to step: beyond an interval, its velocities say nothing.
inline std::vector<std::vector<double>> velocities_in_time(const BentLattice& lattice, int steps, double speed = 1.0)
{
  std::vector<std::vector<double>> all;
  for (int step = 0; step < steps; ++step)
  {
    all.push_back(velocities(lattice, step % 2 == 0 ? 1.0 : 1.9, speed));
  }
  return all;
}

inline std::vector<Vec3> scattered_seeds(int count = 40)
{
  Points points;
  std::vector<Vec3> seeds;
  for (int i = 0; i < count; ++i)
  {
    seeds.push_back(points.next(0.05, 0.95));
  }
  seeds.push_back({ 3, 0, 0 });
  return seeds;
}

/// The same flow, its nodes and values in bricks.
class FlowInBricks
{
public:
  FlowInBricks(const BentLattice& lattice, const Int3& cells, int steps = 1, double speed = 1.0)
    : places_(lattice.nodes(), cells, { points_of(lattice) })
    , values_(lattice.nodes(), cells, velocities_in_time(lattice, steps, speed))
  {
    field_.velocity = { &values_, 0, 0 };
    field_.grid.nodes = lattice.nodes();
    field_.attributes = { { "velocity", { &values_, 0, 0 } } };
    set_places(places_);
  }
  void set_places(BrickSource& source)
  {
    Result<std::shared_ptr<const CurvilinearGrid>> grid = CurvilinearGrid::create({ &source, 0, 0 });
    EXPECT_TRUE(grid.has_value()) << (grid ? "" : grid.error().describe());
    field_.curvilinear = *std::move(grid);
  }
  /// Each brick misses until it was requested, and after so many hits again.
  void wait_for_bricks(FaultyBricks::Answer answer)
  {
    slow_values_ =
        std::make_unique<FaultyBricks>(values_, FaultyBricks::Options{ .answer = answer, .seed = 5, .hits = 3 });
    slow_places_ =
        std::make_unique<FaultyBricks>(places_, FaultyBricks::Options{ .answer = answer, .seed = 6, .hits = 3 });
    field_.velocity.source = slow_values_.get();
    field_.attributes.front().array.source = slow_values_.get();
    set_places(*slow_places_);
  }

  [[nodiscard]] TraceField& field() { return field_; }
  [[nodiscard]] CutArrays& places() { return places_; }

  [[nodiscard]] TracedLines trace(
      const std::vector<Vec3>& seeds, const StreamlineOptions& options, int threads = 1) const
  {
    Result<TracedLines> lines = trace_streamlines(field_, seeds, options, { threads, {} });
    EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
    return std::move(*lines);
  }

private:
  CutArrays places_;
  CutArrays values_;
  std::unique_ptr<FaultyBricks> slow_values_;
  std::unique_ptr<FaultyBricks> slow_places_;
  TraceField field_;
};

/// The same as rows of foreign cells.
class RowsInTime
{
public:
  RowsInTime(const BentLattice& lattice, std::vector<std::vector<double>> values)
    : values_(std::move(values))
  {
    Grid row;
    row.nodes[0] = static_cast<std::int32_t>(volume(lattice.nodes()));
    std::vector<StepBricks::Step> steps;
    std::vector<double> times;
    for (const std::vector<double>& of_step : values_)
    {
      rows_.push_back(std::make_unique<ArrayBricks>(row,
          std::vector<MemoryArray>{ { { "velocity", ScalarType::Float64, 3, Centering::Node }, of_step.data() } }));
      steps.push_back({ static_cast<std::int32_t>(times.size()), { rows_.back().get(), 0, 0 } });
      times.push_back(static_cast<double>(times.size()));
    }
    source_ = std::make_unique<StepBricks>(std::move(times), steps.front().values);
    EXPECT_TRUE(source_->hold(std::move(steps)));
    field_.velocity = { source_.get(), 0, 0 };
    field_.grid = row;
    field_.foreign = lattice.cells();
  }
  [[nodiscard]] TraceField& field() { return field_; }

private:
  std::vector<std::vector<double>> values_;
  std::vector<std::unique_ptr<ArrayBricks>> rows_;
  std::unique_ptr<StepBricks> source_;
  TraceField field_;
};

inline StreamlineOptions options_for(Integrator integrator, bool exact_ends = false)
{
  StreamlineOptions options;
  options.integrator = integrator;
  options.direction = TraceDirection::Both;
  options.maximum_length = 4.0;
  options.maximum_steps = 300;
  options.exact_ends = exact_ends;
  return options;
}

inline const Int3 kNodes{ 14, 12, 13 };
inline constexpr std::array<Integrator, 3> kIntegrators{ Integrator::RungeKutta2, Integrator::RungeKutta4,
  Integrator::RungeKutta45 };

} // namespace rivulet::test
