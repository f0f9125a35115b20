// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What each rank has, on all ranks.
#pragma once

#include <mpi.h>

#include <numeric>
#include <vector>

namespace rivulet::catalyst2
{

/// Collective. `own` of all ranks, in their order. A Container is a vector or a string; its values are plain bytes.
template <class Container>
std::vector<Container> gather(MPI_Comm comm, const Container& own)
{
  using Value = typename Container::value_type;
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  const int size = static_cast<int>(own.size() * sizeof(Value));
  std::vector<int> sizes(static_cast<std::size_t>(ranks));
  MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, comm);
  std::vector<int> begins(sizes.size() + 1, 0);
  std::partial_sum(sizes.begin(), sizes.end(), begins.begin() + 1);
  std::vector<Value> all(static_cast<std::size_t>(begins.back()) / sizeof(Value));
  MPI_Allgatherv(own.data(), size, MPI_BYTE, all.data(), sizes.data(), begins.data(), MPI_BYTE, comm);
  std::vector<Container> each;
  auto next = all.begin();
  for (const int bytes : sizes)
  {
    const auto end = next + bytes / static_cast<int>(sizeof(Value));
    each.emplace_back(next, end);
    next = end;
  }
  return each;
}

} // namespace rivulet::catalyst2
