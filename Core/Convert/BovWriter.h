// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Writes any LatticeReader as BOV, VisIt's "brick of values": a text header and raw values for each step and variable.
/// The values lie in one file, or in equal blocks of one file each.
///
///     write_bov(reader, "flow.bov", { .blocks = { 2, 2, 1 } });     // flow.bov, flow.00000.raw ... flow.00003.raw
///
/// The header has names with blanks or a leading # in double quotes, and %% for % in names of data files.
///
/// Several steps are flow_0000.bov, flow_0001.bov ...; several variables flow_velocity.bov, flow_speed.bov. Values have
/// the machine's byte order. BovSet gives all files their names at the end. Threads: see TaskTeam.
#pragma once

#include "Convert/Converter.h"
#include "Io/Writes/PublishFile.h"

namespace rivulet
{

struct BovOptions
{
  OnExisting existing = OnExisting::Replace; ///< treatment of existing files of the same names
  Int3 blocks{ 1, 1, 1 };                    ///< blocks along each axis; they must divide the lattice
  std::int64_t memory = kGiB;                ///< bytes of values in memory at once, over all threads
  int threads = 0;                           ///< number of threads; 0 means one per core
  bool sync = false;                         ///< fsync the files before they get their names
  const std::atomic<bool>* cancel = nullptr;
  ByteProgress progress;
};

struct BovReport
{
  std::vector<std::string> headers; ///< in order of variable, then step
  std::int64_t bytes = 0;           ///< bytes of values
};

/// Fails before any file is written with BadArgument (blocks that do not divide the lattice, names that a header cannot
/// hold) or Unsupported (rectilinear grids, turned axes). Later errors: CannotWrite, Cancelled, BudgetTooSmall, and
/// errors of the reader.
[[nodiscard]] Result<BovReport> write_bov(LatticeReader& reader, const std::string& path, const BovOptions& options);

} // namespace rivulet
