// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Finds the datasets of HDF5 files without libhdf5. Files must be of the default style of libhdf5: superblock of
/// version 0 or 1, groups of symbol tables, object headers of version 1. Design note 0012 compares the time with that
/// of libhdf5.
///
/// Format: "HDF5 File Format Specification", version 3.0, sections II and III.
///
///     Result<OldStyleFile> file = OldStyleFile::open(bytes);
///     Result<std::vector<Name>> names = file->names(file->root());
///     Result<ObjectHeader> object = file->object((*names)[0].address);
///
/// A file of another style fails with Unsupported; libhdf5 reads it. Addresses are in bytes. One thread at a time, as
/// BufferedFile.
#pragma once

#include "Hdf5/ObjectHeader.h"

#include <string>

namespace rivulet::hdf5
{

/// Entry of a group.
struct Name
{
  std::string name;
  std::uint64_t address = 0; ///< of the object header
};

class OldStyleFile
{
public:
  /// `bytes` must outlive the result. Fails with NotThisFormat if the file is too short for HDF5, with Unsupported if
  /// it is of another style, has a user block or no signature at its beginning, and as BufferedFile::view().
  [[nodiscard]] static Result<OldStyleFile> open(BufferedFile& bytes);

  /// True if the file is as long as its superblock says. Objects before the end of a shorter file can still be read.
  [[nodiscard]] bool complete() const { return complete_; }

  /// Address of the object header of the root group.
  [[nodiscard]] std::uint64_t root() const { return root_; }

  /// Fails as read_object_header().
  [[nodiscard]] Result<ObjectHeader> object(std::uint64_t address) { return read_object_header(*bytes_, address); }

  /// Entries of the group whose header is at `group`, in the order of the bytes of their names. Fails with BadArgument
  /// if the object is no group, with Unsupported if it has symbolic links, with Corrupt or Truncated.
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
