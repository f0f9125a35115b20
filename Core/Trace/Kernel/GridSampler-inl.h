// SPDX-License-Identifier: BSD-3-Clause
// Trilinear interpolation of velocities in cells of grids for several particles at once, and its gradient. Included
// once per target by the Kernel*.cxx files.
#if defined(RIVULET_GRID_SAMPLER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_GRID_SAMPLER_INL_H
#undef RIVULET_GRID_SAMPLER_INL_H
#else
#define RIVULET_GRID_SAMPLER_INL_H
#endif

#include "Trace/Kernel/CellLanes-inl.h"
#include "Trace/Kernel/GridWindow.h"
#include "Trace/Kernel/Rows-inl.h"
#include "Trace/Kernel/VelocityGradient-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Interpolates velocities in one brick.
template <class W, class Scalar>
class GridSampler
{
public:
  GridSampler(const BrickWindow& window, bool cell_centred)
    : window_(window)
    , cell_centred_(cell_centred)
    , packed_(!cell_centred && window.stride[0] == 3 && window.upper[0] == 3 && window.component_stride == 1)
  {
    const Int3& cell = window.first_cell;
    safe_ = static_cast<const Scalar*>(window.corner) + cell[0] * window.stride[0] + cell[1] * window.stride[1] +
            cell[2] * window.stride[2];
  }

  /// The velocity at `at` in the given lanes, whose cells are in the window, and its gradient if requested. The other
  /// lanes read in the window's first cell. A cell-centred velocity is the cell's, and its gradient is not set.
  template <bool kGradient>
  [[nodiscard]] HWY_INLINE Triple<W> sample(const CellLanes<W>& at, LaneBits lanes, Gradient<W>& gradient) const
  {
    alignas(64) const Scalar* low[W::kLanes];
    corners<W>({ W::load(at.cell[0]), W::load(at.cell[1]), W::load(at.cell[2]) }, lanes, low);
    if (HWY_LIKELY(packed_))
    {
      return between_nodes<kGradient, true>(low, at, gradient);
    }
    return cell_centred_ ? load_strided<W>(low, 0, window_.component_stride)
                         : between_strided<kGradient>(low, at, gradient);
  }

  /// The values at corner i + 2 j + 4 k of each cell, as in sample().
  HWY_INLINE void load_corners(const CellLanes<W>& at, LaneBits lanes, Triple<W> (&values)[8]) const
  {
    alignas(64) const Scalar* low[W::kLanes];
    corners<W>({ W::load(at.cell[0]), W::load(at.cell[1]), W::load(at.cell[2]) }, lanes, low);
    if (HWY_LIKELY(packed_))
    {
      load_rows<true>(low, values);
    }
    else
    {
      load_rows<false>(low, values);
    }
  }

  /// Prefetches the values of these cells, which may lie anywhere.
  HWY_INLINE void prefetch(const CellNumbers<W>& cells) const
  {
    alignas(64) const Scalar* low[W::kLanes];
    corners<W>(cells, W::kAll, low);
    for (const Scalar* corner : low)
    {
      __builtin_prefetch(corner);
      __builtin_prefetch(corner + window_.upper[1]);
      __builtin_prefetch(corner + window_.upper[2]);
      __builtin_prefetch(corner + window_.upper[1] + window_.upper[2]);
    }
  }

private:
  /// Address of the values at a cell's lower corner.
  [[nodiscard]] HWY_INLINE const Scalar* corner(const Int3& cell) const
  {
    const std::int64_t scalars =
        cell[0] * window_.stride[0] + cell[1] * window_.stride[1] + cell[2] * window_.stride[2];
    return static_cast<const Scalar*>(window_.corner) + scalars;
  }

  /// Addresses of the values at the cells' lower corners in the given lanes; in the others an address that may be read,
  /// chosen within the vector: single stores into `low` would make the loads that follow wait. Bytes are counted in
  /// doubles, which are exact far beyond any memory size. Adding a number whose lowest bit is worth one turns them into
  /// integers.
  template <class V>
  HWY_INLINE void corners(const CellNumbers<V>& cells, LaneBits lanes, const Scalar** low) const
  {
    if constexpr (is_paired<V>)
    {
      using Half = typename V::Half;
      corners<Half>({ cells.x.low, cells.y.low, cells.z.low }, lanes & Half::kAll, low);
      corners<Half>({ cells.x.high, cells.y.high, cells.z.high }, lanes >> Half::kLanes, low + Half::kLanes);
    }
    else if constexpr (V::kLanes == 1)
    {
      low[0] = lanes != 0 ? corner({ cells.x, cells.y, cells.z }) : safe_;
    }
    else
    {
      static constexpr double kIntegers = 6755399441055744.0; // 2^52 + 2^51
      const auto bytes = [](std::int64_t scalars) HWY_ATTR
      {
        return V::set(static_cast<double>(scalars * static_cast<std::int64_t>(sizeof(Scalar))));
      };
      const auto along_x = V::fused(V::to_doubles(cells.x), bytes(window_.stride[0]), V::set(kIntegers));
      const auto along_y = V::fused(V::to_doubles(cells.y), bytes(window_.stride[1]), along_x);
      const auto offset = V::fused(V::to_doubles(cells.z), bytes(window_.stride[2]), along_y);
      const typename V::Addresses tag;
      const auto zero = hn::BitCast(tag, V::set(kIntegers));
      const auto corner = hn::Set(tag, reinterpret_cast<std::intptr_t>(window_.corner));
      static_assert(sizeof(low[0]) == sizeof(std::int64_t));
      const auto safe = hn::Set(tag, reinterpret_cast<std::intptr_t>(safe_));
      const auto there = hn::Add(corner, hn::Sub(hn::BitCast(tag, offset), zero));
      hn::Store(hn::IfThenElse(V::address_mask(lanes), there, safe), tag, reinterpret_cast<std::int64_t*>(low));
    }
  }

  /// The values at both ends of the rows that begin `row` scalars after the corners.
  template <bool kPacked>
  HWY_INLINE void load_row(const Scalar* const* low, std::int64_t row, Triple<W>& left, Triple<W>& right) const
  {
    if constexpr (kPacked)
    {
      load_packed<W>(low, row, left, right);
    }
    else
    {
      left = load_strided<W>(low, row, window_.component_stride);
      right = load_strided<W>(low, row + window_.upper[0], window_.component_stride);
    }
  }
  template <bool kPacked>
  HWY_INLINE void load_rows(const Scalar* const* low, Triple<W> (&values)[8]) const
  {
    load_row<kPacked>(low, 0, values[0], values[1]);
    load_row<kPacked>(low, window_.upper[1], values[2], values[3]);
    load_row<kPacked>(low, window_.upper[2], values[4], values[5]);
    load_row<kPacked>(low, window_.upper[1] + window_.upper[2], values[6], values[7]);
  }

  /// The values at x along the rows that begin `row` scalars after the corners and, if requested, their slopes.
  template <bool kGradient, bool kPacked>
  HWY_INLINE Triple<W> along_x(const Scalar* const* low, std::int64_t row, typename W::Vector x, Triple<W>& slope) const
  {
    Triple<W> left;
    Triple<W> right;
    load_row<kPacked>(low, row, left, right);
    if constexpr (kGradient)
    {
      slope = subtract(right, left);
    }
    return mix(left, right, x);
  }

  /// A separate function, to keep this out of the code for packed values, whose speed matters.
  template <bool kGradient>
  [[nodiscard]] HWY_NOINLINE Triple<W> between_strided(
      const Scalar* const* low, const CellLanes<W>& at, Gradient<W>& gradient) const
  {
    return between_nodes<kGradient, false>(low, at, gradient);
  }

  template <bool kGradient, bool kPacked>
  [[nodiscard]] HWY_INLINE Triple<W> between_nodes(
      const Scalar* const* low, const CellLanes<W>& at, Gradient<W>& gradient) const
  {
    const auto x = W::load(at.fraction[0]);
    const auto y = W::load(at.fraction[1]);
    const auto z = W::load(at.fraction[2]);
    const std::int64_t up = window_.upper[1];
    const std::int64_t back = window_.upper[2];
    Triple<W> slope[4];
    const Triple<W> front_low = along_x<kGradient, kPacked>(low, 0, x, slope[0]);
    const Triple<W> front_high = along_x<kGradient, kPacked>(low, up, x, slope[1]);
    const Triple<W> back_low = along_x<kGradient, kPacked>(low, back, x, slope[2]);
    const Triple<W> back_high = along_x<kGradient, kPacked>(low, up + back, x, slope[3]);
    const Triple<W> front_value = mix(front_low, front_high, y);
    const Triple<W> back_value = mix(back_low, back_high, y);
    if constexpr (kGradient)
    {
      gradient.by_index[0] = mix(mix(slope[0], slope[1], y), mix(slope[2], slope[3], y), z);
      gradient.by_index[1] = mix(subtract(front_high, front_low), subtract(back_high, back_low), z);
      gradient.by_index[2] = subtract(back_value, front_value);
    }
    return mix(front_value, back_value, z);
  }

  const BrickWindow& window_;
  bool cell_centred_;
  bool packed_;
  const Scalar* safe_; ///< address that lanes without a particle read
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
