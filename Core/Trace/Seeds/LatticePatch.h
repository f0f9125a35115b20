// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Three components of an array at the lattice points of a box, copied from several bricks.
///
///     LatticePatch patch(array, 0, { 0, 0, 0 });
///     patch.begin(box, inside);
///     const Lookup::State loaded = patch.load(error); // after a Miss: call again when patch.wait() has returned
///     patch.continue_outside();
///     use(patch.values()[component][patch.number(point)]);
///
/// One thread at a time. Pins one brick at a time.
#pragma once

#include "Store/Source/WaitForBrick.h"
#include "Trace/Contract/TraceField.h"

#include <array>
#include <vector>

namespace rivulet
{

class LatticePatch
{
public:
  using Values = std::array<std::vector<double>, 3>; ///< by component, one for each lattice point of the box

  /// `offset`: lattice point of the source at the dataset's (0, 0, 0).
  LatticePatch(const SourceArray& array, std::int32_t first_component, const Int3& offset);

  /// Sets the box for the next load(), and the lattice points in it that the array has, counted in the dataset. A node
  /// lies in the brick of the cell above it: all nodes of `inside` but the last along each axis have one.
  void begin(const Box& box, const Box& inside);
  /// Fetches the values. Never waits: returns Miss if a brick is on its way, and Failed, with the error, if a brick
  /// cannot be read.
  [[nodiscard]] Lookup::State load(std::shared_ptr<const Error>& error);
  /// Gives points beyond the array the values of the nearest points inside.
  void continue_outside();

  /// Waits until load() can go on, 50 ms at most.
  void wait() { inquiry_.wait(std::chrono::milliseconds(50)); }
  /// Whether a requested brick has not arrived. Then this object must not be destroyed.
  [[nodiscard]] bool brick_missing() { return inquiry_.answer_missing(); }

  [[nodiscard]] const Box& box() const { return box_; }
  [[nodiscard]] std::size_t number(const Int3& point) const
  {
    const Int3 local{ point[0] - box_.begin[0], point[1] - box_.begin[1], point[2] - box_.begin[2] };
    return static_cast<std::size_t>(row_major(local, box_.size()));
  }
  [[nodiscard]] const Values& values() const { return values_; }

private:
  void copy_brick(BrickView view);

  SourceArray array_;
  std::int32_t first_component_;
  Int3 offset_;
  const BrickGrid& cut_;
  bool at_nodes_;
  BrickInquiry inquiry_;
  Box box_;
  Box inside_;
  Box bricks_;            ///< bricks with the values
  std::int64_t next_ = 0; ///< first of these bricks that was not copied yet
  Values values_;
};

} // namespace rivulet
