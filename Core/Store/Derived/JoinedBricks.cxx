// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Derived/JoinedBricks.h"

#include "Store/Cache/BrickBuilderPool.h"
#include "Store/Source/WaitForBrick.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

namespace rivulet
{

namespace
{

FieldInfo describe(const JoinedLayout& layout)
{
  FieldInfo info;
  info.grid = layout.grid;
  info.variables = { layout.variable };
  info.times = layout.times.empty() ? std::vector<double>{ 0.0 } : layout.times;
  info.ranges.resize(1);
  return info;
}

Int3 sum(const Int3& a, const Int3& b)
{
  return { a[0] + b[0], a[1] + b[1], a[2] + b[2] };
}

Int3 difference(const Int3& a, const Int3& b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

template <class Scalar>
Scalar* place_in(const BrickView& view, const Int3& at)
{
  const Int3 local = difference(at, view.lattice.begin);
  return static_cast<Scalar*>(const_cast<void*>(view.data)) + local[0] * view.stride[0] + local[1] * view.stride[1] +
         local[2] * view.stride[2];
}

/// Copies the values of `box`, in indices of `to`, from `from`, whose indices are larger by `shift`, to the components
/// of `to` from `component` on. Returns whether any of them is NaN.
template <class From, class To>
bool copy(const BrickView& from, const Box& box, const Int3& shift, const BrickView& to, std::int32_t component)
{
  const std::int32_t components = std::min(from.components, to.components - component);
  bool nan = false;
  for (Int3 at = box.begin; at[2] < box.end[2]; ++at[2])
  {
    for (at[1] = box.begin[1]; at[1] < box.end[1]; ++at[1])
    {
      const From* row = place_in<const From>(from, sum(at, shift));
      To* out = place_in<To>(to, at) + component;
      for (std::int32_t i = box.begin[0]; i < box.end[0]; ++i, row += from.stride[0], out += to.stride[0])
      {
        for (std::int32_t c = 0; c < components; ++c)
        {
          out[c] = static_cast<To>(row[c]);
          nan |= row[c] != row[c];
        }
      }
    }
  }
  return nan;
}

bool copy(const BrickView& from, const Box& box, const Int3& shift, const BrickView& to, std::int32_t component)
{
  const bool float_from = from.type == ScalarType::Float32;
  if (to.type == ScalarType::Float32)
  {
    return float_from ? copy<float, float>(from, box, shift, to, component)
                      : copy<double, float>(from, box, shift, to, component);
  }
  return float_from ? copy<float, double>(from, box, shift, to, component)
                    : copy<double, double>(from, box, shift, to, component);
}

template <class Scalar>
void hide(double above, const BrickView& view)
{
  Scalar* const values = static_cast<Scalar*>(const_cast<void*>(view.data));
  const std::int64_t count = view.lattice.count() * view.components;
  std::replace_if(
      values, values + count, [above](Scalar value) { return std::abs(static_cast<double>(value)) > above; },
      std::numeric_limits<Scalar>::quiet_NaN());
}

/// Makes values that stand for missing ones NaN, in a brick without gaps between its values.
void hide_fill_values(double above, const BrickView& view)
{
  if (above > 0.0 && view.data != nullptr)
  {
    view.type == ScalarType::Float32 ? hide<float>(above, view) : hide<double>(above, view);
  }
}

/// A fault under a mapped brick reads as NaN, and the source knows of it only afterwards.
Result<void> ask_again(BrickSource& source, const BrickKey& key)
{
  const Lookup again = source.try_get(key);
  return again.state == Lookup::State::Failed ? Result<void>(tl::unexpected(*again.error)) : Result<void>();
}

} // namespace

JoinedBricks::JoinedBricks(JoinedLayout layout, std::vector<JoinedPart> parts)
  : layout_(std::move(layout))
  , parts_(std::move(parts))
  , info_(describe(layout_))
  , cut_(cut(layout_, parts_.front()))
  , cache_(*this, *this, cut_.bricks.size(), { .slot_bytes = largest_brick(), .bytes_of = bytes_of_bricks() },
        layout_.may_wait ? std::function<int()>([this] { return at_once(); }) : nullptr,
        static_cast<std::int32_t>(info_.times.size()))
{
}

JoinedBricks::Cut JoinedBricks::cut(const JoinedLayout& layout, const JoinedPart& first)
{
  const BrickGrid& own = first.source->bricks(first.variable);
  const bool whole = first.box == layout.held && first.from == layout.held.begin;
  if (first.source->own_cut() != nullptr || (whole && own.size() > 1 && !layout.cut_by_grid))
  {
    return { own, true };
  }
  Cut made;
  made.bricks.lattice = layout.held.end;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const bool nodes = layout.variable.centering == Centering::Node;
    const std::int32_t cells = std::max(1, layout.held.end[axis] - (nodes ? 1 : 0));
    made.bricks.cells[axis] = kBrickCells;
    made.bricks.count[axis] = (cells + kBrickCells - 1) / kBrickCells;
  }
  return made;
}

std::int64_t JoinedBricks::largest_brick() const
{
  const BrickCut* own = parts_.front().source->own_cut();
  std::int64_t values = own != nullptr ? own->most_nodes() : 1;
  if (own == nullptr)
  {
    const std::int32_t shared = layout_.variable.centering == Centering::Node ? 1 : 0;
    const Int3 held = layout_.held.size();
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      values *= std::min(held[axis], cut_.bricks.cells[axis] + shared);
    }
  }
  return values * static_cast<std::int64_t>(layout_.variable.tuple_bytes());
}

/// The bricks of a regular cut have about the same size.
std::function<std::int64_t(const BrickKey&)> JoinedBricks::bytes_of_bricks() const
{
  const BrickCut* own = parts_.front().source->own_cut();
  return own != nullptr ? bytes_in(*own, layout_.variable) : nullptr;
}

/// Number of bricks that may be made at a time: together at most a sixteenth of the budget.
int JoinedBricks::at_once() const
{
  const std::int64_t room = cache_.memory_budget() / 16 / std::max<std::int64_t>(1, cache_.slot_bytes());
  return static_cast<int>(std::clamp<std::int64_t>(room, 1, BrickBuilderPool::kMost));
}

void JoinedBricks::prepare(const Workload& workload)
{
  std::set<BrickSource*> told;
  for (const JoinedPart& part : parts_)
  {
    if (told.insert(part.source.get()).second)
    {
      Workload of_part{ .threads = workload.threads, .at_once = workload.at_once };
      for (const BrickKey& key : cut_.of_part ? std::span(workload.first_bricks) : std::span<const BrickKey>())
      {
        of_part.first_bricks.push_back({ part.variable, step_of(part, key), key.index });
      }
      part.source->prepare(of_part);
    }
  }
}

std::int64_t JoinedBricks::storage_order(const BrickKey& key) const
{
  const JoinedPart& first = parts_.front();
  const std::int64_t own = key.step * cut_.bricks.size() + key.index;
  return cut_.of_part ? first.source->storage_order({ first.variable, step_of(first, key), key.index }) : own;
}

Result<void> JoinedBricks::health()
{
  for (const JoinedPart& part : parts_)
  {
    if (Result<void> good = part.source->health(); !good)
    {
      return good;
    }
  }
  return {};
}

Box JoinedBricks::lattice_of(std::int64_t brick) const
{
  const Int3 at = from_row_major(brick, cut_.bricks.count);
  const std::int32_t shared = layout_.variable.centering == Centering::Node ? 1 : 0;
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = at[axis] * cut_.bricks.cells[axis];
    box.end[axis] = box.begin[axis] + cut_.bricks.cells[axis] + shared;
  }
  return intersect(box, layout_.held);
}

BrickView JoinedBricks::view_of(const Box& box, std::byte* slot) const
{
  const std::int64_t components = layout_.variable.components;
  const std::int64_t row = components * box.size()[0];
  std::memset(slot, 0, static_cast<std::size_t>(box.count()) * layout_.variable.tuple_bytes());
  return { slot, layout_.variable.type, layout_.variable.components, box, { components, row, row * box.size()[1] } };
}

Result<LoadedBrick> JoinedBricks::load(const BrickKey& key, std::byte* slot)
{
  if (own_cut() != nullptr)
  {
    return load_in_own_cut(key, slot);
  }
  const BrickView view = view_of(lattice_of(key.index), slot);
  for (const JoinedPart& part : parts_)
  {
    if (Result<void> joined = join(part, step_of(part, key), view); !joined)
    {
      return forward_error(joined);
    }
  }
  hide_fill_values(layout_.ignore_above, view);
  return LoadedBrick{ view, 0 };
}

/// Copies the part's values to the brick `to`, brick by brick of the part's source.
Result<void> JoinedBricks::join(const JoinedPart& part, std::int32_t step, const BrickView& to) const
{
  const Box wanted = intersect(to.lattice, part.box);
  if (wanted.empty())
  {
    return {};
  }
  const Int3 shift = difference(part.from, part.box.begin);
  const BrickGrid& grid = part.source->bricks(part.variable);
  Box bricks;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    // The last point along an axis belongs to the last brick.
    const std::int32_t low = wanted.begin[axis] + shift[axis];
    const std::int32_t high = wanted.end[axis] - 1 + shift[axis];
    bricks.begin[axis] = std::min(low / grid.cells[axis], grid.count[axis] - 1);
    bricks.end[axis] = std::min(high / grid.cells[axis], grid.count[axis] - 1) + 1;
  }
  for (std::int64_t i = 0; i < bricks.count(); ++i)
  {
    const Int3 brick = sum(from_row_major(i, bricks.size()), bricks.begin);
    const BrickKey key{ part.variable, step, row_major(brick, grid.count) };
    std::shared_ptr<const Error> error;
    const BrickPin pin = wait_for_brick(*part.source, key, error);
    if (!pin)
    {
      return tl::unexpected(*error);
    }
    const Box& there = pin.view().lattice;
    const Box counted{ difference(there.begin, shift), difference(there.end, shift) };
    const Box shared = intersect(wanted, counted);
    if (copy(pin.view(), shared, shift, to, part.component))
    {
      if (Result<void> good = ask_again(*part.source, key); !good)
      {
        return good;
      }
    }
    if (shared == wanted) // with the shared layer no neighbour is needed
    {
      break;
    }
  }
  return {};
}

Result<LoadedBrick> JoinedBricks::load_in_own_cut(const BrickKey& key, std::byte* slot) const
{
  BrickView view;
  for (const JoinedPart& part : parts_)
  {
    std::shared_ptr<const Error> error;
    const BrickPin pin = wait_for_brick(*part.source, { part.variable, step_of(part, key), key.index }, error);
    if (!pin)
    {
      return tl::unexpected(*error);
    }
    view = view.data == nullptr ? view_of(pin.view().lattice, slot) : view;
    copy(pin.view(), view.lattice, { 0, 0, 0 }, view, part.component);
  }
  hide_fill_values(layout_.ignore_above, view);
  return LoadedBrick{ view, 0 };
}

} // namespace rivulet
