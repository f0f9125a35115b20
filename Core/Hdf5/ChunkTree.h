// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Lists the stored chunks of a chunked dataset from its version 1 B-tree.
///
/// Format: "HDF5 File Format Specification", version 3.0, section III.A.1. One thread at a time, as BufferedFile.
#pragma once

#include "Hdf5/BufferedFile.h"
#include "Hdf5/Layout.h"

namespace rivulet::hdf5
{

/// Stored chunks of a dataset with Storage::Chunked, sorted by their position in the dataset. Each chunk lies within
/// the file, begins within the dataset and occurs once. Fails with Corrupt or Truncated, or as BufferedFile::view().
[[nodiscard]] Result<std::vector<Chunk>> list_chunks(BufferedFile& file, const DatasetLayout& layout);

} // namespace rivulet::hdf5
