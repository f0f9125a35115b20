// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A file name, or a numbered family of them: "flow.%05d.raw" names flow.00000.raw, flow.00001.raw ...
///
///     Result<FilePattern> pattern = FilePattern::parse("flow.%05d.raw");
///     pattern->under("/data").path(7);                                   // "/data/flow.00007.raw"
///
/// The text comes from files, so it never reaches printf: one %d or %0Nd is understood, %% is a percent sign, all else
/// is refused. Plain values.
#pragma once

#include "Base/Result.h"

#include <string_view>

namespace rivulet
{

class FilePattern
{
public:
  FilePattern() = default;
  /// The one file of exactly this name.
  [[nodiscard]] static FilePattern plain(std::string path);
  /// Fails with Corrupt.
  [[nodiscard]] static Result<FilePattern> parse(std::string_view text);
  /// The text that parse() makes plain(`path`) of.
  [[nodiscard]] static std::string escaped(std::string_view path);

  /// The same below `folder` (empty: the current one), unless the name is absolute.
  [[nodiscard]] FilePattern under(const std::string& folder) const;
  [[nodiscard]] std::string path(std::int64_t number) const;
  [[nodiscard]] bool numbered() const { return numbered_; }

private:
  std::string before_; // the number, or all there is
  std::string after_;
  int digits_ = 1; // at least so many, with leading zeros
  bool numbered_ = false;
};

} // namespace rivulet
