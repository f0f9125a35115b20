// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What the header of an HDF5 object says: that it is a group, and where its names are; or that it is a dataset, and
/// how its values lie. Version 1 headers with version 1 to 3 messages, as files without "latest format" have them.
#pragma once

#include "Hdf5/BufferedFile.h"
#include "Hdf5/Layout.h"

#include <optional>

namespace rivulet::hdf5
{

/// Where the names of an old-style group are.
struct SymbolTable
{
  std::uint64_t tree = kUndefinedAddress;
  std::uint64_t heap = kUndefinedAddress;
};

/// One of the two, or neither (another kind of object).
struct ObjectHeader
{
  std::optional<SymbolTable> group;
  std::optional<DatasetLayout> dataset;
};

/// Whether the header is here, but for what it may have elsewhere: to read it costs no request then.
[[nodiscard]] bool holds_object_header(const BufferedFile& file, std::uint64_t address);

/// Fails with Unsupported for what only the library reads (other versions, types that are not numbers, shared types,
/// external files, virtual datasets), with Corrupt or Truncated for what cannot be right.
[[nodiscard]] Result<ObjectHeader> read_object_header(BufferedFile& file, std::uint64_t address);

} // namespace rivulet::hdf5
