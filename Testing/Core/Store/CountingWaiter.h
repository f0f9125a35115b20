// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Counts the answers to its requests. A brick can be had before those who asked for it have been told, so a test that
/// looks at the count of a source with threads waits for it.
#pragma once

#include "Store/Source/BrickSource.h"

#include <atomic>

namespace rivulet::test
{

class CountingWaiter final : public BrickWaiter
{
public:
  void brick_arrived(const BrickKey&, Lookup&&) override
  {
    ++calls;
    calls.notify_all();
  }
  void wait_for(int count)
  {
    for (int seen = calls; seen < count; seen = calls)
    {
      calls.wait(seen);
    }
  }

  std::atomic<int> calls{ 0 };
};

} // namespace rivulet::test
