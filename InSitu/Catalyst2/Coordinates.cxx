// SPDX-License-Identifier: BSD-3-Clause
#include "Coordinates.h"

namespace rivulet::catalyst2
{

Result<std::vector<Place>> axes_of(const Place& coordset)
{
  Result<Place> values = coordset.need("values");
  if (!values)
  {
    return forward_error(values);
  }
  std::vector<Place> axes;
  for (const char* const name : { "x", "y", "z" })
  {
    const std::optional<Place> axis = values->find(name);
    if (!axis)
    {
      break;
    }
    axes.push_back(*axis);
  }
  if (axes.empty() || axes.size() != values->children().size())
  {
    return values->refuse("its coordinates are not x, or x and y, or x, y and z", "publish Cartesian coordinates");
  }
  return axes;
}

Result<Values> points_of(const Place& coordset)
{
  Result<std::vector<Place>> axes = axes_of(coordset);
  Result<Values> points = axes ? values_of(*axes, "points") : forward_error(axes);
  if (points && points->type != RIVULET_FLOAT32 && points->type != RIVULET_FLOAT64)
  {
    return coordset.refuse("its coordinates are integers", "publish float32 or float64");
  }
  return points;
}

} // namespace rivulet::catalyst2
