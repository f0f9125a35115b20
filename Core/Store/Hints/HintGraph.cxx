// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Hints/HintGraph.h"

#include "Store/Memory/SlotLists.h"

#include <algorithm>

namespace rivulet
{

std::size_t HintGraph::HashOfPlace::operator()(const Place& place) const
{
  return hash_of(place.before) * 31U + hash_of(place.key);
}

void HintGraph::add(const Hint& hint)
{
  std::vector<Next>& nexts = nexts_[{ hint.before, hint.key }];
  auto at = std::find_if(nexts.begin(), nexts.end(), [&](const Next& each) { return each.key == hint.next; });
  if (at == nexts.end())
  {
    at = nexts.insert(nexts.end(), { hint.next, 0 });
    ++size_;
  }
  at->weight = static_cast<std::uint32_t>(
      std::min(std::uint64_t{ at->weight } + std::uint64_t{ hint.weight }, std::uint64_t{ kLargest }));
  for (; at != nexts.begin() && std::prev(at)->weight < at->weight; --at)
  {
    std::iter_swap(at, std::prev(at));
  }
  if (size_ > kMost)
  {
    forget_half();
  }
}

void HintGraph::forget_half()
{
  std::vector<std::uint32_t> weights;
  for (const Hint& hint : all())
  {
    weights.push_back(hint.weight);
  }
  const auto middle = weights.begin() + static_cast<std::ptrdiff_t>(weights.size() / 2);
  std::nth_element(weights.begin(), middle, weights.end());
  const std::uint32_t least = *middle;
  auto equals = std::count(weights.begin(), middle, least); // number of hints with this weight to forget, too
  size_ = 0;
  for (auto place = nexts_.begin(); place != nexts_.end();)
  {
    std::erase_if(
        place->second, [&](const Next& next) { return next.weight < least || (next.weight == least && equals-- > 0); });
    size_ += place->second.size();
    place = place->second.empty() ? nexts_.erase(place) : std::next(place);
  }
}

void HintGraph::merge(const HintGraph& other)
{
  for (const Hint& hint : other.all())
  {
    add(hint);
  }
}

void HintGraph::fade()
{
  size_ = 0;
  for (auto place = nexts_.begin(); place != nexts_.end();)
  {
    for (Next& next : place->second)
    {
      next.weight -= (next.weight + 3) / 4;
    }
    std::erase_if(place->second, [](const Next& next) { return next.weight == 0; });
    size_ += place->second.size();
    place = place->second.empty() ? nexts_.erase(place) : std::next(place);
  }
}

std::vector<BrickKey> HintGraph::look(const BrickKey& before, const BrickKey& key, std::size_t most) const
{
  std::vector<Place> places{ { before, key } };
  for (std::size_t i = 0; i < places.size() && places.size() <= most; ++i)
  {
    const auto found = nexts_.find(places[i]);
    for (std::size_t j = 0; found != nexts_.end() && j < found->second.size() && places.size() <= most; ++j)
    {
      const Place next{ found->first.key, found->second[j].key };
      if (std::find(places.begin(), places.end(), next) == places.end())
      {
        places.push_back(next);
      }
    }
  }
  std::vector<BrickKey> keys;
  std::transform(
      places.begin() + 1, places.end(), std::back_inserter(keys), [](const Place& place) { return place.key; });
  return keys;
}

std::vector<HintGraph::Hint> HintGraph::all() const
{
  std::vector<Hint> hints;
  hints.reserve(size_);
  for (const auto& [place, nexts] : nexts_)
  {
    for (const Next& next : nexts)
    {
      hints.push_back({ place.before, place.key, next.key, next.weight });
    }
  }
  return hints;
}

} // namespace rivulet
