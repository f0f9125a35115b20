// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/UnstructuredMesh.h"

#include <cmath>

namespace rivulet
{

std::optional<Mesh::Place> UnstructuredMesh::enter(const Vec3& world, const Moment& moment) const
{
  note_seek();
  return ForeignMesh::enter(world, moment);
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
