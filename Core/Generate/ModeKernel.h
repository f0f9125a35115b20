// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Sums many Fourier modes over whole rows of a lattice.
///
/// With whole wave numbers the factors of exp(i (kx x + ky y + kz z)) are one-dimensional tables, and modes with the
/// same kx differ only by a complex amplitude per row. A plane z of a box takes three stages. Each stage does the same
/// arithmetic in the same order for every point of every box:
///     1. amplitudes of each (kx, ky) in the plane                         (ModeField)
///     2. amplitudes of each kx in each row: sum over ky                   (sum_rows)
///     3. values of each point: sum over kx, a small matrix product        (sum_points)
/// The stages use multiplications and additions only, never fused (-ffp-contract=off). The loops are compiled for
/// several instruction sets, and all of them give the same bits.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rivulet
{

/// Number of rows that one call of stages 2 and 3 computes. Tables along y are padded to a multiple of it.
inline constexpr std::size_t kRowTile = 32;
/// Bytes of one vector of points. Tables along x are padded to a multiple of it.
inline constexpr std::size_t kLaneBytes = 64;

/// Scalars per kx and row: real and imaginary part of three components.
inline constexpr std::size_t kAmplitudes = 6;

/// cos(k a) and sin(k a) for k = 0 ... largest and a list of angles a. The values of one k are contiguous and padded
/// with zeros.
template <class T>
class PhaseTable
{
public:
  PhaseTable(std::span<const double> angles, int largest, std::size_t padding);

  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] const T* cosines(int k) const { return cosines_.data() + static_cast<std::size_t>(k) * stride_; }
  [[nodiscard]] const T* sines(int k) const { return sines_.data() + static_cast<std::size_t>(k) * stride_; }

private:
  std::size_t stride_;
  std::vector<T> cosines_;
  std::vector<T> sines_;
};

/// One (kx, ky) with kx >= 0.
struct WavePair
{
  int kx = 0;
  int ky = 0;
};

/// Stage 2 for the kRowTile rows that begin at `first_row` of the table along y (which must be padded to them).
/// `amplitudes` holds kAmplitudes scalars per pair. Result: rows[(kx * kAmplitudes + a) * kRowTile + row].
void sum_rows(std::span<const WavePair> pairs, const float* amplitudes, const PhaseTable<float>& along_y,
    std::size_t first_row, std::span<float> rows);
void sum_rows(std::span<const WavePair> pairs, const double* amplitudes, const PhaseTable<double>& along_y,
    std::size_t first_row, std::span<double> rows);

/// Stage 3 for the first `row_count` rows of a tile. Output: row after row, `points` points per row, three components
/// per point.
void sum_points(const float* rows, std::size_t row_count, const PhaseTable<float>& along_x, int largest,
    std::size_t points, float* out);
void sum_points(const double* rows, std::size_t row_count, const PhaseTable<double>& along_x, int largest,
    std::size_t points, double* out);

} // namespace rivulet
