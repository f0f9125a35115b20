// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Finds datasets in an HDF5 file without the library: files as the library writes them by default, with superblock
/// version 0 or 1, groups of symbol tables, and headers of version 1. A dataset is found in about a microsecond, on any
/// thread; the library takes ten times as long, on one.
///
///     Result<OldStyleFile> file = OldStyleFile::open(bytes);
///     Result<std::vector<Name>> names = file->names(file->root());
///     Result<ObjectHeader> object = file->object((*names)[0].address);
///
/// Whatever is in another style fails with Unsupported: let the library read it. One thread at a time, as BufferedFile.
#pragma once

#include "Hdf5/ObjectHeader.h"

#include <string>

namespace rivulet::hdf5
{

/// An entry of a group.
struct Name
{
  std::string name;
  std::uint64_t address = 0; ///< of the object's header
};

class OldStyleFile
{
public:
  /// `bytes` must outlive this. Fails with NotThisFormat if it is no HDF5 file, with Unsupported if it is of a newer
  /// style or has a user block.
  [[nodiscard]] static Result<OldStyleFile> open(BufferedFile& bytes);

  /// Whether the file is as long as it says. Where it is not, what lies before its end can be read all the same.
  [[nodiscard]] bool complete() const { return complete_; }

  /// The address of the root group's header.
  [[nodiscard]] std::uint64_t root() const { return root_; }

  [[nodiscard]] Result<ObjectHeader> object(std::uint64_t address) { return read_object_header(*bytes_, address); }

  /// All entries of a group, in the order of their names' bytes. Fails with BadArgument if it is no group.
  [[nodiscard]] Result<std::vector<Name>> names(std::uint64_t group);

private:
  OldStyleFile(BufferedFile& bytes, std::uint64_t root, bool complete)
    : bytes_(&bytes)
    , root_(root)
    , complete_(complete)
  {
  }

  BufferedFile* bytes_;
  std::uint64_t root_;
  bool complete_;
};

} // namespace rivulet::hdf5
