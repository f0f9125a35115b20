// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Parser of HDF5 object headers of version 1 with messages of versions 1 to 3, which libhdf5 writes by default. A
/// header describes a group, by the location of its names, or a dataset, by the form and location of its values.
///
/// Format: "HDF5 File Format Specification", version 3.0, section IV. Addresses are in bytes. One thread at a time, as
/// BufferedFile.
#pragma once

#include "Hdf5/BufferedFile.h"
#include "Hdf5/Layout.h"

#include <optional>

namespace rivulet::hdf5
{

/// Addresses of the B-tree and of the heap that hold the names of an old-style group.
struct SymbolTable
{
  std::uint64_t tree = kUndefinedAddress;
  std::uint64_t heap = kUndefinedAddress;
};

/// Contents of a header: a group, a dataset, or neither for other kinds of objects.
struct ObjectHeader
{
  std::optional<SymbolTable> group;
  std::optional<DatasetLayout> dataset;
};

/// True if `file` holds the first block of the header, so that parsing it needs no read unless it continues elsewhere.
[[nodiscard]] bool holds_object_header(const BufferedFile& file, std::uint64_t address);

/// Fails with Unsupported if only libhdf5 reads the object (other versions, types that are not numeric, shared types,
/// external files, virtual datasets), and with Corrupt or Truncated if the header is damaged.
[[nodiscard]] Result<ObjectHeader> read_object_header(BufferedFile& file, std::uint64_t address);

} // namespace rivulet::hdf5
