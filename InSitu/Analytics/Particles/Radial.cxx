// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The analytics `radial`: the local radial distribution function g(r): how much likelier than in an ideal gas a
/// particle has another one at the distance r.
///
/// Options:
///     "set"        name of the particles; needed if there are several
///     "cutoff"     the largest distance, in the simulation's unit; needed unless "all_pairs" is set
///     "bins"       1000 by default
///     "all_pairs"  true: every pair is looked at, and without a cutoff every distance is counted. false by default:
///                  pairs closer than the cutoff are found by lists of cells
///     "global"     true: counts of all ranks are added in one MPI reduction. Needs a cutoff. false by default
///
/// Local: both particles of a pair are of the same rank. At borders between ranks the function does not drop, because
/// it is related to the ideal gas within the same borders (PairSpace.h):
///
///     g(k) = pairs(k) / (N (N - 1) / 2 * share(k))
///
/// with N particles and the share of pairs of an ideal gas whose distance is in bin k. "global" adds both numerators
/// and denominators. It still has no pairs across borders. g is nan where the rank's region is shorter than r.
///
/// File NAME.RANK-STEP.csv, or NAME-STEP.csv of the first rank:
///     # step 12 time 0.024 particles 4000 not_finite 0
///     low,high,pairs,g
///     0,0.0025,0,0
#include "Particles/PairCounts.h"
#include "Plugin/Agree.h"
#include "Plugin/Analytics.h"
#include "Plugin/Options.h"
#include "Plugin/OutputFile.h"
#include "Plugin/Particles.h"
#include "Plugin/StepFiles.h"

#include <cmath>
#include <optional>

namespace
{

using namespace rivulet;

/// Numbers that can be added over ranks. Pairs are whole numbers, exact up to 2^53.
struct Pairs
{
  double limit = 0.0;
  std::vector<double> sums; ///< pairs of each bin, expected pairs of each bin, then the three numbers of Extra
};

enum Extra : std::uint8_t
{
  Count,
  NotFinite,
  Failed,
  Extras
};

class Radial final : public Analytics
{
public:
  [[nodiscard]] static Result<std::unique_ptr<Analytics>> create(const Host& host);
  [[nodiscard]] static bool asks_mpi(const char* options) { return has_flag(options, "global"); }
  [[nodiscard]] Result<void> execute(const rivulet_snapshot& snapshot) override;
  [[nodiscard]] bool wants(const std::string& name, const std::string& variable) const override
  {
    return (set_.empty() || name == set_) && (variable == "x" || variable == "y" || variable == "z");
  }

private:
  explicit Radial(const Host& host)
    : host_(host)
  {
  }
  [[nodiscard]] std::size_t extra(Extra which) const { return static_cast<std::size_t>(2 * bins_ + which); }
  [[nodiscard]] Result<DistanceBins> bins_for(const PairSpace& space) const;
  [[nodiscard]] Result<Pairs> of_rank(const rivulet_snapshot& snapshot) const;
  [[nodiscard]] Result<void> write(const rivulet_snapshot& snapshot, const Pairs& pairs);

  Host host_;
  std::string set_;
  std::optional<double> cutoff_;
  std::int64_t bins_ = 0;
  bool all_pairs_ = false;
  bool global_ = false;
  std::optional<StepFiles> files_;
};

Result<std::unique_ptr<Analytics>> Radial::create(const Host& host)
{
  std::unique_ptr<Radial> made(new Radial(host));
  OptionReader read(host);
  made->set_ = read.text("set", "");
  made->cutoff_ = read.positive("cutoff");
  made->bins_ = read.integer("bins", 1000, { 1, 10'000'000 });
  made->all_pairs_ = read.flag("all_pairs", false);
  made->global_ = read.flag("global", false);
  if (!made->cutoff_ && (made->global_ || !made->all_pairs_))
  {
    read.refuse("cutoff", made->global_ ? "set if \"global\" is" : "set, unless \"all_pairs\" is true");
  }
  made->files_.emplace(host, ".csv", made->global_ ? FilesOf::AllRanks : FilesOf::EachRank);
  Result<void> sound = read.finish();
  sound = sound && (host.first() || !made->global_) ? made->files_->check() : sound;
  if (!sound)
  {
    return forward_error(sound);
  }
  return made;
}

Result<DistanceBins> Radial::bins_for(const PairSpace& space) const
{
  // Without a cutoff the longest distance is in the last bin. A single place has none.
  const double longest = space.diameter() > 0.0 ? space.diameter() * (1.0 + 1e-12) : 1.0;
  const DistanceBins bins{ bins_, cutoff_.value_or(longest) };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (cutoff_ && !all_pairs_ && space.wraps[axis] && *cutoff_ > space.extent[axis] / 2)
    {
      return fail(ErrorCode::BadArgument,
          "the cutoff of " + host_.name() + " is more than half of the periodic domain along " + "xyz"[axis],
          "choose a smaller \"cutoff\", or \"all_pairs\"");
    }
  }
  return bins;
}

Result<Pairs> Radial::of_rank(const rivulet_snapshot& snapshot) const
{
  const Result<const rivulet_particles*> set = choose_particles(snapshot, set_);
  for (const char* axis : { "x", "y", "z" })
  {
    Result<Column> there = set ? column_of(**set, { axis }) : tl::unexpected(set.error());
    if (!there)
    {
      return forward_error(there);
    }
  }
  const Positions positions = positions_of(host_, **set);
  if (positions.not_finite > 0)
  {
    host_.warn(not_finite_note(positions.not_finite, "positions", (*set)->name));
  }
  Result<PairSpace> space = PairSpace::around(positions, **set, host_.size());
  Result<DistanceBins> bins = space ? bins_for(*space) : forward_error(space);
  if (!bins)
  {
    return forward_error(bins);
  }
  const auto count_pairs = all_pairs_ ? count_all_pairs : count_close_pairs;
  Result<std::vector<std::int64_t>> counts = count_pairs(host_, **set, positions, *space, *bins);
  if (!counts)
  {
    return forward_error(counts);
  }
  Pairs pairs{ bins->limit, std::vector<double>(counts->begin(), counts->end()) };
  const auto count = static_cast<double>(positions.count);
  const double width = bins->limit / static_cast<double>(bins_);
  for (std::int64_t bin = 0; bin < bins_; ++bin)
  {
    const double low = width * static_cast<double>(bin);
    const double expected = count * (count - 1) / 2 * space->ideal_share(low, width * static_cast<double>(bin + 1));
    pairs.sums.push_back(positions.count > 1 ? expected : 0.0); // no pair: nothing to add
  }
  pairs.sums.insert(pairs.sums.end(), { count, static_cast<double>(positions.not_finite), 0.0 });
  return pairs;
}

Result<void> Radial::execute(const rivulet_snapshot& snapshot)
{
  Result<Pairs> mine = of_rank(snapshot);
  if (!global_)
  {
    return mine ? write(snapshot, *mine) : forward_error(mine);
  }
  // A rank that has failed takes part, so that the others do not wait.
  Pairs all = mine ? *mine : Pairs{ 0.0, std::vector<double>(extra(Extras), 0.0) };
  all.sums[extra(Failed)] = mine ? 0.0 : 1.0;
  const void* send = host_.first() ? MPI_IN_PLACE : all.sums.data();
  const Result<void> done = of_mpi(
      MPI_Reduce(send, all.sums.data(), static_cast<int>(all.sums.size()), MPI_DOUBLE, MPI_SUM, 0, host_.comm()));
  if (!mine || !done)
  {
    return tl::unexpected(mine ? done.error() : mine.error());
  }
  if (!host_.first())
  {
    return {};
  }
  return all.sums[extra(Failed)] > 0.0 ? Result<void>(other_rank_failed(host_)) : write(snapshot, all);
}

Result<void> Radial::write(const rivulet_snapshot& snapshot, const Pairs& pairs)
{
  const auto whole = [&](std::size_t i)
  {
    return static_cast<std::int64_t>(pairs.sums[i]);
  };
  std::string text = "# step " + std::to_string(snapshot.step) + " time ";
  append_number(text, snapshot.time);
  text += " particles " + std::to_string(whole(extra(Count))) + " not_finite " +
          std::to_string(whole(extra(NotFinite))) + "\nlow,high,pairs,g\n";
  const double width = pairs.limit / static_cast<double>(bins_);
  for (std::int64_t bin = 0; bin < bins_; ++bin)
  {
    append_number(text, width * static_cast<double>(bin));
    text += ',';
    append_number(text, width * static_cast<double>(bin + 1));
    text += ',';
    const double expected = pairs.sums[static_cast<std::size_t>(bins_ + bin)];
    append_number(text, whole(static_cast<std::size_t>(bin)));
    text += ',';
    append_number(text, expected > 0.0 ? pairs.sums[static_cast<std::size_t>(bin)] / expected : std::nan(""));
    text += '\n';
  }
  return files_->write(snapshot, [&](const std::string& path) { return write_whole_file(path, text); });
}

} // namespace

RIVULET_ANALYTICS(Radial, 1)
