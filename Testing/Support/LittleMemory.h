// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A process that may have little more memory than it has. Not with sanitizers, whose shadows need more addresses than
/// any limit: there is no RIVULET_CAN_HAVE_LITTLE_MEMORY then.
#pragma once

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define RIVULET_CAN_HAVE_LITTLE_MEMORY

#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace rivulet::test
{

/// Lowers the memory that the process may have to what it has and `more` bytes, while it lives.
class LittleMemory
{
public:
  explicit LittleMemory(rlim_t more)
  {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    ::getrlimit(RLIMIT_AS, &before_);
    const rlimit little{ pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more, before_.rlim_max };
    ::setrlimit(RLIMIT_AS, &little);
  }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;
  ~LittleMemory() { ::setrlimit(RLIMIT_AS, &before_); }

private:
  rlimit before_{};
};

} // namespace rivulet::test

#endif
