// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Steps of a field with levels as SAMRAI dumps, which *Rivulet SAMRAI Reader* opens: each rank writes a file with the
/// values of its patches, and the first one the summary and the index.
///
///     LevelDumps dumps(host, "results/flow.samrai", true);
///     dumps.write(snapshot, chosen, blocks);             // blocks of all ranks: gather_blocks()
///
/// Ghost layers are left out. A vector has a dataset for each component. Memory: one component of a patch, and a
/// description of all patches.
///
/// Threads: values are copied in the loops of the host; files are written by the calling thread.
#pragma once

#include "Levels/DumpFolder.h"
#include "Levels/PublishedLevels.h"

namespace rivulet
{

struct AmrDump;

class LevelDumps
{
public:
  /// `sync`: a step is on the disk before it appears.
  LevelDumps(const Host& host, const std::string& path, bool sync)
    : host_(host)
    , folder_(host, path, sync)
    , sync_(sync)
  {
  }

  /// Collective. Fails on all ranks if an earlier run has left dumps that this one may not touch.
  [[nodiscard]] Result<void> check() const;

  /// Collective; an error of one rank is one of all. Writes the step, unless it is left out. Fails as find_levels()
  /// does, with BadArgument for steps and names that a dump cannot have, and with CannotWrite; nothing is left then.
  [[nodiscard]] Result<void> write(
      const rivulet_snapshot& snapshot, const ChosenField& chosen, const std::vector<SpreadBlock>& blocks);

private:
  [[nodiscard]] Result<std::string> begin(const rivulet_snapshot& snapshot);
  [[nodiscard]] Result<std::vector<double>> write_values(const std::string& place, const AmrDump& dump,
      const ChosenField& chosen, const std::vector<std::int32_t>& numbers) const;
  [[nodiscard]] Result<void> gather_ranges(std::vector<double> mine, AmrDump& dump) const;
  [[nodiscard]] Result<void> complete(const std::string& place, const rivulet_snapshot& snapshot, const AmrDump& dump);

  Host host_;
  DumpFolder folder_;
  bool sync_;
};

} // namespace rivulet
