// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The chunks of a dataset that were written.
#pragma once

#include "Hdf5/BufferedFile.h"
#include "Hdf5/Layout.h"

namespace rivulet::hdf5
{

/// All stored chunks of a Chunked layout, sorted by their place in the dataset. Each lies within the file and begins
/// within the dataset, none twice. Fails with Corrupt or Truncated.
[[nodiscard]] Result<std::vector<Chunk>> list_chunks(BufferedFile& file, const DatasetLayout& layout);

} // namespace rivulet::hdf5
