// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Whole files that analytics write.
///
///     Result<OutputFile> file = OutputFile::create(path);        // ".NAME.tmp-PID" in the same folder
///     file->append(text);                                        // buffered
///     file->finish();                                            // written, closed, renamed to `path`
///
/// Readers see the whole file or none. Threads: one at a time.
#pragma once

#include "Io/Files/File.h"

#include <string>
#include <string_view>

namespace rivulet
{

class OutputFile
{
public:
  /// Fails with CannotWrite, as append() and finish() do; errors name `path`.
  [[nodiscard]] static Result<OutputFile> create(const std::string& path);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile(); ///< removes the temporary file unless finish() succeeded

  [[nodiscard]] Result<void> append(std::string_view bytes);
  /// Replaces an existing file.
  [[nodiscard]] Result<void> finish();

private:
  OutputFile(File&& file, std::string path)
    : file_(std::move(file))
    , path_(std::move(path))
  {
  }
  [[nodiscard]] Result<void> flush();

  File file_;
  std::string path_; ///< empty: nothing to remove
  std::string buffer_;
};

/// Writes a whole file at once.
[[nodiscard]] Result<void> write_whole_file(const std::string& path, std::string_view bytes);

/// The shortest text that reads as the same number; "nan", "inf".
void append_number(std::string& text, double value);
void append_number(std::string& text, std::int64_t value);

} // namespace rivulet
