// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The analytics `histogram`: how many particles of all ranks have a value in each of equal intervals. Two parallel
/// reductions on each rank (bounds, counts) and two MPI reductions.
///
/// Options:
///     "set"         name of the particles; needed if there are several
///     "of"          name of the value: x (default), y, z, vx, vy, vz, id, type or a further array
///     "component"   of a further array, from 0
///     "bins"        number of intervals; 1000 by default, 100 million at most
///     "range"       [low, high]; by default the smallest and the largest value of all ranks
///     "skip_empty"  true: intervals without particles are left out of the file; false by default
///
/// A value v lies in interval min(bins - 1, floor((v - low) / (high - low) * bins)). If all values are equal, they lie
/// in the first interval. Values outside of a range that was given, and values that are not finite, are counted by
/// themselves. Counts are integers: they do not depend on threads and ranks.
///
/// File NAME-STEP.csv of the first rank:
///     # step 12 time 0.024 of x below 0 above 0 not_finite 1
///     low,high,count
///     0,0.5,17
#include "Plugin/Agree.h"
#include "Plugin/Analytics.h"
#include "Plugin/Options.h"
#include "Plugin/OutputFile.h"
#include "Plugin/Particles.h"
#include "Plugin/StepFiles.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

namespace
{

using namespace rivulet;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kGrain = 65536; ///< values in a slice: about 100 us
/// Counts that all slots together may have for themselves; with more, they share one array.
constexpr std::int64_t kOwnCounts = std::int64_t{ 1 } << 22;

struct Range
{
  double low = kInfinity;
  double high = -kInfinity;
};

/// Counts of the values outside of the intervals. They follow the counts of the intervals.
enum Outside : std::uint8_t
{
  Below,
  Above,
  NotFinite,
  Outsides
};

class Histogram final : public Analytics
{
public:
  [[nodiscard]] static Result<std::unique_ptr<Analytics>> create(const Host& host);
  [[nodiscard]] Result<void> execute(const rivulet_snapshot& snapshot) override;
  [[nodiscard]] bool wants(const std::string& name, const std::string& variable) const override
  {
    return (set_.empty() || name == set_) && variable == of_.name;
  }

private:
  explicit Histogram(const Host& host)
    : host_(host)
    , files_(host, ".csv")
  {
  }
  [[nodiscard]] Result<Column> prepare(const rivulet_snapshot& snapshot);
  [[nodiscard]] Range range_of(const Column& column) const;
  void count(const Column& column, const Range& range);
  [[nodiscard]] Result<void> write(const rivulet_snapshot& snapshot, const Range& range);
  [[nodiscard]] Result<void> write_file(
      const std::string& path, const rivulet_snapshot& snapshot, const Range& range) const;

  Host host_;
  StepFiles files_;
  std::string set_;
  ColumnName of_;
  std::int64_t bins_ = 0;
  std::vector<double> given_; ///< low and high, or empty
  bool skip_empty_ = false;
  std::vector<std::int64_t> counts_;           ///< bins + Outsides
  std::vector<std::vector<std::int64_t>> own_; ///< of each slot; none if the slots share counts_
};

Result<std::unique_ptr<Analytics>> Histogram::create(const Host& host)
{
  std::unique_ptr<Histogram> made(new Histogram(host));
  OptionReader read(host);
  made->set_ = read.text("set", "");
  made->of_.name = read.text("of", "x");
  made->of_.component = read.integer("component", 0, { 0, std::numeric_limits<std::int32_t>::max() });
  made->bins_ = read.integer("bins", 1000, { 1, 100'000'000 });
  made->given_ = read.numbers("range", 2);
  made->skip_empty_ = read.flag("skip_empty", false);
  if (!made->given_.empty() && !(made->given_[0] < made->given_[1]))
  {
    read.refuse("range", "two numbers, the smaller one first");
  }
  Result<void> sound = read.finish();
  sound = sound && host.first() ? made->files_.check() : sound;
  if (!sound)
  {
    return forward_error(sound);
  }
  return made;
}

/// All that can fail on one rank alone.
Result<Column> Histogram::prepare(const rivulet_snapshot& snapshot)
{
  const auto all = static_cast<std::size_t>(bins_ + Outsides);
  try
  {
    counts_.assign(all, 0);
    const bool own = static_cast<std::int64_t>(all) * host_.slots() <= kOwnCounts;
    own_.assign(own ? static_cast<std::size_t>(host_.slots()) : 0, std::vector<std::int64_t>(own ? all : 0, 0));
  }
  catch (const std::bad_alloc&)
  {
    return fail(ErrorCode::BadArgument,
        "there is no memory for " + std::to_string(bins_) + " intervals of " + host_.name(), "choose fewer \"bins\"");
  }
  const Result<const rivulet_particles*> set = choose_particles(snapshot, set_);
  return set ? column_of(**set, of_) : tl::unexpected(set.error());
}

Range Histogram::range_of(const Column& column) const
{
  struct alignas(64) Slot
  {
    Range range;
  };
  std::vector<Slot> slots(static_cast<std::size_t>(host_.slots()));
  visit(column,
      [&](const auto* values, std::int64_t stride)
      {
        host_.for_ranges(column.count, kGrain,
            [&](std::int64_t begin, std::int64_t end, int slot) noexcept
            {
              Range range = slots[static_cast<std::size_t>(slot)].range;
              for (std::int64_t i = begin; i < end; ++i)
              {
                const auto value = static_cast<double>(values[i * stride]);
                const bool finite = std::abs(value) < kInfinity;
                range.low = finite && value < range.low ? value : range.low;
                range.high = finite && value > range.high ? value : range.high;
              }
              slots[static_cast<std::size_t>(slot)].range = range;
            });
      });
  Range all;
  for (const Slot& slot : slots)
  {
    all = { std::min(all.low, slot.range.low), std::max(all.high, slot.range.high) };
  }
  return all;
}

/// The place of a value among the counts.
std::size_t place_of(double value, const Range& range, std::int64_t bins)
{
  if (!(std::abs(value) < kInfinity))
  {
    return static_cast<std::size_t>(bins + NotFinite);
  }
  if (value < range.low || value > range.high)
  {
    return static_cast<std::size_t>(bins + (value < range.low ? Below : Above));
  }
  const double width = range.high - range.low;
  const double place = width > 0.0 ? (value - range.low) / width * static_cast<double>(bins) : 0.0;
  return static_cast<std::size_t>(std::min(bins - 1, static_cast<std::int64_t>(place)));
}

void Histogram::count(const Column& column, const Range& range)
{
  visit(column,
      [&](const auto* values, std::int64_t stride)
      {
        host_.for_ranges(column.count, kGrain,
            [&](std::int64_t begin, std::int64_t end, int slot) noexcept
            {
              for (std::int64_t i = begin; i < end; ++i)
              {
                const std::size_t place = place_of(static_cast<double>(values[i * stride]), range, bins_);
                if (own_.empty())
                {
                  std::atomic_ref(counts_[place]).fetch_add(1, std::memory_order_relaxed);
                }
                else
                {
                  ++own_[static_cast<std::size_t>(slot)][place];
                }
              }
            });
      });
  for (const std::vector<std::int64_t>& own : own_)
  {
    std::transform(counts_.begin(), counts_.end(), own.begin(), counts_.begin(), std::plus<>());
  }
}

Result<void> Histogram::execute(const rivulet_snapshot& snapshot)
{
  Result<Column> column = prepare(snapshot);
  const Range mine = column ? range_of(*column) : Range{};
  // The largest of: failed, -low, high.
  std::array<double, 3> largest{ column ? 0.0 : 1.0, -mine.low, mine.high };
  Result<void> done = of_mpi(MPI_Allreduce(MPI_IN_PLACE, largest.data(), 3, MPI_DOUBLE, MPI_MAX, host_.comm()));
  if (!done)
  {
    return done;
  }
  if (largest[0] > 0.0)
  {
    return column ? Result<void>(other_rank_failed(host_)) : forward_error(column);
  }
  Range range{ -largest[1], largest[2] };
  range = given_.empty() ? range : Range{ given_[0], given_[1] };
  if (range.low <= range.high && !std::isfinite(range.high - range.low))
  {
    return fail(ErrorCode::BadArgument, "the values \"" + of_.name + "\" are too far apart for a histogram",
        "set the option \"range\"");
  }
  count(*column, range);
  const void* send = host_.first() ? MPI_IN_PLACE : counts_.data();
  done =
      of_mpi(MPI_Reduce(send, counts_.data(), static_cast<int>(counts_.size()), MPI_INT64_T, MPI_SUM, 0, host_.comm()));
  return done && host_.first() ? write(snapshot, range) : done;
}

Result<void> Histogram::write(const rivulet_snapshot& snapshot, const Range& range)
{
  if (const std::int64_t count = counts_[static_cast<std::size_t>(bins_ + NotFinite)]; count > 0)
  {
    host_.warn(not_finite_note(count, "values \"" + of_.name + "\"", set_.empty() ? snapshot.particles[0].name : set_));
  }
  return files_.write(snapshot, [&](const std::string& path) { return write_file(path, snapshot, range); });
}

Result<void> Histogram::write_file(const std::string& path, const rivulet_snapshot& snapshot, const Range& range) const
{
  const auto outside = [&](Outside which)
  {
    return counts_[static_cast<std::size_t>(bins_ + which)];
  };
  Result<OutputFile> file = OutputFile::create(path);
  if (!file)
  {
    return forward_error(file);
  }
  std::string text = "# step " + std::to_string(snapshot.step) + " time ";
  append_number(text, snapshot.time);
  text += " of " + of_.name + " below " + std::to_string(outside(Below)) + " above " + std::to_string(outside(Above)) +
          " not_finite " + std::to_string(outside(NotFinite)) + "\nlow,high,count\n";
  Result<void> done = file->append(text);
  const bool any = range.low <= range.high;
  const double step = any ? (range.high - range.low) / static_cast<double>(bins_) : std::nan("");
  const double low = any ? range.low : std::nan("");
  for (std::int64_t bin = 0; done && bin < bins_; ++bin)
  {
    const std::int64_t count = counts_[static_cast<std::size_t>(bin)];
    if (count == 0 && skip_empty_)
    {
      continue;
    }
    text.clear();
    append_number(text, low + step * static_cast<double>(bin));
    text += ',';
    append_number(text, bin + 1 == bins_ && any ? range.high : low + step * static_cast<double>(bin + 1));
    text += ',';
    append_number(text, count);
    text += '\n';
    done = file->append(text);
  }
  return done ? file->finish() : done;
}

} // namespace

RIVULET_ANALYTICS(Histogram, 1)
