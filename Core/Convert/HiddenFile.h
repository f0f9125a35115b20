// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A file that is written under a hidden name in its target's folder and gets its own name when it is whole.
///
///     Result<HiddenFile> file = HiddenFile::create("flow.raw", bytes);
///     file->write_at(0, values, bytes);
///     file->publish();                   // else the destructor removes it
///
/// write_at() may be called from any number of threads.
#pragma once

#include "Base/Result.h"

#include <cstddef>
#include <string>

namespace rivulet
{

class HiddenFile
{
public:
  /// Reserves `bytes` on the disk, so that a full one is known before anything is written.
  [[nodiscard]] static Result<HiddenFile> create(const std::string& path, std::int64_t bytes);

  HiddenFile(HiddenFile&& other) noexcept;
  HiddenFile& operator=(HiddenFile&&) = delete;
  HiddenFile(const HiddenFile&) = delete;
  HiddenFile& operator=(const HiddenFile&) = delete;
  ~HiddenFile();

  [[nodiscard]] Result<void> write_at(std::int64_t offset, const std::byte* values, std::int64_t bytes) const;
  [[nodiscard]] Result<void> sync() const;
  [[nodiscard]] Result<void> publish();

private:
  HiddenFile(std::string path, std::string hidden)
    : path_(std::move(path))
    , hidden_(std::move(hidden))
  {
  }

  std::string path_;
  std::string hidden_; ///< empty once published or moved from
};

} // namespace rivulet
