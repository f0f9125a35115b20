// SPDX-License-Identifier: BSD-3-Clause
#include "Lines/LineOptions.h"

#include "Base/Bytes.h"

namespace rivulet
{

WholeFieldNeeds LineOptions::needs(const Host& host, int steps) const
{
  const auto traces = [this, ranks = host.size()](int rank)
  {
    const SeedRange range = seeds_of(rank, ranks);
    return range.begin < range.end;
  };
  return { limit, steps, traces };
}

LineOptions read_line_options(OptionReader& read)
{
  LineOptions options;
  options.wish.field = read.text("field", "");
  options.wish.variables = { read.text("velocity", "velocity") };
  for (const std::string& name : read.names("attributes"))
  {
    options.wish.variables.push_back(name);
    if (name == options.wish.variables.front())
    {
      read.refuse("attributes", "without the velocity, which is always there");
    }
  }
  options.wish.says_cells = read.has("cells");
  options.wish.cells_as_nodes = read.choice("cells", { "nodes", "cells" }) == 0;
  options.seeds = read_seeds(read);
  options.limit = read.integer("limit_mib", 1024, { 1, 1 << 30 }) * kMiB;
  return options;
}

} // namespace rivulet
