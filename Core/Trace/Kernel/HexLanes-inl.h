// SPDX-License-Identifier: BSD-3-Clause
// Hexahedra with trilinear coordinates, one in each lane: Newton's method for places in them. HexCell::locate() is the
// same with one lane. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_HEX_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_HEX_LANES_INL_H
#undef RIVULET_HEX_LANES_INL_H
#else
#define RIVULET_HEX_LANES_INL_H
#endif

#include "Trace/Kernel/PairedWidth-inl.h"
#include "Trace/Mesh/HexCell.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

template <class W>
HWY_INLINE Triple<W> cross(const Triple<W>& a, const Triple<W>& b)
{
  return { W::fused_from(a.z, b.y, a.y * b.z), W::fused_from(a.x, b.z, a.z * b.x), W::fused_from(a.y, b.x, a.x * b.y) };
}

template <class W>
HWY_INLINE typename W::Vector fused_dot(const Triple<W>& a, const Triple<W>& b)
{
  return W::fused(a.z, b.z, W::fused(a.y, b.y, a.x * b.x));
}

template <class W>
class HexLanes
{
public:
  using Vector = typename W::Vector;

  /// Coordinates in the cells.
  struct Places
  {
    Triple<W> at;
    LaneBits converged = 0;
    LaneBits far = 0; ///< beyond [-1, 2] after the first step: HexCell::locate() has to decide, lane by lane
  };
  /// Derivatives of the place by the parametric coordinates.
  struct Tangents
  {
    Triple<W> x;
    Triple<W> y;
    Triple<W> z;
  };

  /// The place is origin + x x_ + y y_ + z z_ + x y xy_ + x z xz_ + y z yz_ + x y z xyz_. Other shapes have fewer
  /// terms.
  struct Terms
  {
    Triple<W> origin;
    Triple<W> x;
    Triple<W> y;
    Triple<W> z;
    Triple<W> xy;
    Triple<W> xz;
    Triple<W> yz;
    Triple<W> xyz;
  };

  HWY_INLINE explicit HexLanes(const Terms& terms)
    : origin_(terms.origin)
    , x_(terms.x)
    , y_(terms.y)
    , z_(terms.z)
    , xy_(terms.xy)
    , xz_(terms.xz)
    , yz_(terms.yz)
    , xyz_(terms.xyz)
  {
  }
  /// Corner i + 2 j + 4 k lies at the parametric coordinates (i, j, k).
  HWY_INLINE explicit HexLanes(const Triple<W> (&corners)[HexCell::kCorners])
    : origin_(corners[0])
    , x_(subtract(corners[1], corners[0]))
    , y_(subtract(corners[2], corners[0]))
    , z_(subtract(corners[4], corners[0]))
    , xy_(subtract(subtract(corners[3], corners[1]), y_))
    , xz_(subtract(subtract(corners[5], corners[1]), z_))
    , yz_(subtract(subtract(corners[6], corners[2]), z_))
    , xyz_(subtract(subtract(subtract(corners[7], corners[3]), subtract(corners[5], corners[1])), yz_))
  {
  }

  /// Of the given lanes, as HexCell::locate(), but for places that are far. The coordinates of other lanes have no
  /// meaning.
  [[nodiscard]] HWY_INLINE Places locate(const Triple<W>& world, LaneBits lanes) const
  {
    const Vector half = W::set(0.5);
    return locate_from({ half, half, half }, world, lanes);
  }
  /// The same from another place in the cell than the centre of a hexahedron.
  [[nodiscard]] HWY_INLINE Places locate_from(const Triple<W>& begin, const Triple<W>& world, LaneBits lanes) const
  {
    Places places{ begin };
    const Vector size = step(world, places.at);
    places.converged = lanes & W::bits(W::less(size, W::set(HexCell::kSmallStep)));
    const LaneBits open = lanes & W::bits(W::less(size, W::set(HUGE_VAL))) & ~places.converged;
    places.far = open & W::bits(W::less(W::set(1.0), violation(places.at)));
    converge(world, open & ~places.far, places);
    return places;
  }

  /// Goes on from where the first step left a place of a single lane.
  [[nodiscard]] HWY_INLINE Places locate_far(const Triple<W>& world, const Triple<W>& first) const
  {
    Places places{ first };
    converge(world, W::kAll, places);
    return places;
  }

  /// How far parametric coordinates lie beyond [0, 1], at most.
  [[nodiscard]] static HWY_INLINE Vector violation(const Triple<W>& at)
  {
    const Vector one = W::set(1.0);
    const auto beyond = [&](Vector x) HWY_ATTR
    {
      return W::max(W::set(0.0) - x, x - one);
    };
    return W::max(W::max(beyond(at.x), beyond(at.y)), W::max(beyond(at.z), W::set(0.0)));
  }

  [[nodiscard]] HWY_INLINE Tangents tangents(const Triple<W>& at) const
  {
    const Triple<W> yz = scale_add(at.x, xyz_, yz_);
    return { scale_add(at.z, scale_add(at.y, xyz_, xz_), scale_add(at.y, xy_, x_)),
      scale_add(at.z, yz, scale_add(at.x, xy_, y_)), scale_add(at.y, yz, scale_add(at.x, xz_, z_)) };
  }

private:
  [[nodiscard]] static HWY_INLINE Triple<W> select(typename W::Mask mask, const Triple<W>& yes, const Triple<W>& no)
  {
    return { W::select(mask, yes.x, no.x), W::select(mask, yes.y, no.y), W::select(mask, yes.z, no.z) };
  }

  /// A step of Newton's method; returns its size.
  HWY_INLINE Vector step(const Triple<W>& world, Triple<W>& at) const
  {
    const Tangents t = tangents(at);
    const Triple<W> along_y = scale_add(at.z, yz_, y_);
    const Triple<W> place = scale_add(at.z, z_, scale_add(at.y, along_y, scale_add(at.x, t.x, origin_)));
    const Triple<W> off = subtract(world, place);
    const Triple<W> normal = cross(t.y, t.z);
    const Vector by_volume = W::set(1.0) / fused_dot(t.x, normal);
    const Triple<W> by{ by_volume * fused_dot(off, normal), by_volume * fused_dot(t.x, cross(off, t.z)),
      by_volume * fused_dot(t.x, cross(t.y, off)) };
    at = { at.x + by.x, at.y + by.y, at.z + by.z };
    return W::max(W::max(W::abs(by.x), W::abs(by.y)), W::abs(by.z));
  }

  /// The steps after the first, in the lanes of `open`.
  HWY_INLINE void converge(const Triple<W>& world, LaneBits open, Places& places) const
  {
    for (int round = 1; round < HexCell::kMostRounds && open != 0; ++round)
    {
      Triple<W> next = places.at;
      const Vector size = step(world, next);
      places.at = select(W::mask(open), next, places.at);
      const LaneBits there = open & W::bits(W::less(size, W::set(HexCell::kSmallStep)));
      places.converged |= there;
      open &= W::bits(W::less(size, W::set(HUGE_VAL))) & ~there;
    }
  }

  Triple<W> origin_;
  Triple<W> x_;
  Triple<W> y_;
  Triple<W> z_;
  Triple<W> xy_;
  Triple<W> xz_;
  Triple<W> yz_;
  Triple<W> xyz_;
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
