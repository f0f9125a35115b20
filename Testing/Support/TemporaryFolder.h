// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A folder of a test's own that goes when the test does.
///
///     TemporaryFolder folder;
///     write_something(folder.file("flow.rvf"));
#pragma once

#include <filesystem>
#include <string>

namespace rivulet::test
{

class TemporaryFolder
{
public:
  /// Under the system's folder for temporary files, or under TMPDIR. Throws std::runtime_error where there is none.
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder(); ///< removes everything in it

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

private:
  std::filesystem::path path_;
};

} // namespace rivulet::test
