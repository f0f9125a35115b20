// SPDX-License-Identifier: BSD-3-Clause
#include "AmrMesh/RefineBox.h"

#include <algorithm>
#include <limits>

namespace rivulet
{

namespace
{

std::int32_t floor_divide(std::int64_t a, std::int64_t b)
{
  return static_cast<std::int32_t>(a >= 0 ? a / b : -((-a + b - 1) / b));
}

/// Product limited to the range of 32 bits.
std::int32_t times(std::int32_t index, std::int32_t ratio)
{
  using Limits = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(std::int64_t{ index } * ratio, Limits::min(), Limits::max()));
}

} // namespace

Box refine(const Box& coarse, const Int3& ratio)
{
  Box fine;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    fine.begin[axis] = times(coarse.begin[axis], ratio[axis]);
    fine.end[axis] = times(coarse.end[axis], ratio[axis]);
  }
  return fine;
}

Box coarsen(const Box& fine, const Int3& ratio)
{
  Box coarse;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    coarse.begin[axis] = floor_divide(fine.begin[axis], ratio[axis]);
    coarse.end[axis] = floor_divide(std::int64_t{ fine.end[axis] } - 1, ratio[axis]) + 1;
  }
  return coarse;
}

Box covered_by(const Box& fine, const Int3& ratio)
{
  Box coarse;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    coarse.begin[axis] = floor_divide(std::int64_t{ fine.begin[axis] } - 1, ratio[axis]) + 1;
    coarse.end[axis] = floor_divide(fine.end[axis], ratio[axis]);
  }
  return coarse;
}

void subtract(const Box& from, const Box& without, std::vector<Box>& left)
{
  const Box common = intersect(from, without);
  if (common.empty())
  {
    left.push_back(from);
    return;
  }
  Box rest = from;
  for (std::size_t axis = 3; axis-- > 0;)
  {
    Box below = rest;
    below.end[axis] = common.begin[axis];
    Box above = rest;
    above.begin[axis] = common.end[axis];
    for (const Box& part : { below, above })
    {
      if (!part.empty())
      {
        left.push_back(part);
      }
    }
    rest.begin[axis] = common.begin[axis];
    rest.end[axis] = common.end[axis];
  }
}

} // namespace rivulet
