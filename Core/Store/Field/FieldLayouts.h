// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The kinds of files that a StoredField can be opened in. A new kind is one function here, and a locator.
///
///     Result<StoredField::Layout> layout = layout_of_bov({ "flow_0000.bov", "flow_0001.bov" });
///
/// Any thread.
#pragma once

#include "Io/Blocks/BlockField.h"
#include "Store/Field/StoredField.h"

namespace rivulet
{

/// Field files (.rvf) that are steps of one series. Reads metadata only. Fails as RecordLocator::open() does.
[[nodiscard]] Result<StoredField::Layout> layout_of_records(const std::vector<std::string>& paths, bool verify);

/// Plain blocks; `path` is for messages. Reads some kilobytes of values. A field whose first step is one file needs
/// that file; of a field of many blocks those that are missing or too short are found out when their bricks are wanted.
/// Fails with NotFound or Truncated, or, where the byte order must be wrong, with Corrupt.
[[nodiscard]] Result<StoredField::Layout> layout_of_blocks(BlockField field, const std::string& path);

/// BOV headers that are steps of one series. Fails with what bov_field() says, too.
[[nodiscard]] Result<StoredField::Layout> layout_of_bov(const std::vector<std::string>& paths);

} // namespace rivulet
