// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A source of bricks whose prefetch does nothing, to compare with. Threads: as the source, which must outlive it.
#pragma once

#include "Store/Source/ForwardingSource.h"

namespace rivulet
{

class WithoutPrefetch final : public ForwardingSource
{
public:
  explicit WithoutPrefetch(BrickSource& source)
    : ForwardingSource(source)
  {
  }

  void prefetch(std::span<const BrickKey>, std::int64_t) override {}
  [[nodiscard]] HintStore* hints() override { return nullptr; }
};

} // namespace rivulet
