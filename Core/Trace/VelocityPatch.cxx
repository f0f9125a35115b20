// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/VelocityPatch.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace rivulet
{

namespace
{

/// Sleeps until a brick has arrived.
class SleepingWaiter final : public BrickWaiter
{
public:
  void brick_arrived(const BrickKey&) override
  {
    const std::lock_guard lock(mutex_);
    arrived_ = true;
    condition_.notify_one();
  }
  void wait()
  {
    std::unique_lock lock(mutex_);
    condition_.wait(lock, [this] { return arrived_; });
  }

private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool arrived_ = false;
};

/// The brick, however long it takes; an empty pin and the error if it cannot be had.
BrickPin wait_for(BrickSource& source, const BrickKey& key, std::shared_ptr<const Error>& error)
{
  for (;;)
  {
    Lookup found = source.try_get(key);
    if (found.state != Lookup::State::Miss)
    {
      error = found.error;
      return std::move(found.pin);
    }
    SleepingWaiter waiter;
    source.request(key, waiter);
    waiter.wait();
  }
}

/// Copies the values `part` of a brick to where they belong in `to`, which holds `box`.
template <class Scalar>
void copy_values(const BrickView& view, const Box& part, const Box& box, std::vector<Vec3>& to)
{
  const auto* data = static_cast<const Scalar*>(view.data);
  for (std::int32_t k = part.begin[2]; k < part.end[2]; ++k)
  {
    for (std::int32_t j = part.begin[1]; j < part.end[1]; ++j)
    {
      const Scalar* row = data + (part.begin[0] - view.lattice.begin[0]) * view.stride[0] +
                          (j - view.lattice.begin[1]) * view.stride[1] + (k - view.lattice.begin[2]) * view.stride[2];
      const Int3 first{ part.begin[0] - box.begin[0], j - box.begin[1], k - box.begin[2] };
      auto out = to.begin() + row_major(first, box.size());
      for (std::int32_t i = part.begin[0]; i < part.end[0]; ++i, row += view.stride[0])
      {
        *out++ = { double{ row[0] }, double{ row[1] }, double{ row[2] } };
      }
    }
  }
}

Vec3 difference(const Vec3& a, const Vec3& b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

/// `cell` moved along an axis.
Int3 beside(Int3 cell, std::size_t axis, std::int32_t by)
{
  cell[axis] += by;
  return cell;
}

} // namespace

VelocityPatch::VelocityPatch(const Problem& problem)
  : problem_(problem)
  , nodes_(problem.velocity().centering == Centering::Node)
{
}

Box VelocityPatch::needed(const Box& cells) const
{
  Box box = cells;
  const Int3 lattice = problem_.field().grid.lattice(problem_.velocity().centering);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = nodes_ ? box.begin[axis] : std::max(box.begin[axis] - 1, 0);
    box.end[axis] = std::min(box.end[axis] + 1, lattice[axis]);
  }
  return box;
}

bool VelocityPatch::load(const Box& cells, std::shared_ptr<const Error>& error)
{
  box_ = needed(cells);
  values_.resize(static_cast<std::size_t>(box_.count()));
  // Nodes lie in the bricks that own the cells; a neighbour's value lies in the neighbour's brick.
  const Box& touched = nodes_ ? cells : box_;
  const BrickGrid& grid = problem_.bricks();
  const Int3& offset = problem_.field().lattice_offset;
  Box bricks;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    bricks.begin[axis] = (touched.begin[axis] + offset[axis]) / grid.cells[axis];
    bricks.end[axis] = (touched.end[axis] - 1 + offset[axis]) / grid.cells[axis] + 1;
  }
  for (std::int64_t i = 0; i < bricks.count(); ++i)
  {
    const Int3 at = from_row_major(i, bricks.size());
    const Int3 brick{ at[0] + bricks.begin[0], at[1] + bricks.begin[1], at[2] + bricks.begin[2] };
    if (!load_brick(row_major(brick, grid.count), error))
    {
      return false;
    }
  }
  return true;
}

bool VelocityPatch::load_brick(std::int64_t brick, std::shared_ptr<const Error>& error)
{
  const BrickPin pin = wait_for(*problem_.field().velocity.source, problem_.key_of(brick), error);
  if (!pin)
  {
    return false;
  }
  BrickView view = pin.view();
  const Int3& offset = problem_.field().lattice_offset;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    view.lattice.begin[axis] -= offset[axis];
    view.lattice.end[axis] -= offset[axis];
  }
  const Box part = intersect(box_, view.lattice);
  view.type == ScalarType::Float32 ? copy_values<float>(view, part, box_, values_)
                                   : copy_values<double>(view, part, box_, values_);
  return true;
}

const Vec3& VelocityPatch::at(const Int3& point) const
{
  const Int3 local{ point[0] - box_.begin[0], point[1] - box_.begin[1], point[2] - box_.begin[2] };
  return values_[static_cast<std::size_t>(row_major(local, box_.size()))];
}

/// Mean of the differences along the cell's edges in one direction, per index.
VelocityPatch::Difference VelocityPatch::between_nodes(const Int3& cell, std::size_t axis) const
{
  const std::size_t b = (axis + 1) % 3;
  const std::size_t c = (axis + 2) % 3;
  const std::int32_t b_edges = problem_.space().flat(static_cast<int>(b)) ? 1 : 2;
  const std::int32_t c_edges = problem_.space().flat(static_cast<int>(c)) ? 1 : 2;
  Vec3 sum{ 0, 0, 0 };
  for (std::int32_t j = 0; j < b_edges; ++j)
  {
    for (std::int32_t k = 0; k < c_edges; ++k)
    {
      const Int3 low = beside(beside(cell, b, j), c, k);
      const Vec3 along = difference(at(beside(low, axis, 1)), at(low));
      sum = { sum[0] + along[0], sum[1] + along[1], sum[2] + along[2] };
    }
  }
  const double edges = b_edges * c_edges;
  const Mat3 gradients = problem_.space().index_from_world({ cell[0], cell[1], cell[2], 0 });
  return { { sum[0] / edges, sum[1] / edges, sum[2] / edges },
    { gradients[3 * axis], gradients[3 * axis + 1], gradients[3 * axis + 2] } };
}

/// Difference of the neighbours' values; of the cell's own and one neighbour's at the boundary.
VelocityPatch::Difference VelocityPatch::between_centres(const Int3& cell, std::size_t axis) const
{
  const std::int32_t low = std::max(cell[axis] - 1, 0);
  const std::int32_t high = std::min(cell[axis] + 1, problem_.space().cells()[axis] - 1);
  if (low == high)
  {
    return { { 0, 0, 0 }, { 0, 0, 0 } }; // a single layer of cells does not change across
  }
  const Vec3 change = difference(at(beside(cell, axis, high - cell[axis])), at(beside(cell, axis, low - cell[axis])));
  Mat3 gradients = problem_.space().index_from_world({ cell[0], cell[1], cell[2], 0 });
  double span = high - low;
  if (!problem_.space().uniform())
  {
    const std::vector<double>& x = problem_.space().axis(static_cast<int>(axis));
    const auto centre = [&x](std::int32_t i)
    {
      return 0.5 * (x[static_cast<std::size_t>(i)] + x[static_cast<std::size_t>(i) + 1]);
    };
    span = centre(high) - centre(low);
    gradients[4 * axis] = 1.0;
  }
  return { change, { gradients[3 * axis] / span, gradients[3 * axis + 1] / span, gradients[3 * axis + 2] / span } };
}

Vec3 VelocityPatch::vorticity(const Int3& cell) const
{
  Vec3 curl{ 0, 0, 0 };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (problem_.space().flat(static_cast<int>(axis)))
    {
      continue;
    }
    const auto [v, g] = nodes_ ? between_nodes(cell, axis) : between_centres(cell, axis);
    curl[0] += g[1] * v[2] - g[2] * v[1];
    curl[1] += g[2] * v[0] - g[0] * v[2];
    curl[2] += g[0] * v[1] - g[1] * v[0];
  }
  return curl;
}

} // namespace rivulet
