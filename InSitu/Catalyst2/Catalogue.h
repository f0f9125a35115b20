// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Outlines of the data that all ranks publish in a step. The runtime wants the same fields in the same order on all
/// ranks. A rank of a code that calls Catalyst may have no domain of a channel, or not even the channel. So ranks
/// exchange outlines. A channel that one rank refuses is left out on all ranks, and so is a field that differs on one.
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
  /// Collective; an error is one of all ranks. Outlines of all ranks, in the same order on each. Fields and channels
  /// that differ between ranks are left out with a message; channels that a rank refuses are left out without one. If
  /// no rank's message has changed since the last call, ranks exchange one number. Throws std::bad_alloc.
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

  std::optional<std::string> last_; ///< last message of this rank; none: it has to send again
  Agreement agreement_;
};

} // namespace rivulet::catalyst2
