// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The velocities of a box of lattice points, copied out of whatever bricks hold them, and their derivatives in the
/// cells between. For searches that go through a field in order, where a particle's window into one brick is not
/// enough.
///
///     VelocityPatch patch(problem);
///     if (patch.load(cells, error)) use(patch.vorticity({ 4, 5, 6 }));
///
/// One per thread. Blocks while a brick is on its way. Pins one brick at a time.
#pragma once

#include "Trace/Problem.h"

namespace rivulet
{

class VelocityPatch
{
public:
  explicit VelocityPatch(const Problem& problem);

  /// Fetches all values that the vorticities of `cells` (of the dataset) need. False, with the error, if a brick cannot
  /// be read.
  [[nodiscard]] bool load(const Box& cells, std::shared_ptr<const Error>& error);

  /// Curl of the velocity at the centre of one of the cells loaded.
  [[nodiscard]] Vec3 vorticity(const Int3& cell) const;

private:
  struct Difference
  {
    Vec3 change;   ///< of the velocity
    Vec3 gradient; ///< of what the change is counted in
  };

  [[nodiscard]] Box needed(const Box& cells) const;
  [[nodiscard]] bool load_brick(std::int64_t brick, std::shared_ptr<const Error>& error);
  [[nodiscard]] Difference between_nodes(const Int3& cell, std::size_t axis) const;
  [[nodiscard]] Difference between_centres(const Int3& cell, std::size_t axis) const;
  [[nodiscard]] const Vec3& at(const Int3& point) const;

  const Problem& problem_;
  bool nodes_; ///< the values lie at nodes
  Box box_;    ///< lattice points held, counted in the dataset
  std::vector<Vec3> values_;
};

} // namespace rivulet
