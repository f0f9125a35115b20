// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Fields on blocks for tests, as a simulation publishes them: with layers of ghosts that hold wrong values.
///
///     Flow flow({ 20, 17, 9 }, RIVULET_NODES);
///     flow.add_block({ { 0, 0, 0 }, { 20, 10, 9 } });
///     plugin.execute(flow.snapshot(step, time));
#pragma once

#include "Base/Box.h"
#include "rivulet_insitu_data.h"

#include <array>
#include <cmath>
#include <deque>
#include <vector>

namespace rivulet::test
{

inline const std::array<double, 3> kFlowOrigin{ -1.0, 0.5, 2.0 };
inline const std::array<double, 3> kFlowSpacing{ 0.5, 0.25, 0.125 };

/// Values of a point of the lattice: they tell which it is.
inline std::array<double, 3> velocity_at(const Int3& point, double time)
{
  return { point[0] + time, 1000.0 * point[1] - time, 0.001 * point[2] };
}
/// Of a curvilinear grid that moves at time 2.
inline std::array<double, 3> node_at(const Int3& node, double time)
{
  const double bend = time < 2.0 ? 0.25 : 0.5;
  return { node[0] + bend * std::sin(0.7 * node[1]), node[1] - bend * std::cos(0.9 * node[2]), 0.5 * node[2] };
}
inline double pressure_at(const Int3& point, double time)
{
  return std::sin(point[0] + 2.0 * point[1] + 3.0 * point[2] + time);
}

class Flow
{
public:
  using Velocity = std::array<double, 3> (*)(const Int3& point, double time);

  Flow(const Int3& cells, int centring, Velocity velocity = velocity_at)
    : centring_(centring)
    , velocity_(velocity)
  {
    field_.name = "flow";
    field_.centring = centring;
    field_.levels = 1;
    field_.variables = 2;
    field_.variable = variables_.data();
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      field_.origin[axis] = kFlowOrigin[axis];
      field_.spacing[axis] = kFlowSpacing[axis];
      field_.cells[axis] = cells[axis];
    }
    snapshot_.fields = 1;
    snapshot_.field = &field_;
  }
  /// With nodes at node_at().
  void make_curvilinear() { field_.points = &places_; }

  Flow(const Flow&) = delete;
  Flow& operator=(const Flow&) = delete;

  /// `cells`: of the domain, without ghosts.
  void add_block(const Box& cells, const std::array<std::int32_t, 3>& ghosts = { 2, 0, 1 },
      const std::array<std::int32_t, 3>& above = { 0, 0, 0 })
  {
    rivulet_block block{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      block.begin[axis] = cells.begin[axis];
      block.cells[axis] = cells.size()[axis];
      block.ghosts[axis] = ghosts[axis];
      block.ghosts_above[axis] = above[axis];
    }
    blocks_.push_back(block);
    velocities_.emplace_back();
    pressures_.emplace_back();
    data_.emplace_back();
    nodes_.emplace_back();
    node_data_.emplace_back();
  }

  [[nodiscard]] rivulet_field& field() { return field_; }
  [[nodiscard]] std::array<rivulet_variable, 2>& variables() { return variables_; }

  [[nodiscard]] const rivulet_snapshot& snapshot(std::int64_t step, double time)
  {
    for (std::size_t number = 0; number < blocks_.size(); ++number)
    {
      fill(number, time);
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
  /// Calls value(point, ghost) for each value of a block, of nodes or cells, ghosts included.
  template <class Value>
  static void for_values(const rivulet_block& block, bool nodes, const Value& value)
  {
    Int3 size{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      size[axis] = static_cast<std::int32_t>(block.cells[axis]) + (nodes ? 1 : 0);
    }
    const Box stored{ { -block.ghosts[0], -block.ghosts[1], -block.ghosts[2] },
      { size[0] + rivulet_ghosts_above(&block, 0), size[1] + rivulet_ghosts_above(&block, 1),
          size[2] + rivulet_ghosts_above(&block, 2) } };
    for (std::int64_t i = 0; i < stored.count(); ++i)
    {
      const Int3 place = from_row_major(i, stored.size());
      const Int3 at{ place[0] + stored.begin[0], place[1] + stored.begin[1], place[2] + stored.begin[2] };
      const Int3 point{ static_cast<std::int32_t>(at[0] + block.begin[0]),
        static_cast<std::int32_t>(at[1] + block.begin[1]), static_cast<std::int32_t>(at[2] + block.begin[2]) };
      value(point, !Box{ { 0, 0, 0 }, size }.contains(at));
    }
  }

  void fill(std::size_t number, double time)
  {
    rivulet_block& block = blocks_[number];
    velocities_[number].clear();
    pressures_[number].clear();
    nodes_[number].clear();
    for_values(block, centring_ == RIVULET_NODES,
        [&](const Int3& point, bool ghost)
        {
          for (const double value : velocity_(point, time))
          {
            velocities_[number].push_back(ghost ? -999.0F : static_cast<float>(value));
          }
          pressures_[number].push_back(ghost ? -999.0 : pressure_at(point, time));
        });
    for_values(block, true,
        [&](const Int3& node, bool ghost)
        {
          for (const double value : node_at(node, time))
          {
            nodes_[number].push_back(ghost ? -999.0 : value);
          }
        });
    data_[number] = { velocities_[number].data(), pressures_[number].data() };
    block.data = data_[number].data();
    node_data_[number] = nodes_[number].data();
    block.points = field_.points != nullptr ? &node_data_[number] : nullptr;
  }

  bool begun_ = false; ///< there was a snapshot
  int centring_;
  Velocity velocity_;
  rivulet_field field_{};
  rivulet_snapshot snapshot_{};
  std::array<rivulet_variable, 2> variables_{ { { "velocity", RIVULET_FLOAT32, 3 },
      { "pressure", RIVULET_FLOAT64, 1 } } };
  std::vector<rivulet_block> blocks_;
  std::deque<std::vector<float>> velocities_;
  std::deque<std::vector<double>> pressures_;
  std::deque<std::array<const void*, 2>> data_;
  rivulet_variable places_{ nullptr, RIVULET_FLOAT64, 3 };
  std::deque<std::vector<double>> nodes_;
  std::deque<const void*> node_data_;
};

/// Cuts a domain into parts along each axis, at places that fit no bricks.
inline std::vector<Box> cut_unevenly(const Int3& cells, const Int3& parts)
{
  std::vector<Box> boxes;
  for (std::int32_t number = 0; number < parts[0] * parts[1] * parts[2]; ++number)
  {
    const Int3 at = from_row_major(number, parts);
    Box box;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const auto place = [&](std::int32_t part)
      {
        return part == 0 || part == parts[axis] ? part / parts[axis] * cells[axis]
                                                : (cells[axis] * part + part % 2) / parts[axis] + 1;
      };
      box.begin[axis] = place(at[axis]);
      box.end[axis] = place(at[axis] + 1);
    }
    boxes.push_back(box);
  }
  return boxes;
}

} // namespace rivulet::test
