// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Figures of a session, over all ranks, as a table and as JSON:
///
///                                        min        mean         max
///     simulation active, s            10.213      10.402      10.611
///     simulation waits, s              0.002       0.005       0.011
///     ...
///     radial: executions                  32          32          32
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace rivulet::insitu
{

/// A figure of this rank. All ranks have the same ones, in the same order.
struct Figure
{
  std::string analytics; ///< empty: of the session
  std::string key;       ///< in JSON; a name that ends with "_s" is in seconds
  double value = 0;
};

/// A figure over all ranks.
struct Spread
{
  Figure figure; ///< `value` is the mean
  double least = 0;
  double most = 0;
};

/// Collective. Where MPI fails, the figures of this rank.
[[nodiscard]] std::vector<Spread> gather(const std::vector<Figure>& figures, MPI_Comm comm);

/// The run that the figures belong to.
struct SummaryHead
{
  std::string policy;
  int ranks = 1;
  int cores = 1;
  int simulation = 1; ///< size of the arena
  int analytics = 1;
  int workers = 0;
};

[[nodiscard]] std::string table_of(const SummaryHead& head, const std::vector<Spread>& figures);
[[nodiscard]] std::string json_of(const SummaryHead& head, const std::vector<Spread>& figures);

} // namespace rivulet::insitu
