// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Options that all analytics of lines have (lengths in the simulation's unit):
///
///     "field"       name of the field; needed if there are several
///     "velocity"    variable of three components; "velocity" by default
///     "attributes"  names of further variables to interpolate along the lines
///     "cells"       values in the middle of cells: "nodes" (default) become nodes (FieldChoice.h), "cells" stay
///     "points", "line", "plane", "resolution"   seeds (SeedOptions.h)
///     "limit_mib"   mebibytes of the field on each rank; 1024 by default
#pragma once

#include "Lines/SeedOptions.h"
#include "Lines/WholeField.h"

namespace rivulet
{

struct LineOptions
{
  FieldSelection wish; ///< the velocity first
  std::vector<Vec3> seeds;
  std::int64_t limit = 0; ///< bytes of the field on each rank

  /// The seeds that a rank traces.
  [[nodiscard]] SeedRange seeds_of(int rank, int ranks) const
  {
    return seeds_of_rank(static_cast<std::int64_t>(seeds.size()), rank, ranks);
  }
  [[nodiscard]] SeedRange seeds_of(const Host& host) const { return seeds_of(host.rank(), host.size()); }
  /// For gather_whole(): the ranks with seeds need the values. The object must outlive it.
  [[nodiscard]] WholeFieldNeeds needs(const Host& host, int steps) const;
};

/// Errors go to `read`.
[[nodiscard]] LineOptions read_line_options(OptionReader& read);

} // namespace rivulet
