// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/BoxChecks.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace rivulet
{

namespace
{

constexpr double kMostCells = 1e12;                                                // of one patch
constexpr double kLongestSide = std::numeric_limits<std::int32_t>::max() - 4096.0; // leaves room for ghost layers

bool fits_int32(double value)
{
  return value >= std::numeric_limits<std::int32_t>::min() + 1024.0 &&
         value <= std::numeric_limits<std::int32_t>::max() - 1024.0;
}

/// Boxes by the bins of a coarse lattice that they reach into. Large boxes are kept apart.
class Bins
{
public:
  using Entry = std::pair<std::uint64_t, std::int32_t>; ///< bin, box

  explicit Bins(const std::vector<Box>& boxes)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      std::int64_t sum = 0;
      for (const Box& box : boxes)
      {
        sum += box.size()[axis];
      }
      edge_[axis] = static_cast<std::int32_t>(std::clamp<std::int64_t>(
          sum / std::max<std::int64_t>(1, static_cast<std::int64_t>(boxes.size())), 1, 1 << 20));
    }
    for (std::size_t i = 0; i < boxes.size(); ++i)
    {
      const auto number = static_cast<std::int32_t>(i);
      if (count_bins(boxes[i]) > kLarge)
      {
        large_.push_back(number);
        continue;
      }
      for_each_bin(boxes[i], [&](std::uint64_t bin) { entries_.emplace_back(bin, number); });
    }
    std::sort(entries_.begin(), entries_.end());
  }

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] const std::vector<std::int32_t>& large() const { return large_; }

  /// Calls f(box) for all boxes that may meet the one given, some more than once.
  template <class Function>
  void for_each_near(const Box& box, const Function& f) const
  {
    std::for_each(large_.begin(), large_.end(), f);
    if (count_bins(box) > static_cast<double>(entries_.size()))
    {
      std::for_each(entries_.begin(), entries_.end(), [&](const Entry& entry) { f(entry.second); });
      return;
    }
    for_each_bin(box,
        [&](std::uint64_t bin)
        {
          auto entry = std::lower_bound(entries_.begin(), entries_.end(), Entry(bin, 0));
          for (; entry != entries_.end() && entry->first == bin; ++entry)
          {
            f(entry->second);
          }
        });
  }

private:
  static constexpr double kLarge = 512;

  [[nodiscard]] Box bins_of(const Box& box) const { return coarsen(box, edge_); }

  /// A refined box may reach from one end of all indices to the other, which no integer can count in three dimensions.
  [[nodiscard]] double count_bins(const Box& box) const
  {
    const Box bins = bins_of(box);
    double count = 1.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      count *= std::max(0.0, static_cast<double>(bins.end[axis]) - static_cast<double>(bins.begin[axis]));
    }
    return count;
  }

  template <class Function>
  void for_each_bin(const Box& box, const Function& f) const
  {
    const Box bins = bins_of(box);
    const auto spread = [](std::int32_t x)
    {
      return static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) & 0x1fffffU; // two far bins may share a number
    };
    for (std::int32_t k = bins.begin[2]; k < bins.end[2]; ++k)
    {
      for (std::int32_t j = bins.begin[1]; j < bins.end[1]; ++j)
      {
        for (std::int32_t i = bins.begin[0]; i < bins.end[0]; ++i)
        {
          f(spread(i) | spread(j) << 21U | spread(k) << 42U);
        }
      }
    }
  }

  std::array<std::int32_t, 3> edge_{ 1, 1, 1 };
  std::vector<Entry> entries_;
  std::vector<std::int32_t> large_;
};

std::vector<Box> boxes_of(const AmrDump& dump, const AmrLevel& level)
{
  std::vector<Box> boxes;
  boxes.reserve(static_cast<std::size_t>(level.patches));
  for (std::int32_t i = 0; i < level.patches; ++i)
  {
    boxes.push_back(dump.patches[static_cast<std::size_t>(level.first_patch + i)].cells);
  }
  return boxes;
}

/// Two boxes that share cells.
std::optional<std::pair<std::int32_t, std::int32_t>> overlap_of(const std::vector<Box>& boxes)
{
  const Bins bins(boxes);
  const auto meet = [&](std::int32_t a, std::int32_t b)
  {
    return a != b && !intersect(boxes[static_cast<std::size_t>(a)], boxes[static_cast<std::size_t>(b)]).empty();
  };
  const std::vector<Bins::Entry>& entries = bins.entries();
  for (std::size_t first = 0; first < entries.size(); ++first)
  {
    for (std::size_t other = first + 1; other < entries.size() && entries[other].first == entries[first].first; ++other)
    {
      if (meet(entries[first].second, entries[other].second))
      {
        return std::pair(entries[first].second, entries[other].second);
      }
    }
  }
  for (const std::int32_t large : bins.large())
  {
    for (std::int32_t other = 0; other < static_cast<std::int32_t>(boxes.size()); ++other)
    {
      if (meet(large, other))
      {
        return std::pair(large, other);
      }
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<Box> box_of(const Vec3& first, const Vec3& last)
{
  Box box;
  double cells = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double low = first[axis];
    const double high = last[axis];
    if (!fits_int32(low) || !fits_int32(high) || high < low || high - low >= kLongestSide)
    {
      return std::nullopt;
    }
    box.begin[axis] = static_cast<std::int32_t>(low);
    box.end[axis] = static_cast<std::int32_t>(high) + 1;
    cells *= high - low + 1;
  }
  return cells <= kMostCells ? std::optional(box) : std::nullopt;
}

std::optional<std::string> patch_beyond_coarser(const AmrDump& dump)
{
  std::vector<std::int64_t> covered(dump.patches.size(), 0);
  for (std::size_t i = 0; i < dump.patches.size(); ++i)
  {
    for (const std::int32_t number : dump.children[i])
    {
      const auto child = static_cast<std::size_t>(number);
      const Int3& ratio = dump.levels[static_cast<std::size_t>(dump.patches[child].level)].ratio;
      covered[child] += intersect(coarsen(dump.patches[child].cells, ratio), dump.patches[i].cells).count();
    }
  }
  for (std::size_t i = 0; i < dump.patches.size(); ++i)
  {
    const AmrPatch& patch = dump.patches[i];
    const Int3& ratio = dump.levels[static_cast<std::size_t>(patch.level)].ratio;
    if (patch.level > 0 && covered[i] != coarsen(patch.cells, ratio).count())
    {
      return "patch " + std::to_string(patch.number) + " of level " + std::to_string(patch.level) +
             " does not lie over patches of the level below";
    }
  }
  return std::nullopt;
}

std::optional<std::string> overlap_within_levels(const AmrDump& dump)
{
  for (const AmrLevel& level : dump.levels)
  {
    if (const auto pair = overlap_of(boxes_of(dump, level)))
    {
      return "patches " + std::to_string(level.first_patch + pair->first) + " and " +
             std::to_string(level.first_patch + pair->second) + " of level " +
             std::to_string(&level - dump.levels.data()) + " overlap";
    }
  }
  return std::nullopt;
}

std::vector<std::vector<std::int32_t>> find_children(const AmrDump& dump)
{
  std::vector<std::vector<std::int32_t>> children(dump.patches.size());
  for (std::size_t i = 0; i + 1 < dump.levels.size(); ++i)
  {
    const AmrLevel& level = dump.levels[i];
    const AmrLevel& finer = dump.levels[i + 1];
    const std::vector<Box> boxes = boxes_of(dump, finer);
    const Bins bins(boxes);
    for (std::int32_t p = 0; p < level.patches; ++p)
    {
      const auto patch = static_cast<std::size_t>(level.first_patch + p);
      const Box cells = refine(dump.patches[patch].cells, finer.ratio);
      bins.for_each_near(cells,
          [&](std::int32_t box)
          {
            if (!intersect(boxes[static_cast<std::size_t>(box)], cells).empty())
            {
              children[patch].push_back(finer.first_patch + box);
            }
          });
      std::sort(children[patch].begin(), children[patch].end());
      children[patch].erase(std::unique(children[patch].begin(), children[patch].end()), children[patch].end());
    }
  }
  return children;
}

} // namespace rivulet
