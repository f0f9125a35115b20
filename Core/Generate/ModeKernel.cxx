// SPDX-License-Identifier: BSD-3-Clause
#include "Generate/ModeKernel.h"

#include <algorithm>
#include <cmath>

// Compiles a function for several instruction sets. The program chooses one at its start. Sanitizers do not support
// that.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define RIVULET_WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define RIVULET_WIDE
#endif
#define RIVULET_INLINE inline __attribute__((always_inline))

namespace rivulet
{

namespace
{

/// Vector of one cache line. The compiler splits it for narrower registers.
template <class T>
struct Lanes
{
  using Vector __attribute__((vector_size(kLaneBytes), aligned(alignof(T)), may_alias)) = T;
  static constexpr std::size_t kCount = kLaneBytes / sizeof(T);
};

template <class T>
RIVULET_INLINE void add_pair(const T* amplitude, const T* cosines, const T* sines, T sign, T* rows)
{
  for (std::size_t component = 0; component < 3; ++component)
  {
    const T re = amplitude[2 * component];
    const T im = amplitude[2 * component + 1];
    T* const row_re = rows + 2 * component * kRowTile;
    T* const row_im = row_re + kRowTile;
    for (std::size_t row = 0; row < kRowTile; ++row)
    {
      const T sine = sign * sines[row];
      row_re[row] += re * cosines[row] - im * sine;
      row_im[row] += re * sine + im * cosines[row];
    }
  }
}

template <class T>
RIVULET_INLINE void sum_rows_of(std::span<const WavePair> pairs, const T* amplitudes, const PhaseTable<T>& along_y,
    std::size_t first_row, std::span<T> rows)
{
  std::fill(rows.begin(), rows.end(), T(0));
  for (const WavePair& pair : pairs)
  {
    const int k = std::abs(pair.ky);
    add_pair(amplitudes, along_y.cosines(k) + first_row, along_y.sines(k) + first_row, pair.ky < 0 ? T(-1) : T(1),
        rows.data() + static_cast<std::size_t>(pair.kx) * kAmplitudes * kRowTile);
    amplitudes += kAmplitudes;
  }
}

/// Sums for one cache line of points in two neighbouring rows. The six sums stay in registers.
template <class T>
struct Block
{
  typename Lanes<T>::Vector sum[2][3];
};

template <class T>
RIVULET_INLINE Block<T> sum_block(const T* rows, const PhaseTable<T>& along_x, int largest, std::size_t first)
{
  using Vector = typename Lanes<T>::Vector;
  Vector u0{}, v0{}, w0{}, u1{}, v1{}, w1{};
  const T* cosines = along_x.cosines(0) + first;
  const T* sines = along_x.sines(0) + first;
  for (int k = 0; k <= largest; ++k)
  {
    const Vector c = *reinterpret_cast<const Vector*>(cosines);
    const Vector s = *reinterpret_cast<const Vector*>(sines);
    u0 += rows[0] * c - rows[kRowTile] * s;
    u1 += rows[1] * c - rows[kRowTile + 1] * s;
    v0 += rows[2 * kRowTile] * c - rows[3 * kRowTile] * s;
    v1 += rows[2 * kRowTile + 1] * c - rows[3 * kRowTile + 1] * s;
    w0 += rows[4 * kRowTile] * c - rows[5 * kRowTile] * s;
    w1 += rows[4 * kRowTile + 1] * c - rows[5 * kRowTile + 1] * s;
    cosines += along_x.stride();
    sines += along_x.stride();
    rows += kAmplitudes * kRowTile;
  }
  return { { { u0, v0, w0 }, { u1, v1, w1 } } };
}

template <class T>
RIVULET_INLINE void interleave(const typename Lanes<T>::Vector (&sum)[3], std::size_t count, T* out)
{
  for (std::size_t lane = 0; lane < count; ++lane)
  {
    out[3 * lane] = sum[0][lane];
    out[3 * lane + 1] = sum[1][lane];
    out[3 * lane + 2] = sum[2][lane];
  }
}

template <class T>
RIVULET_INLINE void sum_points_of(
    const T* rows, std::size_t row_count, const PhaseTable<T>& along_x, int largest, std::size_t points, T* out)
{
  for (std::size_t row = 0; row < row_count; row += 2)
  {
    for (std::size_t first = 0; first < points; first += Lanes<T>::kCount)
    {
      const Block<T> block = sum_block(rows + row, along_x, largest, first);
      const std::size_t count = std::min(points - first, Lanes<T>::kCount);
      interleave<T>(block.sum[0], count, out + 3 * (row * points + first));
      if (row + 1 < row_count)
      {
        interleave<T>(block.sum[1], count, out + 3 * ((row + 1) * points + first));
      }
    }
  }
}

} // namespace

template <class T>
PhaseTable<T>::PhaseTable(std::span<const double> angles, int largest, std::size_t padding)
  : stride_((angles.size() + padding - 1) / padding * padding)
  , cosines_(stride_ * static_cast<std::size_t>(largest + 1))
  , sines_(stride_ * static_cast<std::size_t>(largest + 1))
{
  for (std::size_t i = 0; i < angles.size(); ++i)
  {
    const double c1 = std::cos(angles[i]);
    const double s1 = std::sin(angles[i]);
    double c = 1;
    double s = 0;
    for (std::size_t at = i; at < cosines_.size(); at += stride_)
    {
      cosines_[at] = static_cast<T>(c);
      sines_[at] = static_cast<T>(s);
      const double next = c * c1 - s * s1; // angle addition takes one call of cos and sin for all k
      s = s * c1 + c * s1;
      c = next;
    }
  }
}

template class PhaseTable<float>;
template class PhaseTable<double>;

RIVULET_WIDE void sum_rows(std::span<const WavePair> pairs, const float* amplitudes, const PhaseTable<float>& along_y,
    std::size_t first_row, std::span<float> rows)
{
  sum_rows_of(pairs, amplitudes, along_y, first_row, rows);
}

RIVULET_WIDE void sum_rows(std::span<const WavePair> pairs, const double* amplitudes, const PhaseTable<double>& along_y,
    std::size_t first_row, std::span<double> rows)
{
  sum_rows_of(pairs, amplitudes, along_y, first_row, rows);
}

RIVULET_WIDE void sum_points(const float* rows, std::size_t row_count, const PhaseTable<float>& along_x, int largest,
    std::size_t points, float* out)
{
  sum_points_of(rows, row_count, along_x, largest, points, out);
}

RIVULET_WIDE void sum_points(const double* rows, std::size_t row_count, const PhaseTable<double>& along_x, int largest,
    std::size_t points, double* out)
{
  sum_points_of(rows, row_count, along_x, largest, points, out);
}

} // namespace rivulet
