// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/ResidenceTimes.h"

#include "Base/Times.h"
#include "Trace/Advect/FixedSeeds.h"
#include "Trace/Contract/NoMemory.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <tuple>

namespace rivulet
{

namespace
{

/// Keeps end states, all crossings, and the sides of the surfaces at the end.
class StayRecorder final : public Recorder
{
public:
  StayRecorder(std::span<EndState> ends, std::span<std::uint8_t> begun, std::span<SurfaceSet> outside,
      const std::vector<Surface>& surfaces)
    : ends_(ends)
    , begun_(begun)
    , outside_(outside)
    , surfaces_(surfaces)
  {
  }

  void prepare(const AdvectionContext& context, int workers) override
  {
    ends_.prepare(context, workers);
    for (int i = 0; i < workers; ++i)
    {
      logs_.push_back(std::make_unique<CrossingLog>(surfaces_));
    }
  }
  [[nodiscard]] LineStore* store_of(int) override { return nullptr; }
  [[nodiscard]] CrossingLog* crossings_of(int worker) override { return logs_[static_cast<std::size_t>(worker)].get(); }
  void ended(int worker, const Particle& particle) override
  {
    const auto id = static_cast<std::size_t>(particle.task);
    ends_.ended(worker, particle);
    begun_[id] = particle.started ? 1 : 0;
    outside_[id] = particle.started ? particle.sides : ~SurfaceSet{ 0 };
  }

  void take_crossings(std::vector<Crossing>& to) const
  {
    for (const std::unique_ptr<CrossingLog>& log : logs_)
    {
      to.insert(to.end(), log->crossings().begin(), log->crossings().end());
    }
  }

private:
  EndStates ends_;
  std::span<std::uint8_t> begun_;
  std::span<SurfaceSet> outside_;
  const std::vector<Surface>& surfaces_;
  std::vector<std::unique_ptr<CrossingLog>> logs_; ///< one per worker
};

/// The visits to one region. `inside`: whether the particle is released there. `visits`: in order, of all regions.
Stay stay_in(std::int64_t region, bool inside, double start, std::span<const Crossing> visits, const EndState& end)
{
  Stay stay;
  double entered = start;
  const auto leave = [&](double time)
  {
    const double duration = std::fabs(time - entered);
    stay.residence = stay.exits == 0 ? duration : stay.residence;
    stay.exposure += duration;
  };
  stay.first_entry = inside ? start : Stay::kNever;
  for (const Crossing& visit : visits)
  {
    if (visit.surface != region)
    {
      continue;
    }
    inside = !visit.to_positive;
    if (inside)
    {
      entered = visit.time;
      stay.first_entry = std::isnan(stay.first_entry) ? visit.time : stay.first_entry;
      ++stay.entries;
      continue;
    }
    leave(visit.time);
    stay.first_exit = stay.exits == 0 ? visit.time : stay.first_exit;
    ++stay.exits;
  }
  if (inside)
  {
    leave(end.time);
  }
  stay.inside_at_end = inside;
  return stay;
}

} // namespace

Result<AdvectionContext> residence_context(
    const TraceField& field, std::span<const double> times, const ResidenceQuery& query, const PathlineOptions& options)
{
  if (query.regions.empty() || query.regions.size() > CrossingLog::kMostSurfaces)
  {
    return fail(ErrorCode::BadArgument, "the query has " + std::to_string(query.regions.size()) + " regions",
        "give 1 to " + std::to_string(CrossingLog::kMostSurfaces));
  }
  if (!std::isfinite(query.start) || !std::isfinite(query.end) || query.start == query.end)
  {
    return fail(
        ErrorCode::BadArgument, "particles begin and end at " + format_time(query.start), "give two different times");
  }
  std::vector<double> of_steps(times.begin(), times.end());
  if (of_steps.empty() && field.velocity.source != nullptr)
  {
    of_steps = field.velocity.source->info().times;
  }
  PathlineOptions ends_only = options;
  ends_only.direction = query.end < query.start ? TraceDirection::Backward : TraceDirection::Forward;
  ends_only.compute_vorticity = false;
  ends_only.terminal_speed = 0.0; // a particle at rest stays where it is until the end
  const std::array<double, 2> limits{ std::min(query.start, query.end), std::max(query.start, query.end) };
  Result<AdvectionContext> context = AdvectionContext::unsteady(field, std::move(of_steps), limits, ends_only);
  if (context && context->limits() != limits)
  {
    return fail(ErrorCode::BadArgument, "the times of the query lie outside those of the field",
        "the field lasts from " + format_time(context->times().front()) + " to " +
            format_time(context->times().back()));
  }
  return context;
}

ResidenceMarch::ResidenceMarch(std::span<const Vec3> seeds, const ResidenceQuery& query)
{
  for (const Vec3& seed : seeds)
  {
    seeds_.push_back({ .point = seed, .time = query.start });
  }
  for (const Region& region : query.regions)
  {
    surfaces_.push_back({ .side = region.side, .numbers = region.numbers, .within_distance = region.within_distance });
  }
  result_.regions = static_cast<std::int64_t>(query.regions.size());
  first_id_ = query.end < query.start ? seeds_.size() : 0;
  result_.ends.resize(first_id_ + seeds_.size());
  begun_.resize(result_.ends.size(), 0);
  outside_.resize(result_.ends.size(), ~SurfaceSet{ 0 });
  for (std::size_t seed = 0; seed < seeds_.size(); ++seed)
  {
    result_.ends[first_id_ + seed].point = seeds_[seed].point;
    result_.ends[first_id_ + seed].time = query.start;
  }
}

Result<void> ResidenceMarch::go_on(const AdvectionContext& context, const RunOptions& run)
{
  try
  {
    StayRecorder recorder(result_.ends, begun_, outside_, surfaces_);
    AdvectionSummary summary;
    if (march_)
    {
      summary = march_->go_on(context, recorder, run);
    }
    else
    {
      FixedSeeds source(context, seeds_);
      for (const std::int64_t seed : source.outside())
      {
        begun_[first_id_ + static_cast<std::size_t>(seed)] = 1;
        EndState& end = result_.ends[first_id_ + static_cast<std::size_t>(seed)];
        end.reason = Termination::SeedOutside;
      }
      march_.emplace(result_.ends.size());
      summary = march_->begin(context, source, recorder, run);
    }
    recorder.take_crossings(result_.visits);
    for (EndState& end : result_.ends)
    {
      end.reason = end.reason == Termination::None ? summary.cut : end.reason;
    }
    result_.steps += summary.steps;
    result_.cancelled = summary.stopped;
    result_.data_error = result_.data_error ? result_.data_error : summary.data_error;
    return {};
  }
  catch (const std::bad_alloc&)
  {
    return tl::unexpected(*no_memory_for("keep the particles and their visits"));
  }
}

ResidenceTimes ResidenceMarch::take()
{
  march_.reset();
  result_.ends.erase(result_.ends.begin(), result_.ends.begin() + static_cast<std::ptrdiff_t>(first_id_));
  std::vector<Crossing>& visits = result_.visits;
  for (Crossing& visit : visits)
  {
    visit.id -= static_cast<std::int64_t>(first_id_);
  }
  const double sign = first_id_ != 0 ? -1.0 : 1.0; // of the direction in time
  std::sort(visits.begin(), visits.end(),
      [sign](const Crossing& a, const Crossing& b)
      {
        return std::make_tuple(a.id, sign * a.time, a.length, a.surface) <
               std::make_tuple(b.id, sign * b.time, b.length, b.surface);
      });
  result_.stays.resize(seeds_.size() * static_cast<std::size_t>(result_.regions));
  auto first = visits.begin();
  for (std::size_t seed = 0; seed < seeds_.size(); ++seed)
  {
    const auto last = std::find_if(
        first, visits.end(), [&](const Crossing& visit) { return visit.id != static_cast<std::int64_t>(seed); });
    const std::span<const Crossing> of_seed(first, last);
    for (std::int64_t region = 0; region < result_.regions; ++region)
    {
      const std::int64_t crossed = std::count_if(
          of_seed.begin(), of_seed.end(), [region](const Crossing& visit) { return visit.surface == region; });
      const bool inside_at_end = (outside_[first_id_ + seed] >> region & 1) == 0;
      const bool inside = inside_at_end == (crossed % 2 == 0);
      Stay& stay = result_.stays[seed * static_cast<std::size_t>(result_.regions) + static_cast<std::size_t>(region)];
      stay = stay_in(region, inside, seeds_[seed].time, of_seed, result_.ends[seed]);
      if (begun_[first_id_ + seed] == 0)
      {
        stay.residence = Stay::kNever;
        stay.exposure = Stay::kNever;
      }
    }
    first = last;
  }
  return std::move(result_);
}

} // namespace rivulet
