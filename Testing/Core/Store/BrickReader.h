// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads bricks as a tracer does: asks, and waits for its turn if every place is taken or the brick is on its way.
///
///     Lookup found = BrickReader(source).get(key);   // Ready or Failed
#pragma once

#include "Core/Store/FieldOnDisk.h"

#include <atomic>

namespace rivulet::test
{

class BrickReader final : public BrickWaiter
{
public:
  explicit BrickReader(BrickSource& source)
    : source_(source)
  {
  }
  Lookup get(const BrickKey& key)
  {
    for (;;)
    {
      Lookup found = source_.try_get(key);
      if (found.state != Lookup::State::Miss)
      {
        return found;
      }
      source_.request(key, *this);
      arrived_.wait(false);
      arrived_ = false;
      if (found_.state != Lookup::State::Miss)
      {
        return std::exchange(found_, {});
      }
    }
  }
  void brick_arrived(const BrickKey&, Lookup&& found) override
  {
    found_ = std::move(found);
    arrived_ = true;
    arrived_.notify_one();
  }

private:
  BrickSource& source_;
  std::atomic<bool> arrived_{ false };
  Lookup found_;
};

/// Reads every brick; how many values are wrong, a brick that cannot be read counting as one.
[[nodiscard]] inline std::int64_t wrong_in_all(BrickSource& source)
{
  BrickReader reader(source);
  std::int64_t wrong = 0;
  for (const BrickKey& key : all_keys(source))
  {
    const Lookup found = reader.get(key);
    wrong += found.state == Lookup::State::Ready ? wrong_values(found.pin.view(), key, source.bricks(key.variable)) : 1;
  }
  return wrong;
}

} // namespace rivulet::test
