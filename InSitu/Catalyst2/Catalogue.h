// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What all ranks publish in a step. The runtime wants the same fields in the same order on all ranks, but a rank of a
/// code that calls Catalyst may have no domain of a channel, or not even the channel. So ranks tell each other what
/// they have. A channel that one rank refuses is left out on all, and so is a field that one rank has otherwise.
///
/// A mesh has the name of its channel if all its domains on all ranks have the same single topology. Else each topology
/// is a mesh of its own:
///
///     rank 0: topologies/fluid                      "grid/fluid", of both ranks
///     rank 1: topologies/fluid, topologies/solid    "grid/solid", of rank 1
#pragma once

#include "Outline.h"

#include <mpi.h>

#include <optional>

namespace rivulet::catalyst2
{

class Catalogue
{
public:
  /// Collective; an error is one of all ranks. Outlines of all ranks, in an order that is the same everywhere, without
  /// those that differ between ranks and those of channels that a rank refuses. Tells of the former. Where no rank has
  /// other outlines than at the call before, ranks exchange one number. Throws std::bad_alloc.
  [[nodiscard]] Result<std::vector<Outline>> agree(
      MPI_Comm comm, const std::vector<Outline>& own, const std::vector<std::string>& refused, Teller& teller);

private:
  struct Agreement
  {
    std::vector<Outline> outlines;
    std::vector<Error> channels; ///< left out, because ranks differ
    std::vector<Error> fields;   ///< left out
  };
  [[nodiscard]] static Agreement agreement_of(const std::vector<std::string>& messages);

  std::optional<std::string> last_; ///< what this rank has sent; none: it has to send again
  Agreement agreement_;
};

} // namespace rivulet::catalyst2
