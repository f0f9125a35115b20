// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A file name, or a numbered family of them: "flow.%05d.raw" names flow.00000.raw, flow.00001.raw ...
///
///     Result<FilePattern> pattern = FilePattern::parse("flow.%05d.raw");
///     pattern->under("/data").path(7);                                   // "/data/flow.00007.raw"
///
/// The text comes from files, so it never reaches printf: one %d or %0Nd is allowed, %% is a percent sign, anything
/// else is refused. Plain values.
#pragma once

#include "Base/Result.h"

#include <string_view>

namespace rivulet
{

class FilePattern
{
public:
  FilePattern() = default;
  /// A single file of exactly this name.
  [[nodiscard]] static FilePattern plain(std::string path);
  /// Fails with Corrupt.
  [[nodiscard]] static Result<FilePattern> parse(std::string_view text);
  /// A text from which parse() makes plain(`path`).
  [[nodiscard]] static std::string escaped(std::string_view path);

  /// The same pattern below `folder` (empty: the current one), unless the name is absolute.
  [[nodiscard]] FilePattern under(const std::string& folder) const;
  [[nodiscard]] std::string path(std::int64_t number) const;
  [[nodiscard]] bool numbered() const { return numbered_; }

private:
  std::string before_; // text before the number, or the whole name
  std::string after_;
  int digits_ = 1; // at least so many digits, with leading zeros
  bool numbered_ = false;
};

} // namespace rivulet
