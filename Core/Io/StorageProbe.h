// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// How fast a device answers, found by asking it: reads of a brick's size at random places of a file, past the page
/// cache, first one at a time and then many at once. And how much of a file the page cache holds, without reading any.
///
///     const ProbeArea area{ .path = "flow.rvf", .begin = 4096, .end = kGiB, .request = 12288 };
///     Result<ProbedStorage> probed = probe_storage(area);         // some milliseconds and megabytes
///     std::optional<double> there = cached_share("flow.rvf", offsets);      // 0.25: a quarter
///
/// No state; any thread. Bytes, seconds.
#pragma once

#include "Base/Result.h"

#include <optional>
#include <vector>

namespace rivulet
{

/// What a device does with requests of a brick's size.
struct StorageSpeed
{
  double latency = 0.0;             ///< of one request that is alone, seconds
  double requests_per_second = 0.0; ///< of many at once
};

/// Where in a file to look.
struct ProbeArea
{
  std::string path;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t request = 0; ///< bytes of a read; rounded up to whole pages
};

/// A probe ends a phase at the first of these, but reads one request alone and `depth` together at least, however long
/// they take.
struct ProbeLimits
{
  double seconds = 0.02;        ///< of each phase
  std::int64_t bytes = 3 << 20; ///< of both
  int depth = 32;               ///< requests at once, where the engine can
  bool io_uring = true;         ///< false: threads
};

struct ProbedStorage
{
  StorageSpeed speed;
  std::int64_t bytes_read = 0;
};

/// Fails with what File::open() says, with Unsupported where there are no direct reads, with BadArgument where the area
/// is smaller than `depth` requests (its bytes are then hardly worth a choice), and with CannotRead.
[[nodiscard]] Result<ProbedStorage> probe_storage(const ProbeArea& area, const ProbeLimits& limits = {});

/// The share of the pages at some offsets of a file that are in the page cache; nothing where the system does not say
/// (to those who neither own the file nor may write to it), or where no offset lies in the file.
[[nodiscard]] std::optional<double> cached_share(const std::string& path, const std::vector<std::int64_t>& offsets);

} // namespace rivulet
