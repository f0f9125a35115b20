// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A process that may have less of something than it could, for a while.
///
///     const LoweredLimit few_files(RLIMIT_NOFILE, 40);
///     const LoweredLimit little(RLIMIT_AS, memory_and(64 << 20)); // what it has, and 64 MiB
///
/// Memory not with sanitizers, whose shadows need more addresses than any limit: there is no
/// RIVULET_CAN_HAVE_LITTLE_MEMORY then.
#pragma once

#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define RIVULET_CAN_HAVE_LITTLE_MEMORY
#endif

namespace rivulet::test
{

/// Bytes of addresses that the process has, and `more`.
inline rlim_t memory_and(rlim_t more)
{
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more;
}

class LoweredLimit
{
public:
  LoweredLimit(int resource, rlim_t most)
    : resource_(resource)
  {
    ::getrlimit(resource_, &before_);
    const rlimit lowered{ most, before_.rlim_max };
    ::setrlimit(resource_, &lowered);
  }
  LoweredLimit(const LoweredLimit&) = delete;
  LoweredLimit& operator=(const LoweredLimit&) = delete;
  ~LoweredLimit() { ::setrlimit(resource_, &before_); }

private:
  int resource_;
  rlimit before_{};
};

} // namespace rivulet::test
