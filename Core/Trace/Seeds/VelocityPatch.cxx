// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Seeds/VelocityPatch.h"

#include "Base/Vector.h"
#include "Trace/Mesh/CellPosition.h"
#include "Trace/Mesh/GridGeometry.h"
#include "Trace/Mesh/HexCell.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rivulet
{

namespace
{

/// Means of the changes along the edges of cells, for each axis. If an axis is flat, the two points along it are the
/// same.
void mean_changes(const double* __restrict v, std::size_t count, const std::array<std::size_t, 3>& apart,
    double* __restrict along_x, double* __restrict along_y, double* __restrict along_z)
{
  const std::size_t x = apart[0];
  const std::size_t y = apart[1];
  const std::size_t z = apart[2];
  for (std::size_t i = 0; i < count; ++i)
  {
    const double v000 = v[i];
    const double v100 = v[i + x];
    const double v010 = v[i + y];
    const double v110 = v[i + x + y];
    const double v001 = v[i + z];
    const double v101 = v[i + x + z];
    const double v011 = v[i + y + z];
    const double v111 = v[i + x + y + z];
    along_x[i] = 0.25 * (((v100 - v000) + (v110 - v010)) + ((v101 - v001) + (v111 - v011)));
    along_y[i] = 0.25 * (((v010 - v000) + (v110 - v100)) + ((v011 - v001) + (v111 - v101)));
    along_z[i] = 0.25 * (((v001 - v000) + (v101 - v100)) + ((v011 - v010) + (v111 - v110)));
  }
}

/// Changes from the neighbour below to the one above.
void changes_across(
    const double* __restrict v, std::size_t begin, std::size_t end, std::size_t apart, double* __restrict out)
{
  for (std::size_t i = begin; i < end; ++i)
  {
    out[i] = v[i + apart] - v[i - apart];
  }
}

/// The magnitude of the curl from the changes [axis][component] along axes. The rows of `m` are the changes of their
/// indices per unit of length.
void curl_magnitudes(
    const std::array<std::array<std::vector<double>, 3>, 3>& change, const Mat3& m, std::vector<double>& out)
{
  std::array<std::array<const double*, 3>, 3> d{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (std::size_t component = 0; component < 3; ++component)
    {
      d[axis][component] = change[axis][component].data();
    }
  }
  double* __restrict magnitudes = out.data();
  for (std::size_t i = 0; i < out.size(); ++i)
  {
    const auto derivative = [&](std::size_t component, std::size_t axis)
    {
      return m[axis] * d[0][component][i] + m[3 + axis] * d[1][component][i] + m[6 + axis] * d[2][component][i];
    };
    const double a = derivative(2, 1) - derivative(1, 2);
    const double b = derivative(0, 2) - derivative(2, 0);
    const double c = derivative(1, 0) - derivative(0, 1);
    magnitudes[i] = std::sqrt(a * a + b * b + c * c);
  }
}

/// Along an axis with a single layer of values nothing changes: any way across the others will do.
void give_ways_across(const std::array<bool, 3>& single, std::array<Vec3, 3>& along)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::size_t next = (axis + 1) % 3;
    const std::size_t last = (axis + 2) % 3;
    if (single[axis] && !single[next])
    {
      const Vec3 other = std::fabs(along[next][0]) < std::fabs(along[next][1]) ? Vec3{ 1, 0, 0 } : Vec3{ 0, 1, 0 };
      along[axis] = cross(along[next], single[last] ? other : along[last]);
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (single[axis] && single[(axis + 1) % 3])
    {
      along[axis] = cross(along[(axis + 1) % 3], along[(axis + 2) % 3]);
    }
  }
}

/// The sum over all axes of (gradient of the index) x (change of the velocity), from the changes of place along the
/// axes. Not a number in a cell without a volume.
Vec3 curl(const std::array<Vec3, 3>& along, const std::array<Vec3, 3>& change)
{
  const bool flat = std::fabs(shape_of(along[0], along[1], along[2])) <= kNoVolume;
  const double volume = flat ? std::numeric_limits<double>::quiet_NaN() : dot(along[0], cross(along[1], along[2]));
  Vec3 sum{ 0, 0, 0 };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const Vec3 part = cross(cross(along[(axis + 1) % 3], along[(axis + 2) % 3]), change[axis]);
    for (std::size_t component = 0; component < 3; ++component)
    {
      sum[component] += part[component] / volume;
    }
  }
  return sum;
}

} // namespace

VelocityPatch::VelocityPatch(const AdvectionContext& context)
  : context_(context)
  , grid_(context.mesh().grid())
  , nodes_(context.velocity().centering == Centering::Node)
  , velocity_(
        context.field().velocity, std::max(context.field().velocity.first_component, 0), context.field().lattice_offset)
{
  if (const SourceArray* const places = context.mesh().places())
  {
    places_.emplace(*places, 0, context.field().lattice_offset);
  }
}

void VelocityPatch::begin(const Box& cells)
{
  Box box = cells;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] -= nodes_ ? 0 : 1;
    box.end[axis] += nodes_ && flat(axis) ? 0 : 1;
  }
  const Box inside = intersect(box, { { 0, 0, 0 }, context_.field().grid.lattice(context_.velocity().centering) });
  velocity_.begin(box, inside);
  velocity_loaded_ = false;
  set_apart();
  if (places_)
  {
    const std::int32_t last = nodes_ ? 0 : 1;
    const Box nodes{ inside.begin, { inside.end[0] + last, inside.end[1] + last, inside.end[2] + last } };
    places_->begin(nodes, nodes);
  }
}

void VelocityPatch::set_apart()
{
  const Box& box = velocity_.box();
  const Int3 size = box.size();
  apart_ = { 1, static_cast<std::size_t>(size[0]),
    static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    apart_[axis] = nodes_ && flat(axis) ? 0 : apart_[axis];
  }
  const auto count = static_cast<std::size_t>(box.count());
  vorticity_.resize(count);
  for (Changes* const changes : { &change_, &change_of_place_ })
  {
    for (LatticePatch::Values& of_axis : *changes)
    {
      for (std::vector<double>& component : of_axis)
      {
        component.assign(changes == &change_ || places_ ? count : 0, 0.0);
      }
    }
  }
}

Lookup::State VelocityPatch::load(std::shared_ptr<const Error>& error)
{
  Lookup::State loaded = velocity_loaded_ ? Lookup::State::Ready : velocity_.load(error);
  velocity_loaded_ = loaded == Lookup::State::Ready;
  loaded = velocity_loaded_ && places_ ? places_->load(error) : loaded;
  if (loaded != Lookup::State::Ready)
  {
    return loaded;
  }
  velocity_.continue_outside();
  differ(velocity_.values(), change_);
  if (places_)
  {
    find_centres();
    differ(nodes_ ? places_->values() : centres_, change_of_place_);
    take_curl_between_places();
    return loaded;
  }
  weigh();
  take_curl();
  return loaded;
}

/// Cells have the numbers of their lower nodes, or their own. The last node of a row begins no cell, and its result has
/// no meaning.
void VelocityPatch::differ(const LatticePatch::Values& values, Changes& change) const
{
  for (std::size_t component = 0; component < 3; ++component)
  {
    const std::vector<double>& v = values[component];
    if (nodes_)
    {
      mean_changes(v.data(), v.size() - (apart_[0] + apart_[1] + apart_[2]), apart_, change[0][component].data(),
          change[1][component].data(), change[2][component].data());
      continue;
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      changes_across(v.data(), apart_[axis], v.size() - apart_[axis], apart_[axis], change[axis][component].data());
    }
  }
}

/// The centres of the cells with velocities. Beyond the grid: the centres of the nearest cells, as with velocities.
void VelocityPatch::find_centres()
{
  if (nodes_)
  {
    return;
  }
  const Box& box = velocity_.box();
  const Int3 counts = context_.field().grid.cells();
  for (std::vector<double>& component : centres_)
  {
    component.resize(static_cast<std::size_t>(box.count()));
  }
  for (std::int64_t i = 0; i < box.count(); ++i)
  {
    Int3 cell = from_row_major(i, box.size());
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      cell[axis] = std::clamp(cell[axis] + box.begin[axis], 0, counts[axis] - 1);
    }
    const Vec3 place = centre(cell);
    for (std::size_t component = 0; component < 3; ++component)
    {
      centres_[component][static_cast<std::size_t>(i)] = place[component];
    }
  }
}

Vec3 VelocityPatch::centre(const Int3& cell) const
{
  if (grid_ != nullptr)
  {
    CellPosition at;
    at.cell = cell;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      at.fraction[axis] = flat(axis) ? 0.0 : 0.5;
    }
    return grid_->world(at);
  }
  Vec3 sum{ 0, 0, 0 };
  for (int corner = 0; corner < HexCell::kCorners; ++corner)
  {
    const std::size_t node = places_->number(HexCell::node(cell, corner));
    for (std::size_t component = 0; component < 3; ++component)
    {
      sum[component] += 0.125 * places_->values()[component][node];
    }
  }
  return sum;
}

/// Factor for a difference along an axis in the given cell: one over its length, in indices if the grid is uniform, and
/// in world units if it is rectilinear.
double VelocityPatch::weight(std::size_t axis, std::int32_t cell) const
{
  const GridGeometry& mesh = *grid_;
  const std::int32_t last = mesh.cells()[axis] - 1;
  const std::int32_t low = nodes_ ? cell : std::clamp(cell - 1, 0, last);
  const std::int32_t high = nodes_ ? cell + 1 : std::clamp(cell + 1, 0, last);
  if (low == high || mesh.flat(static_cast<int>(axis)))
  {
    return 0.0; // no change across a single layer
  }
  if (mesh.uniform())
  {
    return 1.0 / (high - low);
  }
  const std::vector<double>& x = mesh.axis(static_cast<int>(axis));
  const auto place = [&](std::int32_t i)
  {
    const auto low_node = static_cast<std::size_t>(i);
    return nodes_ ? x[low_node] : 0.5 * (x[low_node] + x[low_node + 1]);
  };
  return 1.0 / (place(high) - place(low));
}

void VelocityPatch::weigh()
{
  if (nodes_ && grid_->uniform())
  {
    return; // all factors are 1
  }
  const Box& box = velocity_.box();
  const Int3 size = box.size();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    std::vector<double> weights;
    for (std::int32_t i = 0; i < size[axis]; ++i)
    {
      const std::int32_t cell = box.begin[axis] + i;
      const bool is_cell = cell >= 0 && cell < grid_->cells()[axis];
      weights.push_back(is_cell ? weight(axis, cell) : 0.0);
    }
    for (std::vector<double>& component : change_[axis])
    {
      for (std::int64_t i = 0; i < box.count(); ++i)
      {
        component[static_cast<std::size_t>(i)] *= weights[static_cast<std::size_t>(from_row_major(i, size)[axis])];
      }
    }
  }
}

/// The same from the changes of velocity and of place: the gradients of the indices are the inverse of the latter.
void VelocityPatch::take_curl_between_places()
{
  const Int3 counts = context_.field().grid.cells();
  const std::array<bool, 3> single{ !nodes_ && counts[0] == 1, !nodes_ && counts[1] == 1, !nodes_ && counts[2] == 1 };
  for (std::size_t i = 0; i < vorticity_.size(); ++i)
  {
    std::array<Vec3, 3> along;
    std::array<Vec3, 3> change;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      along[axis] = { change_of_place_[axis][0][i], change_of_place_[axis][1][i], change_of_place_[axis][2][i] };
      change[axis] = { change_[axis][0][i], change_[axis][1][i], change_[axis][2][i] };
    }
    give_ways_across(single, along);
    vorticity_[i] = length_of(curl(along, change));
  }
}

void VelocityPatch::take_curl()
{
  // Change of the index along each axis per unit of length; on rectilinear grids weight() contains it.
  const Mat3 m = grid_->uniform() ? grid_->index_from_world({ 0, 0, 0 }) : Mat3{ 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  curl_magnitudes(change_, m, vorticity_);
}

} // namespace rivulet
