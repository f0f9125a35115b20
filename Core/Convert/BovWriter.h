// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Writes any LatticeReader as BOV, VisIt's "brick of values": a text header beside raw values, in one file or cut into
/// equal blocks of a file each. One header per step and variable.
///
///     write_bov(reader, "flow.bov", { .blocks = { 2, 2, 1 } });     // flow.bov, flow.00000.raw ... flow.00003.raw
///
/// Names with blanks or a # in front are in double quotes in the header, and % is %% in that of a data file.
///
/// Several steps are flow_0000.bov, flow_0001.bov ...; several variables flow_velocity.bov, flow_speed.bov. Values are
/// native-endian. Everything is written in a hidden folder and gets its names when all is there: see BovSet. All cores
/// write; the calling thread watches.
#pragma once

#include "Convert/Converter.h"
#include "Io/TakeName.h"

namespace rivulet
{

struct BovOptions
{
  Existing existing = Existing::Replace; ///< files that have the set's names
  Int3 blocks{ 1, 1, 1 };                ///< blocks along each axis; they must divide the lattice
  std::int64_t memory = kGiB;            ///< bytes of values held at once
  int threads = 0;                       ///< 0 = all cores
  bool sync = false;                     ///< fsync the data files before they get their names
  const std::atomic<bool>* cancel = nullptr;
  ByteProgress progress;
};

struct BovReport
{
  std::vector<std::string> headers; ///< in order of variable, then step
  std::int64_t bytes = 0;           ///< of values
};

/// Fails with BadArgument (blocks that do not divide the lattice, rectilinear grids, turned axes, names that a header
/// cannot hold) before anything is written, with CannotWrite,
/// Cancelled, BudgetTooSmall, or what the reader says.
[[nodiscard]] Result<BovReport> write_bov(LatticeReader& reader, const std::string& path, const BovOptions& options);

} // namespace rivulet
