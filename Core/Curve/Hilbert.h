// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A Hilbert-like curve through every point of a box of any dimensions, neither powers of two nor cubes.
///
/// The box is cut recursively into up to five boxes that are visited so that each begins next to where the last one
/// ended (J. Cerveny, "Generalized Hilbert space-filling curve for rectangular domains of arbitrary sizes", 2018).
/// Nothing is tabulated: both directions take O(log size) cuts. Consecutive points are neighbours (they may be diagonal
/// ones where an odd side forces it).
#pragma once

#include "Base/Box.h"

namespace rivulet
{

class HilbertCurve
{
public:
  /// All dims at least 1; their product below 2^62.
  explicit HilbertCurve(const Int3& dims);

  [[nodiscard]] const Int3& dims() const { return dims_; }
  [[nodiscard]] std::int64_t size() const { return volume(dims_); }

  /// Number of point `at` along the curve, in [0, size()). Inverse of at().
  [[nodiscard]] std::int64_t index(const Int3& at) const;
  [[nodiscard]] Int3 at(std::int64_t index) const;

private:
  Int3 dims_;
};

} // namespace rivulet
