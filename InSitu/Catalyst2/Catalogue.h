// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What all ranks publish in a step. The runtime wants the same fields in the same order on all ranks, but a rank of a
/// code that calls Catalyst may have no domain of a channel, or not even the channel. So ranks tell each other what
/// they have. A channel that one rank refuses is left out on all.
#pragma once

#include "Domain.h"
#include "Teller.h"

#include <mpi.h>

namespace rivulet::catalyst2
{

/// A variable, wherever its values lie.
struct VariableOutline
{
  std::string name;
  std::int32_t type = 0;
  std::int32_t components = 0;

  bool operator==(const VariableOutline&) const = default;
};

/// A part without its domains.
struct Outline
{
  std::string channel;
  std::string name;
  GridKind kind = GridKind::Uniform;
  std::vector<VariableOutline> cells;
  std::vector<VariableOutline> nodes;

  bool operator==(const Outline&) const = default;
};

/// The outline of a part with domains, which must look alike.
[[nodiscard]] Result<Outline> outline_of(const std::string& channel, const Part& part);

/// Collective. Outlines of all ranks, in an order that is the same everywhere, without those that differ between ranks
/// and those of channels that a rank refuses. Tells of the former. Throws std::bad_alloc.
[[nodiscard]] std::vector<Outline> agree(
    MPI_Comm comm, const std::vector<Outline>& own, const std::vector<std::string>& refused, Teller& teller);

} // namespace rivulet::catalyst2
