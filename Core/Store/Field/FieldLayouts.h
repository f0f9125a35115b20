// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The kinds of files that a StoredField can read. A new kind needs one function here and a locator.
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

/// Plain blocks; `path` is used in messages. Reads some kilobytes of values. If the first step is one file, that file
/// must exist. Of a field of many blocks, a missing or short block fails when its bricks are read. Fails with NotFound,
/// Truncated or, if the byte order must be wrong, with Corrupt.
[[nodiscard]] Result<StoredField::Layout> layout_of_blocks(BlockField field, const std::string& path);

/// BOV headers that are steps of one series. Fails as bov_field() does, too.
[[nodiscard]] Result<StoredField::Layout> layout_of_bov(const std::vector<std::string>& paths);

} // namespace rivulet
