// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads whole brick records of a finished field file, without a cache. The verifier and FieldFileLattice share it.
/// (Tracing reads through Store/.)
///
///     Result<Records> records = Records::open(*file);
///     records->read({ 0, 0, 17 }, 4, buffer);                     // four records from number 17 along the curve on
///
/// Any number of threads may read at once. Refers to the FieldFile, which must live longer.
#pragma once

#include "Io/FieldFile/BrickRecord.h"
#include "Io/Files/File.h"

#include <cstddef>

namespace rivulet
{

class Records
{
public:
  [[nodiscard]] static Result<Records> open(const FieldFile& file);

  [[nodiscard]] const FieldFile& file() const { return file_; }
  [[nodiscard]] const BrickLayout& layout(const RecordPlace& id) const;
  /// Offset of a record in bytes from the start of the file.
  [[nodiscard]] std::int64_t offset(const RecordPlace& id) const;

  /// Fails with CannotRead or Truncated. The error names the offset.
  [[nodiscard]] Result<void> read(const RecordPlace& first, std::int64_t count, std::byte* out) const;

  /// Fails with Truncated or CannotRead if the file has changed since FieldFile::open().
  [[nodiscard]] Result<void> check_unchanged() const { return file_.identity.check(descriptor_); }

  /// The open file, for parts other than records.
  [[nodiscard]] const File& descriptor() const { return descriptor_; }

  /// Advises the kernel of sequential reads.
  void advise_sequential() const;

private:
  Records(const FieldFile& file, File&& descriptor)
    : file_(file)
    , descriptor_(std::move(descriptor))
  {
  }

  const FieldFile& file_;
  File descriptor_;
};

} // namespace rivulet
