// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Private to Io: checks that the metadata of an HDF5 file has one of the few forms of a field file, before libhdf5
/// reads it. The library (1.10.8) crashes on files with right checksums and wrong metadata: addresses of structures
/// that do not exist, sizes of attributes that contradict their types.
///
///     if (Result<void> sane = check_structure(file, bytes); !sane) return sane;
///
/// Checked are superblocks of version 2 or 3, headers of version 2, and every object that compact groups lead to. Of
/// groups with many links (more than 8 steps or variables) only the headers of heap and tree are checked, not their
/// contents. Files in the older style, as h5repack writes them, and objects in it are not checked: they have no
/// checksums, and libhdf5 has to cope with them. Any thread.
#pragma once

#include "Io/Files/File.h"

namespace rivulet::hdf5
{

/// Fails with Corrupt, at the offset of the object; with Unsupported, naming an attribute of an unknown type; or as
/// reading the file fails.
[[nodiscard]] Result<void> check_structure(const File& file, std::int64_t file_bytes);

} // namespace rivulet::hdf5
