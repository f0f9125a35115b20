// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Seeds/VelocityPatch.h"

#include "Trace/Mesh/GridGeometry.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

namespace
{

/// Copies the values `part` of a brick to their places in `to`, which has the points `box` component by component.
template <class Scalar>
void copy_values(const BrickView& view, std::int32_t first_component, const Box& part, const Box& box,
    std::array<std::vector<double>, 3>& to)
{
  const std::int64_t apart = view.component_stride;
  const auto* data = static_cast<const Scalar*>(view.data) + first_component * apart;
  for (std::int32_t k = part.begin[2]; k < part.end[2]; ++k)
  {
    for (std::int32_t j = part.begin[1]; j < part.end[1]; ++j)
    {
      const Scalar* row = data + (part.begin[0] - view.lattice.begin[0]) * view.stride[0] +
                          (j - view.lattice.begin[1]) * view.stride[1] + (k - view.lattice.begin[2]) * view.stride[2];
      const Int3 first{ part.begin[0] - box.begin[0], j - box.begin[1], k - box.begin[2] };
      auto point = static_cast<std::size_t>(row_major(first, box.size()));
      for (std::int32_t i = part.begin[0]; i < part.end[0]; ++i, ++point, row += view.stride[0])
      {
        to[0][point] = double{ row[0] };
        to[1][point] = double{ row[apart] };
        to[2][point] = double{ row[2 * apart] };
      }
    }
  }
}

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

} // namespace

VelocityPatch::VelocityPatch(const AdvectionContext& context)
  : context_(context)
  , inquiry_(*context.field().velocity.source)
  , nodes_(context.velocity().centering == Centering::Node)
{
}

void VelocityPatch::set_box(const Box& cells)
{
  box_ = cells;
  const GridGeometry& mesh = *context_.mesh().grid();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const bool flat = mesh.flat(static_cast<int>(axis));
    box_.begin[axis] -= nodes_ ? 0 : 1;
    box_.end[axis] += nodes_ && flat ? 0 : 1;
  }
  const Int3 size = box_.size();
  apart_ = { 1, static_cast<std::size_t>(size[0]),
    static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    apart_[axis] = nodes_ && mesh.flat(static_cast<int>(axis)) ? 0 : apart_[axis];
  }
  const auto count = static_cast<std::size_t>(box_.count());
  for (std::size_t component = 0; component < 3; ++component)
  {
    velocity_[component].resize(count);
    for (auto& of_axis : change_)
    {
      of_axis[component].assign(count, 0.0);
    }
  }
  vorticity_.resize(count);
}

void VelocityPatch::begin(const Box& cells)
{
  set_box(cells);
  // A node lies in the brick of its cell; the value of a neighbouring cell lies in that cell's brick.
  const Box touched = nodes_ ? cells : lattice_inside();
  const BrickGrid& grid = context_.bricks();
  const Int3& offset = context_.field().lattice_offset;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    bricks_.begin[axis] = (touched.begin[axis] + offset[axis]) / grid.cells[axis];
    bricks_.end[axis] = (touched.end[axis] - 1 + offset[axis]) / grid.cells[axis] + 1;
  }
  next_ = 0;
}

/// Lattice points of the dataset within the box.
Box VelocityPatch::lattice_inside() const
{
  return intersect(box_, { { 0, 0, 0 }, context_.field().grid.lattice(context_.velocity().centering) });
}

Lookup::State VelocityPatch::load(std::shared_ptr<const Error>& error)
{
  for (; next_ < bricks_.count(); ++next_)
  {
    const Int3 at = from_row_major(next_, bricks_.size());
    const Int3 brick{ at[0] + bricks_.begin[0], at[1] + bricks_.begin[1], at[2] + bricks_.begin[2] };
    const Lookup found = inquiry_.get(context_.key_of(row_major(brick, context_.bricks().count)));
    if (found.state != Lookup::State::Ready)
    {
      error = found.error;
      return found.state;
    }
    copy_brick(found.pin.view());
  }
  if (nodes_)
  {
    differ_between_nodes();
  }
  else
  {
    continue_outside(lattice_inside());
    differ_between_centres();
  }
  weigh();
  take_curl();
  return Lookup::State::Ready;
}

void VelocityPatch::copy_brick(BrickView view)
{
  const Int3& offset = context_.field().lattice_offset;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    view.lattice.begin[axis] -= offset[axis];
    view.lattice.end[axis] -= offset[axis];
  }
  const Box part = intersect(lattice_inside(), view.lattice);
  const std::int32_t first = std::max(context_.field().velocity.first_component, 0);
  view.type == ScalarType::Float32 ? copy_values<float>(view, first, part, box_, velocity_)
                                   : copy_values<double>(view, first, part, box_, velocity_);
}

/// Gives points beyond the dataset the values of the nearest points inside, so that differences across its boundary are
/// one-sided.
void VelocityPatch::continue_outside(const Box& inside)
{
  if (inside.count() == box_.count())
  {
    return;
  }
  for (std::int64_t i = 0; i < box_.count(); ++i)
  {
    const Int3 local = from_row_major(i, box_.size());
    Int3 nearest;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      nearest[axis] = std::clamp(local[axis] + box_.begin[axis], inside.begin[axis], inside.end[axis] - 1);
    }
    for (std::vector<double>& component : velocity_)
    {
      component[static_cast<std::size_t>(i)] = component[number(nearest)];
    }
  }
}

/// Cells have the numbers of their lower nodes. The last node of a row begins no cell, and its result has no meaning.
void VelocityPatch::differ_between_nodes()
{
  const std::size_t count = velocity_[0].size() - (apart_[0] + apart_[1] + apart_[2]);
  for (std::size_t component = 0; component < 3; ++component)
  {
    mean_changes(velocity_[component].data(), count, apart_, change_[0][component].data(), change_[1][component].data(),
        change_[2][component].data());
  }
}

void VelocityPatch::differ_between_centres()
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (std::size_t component = 0; component < 3; ++component)
    {
      const std::vector<double>& v = velocity_[component];
      changes_across(v.data(), apart_[axis], v.size() - apart_[axis], apart_[axis], change_[axis][component].data());
    }
  }
}

/// Factor for a difference along an axis in the given cell: one over its length, in indices if the grid is uniform, and
/// in world units if it is rectilinear.
double VelocityPatch::weight(std::size_t axis, std::int32_t cell) const
{
  const GridGeometry& mesh = *context_.mesh().grid();
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
  if (nodes_ && context_.mesh().grid()->uniform())
  {
    return; // all factors are 1
  }
  const Int3 size = box_.size();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    std::vector<double> weights;
    for (std::int32_t i = 0; i < size[axis]; ++i)
    {
      const std::int32_t cell = box_.begin[axis] + i;
      const bool is_cell = cell >= 0 && cell < context_.mesh().grid()->cells()[axis];
      weights.push_back(is_cell ? weight(axis, cell) : 0.0);
    }
    for (std::vector<double>& component : change_[axis])
    {
      for (std::int64_t i = 0; i < box_.count(); ++i)
      {
        component[static_cast<std::size_t>(i)] *= weights[static_cast<std::size_t>(from_row_major(i, size)[axis])];
      }
    }
  }
}

void VelocityPatch::take_curl()
{
  // Change of the index along each axis per unit of length; on rectilinear grids weight() contains it.
  const Mat3 m = context_.mesh().grid()->uniform() ? context_.mesh().grid()->index_from_world({ 0, 0, 0 })
                                                   : Mat3{ 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  curl_magnitudes(change_, m, vorticity_);
}

} // namespace rivulet
