// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Parts of a file that will be read one after the other: the system is asked for them before, some megabytes ahead,
/// and for those next to each other together. Storage that answers late would else be waited for at each.
///
///     AskAhead ahead(file, { { 4096, 800 }, { 4896, 800 }, { 9000, 800 } });
///     for (std::size_t i = 0; i < 3; ++i) { ahead.reach(i); read(i); }
///
/// One thread at a time; the file must outlive this. Bytes.
#pragma once

#include "Io/File.h"

#include <cstddef>
#include <vector>

namespace rivulet
{

struct FilePart
{
  std::int64_t begin = 0;
  std::int64_t bytes = 0;
};

class AskAhead
{
public:
  static constexpr std::int64_t kAhead = std::int64_t{ 4 } << 20;

  AskAhead(const File& file, std::vector<FilePart>&& parts)
    : file_(file)
    , parts_(std::move(parts))
  {
  }

  /// Part `i` is about to be read; in order.
  void reach(std::size_t i);
  void ask_for_all();

private:
  void ask_for_next();

  const File& file_;
  const std::vector<FilePart> parts_;
  std::size_t next_ = 0;    ///< to be asked for
  std::int64_t asked_ = 0;  ///< bytes
  std::int64_t behind_ = 0; ///< of parts that were reached
};

} // namespace rivulet
