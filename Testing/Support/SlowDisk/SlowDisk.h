// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A folder as a slow and unreliable disk shows it (slow_disk.cxx), mounted as long as this object lives.
///
///     SlowDisk disk(folder.path(), { "--latency", "2" });
///     if (!disk.mounted()) GTEST_SKIP() << disk.why_not();
///     disk.set_faults("eio 4096 8192\n");
///     open_field({ disk.file("field.rvf") });
#pragma once

#include "Support/TemporaryFolder.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace rivulet::test
{

class SlowDisk
{
public:
  SlowDisk(const std::filesystem::path& folder, const std::vector<std::string>& options);
  SlowDisk(const SlowDisk&) = delete;
  SlowDisk& operator=(const SlowDisk&) = delete;
  ~SlowDisk();

  [[nodiscard]] bool mounted() const { return why_not_.empty(); }
  /// Machines without FUSE and programs without the right to mount have none.
  [[nodiscard]] const std::string& why_not() const { return why_not_; }
  [[nodiscard]] std::string file(const std::string& name) const { return (mount_.path() / name).string(); }
  /// One fault a line, as slow_disk.cxx says; none for "".
  void set_faults(const std::string& lines);

private:
  void start(const std::filesystem::path& folder, const std::vector<std::string>& options);

  TemporaryFolder mount_;
  TemporaryFolder control_;
  std::string why_not_;
  pid_t process_ = -1;
};

} // namespace rivulet::test
