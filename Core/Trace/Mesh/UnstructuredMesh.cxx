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

/// -1: none.
std::int64_t UnstructuredMesh::cell_with(const Vec3& world, const Moment& moment) const
{
  static thread_local CellWeights weights;
  note_seek();
  return own_->find_at(moment.share, world, -1, weights);
}

void UnstructuredMesh::locate(
    std::span<const Vec3> places, const Moment& moment, std::span<std::optional<Place>> found) const
{
  std::transform(places.begin(), places.end(), found.begin(),
      [&](const Vec3& place)
      {
        const std::int64_t cell = cell_with(place, moment);
        return cell >= 0 ? std::optional(Place{ WorldPosition{ .point = place, .cell = cell }, 0 }) : std::nullopt;
      });
}

std::int64_t UnstructuredMesh::label_number(
    const Vec3& world, const Position& at, const Moment& moment, Centering centering) const
{
  WorldPosition place = at.as<WorldPosition>();
  place.cell = place.cell >= 0 ? place.cell : cell_with(world, moment);
  if (place.cell < 0 || centering == Centering::Cell || !own_->has(place.cell))
  {
    return ForeignMesh::label_number(world, place, moment, centering);
  }
  const CellType& type = own_->table().type(place.cell);
  const ShapeCorners corners = own_->corners(place.cell, moment.share);
  const ShapeWeights weights =
      weights_of(type.shape, clamped_to_shape(type.shape, locate_in_shape(type.shape, corners, world).at));
  const auto* const largest = std::max_element(weights.begin(), weights.begin() + type.corners);
  return own_->table().node(place.cell, static_cast<int>(largest - weights.begin()));
}

std::int64_t UnstructuredMesh::enter_brick(Position& sample, Position&, std::span<double[3]>, const Moment&) const
{
  return sample.as<WorldPosition>().walk == WalkState::kOutside ? -1 : 0;
}

void UnstructuredMesh::interpolate(const BrickView& brick, std::int32_t step, Centering centering, const Position& at,
    const Moment& moment, double* values) const
{
  const auto place = at.as<WorldPosition>();
  if (centering == Centering::Cell || !own_->has(place.cell))
  {
    ForeignMesh::interpolate(brick, step, centering, at, moment, values);
    return;
  }
  interpolate_in(*own_, moment.share, brick, place, values);
}

void interpolate_in(
    const UnstructuredCells& cells, double share, const BrickView& brick, const WorldPosition& place, double* values)
{
  const CellType& type = cells.table().type(place.cell);
  const Vec3 t =
      clamped_to_shape(type.shape, locate_in_shape(type.shape, cells.corners(place.cell, share), place.point).at);
  const ShapeWeights weights = weights_of(type.shape, t);
  const auto mix = [](double a, double b, double part)
  {
    return std::fma(part, b - a, a);
  };
  for (std::int32_t component = 0; component < brick.components; ++component)
  {
    std::array<double, kMostCorners> v{};
    for (int corner = 0; corner < type.corners; ++corner)
    {
      v[static_cast<std::size_t>(corner)] = value_of(brick, cells.table().node(place.cell, corner), component);
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
