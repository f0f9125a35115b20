// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/PlacesTable.h"

namespace rivulet
{

namespace
{

template <class T>
PlacesMeasure measure(const BrickLayout& layout, const Int3& brick, const T* values)
{
  const Box nodes = lattice_box(layout, brick);
  return measure_places(nodes,
      [&](const Int3& node)
      {
        const Int3 at{ node[0] - nodes.begin[0], node[1] - nodes.begin[1], node[2] - nodes.begin[2] };
        const T* const place = values + 3 * row_major(at, layout.nodes);
        return Vec3{ static_cast<double>(place[0]), static_cast<double>(place[1]), static_cast<double>(place[2]) };
      });
}

} // namespace

PlacesRow row_of(const PlacesMeasure& places)
{
  const Vec3& lower = places.box.lower;
  const Vec3& upper = places.box.upper;
  return { lower[0], lower[1], lower[2], upper[0], upper[1], upper[2], places.shortest,
    static_cast<double>(places.handed) };
}

PlacesMeasure places_of(const PlacesRow& row)
{
  PlacesMeasure places;
  places.box = { { row[0], row[1], row[2] }, { row[3], row[4], row[5] } };
  places.shortest = row[6];
  const bool counted = std::fabs(row[7]) <= static_cast<double>(std::int64_t{ 1 } << 40);
  places.handed = counted ? static_cast<std::int64_t>(row[7]) : 0;
  places.finite = counted && row[6] > 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    places.finite =
        places.finite && std::isfinite(row[axis]) && std::isfinite(row[axis + 3]) && row[axis] <= row[axis + 3];
  }
  return places;
}

PlacesMeasure measure_places(const BrickLayout& layout, ScalarType type, const Int3& brick, const void* values)
{
  return type == ScalarType::Float32 ? measure(layout, brick, static_cast<const float*>(values))
                                     : measure(layout, brick, static_cast<const double*>(values));
}

} // namespace rivulet
