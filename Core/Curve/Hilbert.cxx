// SPDX-License-Identifier: BSD-3-Clause
#include "Curve/Hilbert.h"

namespace rivulet
{

namespace
{

/// A side of a cuboid: the axis it runs along, and how many points it covers, negative when it runs downwards.
struct Side
{
  std::int32_t axis = 0;
  std::int64_t reach = 1;

  [[nodiscard]] std::int64_t length() const { return reach < 0 ? -reach : reach; }
  /// Displacement from the side's first point to its last.
  [[nodiscard]] std::int64_t last() const { return reach < 0 ? reach + 1 : reach - 1; }
  /// The first half, of an even number of points where there are any to choose from.
  [[nodiscard]] Side half() const
  {
    std::int64_t points = length() / 2;
    if (points % 2 != 0 && length() > 2)
    {
      ++points;
    }
    return { axis, reach < 0 ? -points : points };
  }
  [[nodiscard]] Side after(const Side& first) const { return { axis, reach - first.reach }; }
  [[nodiscard]] Side reversed() const { return { axis, -reach }; }
};

/// A box as the curve runs through it: in at `start`, out at the far end of `a`.
struct Cuboid
{
  Long3 start{ 0, 0, 0 };
  Side a;
  Side b;
  Side c;

  [[nodiscard]] std::int64_t size() const { return a.length() * b.length() * c.length(); }

  [[nodiscard]] std::int64_t along(const Side& side, const Int3& at) const
  {
    const auto axis = static_cast<std::size_t>(side.axis);
    return side.reach < 0 ? start[axis] - at[axis] : at[axis] - start[axis];
  }
  [[nodiscard]] bool contains(const Int3& at) const
  {
    const auto covered = [&](const Side& side)
    {
      const std::int64_t offset = along(side, at);
      return offset >= 0 && offset < side.length();
    };
    return covered(a) && covered(b) && covered(c);
  }
};

/// The boxes that a box is cut into, in the order in which the curve visits them.
struct Cut
{
  std::array<Cuboid, 5> parts;
  int count = 0;

  void add(const Long3& start, const Side& a, const Side& b, const Side& c)
  {
    parts[static_cast<std::size_t>(count++)] = { start, a, b, c };
  }
};

Long3 moved(Long3 from, const Side& side, std::int64_t by)
{
  from[static_cast<std::size_t>(side.axis)] += by;
  return from;
}

void cut_length(const Cuboid& box, Cut& cut)
{
  const Side a1 = box.a.half();
  cut.add(box.start, a1, box.b, box.c);
  cut.add(moved(box.start, box.a, a1.reach), box.a.after(a1), box.b, box.c);
}

/// Up one half of `b`, across, and down again; `c` is left whole. With the roles of b and c exchanged this is both of
/// the flat cases.
void cut_flat(const Cuboid& box, bool exchanged, Cut& cut)
{
  const Side& b = exchanged ? box.c : box.b;
  const Side& c = exchanged ? box.b : box.c;
  const Side a1 = box.a.half();
  const Side a2 = box.a.after(a1);
  const Side b1 = b.half();
  const Long3 down = moved(moved(box.start, box.a, box.a.last()), b, b1.last());
  if (exchanged)
  {
    cut.add(box.start, b1, a1, c);
    cut.add(moved(box.start, b, b1.reach), box.a, c, b.after(b1));
    cut.add(down, b1.reversed(), a2.reversed(), c);
    return;
  }
  cut.add(box.start, b1, c, a1);
  cut.add(moved(box.start, b, b1.reach), box.a, b.after(b1), c);
  cut.add(down, b1.reversed(), c, a2.reversed());
}

void cut_all(const Cuboid& box, Cut& cut)
{
  const Side a1 = box.a.half();
  const Side a2 = box.a.after(a1);
  const Side b1 = box.b.half();
  const Side b2 = box.b.after(b1);
  const Side c1 = box.c.half();
  const Side c2 = box.c.after(c1);
  const Long3 top = moved(box.start, box.c, box.c.last());
  const Long3 right = moved(box.start, box.a, box.a.last());
  cut.add(box.start, b1, c1, a1);
  cut.add(moved(box.start, box.b, b1.reach), box.c, a1, b2);
  cut.add(moved(top, box.b, b1.last()), box.a, b1.reversed(), c2.reversed());
  cut.add(moved(moved(top, box.a, box.a.last()), box.b, b1.reach), box.c.reversed(), a2.reversed(), b2);
  cut.add(moved(right, box.b, b1.last()), b1.reversed(), c1, a2.reversed());
}

/// Cerveny's rules: a long box is halved; one that is flat along b or c is cut into three; any other into five.
Cut cut_box(const Cuboid& box)
{
  const std::int64_t a = box.a.length();
  const std::int64_t b = box.b.length();
  const std::int64_t c = box.c.length();
  Cut cut;
  if (2 * a > 3 * b && 2 * a > 3 * c)
  {
    cut_length(box, cut);
  }
  else if (3 * b > 4 * c)
  {
    cut_flat(box, false, cut);
  }
  else if (3 * c > 4 * b)
  {
    cut_flat(box, true, cut);
  }
  else
  {
    cut_all(box, cut);
  }
  return cut;
}

/// The one side of a row of points that is longer than 1 (or any, for a point); nullptr for anything wider.
const Side* row(const Cuboid& box)
{
  const bool thin_a = box.a.length() == 1;
  const bool thin_b = box.b.length() == 1;
  const bool thin_c = box.c.length() == 1;
  if (thin_b && thin_c)
  {
    return &box.a;
  }
  if (thin_a && thin_c)
  {
    return &box.b;
  }
  return thin_a && thin_b ? &box.c : nullptr;
}

/// The whole box, entered at its corner and left along its longest side.
Cuboid whole(const Int3& dims)
{
  std::int32_t longest = 0;
  for (std::int32_t axis = 1; axis < 3; ++axis)
  {
    if (dims[static_cast<std::size_t>(axis)] > dims[static_cast<std::size_t>(longest)])
    {
      longest = axis;
    }
  }
  const auto side = [&](std::int32_t axis)
  {
    return Side{ axis, dims[static_cast<std::size_t>(axis)] };
  };
  const std::int32_t second = longest == 0 ? 1 : 0;
  const std::int32_t third = longest == 2 ? 1 : 2;
  return { { 0, 0, 0 }, side(longest), side(second), side(third) };
}

} // namespace

HilbertCurve::HilbertCurve(const Int3& dims)
  : dims_(dims)
{
}

std::int64_t HilbertCurve::index(const Int3& at) const
{
  Cuboid box = whole(dims_);
  std::int64_t before = 0;
  const Side* side = row(box);
  while (side == nullptr)
  {
    const Cut cut = cut_box(box);
    int part = 0;
    while (part + 1 < cut.count && !cut.parts[static_cast<std::size_t>(part)].contains(at))
    {
      before += cut.parts[static_cast<std::size_t>(part++)].size();
    }
    box = cut.parts[static_cast<std::size_t>(part)];
    side = row(box);
  }
  return before + box.along(*side, at);
}

Int3 HilbertCurve::at(std::int64_t index) const
{
  Cuboid box = whole(dims_);
  const Side* side = row(box);
  while (side == nullptr)
  {
    const Cut cut = cut_box(box);
    int part = 0;
    while (part + 1 < cut.count && index >= cut.parts[static_cast<std::size_t>(part)].size())
    {
      index -= cut.parts[static_cast<std::size_t>(part++)].size();
    }
    box = cut.parts[static_cast<std::size_t>(part)];
    side = row(box);
  }
  const Long3 point = moved(box.start, *side, side->reach < 0 ? -index : index);
  return { static_cast<std::int32_t>(point[0]), static_cast<std::int32_t>(point[1]),
    static_cast<std::int32_t>(point[2]) };
}

} // namespace rivulet
