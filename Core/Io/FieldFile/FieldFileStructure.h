// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Private to Io: whether the metadata of an HDF5 file is of the few forms that a field file has, before libhdf5 sees
/// it. The library (1.10.8) crashes on files whose checksums are right and whose metadata is not: addresses of
/// structures that are not there, sizes of attributes that contradict their types.
///
///     if (Result<void> sane = check_structure(file, bytes); !sane) return sane;
///
/// Superblock version 2 or 3, headers of version 2, and every object that compact groups lead to are looked at. Of
/// groups of many links (more than 8 steps or variables) the heads of their heap and tree are, not what is in these.
/// Files in the older style, as h5repack writes them, are not looked at: they have no checksums, and are libhdf5's
/// affair. Any thread.
#pragma once

#include "Io/Files/File.h"

namespace rivulet::hdf5
{

/// Corrupt, with the offset of the object; Unsupported, naming an attribute of a type that is not known; or how the
/// file is read fails.
[[nodiscard]] Result<void> check_structure(const File& file, std::int64_t file_bytes);

} // namespace rivulet::hdf5
