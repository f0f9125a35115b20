// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Another source, and what it was told of the last run before that began.
#pragma once

#include "Store/Source/ForwardingSource.h"

namespace rivulet::test
{

class Listener final : public ForwardingSource
{
public:
  explicit Listener(BrickSource& source)
    : ForwardingSource(source)
  {
  }

  void prepare(const Workload& workload) override { told_ = workload; }

  [[nodiscard]] const Workload& told() const { return told_; }

private:
  Workload told_;
};

} // namespace rivulet::test
