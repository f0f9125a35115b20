// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A process that gets no more threads, for a while: each would have a stack for which there are no addresses.
///
///     const NoMoreThreads refused;
///
/// One at a time. It needs the GNU library.
#pragma once

#include <cstddef>
#include <pthread.h>

namespace rivulet::test
{

class NoMoreThreads
{
public:
  NoMoreThreads()
  {
    ::pthread_getattr_default_np(&before_);
    pthread_attr_t huge;
    ::pthread_getattr_default_np(&huge);
    ::pthread_attr_setstacksize(&huge, std::size_t{ 1 } << 47);
    ::pthread_setattr_default_np(&huge);
    ::pthread_attr_destroy(&huge);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;
  ~NoMoreThreads()
  {
    ::pthread_setattr_default_np(&before_);
    ::pthread_attr_destroy(&before_);
  }

private:
  pthread_attr_t before_{};
};

} // namespace rivulet::test
