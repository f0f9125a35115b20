// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values of each rank, gathered on all ranks.
#pragma once

#include "Base/Result.h"

#include <mpi.h>

#include <vector>

namespace rivulet::catalyst2
{

/// Offsets of each rank's bytes in the bytes of all ranks, and then the end: one number more than ranks. An error where
/// MPI cannot count them.
[[nodiscard]] Result<std::vector<int>> begins_of(const std::vector<std::int64_t>& sizes);

/// Collective. `own` of all ranks, in their order; an error is one of all ranks. A Container is a vector or a string;
/// its values are plain bytes.
template <class Container>
Result<std::vector<Container>> gather(MPI_Comm comm, const Container& own)
{
  using Value = typename Container::value_type;
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(Value));
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  const auto size = static_cast<std::int64_t>(own.size()) * kBytes;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks));
  MPI_Allgather(&size, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, comm);
  Result<std::vector<int>> begins = begins_of(sizes);
  if (!begins)
  {
    return forward_error(begins);
  }
  const std::vector<int> counts(sizes.begin(), sizes.end());
  std::vector<Value> all(static_cast<std::size_t>(begins->back()) / sizeof(Value));
  MPI_Allgatherv(
      own.data(), static_cast<int>(size), MPI_BYTE, all.data(), counts.data(), begins->data(), MPI_BYTE, comm);
  std::vector<Container> each;
  auto next = all.begin();
  for (const std::int64_t bytes : sizes)
  {
    const auto end = next + bytes / kBytes;
    each.emplace_back(next, end);
    next = end;
  }
  return each;
}

} // namespace rivulet::catalyst2
