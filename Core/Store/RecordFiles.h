// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The open files of a field whose bricks are read (not mapped), and what they were when they were opened.
///
///     Result<RecordFiles> files = RecordFiles::open(records, direct);
///     (*files)[place.file].pread_full(...);
///
/// Owns the descriptors. Immutable after open(); any thread.
#pragma once

#include "Io/FileIdentity.h"
#include "Store/FieldRecords.h"

namespace rivulet
{

class RecordFiles
{
public:
  RecordFiles() = default;
  /// `direct`: past the page cache. Fails as File::open() does, and where a file is not the one described any more.
  [[nodiscard]] static Result<RecordFiles> open(const FieldRecords& records, bool direct);

  [[nodiscard]] const File& operator[](std::int32_t number) const
  {
    return files_[static_cast<std::size_t>(number)].file;
  }
  [[nodiscard]] std::vector<int> descriptors() const;

  /// Fails when a file was cut short, written to or replaced.
  [[nodiscard]] Result<void> health() const;

private:
  struct OpenFile
  {
    File file;
    FileIdentity identity;
  };
  std::vector<OpenFile> files_;
};

} // namespace rivulet
