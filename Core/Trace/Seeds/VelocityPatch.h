// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The velocities of a box of lattice points, copied out of whatever bricks hold them, and the vorticity in the cells
/// between. For searches that go through a field in order, where a particle's window into one brick is not enough.
///
///     VelocityPatch patch(context);
///     if (patch.load(cells, error)) use(patch.vorticity({ 4, 5, 6 }));
///
/// Derivatives are computed for a whole box in loops without branches, over one array for each component: a few
/// nanoseconds a cell.
///
/// One per thread. Blocks while a brick is on its way. Pins one brick at a time.
#pragma once

#include "Trace/Advect/AdvectionContext.h"

namespace rivulet
{

class VelocityPatch
{
public:
  explicit VelocityPatch(const AdvectionContext& context);

  /// Fetches all values that the vorticities of `cells` (of the dataset) need, and computes those. False, with the
  /// error, if a brick cannot be read.
  [[nodiscard]] bool load(const Box& cells, std::shared_ptr<const Error>& error);

  /// Magnitude of the curl of the velocity at the centre of one of the cells loaded.
  [[nodiscard]] double vorticity(const Int3& cell) const { return vorticity_[number(cell)]; }

private:
  [[nodiscard]] std::size_t number(const Int3& point) const
  {
    const Int3 local{ point[0] - box_.begin[0], point[1] - box_.begin[1], point[2] - box_.begin[2] };
    return static_cast<std::size_t>(row_major(local, box_.size()));
  }
  void set_box(const Box& cells);
  [[nodiscard]] bool load_brick(std::int64_t brick, const Box& wanted, std::shared_ptr<const Error>& error);
  void continue_outside(const Box& inside);
  void differ_between_nodes();
  void differ_between_centres();
  void weigh();
  [[nodiscard]] double weight(std::size_t axis, std::int32_t cell) const;
  void take_curl();

  const AdvectionContext& context_;
  bool nodes_; ///< the values lie at nodes
  Box box_;    ///< lattice points held, counted in the dataset; around it, copies where the dataset ends
  std::array<std::size_t, 3> apart_{ 1, 1,
    1 }; ///< in the arrays, between neighbours along each axis; 0 along flat ones
  std::array<std::vector<double>, 3> velocity_;
  std::array<std::array<std::vector<double>, 3>, 3> change_; ///< [axis][component], one per point, some of no meaning
  std::vector<double> vorticity_;
};

} // namespace rivulet
