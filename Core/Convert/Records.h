// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Whole brick records of a finished field file, read in file order and checked against their trailers: what the
/// verifier and the re-bricking source share. (Tracing reads through Store/, which caches.)
///
///     Result<Records> records = Records::open(*file);
///     records->read({ 0, 0, 17 }, 4, buffer);                     // four records from number 17 along the curve
///     std::string defect = records->defect({ 0, 0, 17 }, buffer); // empty when sound
///
/// Any number of threads may read at once. Refers to the FieldFile, which must live longer.
#pragma once

#include "Io/FieldFile.h"
#include "Io/File.h"

#include <cstddef>

namespace rivulet
{

/// A record by its place in the file.
struct RecordId
{
  std::int32_t variable = 0;
  std::int32_t step = 0;
  std::int64_t hilbert = 0;
};

class Records
{
public:
  [[nodiscard]] static Result<Records> open(const FieldFile& file);

  [[nodiscard]] const FieldFile& file() const { return file_; }
  [[nodiscard]] const BrickLayout& layout(const RecordId& id) const;
  /// Bytes from the start of the file.
  [[nodiscard]] std::int64_t offset(const RecordId& id) const;

  /// Fails with CannotRead or Truncated, naming the offset.
  [[nodiscard]] Result<void> read(const RecordId& first, std::int64_t count, std::byte* out) const;

  /// What is wrong with the record, in words; empty when its trailer names it and the checksum holds.
  [[nodiscard]] std::string defect(const RecordId& id, const std::byte* record) const;

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
