// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/UnstructuredMesh.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

std::optional<Mesh::Place> UnstructuredMesh::enter(const Vec3& world, const Moment&) const
{
  return Place{ WorldPosition{ .point = world, .walk = WalkState::kLost }, 0 };
}

void UnstructuredMesh::locate(
    std::span<const Vec3> places, const Moment& moment, std::span<std::optional<Place>> found) const
{
  seeks_.fetch_add(static_cast<std::int64_t>(places.size()), std::memory_order_relaxed);
  std::transform(places.begin(), places.end(), found.begin(),
      [&](const Vec3& place) { return ForeignMesh::enter(place, moment); });
}

std::int64_t UnstructuredMesh::label_number(
    const Vec3& world, const Position& at, const Moment& moment, Centering centering) const
{
  std::optional<Place> place(Place{ at, 0 });
  if (at.as<WorldPosition>().cell < 0)
  {
    locate({ &world, 1 }, moment, { &place, 1 });
  }
  return place ? ForeignMesh::label_number(world, place->at, moment, centering) : -1;
}

std::int64_t UnstructuredMesh::enter_brick(Position& sample, Position&, std::span<double[3]>, std::int32_t) const
{
  return sample.as<WorldPosition>().walk == WalkState::kOutside ? -1 : 0;
}

/// With the operations of the kernel.
void UnstructuredMesh::interpolate(
    const BrickView& brick, Centering centering, const Position& at, const Moment& moment, double* values) const
{
  const auto place = at.as<WorldPosition>();
  if (centering == Centering::Cell || !own_.has(place.cell))
  {
    ForeignMesh::interpolate(brick, centering, at, moment, values);
    return;
  }
  const CellType& type = own_.table().type(place.cell);
  const Vec3 t = clamped_to_shape(type.shape, locate_in_shape(type.shape, own_.corners(place.cell), place.point).at);
  const ShapeWeights weights = weights_of(type.shape, t);
  const auto mix = [](double a, double b, double share)
  {
    return std::fma(share, b - a, a);
  };
  for (std::int32_t component = 0; component < brick.components; ++component)
  {
    std::array<double, kMostCorners> v{};
    for (int corner = 0; corner < type.corners; ++corner)
    {
      v[static_cast<std::size_t>(corner)] = value_of(brick, own_.table().node(place.cell, corner), component);
    }
    double& value = values[component];
    switch (type.shape)
    {
    case CellShape::Tetrahedron:
      value = std::fma(t[2], v[3] - v[0], std::fma(t[1], v[2] - v[0], mix(v[0], v[1], t[0])));
      break;
    case CellShape::Hexahedron:
      value = mix(mix(mix(v[0], v[1], t[0]), mix(v[2], v[3], t[0]), t[1]),
          mix(mix(v[4], v[5], t[0]), mix(v[6], v[7], t[0]), t[1]), t[2]);
      break;
    default:
      value = 0.0;
      for (std::size_t corner = 0; corner < kMostCorners; ++corner)
      {
        value = std::fma(weights[corner], v[corner], value);
      }
    }
  }
}

} // namespace rivulet
