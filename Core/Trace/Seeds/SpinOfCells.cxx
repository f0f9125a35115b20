// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Seeds/SpinOfCells.h"

#include "Base/Vector.h"
#include "Store/Source/WaitForBrick.h"
#include "Trace/Mesh/ForeignMesh.h"

#include <algorithm>
#include <limits>

namespace rivulet
{

namespace
{

Vec3 parametric_centre(CellShape shape)
{
  switch (shape)
  {
  case CellShape::Triangle:
    return { 1.0 / 3, 1.0 / 3, 0.0 };
  case CellShape::Quadrilateral:
    return { 0.5, 0.5, 0.0 };
  case CellShape::Tetrahedron:
    return { 0.25, 0.25, 0.25 };
  case CellShape::Pyramid:
    return { 0.4, 0.4, 0.8 }; // the centre of its volume lies a fifth of the way up
  case CellShape::Wedge:
    return { 1.0 / 3, 1.0 / 3, 0.5 };
  case CellShape::Hexahedron:
    break;
  }
  return { 0.5, 0.5, 0.5 };
}

/// The gradient of a linear function from its changes along some ways: the least sum of squares of what is left.
class LinearFit
{
public:
  void add(const Vec3& way, const Vec3& change)
  {
    for (std::size_t i = 0; i < 3; ++i)
    {
      for (std::size_t j = 0; j < 3; ++j)
      {
        ways_[i][j] += way[i] * way[j];
        changes_[i][j] += way[i] * change[j];
      }
    }
  }
  /// Derivatives of the function by x, y and z; not a number where the ways do not span space.
  [[nodiscard]] std::array<Vec3, 3> slopes() const
  {
    const Vec3 rows[3] = { cross(ways_[1], ways_[2]), cross(ways_[2], ways_[0]), cross(ways_[0], ways_[1]) };
    const double volume = dot(ways_[0], rows[0]);
    const bool spans = std::fabs(shape_of(ways_[0], ways_[1], ways_[2])) >= kNoVolume;
    std::array<Vec3, 3> slopes{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      for (std::size_t component = 0; component < 3; ++component)
      {
        double sum = 0.0;
        for (std::size_t i = 0; i < 3; ++i)
        {
          sum += rows[i][axis] * changes_[i][component];
        }
        slopes[axis][component] = spans ? sum / volume : std::numeric_limits<double>::quiet_NaN();
      }
    }
    return slopes;
  }

private:
  std::array<Vec3, 3> ways_{}; // symmetric
  std::array<Vec3, 3> changes_{};
};

/// `slopes`: derivatives of a vector by x, y and z.
Vec3 curl_of(const std::array<Vec3, 3>& slopes)
{
  return { slopes[1][2] - slopes[2][1], slopes[2][0] - slopes[0][2], slopes[0][1] - slopes[1][0] };
}

} // namespace

SpinOfCells::SpinOfCells(const AdvectionContext& context, const UnstructuredCells& cells)
  : cells_(cells)
  , first_component_(std::max(context.field().velocity.first_component, 0))
  , of_cells_(context.velocity().centering == Centering::Cell)
{
  const SourceArray& velocity = context.field().velocity;
  pin_ = wait_for_brick(*velocity.source, { velocity.variable, velocity.step, 0 }, error_);
}

Vec3 SpinOfCells::velocity(std::int64_t number) const
{
  const BrickView& view = pin_.view();
  return { value_of(view, number, first_component_), value_of(view, number, first_component_ + 1),
    value_of(view, number, first_component_ + 2) };
}

Vec3 SpinOfCells::centre(std::int64_t cell) const
{
  const CellType& type = cells_.table().type(cell);
  const ShapeCorners corners = cells_.corners(cell);
  const ShapeWeights weights = weights_of(type.shape, parametric_centre(type.shape));
  Vec3 middle{ 0, 0, 0 };
  for (std::size_t corner = 0; corner < static_cast<std::size_t>(type.corners); ++corner)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      middle[axis] += weights[corner] * corners[corner][axis];
    }
  }
  return middle;
}

double SpinOfCells::vorticity(std::int64_t cell) const
{
  return length_of(of_cells_ ? curl_of_cells(cell) : curl_of_points(cell));
}

Vec3 SpinOfCells::curl_of_points(std::int64_t cell) const
{
  const CellType& type = cells_.table().type(cell);
  const std::array<Vec3, kMostCorners> weights =
      gradients_of_weights(type.shape, cells_.corners(cell), parametric_centre(type.shape));
  std::array<Vec3, 3> slopes{};
  for (int corner = 0; corner < type.corners; ++corner)
  {
    const Vec3 value = velocity(cells_.table().node(cell, corner));
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      for (std::size_t component = 0; component < 3; ++component)
      {
        slopes[axis][component] += weights[static_cast<std::size_t>(corner)][axis] * value[component];
      }
    }
  }
  return curl_of(slopes);
}

/// In increasing order, without the cell itself.
std::vector<std::int64_t> SpinOfCells::cells_around(std::int64_t cell) const
{
  std::vector<std::int64_t> around;
  const auto add_beyond_faces = [&](std::int64_t of)
  {
    for (int face = 0; face < faces_of(cells_.table().type(of).shape).count; ++face)
    {
      if (const std::int64_t next = cells_.beyond(of, face); next >= 0)
      {
        around.push_back(next);
      }
    }
  };
  add_beyond_faces(cell);
  const std::vector<std::int64_t> nearest = around;
  std::for_each(nearest.begin(), nearest.end(), add_beyond_faces);
  std::sort(around.begin(), around.end());
  around.erase(std::unique(around.begin(), around.end()), around.end());
  around.erase(std::remove(around.begin(), around.end(), cell), around.end());
  return around;
}

Vec3 SpinOfCells::curl_of_cells(std::int64_t cell) const
{
  const Vec3 middle = centre(cell);
  const Vec3 here = velocity(cell);
  LinearFit fit;
  double longest = 0.0;
  for (const std::int64_t other : cells_around(cell))
  {
    const Vec3 way = difference(centre(other), middle);
    fit.add(way, difference(velocity(other), here));
    longest = std::max(longest, length_of(way));
  }
  const CellShape shape = cells_.table().type(cell).shape;
  if (faces_of(shape).dimension == 2)
  {
    const Vec3 normal = tangents_of(shape, cells_.corners(cell), parametric_centre(shape))[2];
    fit.add({ longest * normal[0], longest * normal[1], longest * normal[2] }, { 0, 0, 0 });
  }
  return curl_of(fit.slopes());
}

} // namespace rivulet
