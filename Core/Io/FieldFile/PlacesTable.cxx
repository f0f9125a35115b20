// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/PlacesTable.h"

#include <algorithm>

namespace rivulet
{

namespace
{

/// The places of the nodes of a brick, as a record has them.
template <class T>
class PlacesInRecord
{
public:
  PlacesInRecord(const BrickLayout& layout, const Int3& brick, const void* values)
    : nodes_(lattice_box(layout, brick))
    , stored_(layout.nodes)
    , values_(static_cast<const T*>(values))
  {
  }

  [[nodiscard]] const Box& nodes() const { return nodes_; }
  [[nodiscard]] Vec3 operator()(const Int3& node) const
  {
    const Int3 at{ node[0] - nodes_.begin[0], node[1] - nodes_.begin[1], node[2] - nodes_.begin[2] };
    const T* const place = values_ + 3 * row_major(at, stored_);
    return { static_cast<double>(place[0]), static_cast<double>(place[1]), static_cast<double>(place[2]) };
  }
  [[nodiscard]] PlacesMeasure measure() const { return measure_places(nodes_, *this); }
  [[nodiscard]] Int3 first_nowhere() const
  {
    Int3 node = nodes_.begin;
    for (std::int64_t number = 0; number < nodes_.count(); ++number)
    {
      const Int3 at = from_row_major(number, nodes_.size());
      node = { nodes_.begin[0] + at[0], nodes_.begin[1] + at[1], nodes_.begin[2] + at[2] };
      const Vec3 place = (*this)(node);
      if (!std::all_of(place.begin(), place.end(), [](double x) { return std::isfinite(x); }))
      {
        break;
      }
    }
    return node;
  }

private:
  Box nodes_;
  Int3 stored_;
  const T* values_;
};

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
  return type == ScalarType::Float32 ? PlacesInRecord<float>(layout, brick, values).measure()
                                     : PlacesInRecord<double>(layout, brick, values).measure();
}

Int3 first_nowhere(const BrickLayout& layout, ScalarType type, const Int3& brick, const void* values)
{
  return type == ScalarType::Float32 ? PlacesInRecord<float>(layout, brick, values).first_nowhere()
                                     : PlacesInRecord<double>(layout, brick, values).first_nowhere();
}

} // namespace rivulet
