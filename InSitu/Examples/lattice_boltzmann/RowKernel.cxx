// SPDX-License-Identifier: BSD-3-Clause
#include "RowKernel.h"

#include <algorithm>
#include <cstring>

// Compiles a function for several instruction sets. The program chooses one at its start. Sanitizers do not support
// that.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define LATTICE_WIDE __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define LATTICE_WIDE
#endif

namespace lattice_boltzmann
{

namespace
{

constexpr std::int32_t kLanes = 8;
typedef float Lanes __attribute__((vector_size(4 * kLanes))); // NOLINT(modernize-use-using): a vector

template <class Real>
LATTICE_INLINE void advance_at(float* const (&from)[kDirections], std::int32_t x, const Rates& rates)
{
  Real f[kDirections];
#pragma GCC unroll 19
  for (int direction = 0; direction < kDirections; ++direction)
  {
    std::memcpy(&f[direction], from[direction] + x, sizeof(Real)); // an unaligned load: rows have no alignment
  }
  collide(f, rates);
  std::memcpy(from[0] + x, &f[0], sizeof(Real));
#pragma GCC unroll 9
  for (int direction = 1; direction < kDirections; direction += 2)
  {
    std::memcpy(from[direction + 1] + x, &f[direction], sizeof(Real));
    std::memcpy(from[direction] + x, &f[direction + 1], sizeof(Real));
  }
}

} // namespace

LATTICE_WIDE void advance_cells(const CellPlaces& from, std::int32_t begin, std::int32_t end, const Rates& rates)
{
  float* places[kDirections];
  std::copy(from.begin(), from.end(), places);
  const Rates own = rates;
  std::int32_t x = begin;
  for (; x + kLanes <= end; x += kLanes)
  {
    advance_at<Lanes>(places, x, own);
  }
  for (; x < end; ++x)
  {
    advance_at<float>(places, x, own);
  }
}

void advance_cell(const CellPlaces& from, const Rates& rates)
{
  advance_cells(from, 0, 1, rates);
}

void send(const CellPlaces& from, const std::array<float, kDirections>& populations)
{
  *from[0] = populations[0];
  for (std::size_t direction = 1; direction < kDirections; direction += 2)
  {
    *from[direction + 1] = populations[direction];
    *from[direction] = populations[direction + 1];
  }
}

void receive_sent(const CellPlaces& from, float (&populations)[kDirections])
{
  populations[0] = *from[0];
  for (std::size_t direction = 1; direction < kDirections; direction += 2)
  {
    populations[direction] = *from[direction + 1];
    populations[direction + 1] = *from[direction];
  }
}

} // namespace lattice_boltzmann
