// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// BOV files read in place, without conversion: Jiang's native-mmap and native-user ("Multi-Threaded Streamline Tracing
/// for Data-Intensive Architectures", LDAV 2014). open_field() (BrickStore.h) calls this for .bov files.
///
///     Result<std::shared_ptr<FileBricks>> field = open_bov({ "flow_0000.bov", "flow_0001.bov" }, options);
///
/// Native floats or doubles in one file are mapped as they are: one brick, the whole array, nothing copied
/// (MappedArrays). Everything else is put together brick by brick in a cache of our own, from mappings, through the
/// page cache, or past it (AssembledBricks).
#pragma once

#include "Io/BlockField.h"
#include "Store/BrickStore.h"

namespace rivulet
{

/// Reads the headers and some kilobytes of values. A field whose first step is one file needs that file; of a field of
/// many blocks those that are missing or too short are found out when their bricks are wanted. Fails with what
/// bov_field() says, with NotFound or Truncated, or, where the byte order must be wrong, with Corrupt.
[[nodiscard]] Result<std::shared_ptr<FileBricks>> open_bov(
    const std::vector<std::string>& paths, const OpenOptions& options);

/// The same for any field of plain blocks. `path` is for messages.
[[nodiscard]] Result<std::shared_ptr<FileBricks>> open_blocks(
    BlockField field, const std::string& path, const OpenOptions& options);

} // namespace rivulet
