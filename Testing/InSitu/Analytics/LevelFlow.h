// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Fields with levels for tests, as a simulation publishes them: patches with layers of ghosts that hold wrong values.
///
///     LevelFlow flow(levels_from_corner(three_levels()), turning);
///     flow.add_all([](std::size_t patch) { return patch % 2 == 0; });
///     plugin.execute(flow.snapshot(step, time));
#pragma once

#include "Core/AmrMesh/AmrInMemory.h"
#include "rivulet_insitu_data.h"

#include <deque>

namespace rivulet::test
{

/// The same levels with the index 0 at the corner of the domain.
inline std::vector<AmrMeshLevel> levels_from_corner(const AmrMesh& mesh)
{
  std::vector<AmrMeshLevel> levels;
  const Grid& coarsest = mesh.level(0).grid;
  for (int number = 0; number < mesh.levels(); ++number)
  {
    AmrMeshLevel& level = levels.emplace_back(mesh.level(number));
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      level.grid.first[axis] = 0;
      level.grid.origin[axis] = coarsest.origin[axis] + coarsest.first[axis] * coarsest.spacing[axis];
    }
  }
  return levels;
}

inline std::vector<double> height_at(const Vec3& x)
{
  return { 3.0 * x[0] - x[2] };
}

/// The variables "velocity", in floats if asked for, and "height", in doubles.
class LevelFlow
{
public:
  LevelFlow(std::vector<AmrMeshLevel> levels, Components velocity, bool floats = false)
    : levels_(std::move(levels))
    , velocity_(std::move(velocity))
    , floats_(floats)
  {
    const Grid& grid = levels_.front().grid;
    field_.name = "flow";
    field_.centring = RIVULET_CELLS;
    field_.levels = static_cast<std::int32_t>(levels_.size());
    field_.variables = 2;
    field_.variable = variables_.data();
    variables_[0].type = floats_ ? RIVULET_FLOAT32 : RIVULET_FLOAT64;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      field_.origin[axis] = grid.origin[axis];
      field_.spacing[axis] = grid.spacing[axis];
      field_.cells[axis] = grid.cells()[axis];
    }
    for (std::size_t level = 1; level < levels_.size(); ++level)
    {
      ratios_.insert(ratios_.end(), levels_[level].ratio.begin(), levels_[level].ratio.end());
    }
    field_.ratio = ratios_.data();
    snapshot_.fields = 1;
    snapshot_.field = &field_;
  }
  LevelFlow(const LevelFlow&) = delete;
  LevelFlow& operator=(const LevelFlow&) = delete;

  void add(std::int32_t level, const Box& cells)
  {
    const auto number = static_cast<std::int32_t>(blocks_.size());
    rivulet_block& block = blocks_.emplace_back();
    block.level = level;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      block.begin[axis] = cells.begin[axis];
      block.cells[axis] = cells.size()[axis];
      block.ghosts[axis] = (number + static_cast<std::int32_t>(axis)) % 3;
      block.ghosts_above[axis] = number % 2 == 0 ? 0 : RIVULET_NO_GHOSTS;
    }
  }

  /// The patches for which `mine` is true, numbered through all levels.
  template <class Mine>
  void add_all(const Mine& mine)
  {
    std::size_t number = 0;
    for (std::size_t level = 0; level < levels_.size(); ++level)
    {
      for (const Box& box : levels_[level].boxes)
      {
        if (mine(number++))
        {
          add(static_cast<std::int32_t>(level), box);
        }
      }
    }
  }
  void remove_patches() { blocks_.clear(); }

  [[nodiscard]] rivulet_field& field() { return field_; }
  [[nodiscard]] std::vector<rivulet_block>& blocks() { return blocks_; }
  [[nodiscard]] std::vector<std::int32_t>& ratios() { return ratios_; }
  [[nodiscard]] std::array<rivulet_variable, 2>& variables() { return variables_; }

  [[nodiscard]] const rivulet_snapshot& snapshot(std::int64_t step, double time)
  {
    values_.clear();
    data_.clear();
    for (rivulet_block& block : blocks_)
    {
      fill(block);
    }
    field_.blocks = static_cast<std::int32_t>(blocks_.size());
    field_.block = blocks_.data();
    snapshot_.step = step;
    snapshot_.time = time;
    snapshot_.first_step = begun_ ? snapshot_.first_step : step;
    snapshot_.first_time = begun_ ? snapshot_.first_time : time;
    begun_ = true;
    return snapshot_;
  }

private:
  void fill(rivulet_block& block)
  {
    const auto& level = levels_[std::min(static_cast<std::size_t>(block.level), levels_.size() - 1)];
    Box own;
    Box stored;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      own.begin[axis] = static_cast<std::int32_t>(block.begin[axis]);
      own.end[axis] = static_cast<std::int32_t>(block.begin[axis] + block.cells[axis]);
      stored.begin[axis] = own.begin[axis] - block.ghosts[axis];
      stored.end[axis] = own.end[axis] + rivulet_ghosts_above(&block, static_cast<int>(axis));
    }
    std::vector<double>& velocity = values_.emplace_back();
    std::vector<double>& height = values_.emplace_back();
    for (std::int64_t i = 0; i < stored.count(); ++i)
    {
      Int3 at = from_row_major(i, stored.size());
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        at[axis] += stored.begin[axis];
      }
      const Vec3 place = position_of(level.grid, Centering::Cell, at);
      const bool ghost = !own.contains(at);
      for (const double value : velocity_(place))
      {
        velocity.push_back(ghost ? -999.0 : value);
      }
      height.push_back(ghost ? -999.0 : height_at(place).front());
    }
    if (floats_)
    {
      std::vector<float> floats(velocity.begin(), velocity.end());
      velocity.assign((floats.size() + 1) / 2, 0.0);
      std::copy_n(reinterpret_cast<const char*>(floats.data()), floats.size() * sizeof(float),
          reinterpret_cast<char*>(velocity.data()));
    }
    data_.push_back({ velocity.data(), height.data() });
    block.data = data_.back().data();
  }

  std::vector<AmrMeshLevel> levels_;
  Components velocity_;
  bool floats_;
  bool begun_ = false; ///< there was a snapshot
  rivulet_field field_{};
  rivulet_snapshot snapshot_{};
  std::vector<std::int32_t> ratios_;
  std::array<rivulet_variable, 2> variables_{ { { "velocity", RIVULET_FLOAT64, 3 },
      { "height", RIVULET_FLOAT64, 1 } } };
  std::vector<rivulet_block> blocks_;
  std::deque<std::vector<double>> values_;
  std::deque<std::array<const void*, 2>> data_;
};

} // namespace rivulet::test
