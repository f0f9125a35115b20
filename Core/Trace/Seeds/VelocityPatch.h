// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The velocities of a box of lattice points, copied from several bricks, and the vorticity in the cells between. For
/// searches through a whole field, where one brick is not enough.
///
///     VelocityPatch patch(context);
///     patch.begin(cells);
///     const Lookup::State loaded = patch.load(error); // after a Miss: call again when patch.wait() has returned
///     if (loaded == Lookup::State::Ready) use(patch.vorticity({ 4, 5, 6 }));
///
/// Derivatives are computed for a whole box in loops without branches, over one array per component: a few nanoseconds
/// per cell.
///
/// One thread at a time. Pins one brick at a time.
#pragma once

#include "Store/Source/WaitForBrick.h"
#include "Trace/Kernel/AdvectionContext.h"

namespace rivulet
{

class VelocityPatch
{
public:
  explicit VelocityPatch(const AdvectionContext& context);

  /// Sets the cells of the dataset for the next load().
  void begin(const Box& cells);
  /// Fetches the values for these cells and computes their vorticity. Never waits: returns Miss if a brick is on its
  /// way, and Failed, with the error, if a brick cannot be read.
  [[nodiscard]] Lookup::State load(std::shared_ptr<const Error>& error);
  /// Waits until load() can go on, 50 ms at most.
  void wait() { inquiry_.wait(std::chrono::milliseconds(50)); }
  /// Whether a requested brick has not arrived. Then this object must not be destroyed.
  [[nodiscard]] bool brick_missing() { return inquiry_.answer_missing(); }

  /// Magnitude of the curl of the velocity at the centre of one of the cells loaded.
  [[nodiscard]] double vorticity(const Int3& cell) const { return vorticity_[number(cell)]; }

private:
  [[nodiscard]] std::size_t number(const Int3& point) const
  {
    const Int3 local{ point[0] - box_.begin[0], point[1] - box_.begin[1], point[2] - box_.begin[2] };
    return static_cast<std::size_t>(row_major(local, box_.size()));
  }
  void set_box(const Box& cells);
  [[nodiscard]] Box lattice_inside() const;
  void copy_brick(BrickView view);
  void continue_outside(const Box& inside);
  void differ_between_nodes();
  void differ_between_centres();
  void weigh();
  [[nodiscard]] double weight(std::size_t axis, std::int32_t cell) const;
  void take_curl();

  const AdvectionContext& context_;
  BrickInquiry inquiry_;
  bool nodes_;            ///< the values lie at nodes
  Box bricks_;            ///< bricks with the values
  std::int64_t next_ = 0; ///< first of these bricks that was not copied yet
  Box box_;               ///< lattice points held, counted in the dataset; copies beyond its ends
  std::array<std::size_t, 3> apart_{ 1, 1,
    1 }; ///< in the arrays, between neighbours along each axis; 0 along flat ones
  std::array<std::vector<double>, 3> velocity_;
  std::array<std::array<std::vector<double>, 3>, 3> change_; ///< [axis][component], one per point, some without meaning
  std::vector<double> vorticity_;
};

} // namespace rivulet
