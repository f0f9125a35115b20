// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The lines of a BOV header, and the values in them.
///
///     for (BovLines lines(text); lines.next();)  if (lines.line().key == "DATA_SIZE") ... read_sizes(lines.line());
///
/// A line is `KEY: value value ...`. Keys are compared in upper case, and blanks in them count as underscores. Values
/// are separated by blanks unless in double quotes. # begins a comment. VisIt reads lines in the same way. Plain
/// functions; errors are Corrupt, at the line.
#pragma once

#include "Base/Box.h"
#include "Base/Result.h"

#include <optional>
#include <string_view>
#include <vector>

namespace rivulet
{

struct BovLine
{
  std::int64_t offset = 0; ///< offset of the first byte
  std::string key;
  std::vector<std::string> words;
};

class BovLines
{
public:
  explicit BovLines(std::string_view text)
    : text_(text)
  {
  }
  /// Goes to the next line that has a key; false at the end.
  [[nodiscard]] bool next();
  [[nodiscard]] const BovLine& line() const { return line_; }

private:
  std::string_view text_;
  std::size_t at_ = 0;
  BovLine line_;
};

[[nodiscard]] Result<std::string> read_word(const BovLine& line);
[[nodiscard]] Result<std::string> read_upper(const BovLine& line);
[[nodiscard]] Result<double> read_number(const BovLine& line);
[[nodiscard]] Result<Vec3> read_numbers(const BovLine& line);
[[nodiscard]] Result<std::int64_t> read_integer(const BovLine& line, std::int64_t least, std::int64_t most);
[[nodiscard]] Result<Int3> read_sizes(const BovLine& line);
[[nodiscard]] Result<bool> read_flag(const BovLine& line);

/// The word as it must be written to be read as this word again: in double quotes if it has blanks. Fails with
/// BadArgument if no line can hold it: it has double quotes or ends of lines, or is empty.
[[nodiscard]] Result<std::string> bov_word(const std::string& word);

/// "DATA_SIZE: `what`" as an error at the line.
[[nodiscard]] tl::unexpected<Error> bad_line(
    const BovLine& line, const std::string& what, const std::string& remedy, ErrorCode code = ErrorCode::Corrupt);

} // namespace rivulet
