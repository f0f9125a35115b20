// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Messages of any size: MPI counts in int.
///
///     in_pieces(bytes, size, [&](std::byte* piece, int count) { MPI_Isend(piece, count, MPI_BYTE, ...); });
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace rivulet
{

/// Calls transfer(piece, its bytes) for each piece.
template <class Transfer>
void in_pieces(void* bytes, std::int64_t size, const Transfer& transfer)
{
  constexpr std::int64_t largest = std::int64_t{ 1 } << 30;
  for (std::int64_t done = 0; done < size; done += largest)
  {
    transfer(static_cast<std::byte*>(bytes) + done, static_cast<int>(std::min(largest, size - done)));
  }
}

} // namespace rivulet
