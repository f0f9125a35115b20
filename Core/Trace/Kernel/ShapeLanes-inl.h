// SPDX-License-Identifier: BSD-3-Clause
// Places in cells of all shapes (Mesh/ShapeCell.h): tetrahedra in lanes, others but hexahedra (HexLanes-inl.h) one by
// one. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_SHAPE_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_SHAPE_LANES_INL_H
#undef RIVULET_SHAPE_LANES_INL_H
#else
#define RIVULET_SHAPE_LANES_INL_H
#endif

#include "Trace/Kernel/HexLanes-inl.h"
#include "Trace/Mesh/ShapeCell.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Weights of the corners 1, 2 and 3 of tetrahedra.
template <class W>
class TetLanes
{
public:
  using Vector = typename W::Vector;

  HWY_INLINE explicit TetLanes(const Triple<W> (&corners)[4])
    : origin_(corners[0])
    , x_(subtract(corners[1], corners[0]))
    , y_(subtract(corners[2], corners[0]))
    , z_(subtract(corners[3], corners[0]))
  {
  }

  /// Not finite in a cell without volume.
  [[nodiscard]] HWY_INLINE Triple<W> locate(const Triple<W>& world) const
  {
    const Triple<W> off = subtract(world, origin_);
    const Triple<W> normal = cross(y_, z_);
    const Triple<W> turned = cross(x_, off);
    const Vector by_volume = W::set(1.0) / fused_dot(x_, normal);
    return { by_volume * fused_dot(off, normal), by_volume * fused_dot(z_, turned),
      W::set(0.0) - by_volume * fused_dot(y_, turned) };
  }

  /// How far coordinates lie beyond the face opposite corner 0.
  [[nodiscard]] static HWY_INLINE Vector beyond_first(const Triple<W>& at)
  {
    return ((at.x + at.y) + at.z) - W::set(1.0);
  }

private:
  Triple<W> origin_;
  Triple<W> x_;
  Triple<W> y_;
  Triple<W> z_;
};

using One = Width<1>;

[[nodiscard]] HWY_INLINE Triple<One> one_of(const Vec3& x)
{
  return { x[0], x[1], x[2] };
}
[[nodiscard]] HWY_INLINE Vec3 vector_of(const Triple<One>& x)
{
  return { x.x, x.y, x.z };
}

/// A place in a cell as HexLanes::locate() has it: one that is far may be in the cell after all.
[[nodiscard]] HWY_INLINE HexCell::Place locate_by(
    const HexLanes<One>& cell, CellShape shape, const WorldBox& box, const Vec3& world)
{
  const Triple<One> place = one_of(world);
  // Hexahedra begin where locate() does: their lanes give the same coordinates.
  const bool triangular = shape == CellShape::Wedge || shape == CellShape::Triangle;
  const double middle = triangular ? 1.0 / 3.0 : 0.5;
  const HexLanes<One>::Places near = cell.locate_from({ middle, middle, 0.5 }, place, 1);
  const Vec3 at = vector_of(near.at);
  if (near.far == 0 || !box.widened(HexCell::kNear).contains(world))
  {
    return { at, near.converged != 0, near.far != 0 };
  }
  const HexLanes<One>::Places later = cell.locate_far(place, near.at);
  const HexCell::Place inside{ vector_of(later.at), later.converged != 0, false };
  return inside.converged && seen_from(shape, inside, HUGE_VAL).off <= HexCell::kNear
             ? inside
             : HexCell::Place{ at, false, true };
}

[[nodiscard]] HWY_INLINE HexCell::Place locate_in_tetrahedron(const ShapeCorners& corners, const Vec3& world)
{
  const TetLanes<One> cell({ one_of(corners[0]), one_of(corners[1]), one_of(corners[2]), one_of(corners[3]) });
  const Vec3 at = vector_of(cell.locate(one_of(world)));
  return { at, std::isfinite(at[0]) && std::isfinite(at[1]) && std::isfinite(at[2]), false };
}

/// Newton's method as in HexLanes, for coordinates in which pyramids are not singular at the apex (Mesh/ShapeCell.h).
/// The place is not a smooth function of them there, so that steps become small more slowly. On the way, ratios may lie
/// beyond [0, 1]: within these limits convergence is linear, and places in bent pyramids are lost.
[[nodiscard]] HWY_NOINLINE inline HexCell::Place locate_in_pyramid(const ShapeCorners& corners, const Vec3& world)
{
  static constexpr double kRounding = 1e-14;
  static constexpr double kFar = 8.0; ///< no ratio becomes infinite at the apex
  const auto ratio = [](double x, double to_apex)
  {
    return to_apex != 0.0 ? std::min(std::max(-kFar, x / to_apex), kFar) : 0.5;
  };
  const Triple<One> apex = one_of(corners[4]);
  const Triple<One> x = subtract(one_of(corners[1]), one_of(corners[0]));
  const Triple<One> y = subtract(one_of(corners[2]), one_of(corners[0]));
  const Triple<One> xy = subtract(subtract(one_of(corners[3]), one_of(corners[1])), y);
  const Triple<One> z = subtract(one_of(corners[0]), apex);
  const Triple<One> place = one_of(world);
  Triple<One> at{ 0.25, 0.25, 0.5 };
  Triple<One> first = at; // after the first step, which tells the way where the next ones do not lead into the cell
  bool converged = false;
  for (int round = 0; round < HexCell::kMostRounds; ++round)
  {
    const double along_x = ratio(at.x, at.z);
    const double along_y = ratio(at.y, at.z);
    const double both = along_y * at.x;
    const Triple<One> here = scale_add(both, xy, scale_add(at.z, z, scale_add(at.y, y, scale_add(at.x, x, apex))));
    const Triple<One> off = subtract(place, here);
    const Triple<One> by_x = scale_add(along_y, xy, x);
    const Triple<One> by_y = scale_add(along_x, xy, y);
    const Triple<One> by_z = scale_add(-along_x * along_y, xy, z);
    const Triple<One> normal = cross(by_y, by_z);
    const double by_volume = 1.0 / fused_dot(by_x, normal);
    const Triple<One> step{ by_volume * fused_dot(off, normal), by_volume * fused_dot(by_x, cross(off, by_z)),
      by_volume * fused_dot(by_x, cross(by_y, off)) };
    at = { at.x + step.x, at.y + step.y, at.z + step.z };
    first = round == 0 ? at : first;
    const double size = std::max(std::max(std::fabs(step.x), std::fabs(step.y)), std::fabs(step.z));
    converged = size < HexCell::kSmallStep;
    if (!(size < HUGE_VAL) || size < kRounding)
    {
      break;
    }
  }
  const auto off = [](const Triple<One>& coordinates)
  {
    return seen_from(CellShape::Pyramid, { vector_of(coordinates), true, false }, HUGE_VAL).off;
  };
  const double at_first = off(first);
  const bool found = converged && (at_first <= 1.0 || off(at) <= HexCell::kNear);
  return found ? HexCell::Place{ vector_of(at), true, false }
               : HexCell::Place{ vector_of(first), false, at_first > 0.0 };
}

/// As ShapeCell.h's locate_in_shape().
[[nodiscard]] HWY_NOINLINE inline HexCell::Place locate_alone(
    CellShape shape, const ShapeCorners& corners, const Vec3& world)
{
  using Terms = HexLanes<One>::Terms;
  const auto corner = [&](std::size_t i)
  {
    return one_of(corners[i]);
  };
  const Triple<One> none{ 0.0, 0.0, 0.0 };
  const Triple<One> x = subtract(corner(1), corner(0));
  const Triple<One> y = subtract(corner(2), corner(0));
  WorldBox box = WorldBox::nothing();
  const auto add = [&](std::size_t count)
  {
    std::for_each_n(corners.begin(), count, [&](const Vec3& each) { box.add(each); });
  };
  switch (shape)
  {
  case CellShape::Tetrahedron:
    return locate_in_tetrahedron(corners, world);
  case CellShape::Pyramid:
    return locate_in_pyramid(corners, world);
  case CellShape::Hexahedron:
  {
    add(8);
    const Triple<One> all[HexCell::kCorners] = { corner(0), corner(1), corner(2), corner(3), corner(4), corner(5),
      corner(6), corner(7) };
    return locate_by(HexLanes<One>(all), shape, box, world);
  }
  case CellShape::Wedge:
  {
    add(6);
    const Triple<One> xz = subtract(subtract(corner(4), corner(3)), x);
    const Triple<One> yz = subtract(subtract(corner(5), corner(3)), y);
    return locate_by(
        HexLanes<One>(Terms{ corner(0), x, y, subtract(corner(3), corner(0)), none, xz, yz, none }), shape, box, world);
  }
  case CellShape::Triangle:
  case CellShape::Quadrilateral:
  {
    const bool is_quad = shape == CellShape::Quadrilateral;
    add(is_quad ? 4 : 3);
    const Triple<One> xy = is_quad ? subtract(subtract(corner(3), corner(1)), y) : none;
    // As long as the cell, so that all coordinates converge together.
    const Triple<One> across = cross(scale_add(0.5, xy, x), scale_add(0.5, xy, y));
    const double area = std::sqrt(fused_dot(across, across));
    const double length = std::sqrt(area);
    const Triple<One> normal = scale(length / area, across);
    HexCell::Place place =
        locate_by(HexLanes<One>(Terms{ corner(0), x, y, normal, xy, none, none, none }), shape, box, world);
    place.at[2] *= length;
    return place;
  }
  }
  return {};
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
