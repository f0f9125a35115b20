// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What was found out about devices, so that each is tried out once: kept for the life of the process, and for a day in
/// a file for the next one, $XDG_CACHE_HOME/rivulet/storage (~/.cache/rivulet/storage).
///
///     const std::optional<StorageDevice> device = device_of("flow.rvf");
///     std::optional<StorageSpeed> speed = KnownStorage::process().find(*device, 12288);
///     if (!speed) KnownStorage::process().keep(*device, 12288, probed.speed);
///
/// Speeds are kept for sizes of requests up to the next power of two. The file is a line of text for each device; what
/// makes no sense in it is passed over, and a file that cannot be read or written is no error. It is replaced by
/// rename, so that several processes may do it at once; the last one wins. A folder that is another user's, or that
/// others may write to, is not used, nor anything in it but regular files of one's own: no links, no pipes.
///
/// Threads: any.
#pragma once

#include "Io/StorageProbe.h"

#include <chrono>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

namespace rivulet
{

struct StorageDevice
{
  std::uint64_t number = 0; ///< st_dev: this boot's
  std::string name;         ///< for the next boot: file system, source and mount point; empty if they are not known
};

/// Nothing if the file cannot be asked. Reads /proc/self/mountinfo.
[[nodiscard]] std::optional<StorageDevice> device_of(const std::string& path);

class KnownStorage
{
public:
  using Clock = std::chrono::system_clock;
  static constexpr std::chrono::hours kLongest{ 24 };
  static constexpr std::size_t kMostLines = 64;

  /// Keeps nothing on disk where `file` is empty.
  explicit KnownStorage(std::string file)
    : file_(std::move(file))
  {
  }
  [[nodiscard]] static KnownStorage& process();

  [[nodiscard]] std::optional<StorageSpeed> find(
      const StorageDevice& device, std::int64_t request, Clock::time_point now = Clock::now());
  void keep(const StorageDevice& device, std::int64_t request, const StorageSpeed& speed,
      Clock::time_point now = Clock::now());

private:
  struct Line
  {
    std::string name;
    std::int64_t request = 0; ///< a power of two
    std::int64_t time = 0;    ///< seconds since 1970
    StorageSpeed speed;
  };
  [[nodiscard]] std::vector<Line> read(Clock::time_point now) const;
  void write(const std::vector<Line>& lines) const;

  const std::string file_;
  std::mutex mutex_; ///< guards what follows, and the file from this process's other threads
  std::map<std::tuple<std::uint64_t, std::int64_t>, StorageSpeed> of_this_process_;
};

} // namespace rivulet
