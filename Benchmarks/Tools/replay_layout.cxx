// SPDX-License-Identifier: BSD-3-Clause
// Replays the paths of lines (cell_paths) through bricks of a given shape. Prints the bricks that they touch, and the
// requests of a source with a cache, as one line of JSON.
//
//   replay_layout PATHS --nodes 480,480,480 --cells 9,9,9 --stride 12288 --cache 120 --costs COSTS
//   replay_layout ... --page 4096 --tuple 12           reads single pages of a brick
//   replay_layout ... --sizes SIZES --align 512        records of different lengths along the curve
//
// The source is a model of the asynchronous strategy. A fixed number of lines is active, in the order of their seeds on
// the storage. Each line goes on until it needs a unit that is not in the cache (evicts the least recently used). Then
// up to `depth` requests are served. A request starts at the unit with the most waiting lines. It includes wanted
// neighbours over gaps of up to 32 KiB, and has at most 512 KiB. COSTS holds pairs of doubles: bytes of a request, and
// the seconds that it adds to a device with a full queue.
#include "Base/Bytes.h"
#include "CommandLine/CommandLine.h"
#include "Curve/Hilbert.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace
{

using namespace rivulet;

struct Arguments
{
  std::string paths;
  std::vector<std::int32_t> nodes;
  std::vector<std::int32_t> cells;
  std::int64_t stride = 0;
  std::int64_t slot = 0;
  std::int64_t page = 0;
  std::int64_t tuple = 12;
  std::string sizes;
  std::int64_t align = 1;
  double cache_mib = 0;
  std::int64_t lines = 512;
  std::int64_t depth = 64;
  std::string costs;
};

template <class T>
std::vector<T> read_all(const std::string& path)
{
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<T> values(static_cast<std::size_t>(std::max<std::streamoff>(0, file.tellg())) / sizeof(T));
  file.seekg(0).read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
  return values;
}

Int3 triple(const std::vector<std::int32_t>& values)
{
  return { values.at(0), values.at(1), values.at(2) };
}

/// Number of a unit, which is read as a whole: a brick, or a page of one. In the order of the file.
using Units = std::vector<std::int64_t>;

/// Places of cells' values in the file.
class Layout
{
public:
  explicit Layout(const Arguments& arguments)
    : stride_(arguments.stride)
    , page_(arguments.page)
    , tuple_(arguments.tuple)
    , cells_(triple(arguments.cells))
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      grid_[axis] = arguments.nodes.at(axis) - 1;
      count_[axis] = (grid_[axis] + cells_[axis] - 1) / cells_[axis];
      row_[axis] = cells_[axis] + 1;
    }
    const HilbertCurve curve(count_);
    hilbert_.resize(static_cast<std::size_t>(curve.size()));
    for (std::int64_t number = 0; number < curve.size(); ++number)
    {
      hilbert_[static_cast<std::size_t>(number)] = curve.index(from_row_major(number, count_));
    }
    pages_ = page_ > 0 ? stride_ / page_ : 1;
    lay_out(arguments);
  }

  [[nodiscard]] std::int64_t units() const { return static_cast<std::int64_t>(hilbert_.size()) * pages_; }
  [[nodiscard]] std::int64_t pages() const { return pages_; }
  [[nodiscard]] std::int64_t offset(std::int64_t unit) const
  {
    return page_ > 0 ? unit * page_ : offsets_.empty() ? unit * stride_ : offsets_[static_cast<std::size_t>(unit)];
  }
  [[nodiscard]] std::int64_t bytes(std::int64_t unit) const
  {
    return page_ > 0 ? page_ : offsets_.empty() ? stride_ : offset(unit + 1) - offset(unit);
  }

  [[nodiscard]] std::int64_t brick_of(std::uint32_t cell) const
  {
    const Int3 at = from_row_major(cell, grid_);
    const Int3 brick{ at[0] / cells_[0], at[1] / cells_[1], at[2] / cells_[2] };
    return hilbert_[static_cast<std::size_t>(row_major(brick, count_))];
  }
  void units_of(std::uint32_t cell, Units& units) const
  {
    const std::int64_t brick = brick_of(cell);
    units.assign(1, brick);
    if (page_ == 0)
    {
      return;
    }
    units.clear();
    const Int3 at = from_row_major(cell, grid_);
    for (std::int64_t corner = 0; corner < 8; ++corner)
    {
      const std::int64_t i = at[0] % cells_[0] + corner % 2;
      const std::int64_t j = at[1] % cells_[1] + corner / 2 % 2;
      const std::int64_t k = at[2] % cells_[2] + corner / 4;
      const std::int64_t first = ((k * row_[1] + j) * row_[0] + i) * tuple_;
      for (const std::int64_t byte : { first, first + tuple_ - 1 })
      {
        const std::int64_t unit = brick * pages_ + byte / page_;
        if (std::find(units.begin(), units.end(), unit) == units.end())
        {
          units.push_back(unit);
        }
      }
    }
  }

private:
  void lay_out(const Arguments& arguments)
  {
    if (arguments.sizes.empty())
    {
      return;
    }
    const std::vector<std::uint32_t> sizes = read_all<std::uint32_t>(arguments.sizes);
    if (sizes.size() != hilbert_.size())
    {
      throw std::runtime_error("there is not one size for each brick");
    }
    offsets_.push_back(0);
    for (const std::uint32_t size : sizes)
    {
      offsets_.push_back(offsets_.back() + round_up(static_cast<std::int64_t>(size), arguments.align));
    }
  }

  std::int64_t stride_;
  std::int64_t page_;
  std::int64_t tuple_;
  Int3 cells_;
  Int3 grid_{ 1, 1, 1 };
  Int3 count_{ 1, 1, 1 };
  Int3 row_{ 1, 1, 1 };
  std::int64_t pages_ = 1;
  std::vector<std::int64_t> hilbert_; ///< curve number, by the brick's row-major number
  std::vector<std::int64_t> offsets_; ///< offset of each record, if lengths differ
};

/// Cache of units. Evicts the least recently used one.
class Cache
{
public:
  Cache(std::int64_t units, std::int64_t room)
    : room_(room)
    , next_(static_cast<std::size_t>(units + 1), -1)
    , previous_(static_cast<std::size_t>(units + 1), -1)
    , end_(units)
  {
    at(next_, end_) = at(previous_, end_) = end_;
  }

  [[nodiscard]] bool touch(std::int64_t unit)
  {
    if (at(next_, unit) < 0)
    {
      return false;
    }
    unlink(unit);
    append(unit);
    return true;
  }
  void add(std::int64_t unit)
  {
    if (held_ == room_)
    {
      const std::int64_t oldest = at(next_, end_);
      unlink(oldest);
      at(next_, oldest) = -1;
      --held_;
    }
    append(unit);
    ++held_;
  }

private:
  static std::int64_t& at(std::vector<std::int64_t>& links, std::int64_t unit)
  {
    return links[static_cast<std::size_t>(unit)];
  }
  void unlink(std::int64_t unit)
  {
    at(next_, at(previous_, unit)) = at(next_, unit);
    at(previous_, at(next_, unit)) = at(previous_, unit);
  }
  void append(std::int64_t unit)
  {
    const std::int64_t last = at(previous_, end_);
    at(next_, last) = unit;
    at(previous_, unit) = last;
    at(next_, unit) = end_;
    at(previous_, end_) = unit;
  }

  std::int64_t room_;
  std::int64_t held_ = 0;
  std::vector<std::int64_t> next_; ///< next unit in the list; -1 if not in memory
  std::vector<std::int64_t> previous_;
  std::int64_t end_;
};

/// Seconds of a request, interpolated between measurements.
class Costs
{
public:
  explicit Costs(const std::vector<double>& pairs)
    : pairs_(pairs)
  {
  }
  [[nodiscard]] double of(std::int64_t bytes) const
  {
    const auto size = static_cast<double>(bytes);
    for (std::size_t i = 2; i + 1 < pairs_.size(); i += 2)
    {
      if (size <= pairs_[i] || i + 3 >= pairs_.size())
      {
        const double share = (size - pairs_[i - 2]) / (pairs_[i] - pairs_[i - 2]);
        return pairs_[i - 1] + std::max(0.0, share) * (pairs_[i + 1] - pairs_[i - 1]);
      }
    }
    return 0.0;
  }

private:
  std::vector<double> pairs_;
};

class Replay
{
public:
  static constexpr std::int64_t kMostBytes = 512 * kKiB; // the same as in BrickFetcher
  static constexpr std::int64_t kMostGap = 32 * kKiB;

  Replay(const Layout& layout, const Arguments& arguments)
    : layout_(layout)
    , arguments_(arguments)
    , costs_(read_all<double>(arguments.costs))
    , cache_(layout.units(),
          std::max(arguments.lines + 1, static_cast<std::int64_t>(arguments.cache_mib * static_cast<double>(kMiB)) /
                                            (arguments.page > 0 ? arguments.page : arguments.slot)))
    , waiting_(static_cast<std::size_t>(layout.units()), 0)
    , seen_(static_cast<std::size_t>(layout.units()), false)
  {
    find_lines();
  }

  nlohmann::json run()
  {
    for (std::int64_t i = 0; i < arguments_.lines && next_line_ < lines_.size(); ++i)
    {
      active_.push_back(lines_[next_line_++]);
    }
    while (advance())
    {
      serve();
    }
    return report();
  }

private:
  struct Line
  {
    const std::uint32_t* at;
    const std::uint32_t* end;
  };

  void find_lines()
  {
    words_ = read_all<std::uint32_t>(arguments_.paths);
    for (std::size_t at = 0; at < words_.size(); at += words_[at] + 1)
    {
      if (words_[at] > 0)
      {
        lines_.push_back({ words_.data() + at + 1, words_.data() + at + 1 + words_[at] });
      }
    }
    std::stable_sort(lines_.begin(), lines_.end(),
        [this](const Line& a, const Line& b) { return layout_.brick_of(*a.at) < layout_.brick_of(*b.at); });
  }

  /// Advances every line as far as possible and fills wanted_. Returns false if no line waits.
  bool advance()
  {
    wanted_.clear();
    Units units;
    for (std::size_t i = 0; i < active_.size();)
    {
      Line& line = active_[i];
      bool there = true;
      while (there && line.at != line.end)
      {
        layout_.units_of(*line.at, units);
        for (const std::int64_t unit : units)
        {
          there = cache_.touch(unit) && there;
        }
        line.at += there ? 1 : 0;
      }
      if (line.at != line.end)
      {
        want(units);
        ++i;
      }
      else if (next_line_ < lines_.size())
      {
        line = lines_[next_line_++];
      }
      else
      {
        line = active_.back();
        active_.pop_back();
      }
    }
    return !wanted_.empty();
  }

  void want(const Units& units)
  {
    for (const std::int64_t unit : units)
    {
      if (!cache_.touch(unit) && waiting_[static_cast<std::size_t>(unit)]++ == 0)
      {
        wanted_.push_back(unit);
      }
    }
  }

  void serve()
  {
    std::sort(wanted_.begin(), wanted_.end());
    std::vector<std::size_t> order(wanted_.size());
    for (std::size_t i = 0; i < order.size(); ++i)
    {
      order[i] = i;
    }
    std::stable_sort(order.begin(), order.end(),
        [this](std::size_t a, std::size_t b)
        { return waiting_[static_cast<std::size_t>(wanted_[a])] > waiting_[static_cast<std::size_t>(wanted_[b])]; });
    std::vector<bool> taken(wanted_.size(), false);
    std::int64_t served = 0;
    for (std::size_t i = 0; i < order.size() && served < arguments_.depth; ++i)
    {
      if (!taken[order[i]])
      {
        request(order[i], taken);
        ++served;
      }
    }
    for (const std::int64_t unit : wanted_)
    {
      waiting_[static_cast<std::size_t>(unit)] = 0;
    }
  }

  void request(std::size_t best, std::vector<bool>& taken)
  {
    std::size_t first = best;
    std::size_t last = best;
    const auto begin = [&]
    {
      return layout_.offset(wanted_[first]);
    };
    const auto end = [&]
    {
      return layout_.offset(wanted_[last]) + layout_.bytes(wanted_[last]);
    };
    const auto joins = [&](std::size_t i)
    {
      const std::int64_t from = layout_.offset(wanted_[i]);
      const std::int64_t to = from + layout_.bytes(wanted_[i]);
      return !taken[i] && from - end() <= kMostGap && begin() - to <= kMostGap &&
             std::max(to, end()) - std::min(from, begin()) <= kMostBytes;
    };
    while (last + 1 < wanted_.size() && joins(last + 1))
    {
      ++last;
    }
    while (first > 0 && joins(first - 1))
    {
      --first;
    }
    for (std::size_t i = first; i <= last; ++i)
    {
      taken[i] = true;
      const std::int64_t unit = wanted_[i];
      cache_.add(unit);
      ++units_read_;
      distinct_ += seen_[static_cast<std::size_t>(unit)] ? 0 : 1;
      distinct_bytes_ += seen_[static_cast<std::size_t>(unit)] ? 0 : layout_.bytes(unit);
      seen_[static_cast<std::size_t>(unit)] = true;
    }
    ++requests_;
    bytes_ += end() - begin();
    seconds_ += costs_.of(end() - begin());
  }

  nlohmann::json report() const
  {
    std::int64_t bricks = 0;
    const std::int64_t pages = layout_.pages();
    for (std::int64_t unit = 0; unit < layout_.units(); unit += pages)
    {
      const auto from = seen_.begin() + static_cast<std::ptrdiff_t>(unit);
      bricks += std::find(from, from + static_cast<std::ptrdiff_t>(pages), true) != from + pages ? 1 : 0;
    }
    return { { "file_bytes", layout_.offset(layout_.units() - 1) + layout_.bytes(layout_.units() - 1) },
      { "bricks", bricks }, { "units", distinct_ }, { "unit_bytes", distinct_bytes_ }, { "units_read", units_read_ },
      { "bytes_read", bytes_ }, { "requests", requests_ }, { "device_seconds", seconds_ } };
  }

  const Layout& layout_;
  const Arguments& arguments_;
  const Costs costs_;
  Cache cache_;
  std::vector<std::uint32_t> words_;
  std::vector<Line> lines_;
  std::size_t next_line_ = 0;
  std::vector<Line> active_;
  std::vector<std::int64_t> wanted_;
  std::vector<std::int32_t> waiting_; ///< number of waiting lines, by unit
  std::vector<bool> seen_;            ///< whether the unit was read, by unit
  std::int64_t distinct_ = 0;
  std::int64_t distinct_bytes_ = 0;
  std::int64_t units_read_ = 0;
  std::int64_t requests_ = 0;
  std::int64_t bytes_ = 0;
  double seconds_ = 0.0;
};

} // namespace

int main(int argc, char** argv)
{
  Arguments arguments;
  cli::Program program("Replays the paths of lines through bricks of some shape.");
  program.option("paths", arguments.paths).required();
  program.option("--nodes", arguments.nodes).required().delimiter(',').values(3, 3);
  program.option("--cells", arguments.cells, "of a brick").required().delimiter(',').values(3, 3);
  program.option("--stride", arguments.stride, "bytes of a record");
  program.option("--slot", arguments.slot, "bytes of a brick in the cache").required();
  program.option("--page", arguments.page, "read pages of so many bytes instead of whole bricks");
  program.option("--tuple", arguments.tuple, "bytes of a value, to find its page");
  program.option("--sizes", arguments.sizes, "file of the records' lengths along the curve, 32 bits each");
  program.option("--align", arguments.align, "bytes that such records begin at multiples of");
  program.option("--cache", arguments.cache_mib, "MiB").required();
  program.option("--lines", arguments.lines, "under way at once");
  program.option("--depth", arguments.depth, "requests at once");
  program.option("--costs", arguments.costs, "file of bytes and seconds, in pairs").required();
  if (const std::optional<int> code = program.parse_or_report(argc, argv))
  {
    return *code;
  }
  try
  {
    const Layout layout(arguments);
    std::printf("%s\n", Replay(layout, arguments).run().dump().c_str());
  }
  catch (const std::exception& problem)
  {
    std::fprintf(stderr, "replay_layout: %s\n", problem.what());
    return 1;
  }
  return 0;
}
