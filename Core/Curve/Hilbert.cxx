// SPDX-License-Identifier: BSD-3-Clause
#include "Curve/Hilbert.h"

namespace rivulet
{

namespace
{

// Everything below uses the own frame of a box: three sides in the order of their roles, and coordinates from the
// corner where the curve enters. The curve leaves at the far end of side 0. A part of a box is a box again, with its
// own frame: the sides in another order, some of them mirrored. So a descent needs no signs and no origins, only
// coordinates that are swapped and mirrored.

enum class Piece : std::uint8_t
{
  Low,  ///< the first half of a side
  High, ///< the rest of a side
  All
};

/// One part of a cut: its piece of each side of the box; and for each of its own sides the side of the box along which
/// it lies, mirrored or not.
struct Part
{
  std::array<Piece, 3> piece;
  std::array<std::size_t, 3> side;
  std::array<bool, 3> mirrored;
};

constexpr Piece kLow = Piece::Low;
constexpr Piece kHigh = Piece::High;
constexpr Piece kAll = Piece::All;

// The cuts, in visiting order, after Cerveny. Each part begins beside the point where the one before ended.

/// A long box: one half after the other.
struct LongCut
{
  static constexpr std::array<Part, 2> parts{ { { { kLow, kAll, kAll }, { 0, 1, 2 }, {} },
      { { kHigh, kAll, kAll }, { 0, 1, 2 }, {} } } };
};

/// A box that is thin along side 2: up side 1, across, and down again.
struct UprightCut
{
  static constexpr std::array<Part, 3> parts{ { { { kLow, kLow, kAll }, { 1, 2, 0 }, {} },
      { { kAll, kHigh, kAll }, { 0, 1, 2 }, {} }, { { kHigh, kLow, kAll }, { 1, 2, 0 }, { true, false, true } } } };
};

/// A box that is thin along side 1: the same with sides 1 and 2 exchanged.
struct DeepCut
{
  static constexpr std::array<Part, 3> parts{ { { { kLow, kAll, kLow }, { 2, 0, 1 }, {} },
      { { kAll, kAll, kHigh }, { 0, 1, 2 }, {} }, { { kHigh, kAll, kLow }, { 2, 0, 1 }, { true, true, false } } } };
};

/// Any other box.
struct CubeCut
{
  static constexpr std::array<Part, 5> parts{ { { { kLow, kLow, kLow }, { 1, 2, 0 }, {} },
      { { kLow, kHigh, kAll }, { 2, 0, 1 }, {} }, { { kAll, kLow, kHigh }, { 0, 1, 2 }, { false, true, true } },
      { { kHigh, kHigh, kAll }, { 2, 0, 1 }, { true, true, false } },
      { { kHigh, kLow, kLow }, { 1, 2, 0 }, { true, false, true } } } };
};

/// Half of a side, rounded to an even number of points if the side has more than two: then the ends of the parts meet.
std::int32_t half_of(std::int32_t length)
{
  const std::int32_t half = length / 2;
  return length > 2 ? half + half % 2 : half;
}

/// Start and length of part P along side `s` of a box of given sides.
template <Part P, std::size_t s>
constexpr std::int32_t first_of(const Int3& half)
{
  return P.piece[s] == Piece::High ? half[s] : 0;
}

template <Part P, std::size_t s>
constexpr std::int32_t length_of(const Int3& sides, const Int3& half)
{
  return P.piece[s] == Piece::Low ? half[s] : P.piece[s] == Piece::High ? sides[s] - half[s] : sides[s];
}

template <Part P>
constexpr Int3 own_sides(const Int3& sides, const Int3& half)
{
  const Int3 covered{ length_of<P, 0>(sides, half), length_of<P, 1>(sides, half), length_of<P, 2>(sides, half) };
  return { covered[P.side[0]], covered[P.side[1]], covered[P.side[2]] };
}

template <Part P, std::size_t s>
constexpr bool covers(const Int3& half, const Int3& at)
{
  return P.piece[s] == Piece::All || (at[s] < half[s]) == (P.piece[s] == Piece::Low);
}

/// A point of the box in the frame of part P, whose sides are `own`.
template <Part P>
constexpr Int3 into_part(const Int3& half, const Int3& own, const Int3& at)
{
  const Int3 from{ at[0] - first_of<P, 0>(half), at[1] - first_of<P, 1>(half), at[2] - first_of<P, 2>(half) };
  return { P.mirrored[0] ? own[0] - 1 - from[P.side[0]] : from[P.side[0]],
    P.mirrored[1] ? own[1] - 1 - from[P.side[1]] : from[P.side[1]],
    P.mirrored[2] ? own[2] - 1 - from[P.side[2]] : from[P.side[2]] };
}

/// The inverse of into_part().
template <Part P>
constexpr Int3 out_of_part(const Int3& half, const Int3& own, const Int3& in)
{
  Int3 at{ first_of<P, 0>(half), first_of<P, 1>(half), first_of<P, 2>(half) };
  for (std::size_t s = 0; s < 3; ++s)
  {
    at[P.side[s]] += P.mirrored[s] ? own[s] - 1 - in[s] : in[s];
  }
  return at;
}

/// State of a descent from the whole box to the row with a point.
struct Descent
{
  Int3 sides;
  Int3 at;                 ///< coordinates in the frame of `sides`
  std::int64_t before = 0; ///< points on the curve before the box
};

/// Descends into the part of the cut with the point, and adds the points that the curve visits before that part.
template <class Cut, std::size_t n = 0>
void descend(Descent& down, const Int3& half)
{
  constexpr Part P = Cut::parts[n];
  const Int3 own = own_sides<P>(down.sides, half);
  if constexpr (n + 1 < Cut::parts.size())
  {
    if (!(covers<P, 0>(half, down.at) && covers<P, 1>(half, down.at) && covers<P, 2>(half, down.at)))
    {
      down.before += volume(own);
      descend<Cut, n + 1>(down, half);
      return;
    }
  }
  down.at = into_part<P>(half, own, down.at);
  down.sides = own;
}

/// Calls visit.template operator()<Cut>(half) with the cut of a box of these sides.
template <class Visit>
auto with_cut(const Int3& sides, Visit&& visit)
{
  const auto [a, b, c] = std::array<std::int64_t, 3>{ sides[0], sides[1], sides[2] };
  const Int3 half{ half_of(sides[0]), half_of(sides[1]), half_of(sides[2]) };
  if (2 * a > 3 * b && 2 * a > 3 * c)
  {
    return visit.template operator()<LongCut>(half);
  }
  if (3 * b > 4 * c)
  {
    return visit.template operator()<UprightCut>(half);
  }
  if (3 * c > 4 * b)
  {
    return visit.template operator()<DeepCut>(half);
  }
  return visit.template operator()<CubeCut>(half);
}

/// Whether at most one side is longer than 1: then the box is a row and is not cut.
bool is_row(const Int3& sides)
{
  return (sides[0] == 1) + (sides[1] == 1) + (sides[2] == 1) >= 2;
}

std::int64_t index_in(const Int3& sides, const Int3& at)
{
  Descent down{ sides, at };
  while (!is_row(down.sides))
  {
    with_cut(down.sides, [&]<class Cut>(const Int3& half) { descend<Cut>(down, half); });
  }
  return down.before + down.at[0] + down.at[1] + down.at[2]; // two of the coordinates are 0
}

Int3 point_in(const Int3& sides, std::int64_t index);

/// The point with number `index` counted from part n of a cut.
template <class Cut, std::size_t n = 0>
Int3 point_from(const Int3& sides, const Int3& half, std::int64_t index)
{
  constexpr Part P = Cut::parts[n];
  const Int3 own = own_sides<P>(sides, half);
  if constexpr (n + 1 < Cut::parts.size())
  {
    if (const std::int64_t size = volume(own); index >= size)
    {
      return point_from<Cut, n + 1>(sides, half, index - size);
    }
  }
  return out_of_part<P>(half, own, point_in(own, index));
}

Int3 point_in(const Int3& sides, std::int64_t index)
{
  if (is_row(sides))
  {
    const auto along = static_cast<std::int32_t>(index);
    return { sides[0] > 1 ? along : 0, sides[1] > 1 ? along : 0, sides[2] > 1 ? along : 0 };
  }
  return with_cut(sides, [&]<class Cut>(const Int3& half) { return point_from<Cut>(sides, half, index); });
}

/// The axis that each side of the whole box lies along: the longest first.
Int3 axes_by_role(const Int3& dims)
{
  if (dims[0] >= dims[1] && dims[0] >= dims[2])
  {
    return { 0, 1, 2 };
  }
  return dims[1] >= dims[2] ? Int3{ 1, 0, 2 } : Int3{ 2, 0, 1 };
}

Int3 pick(const Int3& values, const Int3& axes)
{
  return { values[static_cast<std::size_t>(axes[0])], values[static_cast<std::size_t>(axes[1])],
    values[static_cast<std::size_t>(axes[2])] };
}

} // namespace

HilbertCurve::HilbertCurve(const Int3& dims)
  : dims_(dims)
{
}

std::int64_t HilbertCurve::index(const Int3& at) const
{
  const Int3 axes = axes_by_role(dims_);
  return index_in(pick(dims_, axes), pick(at, axes));
}

Int3 HilbertCurve::at(std::int64_t index) const
{
  const Int3 axes = axes_by_role(dims_);
  const Int3 point = point_in(pick(dims_, axes), index);
  Int3 at{};
  for (std::size_t role = 0; role < 3; ++role)
  {
    at[static_cast<std::size_t>(axes[role])] = point[role];
  }
  return at;
}

} // namespace rivulet
