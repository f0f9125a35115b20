// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Simulation codes whose HDF5 files are not read here, for messages that name the code and the way round.
///
/// Threads: as LibraryFile. Sources: the output formats of Enzo ("Enzo File Formats" of its manual), FLASH (user's
/// guide, chapter on I/O), Athena++ (wiki, "HDF5 Format") and PLUTO (user's guide, section on HDF5 output).
#pragma once

#include "Hdf5/LibraryFile.h"

#include <optional>
#include <string>

namespace rivulet
{

struct OtherCode
{
  std::string name;
  std::string way; ///< another way to open the file; part of a sentence
};

/// The code that wrote a file, by its content; none if it is not known.
[[nodiscard]] std::optional<OtherCode> other_code(const hdf5::LibraryFile& file);

} // namespace rivulet
