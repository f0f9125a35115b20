// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Whole brick records of a finished field file, read as they lie: what the verifier and the re-bricking source share.
/// (Tracing reads through Store/, which caches.)
///
///     Result<Records> records = Records::open(*file);
///     records->read({ 0, 0, 17 }, 4, buffer);                     // four records from number 17 along the curve
///
/// Any number of threads may read at once. Refers to the FieldFile, which must live longer.
#pragma once

#include "Io/BrickRecord.h"
#include "Io/File.h"

#include <cstddef>

namespace rivulet
{

class Records
{
public:
  [[nodiscard]] static Result<Records> open(const FieldFile& file);

  [[nodiscard]] const FieldFile& file() const { return file_; }
  [[nodiscard]] const BrickLayout& layout(const RecordPlace& id) const;
  /// Bytes from the start of the file.
  [[nodiscard]] std::int64_t offset(const RecordPlace& id) const;

  /// Fails with CannotRead or Truncated, naming the offset.
  [[nodiscard]] Result<void> read(const RecordPlace& first, std::int64_t count, std::byte* out) const;

  /// Fails with Truncated or CannotRead if the file is not any more what it was when it was described.
  [[nodiscard]] Result<void> check_unchanged() const { return file_.identity.check(descriptor_); }

  /// For what lies beside the records.
  [[nodiscard]] const File& descriptor() const { return descriptor_; }

  /// Tells the kernel that the file is read from front to back.
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
