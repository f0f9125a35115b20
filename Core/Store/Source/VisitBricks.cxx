// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Source/VisitBricks.h"

#include "Store/Source/BrickAnswers.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace rivulet
{

namespace
{

/// Bricks that may be asked for at a time: they are pinned from when they arrive. Others may visit bricks, too.
std::size_t most_under_way(const BrickSource& source)
{
  static constexpr std::int64_t kVisitors = 16;
  static constexpr std::int64_t kMost = 64;
  return static_cast<std::size_t>(std::clamp(source.bricks_at_once() / kVisitors, std::int64_t{ 1 }, kMost));
}

} // namespace

void visit_bricks(BrickSource& source, std::span<const BrickKey> keys,
    const std::function<void(const BrickKey& key, const Lookup& found)>& use)
{
  const std::size_t most = most_under_way(source);
  BrickAnswers answers(source);
  std::vector<BrickKey> again; // a request was answered with a Miss
  std::size_t under_way = 0;
  const auto visit = [&](const BrickKey& key)
  {
    const Lookup found = source.try_get(key);
    if (found.state != Lookup::State::Miss)
    {
      use(key, found);
      return;
    }
    if (!answers.ask(key))
    {
      throw std::bad_alloc();
    }
    ++under_way;
  };
  for (std::size_t next = 0; next < keys.size() || under_way > 0 || !again.empty();)
  {
    if (std::optional<std::pair<BrickKey, Lookup>> answer = answers.take())
    {
      --under_way;
      answer->second.state == Lookup::State::Miss ? again.push_back(answer->first) : use(answer->first, answer->second);
    }
    else if (next < keys.size() && under_way < most)
    {
      visit(keys[next++]);
    }
    else if (!again.empty())
    {
      // A synchronous source answers at once, although all its slots may still be pinned by others.
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      const BrickKey key = again.back();
      again.pop_back();
      visit(key);
    }
    else
    {
      answers.wait();
    }
  }
}

} // namespace rivulet
