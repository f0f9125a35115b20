// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The analytics `pathlines`: particles that move with the flow of a simulation while it runs. They are released at the
/// first step, and each further step moves them on, through a velocity that is linear in time between the two steps.
///
/// Options (lengths in the simulation's unit):
///     "field"       name of the field; needed if there are several
///     "velocity"    variable of three components; "velocity" by default
///     "attributes"  names of further variables to interpolate along the lines
///     "cells"       values in the middle of cells: "nodes" (default) become nodes (FieldChoice.h), "cells" stay
///     "points", "line", "plane", "resolution"   seeds (SeedOptions.h)
///     "steps"       of integration of a line, at most; 100 000 by default
///     "limit_mib"   mebibytes that two steps of the field may take on each rank; 1024 by default
///     "save_every", "states"   states of the particles for restarts (SavedStates.h)
///
/// Every rank that has seeds keeps the whole field of two steps. The lines do not depend on ranks and threads, to the
/// last bit. They are the lines that *Rivulet Path Tracer* traces from a store of the same steps.
///
/// Files: NAME-STEP.vtp has a vertex where each particle is, and its line since the step before; NAME.vtp.series is
/// their list. A file and the memory stay as small as they are, however long the run is. The whole line of a particle
/// is the lines of its SeedIds, one after the other.
///
/// A step that fails while particles move is left out on all ranks: the next interval begins at the step before. Lines
/// of a file that cannot be written are in the next one, which then has the lines since the last file. Until then they
/// take "limit_mib" on the first rank, at most (WaitingLines.h).
///
/// A simulation that is restarted from a checkpoint hands over the step of the checkpoint again. Particles go on from
/// their state of that step, NAME-STEP.state, for any number of ranks. The files equal the files of one run, to the
/// last bit. Without a state particles are released at the first step of the new run, with a warning.
#include "Lines/LineOptions.h"
#include "Lines/LineRun.h"
#include "Lines/SavedStates.h"
#include "Lines/WaitingLines.h"
#include "Plugin/Agree.h"
#include "Plugin/Analytics.h"
#include "Store/Derived/StepBricks.h"
#include "Trace/Advect/ParticleMarch.h"
#include "Trace/Lines/TraceLines.h"

#include "Base/Times.h"

#include <limits>
#include <new>
#include <optional>
#include <utility>

namespace
{

using namespace rivulet;

/// A field of one step, as a source of bricks.
struct HeldStep
{
  explicit HeldStep(WholeField field)
    : whole(std::move(field))
    , source(whole.info.grid, whole.arrays())
  {
  }

  WholeField whole;
  ArrayBricks source;
};

/// The particles of this rank at a step, and the field of that step.
struct AtStep
{
  ParticleMarch march;
  double time = 0.0;
  std::unique_ptr<HeldStep> held;
  bool released = false; ///< the march has begun
};

/// The particles of this rank on their way from step to step.
class Particles
{
public:
  Particles(std::vector<PathSeed> seeds, const PathlineOptions& options)
    : seeds_(std::move(seeds))
    , options_(options)
  {
  }

  /// Their lines up to a step. The first step has the seeds alone. Nothing is changed before commit(), so that a step
  /// that fails, here or on another rank, is as if it had not been handed over.
  [[nodiscard]] Result<TracedLines> go_on(WholeField field, double time, const RunOptions& run);
  /// Whether a particle goes on after the last go_on().
  [[nodiscard]] bool is_going(std::int32_t seed) const
  {
    return next_->march.state(static_cast<std::size_t>(seed)).task >= 0;
  }
  /// As go_on(), to a step at which another run has saved them.
  void resume(WholeField field, double time, const std::vector<SavedParticle>& saved);
  /// By seed, at the step of the last commit().
  [[nodiscard]] std::vector<SavedParticle> saved() const;
  void commit() { last_ = next_ ? std::exchange(next_, std::nullopt) : std::move(last_); }
  void undo() { next_.reset(); }

private:
  [[nodiscard]] Result<TracedLines> trace(const AdvectionContext& context, const RunOptions& run);

  std::vector<PathSeed> seeds_;
  PathlineOptions options_;
  std::optional<AtStep> last_;
  std::optional<AtStep> next_; ///< until commit()
};

Result<TracedLines> Particles::go_on(WholeField field, double time, const RunOptions& run)
{
  next_ = AtStep{ last_ ? last_->march : ParticleMarch(2 * seeds_.size()), time,
    std::make_unique<HeldStep>(std::move(field)), last_.has_value() };
  if (!last_)
  {
    return TracedLines{};
  }
  // A time after this one, of a step that is not there yet: particles pause here, and do not end.
  const std::vector<double> times{ last_->time, time, time + (time - last_->time) };
  std::vector<std::unique_ptr<StepBricks>> sources;
  TraceField trace_field;
  trace_field.grid = next_->held->whole.info.grid;
  const std::vector<Variable>& variables = next_->held->whole.info.variables;
  for (std::size_t number = 0; number < variables.size(); ++number)
  {
    const auto variable = static_cast<std::int32_t>(number);
    const StepBricks::Values old_values{ &last_->held->source, variable, 0 };
    const StepBricks::Values new_values{ &next_->held->source, variable, 0 };
    sources.push_back(std::make_unique<StepBricks>(times, new_values));
    if (Result<void> held = sources.back()->hold({ { 0, old_values }, { 1, new_values } }); !held)
    {
      return forward_error(held);
    }
    trace_field.attributes.push_back({ variables[number].name, { sources.back().get(), 0, 0 } });
  }
  trace_field.velocity = { sources.front().get(), 0, 0 };
  constexpr double forever = std::numeric_limits<double>::infinity();
  Result<AdvectionContext> context = AdvectionContext::unsteady(trace_field, times, { -forever, forever }, options_);
  if (!context)
  {
    return forward_error(context);
  }
  context->set_intervals(0, 0);
  return trace(*context, run);
}

void Particles::resume(WholeField field, double time, const std::vector<SavedParticle>& saved)
{
  std::vector<ParticleState> states(2 * seeds_.size()); // the second half is of particles that go backward
  for (std::size_t i = 0; i < saved.size(); ++i)
  {
    states[i] = saved[i].state(static_cast<std::int64_t>(i));
    states[i].release = seeds_[i].point;
  }
  next_ = AtStep{ ParticleMarch(std::move(states)), time, std::make_unique<HeldStep>(std::move(field)), true };
}

std::vector<SavedParticle> Particles::saved() const
{
  std::vector<SavedParticle> saved(seeds_.size());
  for (std::size_t i = 0; last_ && i < saved.size(); ++i)
  {
    saved[i] = SavedParticle::of(last_->march.state(i));
  }
  return saved;
}

/// Through one interval of time, in the first one from the seeds.
Result<TracedLines> Particles::trace(const AdvectionContext& context, const RunOptions& run)
{
  const auto advect = [&](PathRecorder& recorder, const RunOptions& watched)
  {
    if (last_->released)
    {
      return next_->march.go_on(context, recorder, watched);
    }
    for (PathSeed& seed : seeds_)
    {
      seed.time = last_->time;
    }
    FixedSeeds source(context, seeds_);
    AdvectionSummary summary = next_->march.begin(context, source, recorder, watched);
    mark_outside(context, source, recorder.paths());
    return summary;
  };
  return trace_lines(context, { .releases = 2 * seeds_.size(), .advect = advect, .least_points = 1 }, run);
}

class Pathlines final : public Analytics
{
public:
  [[nodiscard]] static Result<std::unique_ptr<Analytics>> create(const Host& host);
  [[nodiscard]] Result<void> execute(const rivulet_snapshot& snapshot) override;
  [[nodiscard]] bool wants(const std::string& name, const std::string& variable) const override
  {
    return lines_.wish.wants(name, variable);
  }

private:
  explicit Pathlines(const Host& host)
    : host_(host)
    , run_(host)
  {
  }
  [[nodiscard]] Result<void> check_time(const rivulet_snapshot& snapshot) const;
  [[nodiscard]] Result<LineSet> go_on(WholeField field, double time);
  [[nodiscard]] LineSet at_seeds(double now) const;
  [[nodiscard]] std::uint64_t identity_of_run(const Grid& grid) const;
  [[nodiscard]] Result<bool> resume(const rivulet_snapshot& snapshot, WholeField& field);
  [[nodiscard]] Result<void> move(const rivulet_snapshot& snapshot, WholeField field);
  [[nodiscard]] Result<void> write(const rivulet_snapshot& snapshot, LineSet lines, bool released);
  [[nodiscard]] Result<void> save(const rivulet_snapshot& snapshot, bool begun);

  Host host_;
  LineRun run_;
  LineOptions lines_;
  PathlineOptions options_;
  std::optional<Particles> particles_;
  std::optional<WaitingLines> waiting_;
  std::optional<SavedStates> states_;
  std::optional<Grid> grid_;        ///< of the first step
  std::optional<double> last_time_; ///< empty: particles are not released yet
};

Result<std::unique_ptr<Analytics>> Pathlines::create(const Host& host)
{
  std::unique_ptr<Pathlines> made(new Pathlines(host));
  OptionReader read(host);
  made->lines_ = read_line_options(read);
  made->options_.maximum_steps = read.integer("steps", 100'000, { 1, 1'000'000'000 });
  made->options_.compute_vorticity = false;
  made->states_.emplace(host, read_state_options(read), std::ssize(made->lines_.seeds));
  Result<void> sound = read.finish();
  sound = sound ? made->run_.check() : sound;
  sound = sound ? made->states_->check() : sound;
  if (!sound)
  {
    return forward_error(sound);
  }
  const SeedRange range = made->lines_.seeds_of(host);
  std::vector<PathSeed> seeds;
  for (std::int64_t i = range.begin; i < range.end; ++i)
  {
    seeds.push_back({ made->lines_.seeds[static_cast<std::size_t>(i)], 0.0 });
  }
  made->particles_.emplace(std::move(seeds), made->options_);
  made->waiting_.emplace(host, made->lines_.limit);
  return made;
}

Result<void> Pathlines::check_time(const rivulet_snapshot& snapshot) const
{
  if (last_time_ && !(snapshot.time > *last_time_))
  {
    return fail(ErrorCode::BadArgument,
        "the time " + format_time(snapshot.time) + " is not after that of the step before, " + format_time(*last_time_),
        "let the times of steps increase");
  }
  return {};
}

/// The particles where they are released: lines of one point.
LineSet Pathlines::at_seeds(double now) const
{
  LineSet lines = no_lines({}, kTimeOfSimulation); // values of attributes come with the first lines
  const SeedRange range = lines_.seeds_of(host_);
  for (std::int64_t i = range.begin; i < range.end; ++i)
  {
    const Vec3& place = lines_.seeds[static_cast<std::size_t>(i)];
    lines.points.insert(lines.points.end(),
        { static_cast<float>(place[0]), static_cast<float>(place[1]), static_cast<float>(place[2]) });
    const auto* const time = reinterpret_cast<const std::byte*>(&now);
    lines.arrays.front().values.insert(lines.arrays.front().values.end(), time, time + sizeof(double));
    lines.lengths.push_back(1);
    lines.seeds.push_back(static_cast<std::int32_t>(i));
    lines.reasons.push_back(static_cast<std::int32_t>(Termination::None));
  }
  return lines;
}

/// The lines of this rank's particles since the step before.
Result<LineSet> Pathlines::go_on(WholeField field, double time)
{
  const FieldInfo info = field.info;
  const SeedRange range = lines_.seeds_of(host_);
  if (range.begin == range.end)
  {
    return no_lines(last_time_ ? info.variables : std::vector<Variable>(), kTimeOfSimulation);
  }
  const Result<TracedLines> traced =
      run_.trace([&](const RunOptions& run) { return particles_->go_on(std::move(field), time, run); });
  if (!traced)
  {
    return tl::unexpected(traced.error());
  }
  if (!last_time_)
  {
    return at_seeds(time);
  }
  LineSet lines = lines_of(*traced, range.begin, kTimeOfSimulation);
  for (std::size_t i = 0; i < lines.seeds.size(); ++i)
  {
    const bool going = particles_->is_going(static_cast<std::int32_t>(lines.seeds[i] - range.begin));
    lines.reasons[i] = going ? static_cast<std::int32_t>(Termination::None) : lines.reasons[i];
  }
  return lines;
}

/// A number for all that decides where particles are.
std::uint64_t Pathlines::identity_of_run(const Grid& grid) const
{
  std::string bytes;
  const auto add = [&](const auto* values, std::size_t count)
  {
    bytes.append(reinterpret_cast<const char*>(values), count * sizeof *values);
  };
  add(lines_.seeds.data(), lines_.seeds.size());
  add(&options_.maximum_steps, 1);
  add(grid.nodes.data(), 3);
  add(grid.origin.data(), 3);
  add(grid.spacing.data(), 3);
  for (const std::vector<double>& axis : grid.axes)
  {
    add(axis.data(), axis.size());
  }
  return identity_of(bytes + (lines_.wish.cells_as_nodes ? "nodes" : "cells") + lines_.wish.field + '\n' +
                     lines_.wish.variables.front());
}

Result<void> Pathlines::execute(const rivulet_snapshot& snapshot)
{
  if (Result<void> timely = check_time(snapshot); !timely)
  {
    return timely; // on all ranks
  }
  const Result<Begin> begin = last_time_ ? Begin::Release : states_->begin(snapshot, run_.files());
  if (!begin || *begin == Begin::LeaveOut)
  {
    return begin ? Result<void>() : tl::unexpected(begin.error());
  }
  Result<WholeField> field = gather_whole(host_, snapshot, lines_.wish, lines_.needs(host_, 2));
  if (field && grid_ && field->info.grid != *grid_)
  {
    return fail(ErrorCode::BadArgument, "the grid of the field is another one than at the first step",
        "publish the field on one grid"); // on all ranks
  }
  if (!field)
  {
    return forward_error(field);
  }
  const Result<bool> resumed = *begin == Begin::GoOn ? resume(snapshot, *field) : false;
  if (!resumed || *resumed)
  {
    return resumed ? Result<void>() : tl::unexpected(resumed.error());
  }
  return move(snapshot, std::move(*field));
}

/// Takes the particles from a state of an earlier run, whose file of this step stays. False, and nothing is changed,
/// if they are to be released.
Result<bool> Pathlines::resume(const rivulet_snapshot& snapshot, WholeField& field)
{
  const Grid grid = field.info.grid;
  Result<SavedMarch> state = states_->load(snapshot, identity_of_run(grid), grid.cells());
  if (!state || !state->released)
  {
    return state ? Result<bool>(false) : forward_error(state);
  }
  Result<void> done;
  try
  {
    if (!state->particles.empty())
    {
      particles_->resume(std::move(field), state->time, state->particles);
    }
  }
  catch (const std::bad_alloc&)
  {
    done = fail(ErrorCode::BadArgument, "there is no memory for the particles", "choose fewer seeds");
  }
  done = agree(host_, done);
  if (!done)
  {
    particles_->undo(); // on all ranks
    return forward_error(done);
  }
  particles_->commit();
  grid_ = grid;
  last_time_ = state->time;
  if (host_.first())
  {
    host_.note("particles go on from their state of step " + std::to_string(snapshot.step));
    states_->remove_replaced();
  }
  done = run_.keep(snapshot);
  return done ? Result<bool>(true) : forward_error(done);
}

/// Moves the particles to a step, and writes their lines.
Result<void> Pathlines::move(const rivulet_snapshot& snapshot, WholeField field)
{
  const Grid grid = field.info.grid;
  Result<LineSet> lines = run_.gather([&] { return go_on(std::move(field), snapshot.time); });
  if (!lines)
  {
    particles_->undo(); // on all ranks
    return forward_error(lines);
  }
  particles_->commit();
  grid_ = grid;
  const bool released = !std::exchange(last_time_, snapshot.time).has_value();
  Result<void> written = write(snapshot, std::move(*lines), released);
  Result<void> saved = states_->is_due(snapshot.step, released) ? save(snapshot, !released) : Result<void>();
  return written ? saved : written;
}

/// Writes the lines since the last file. Lines of a failed file wait for the next one. The places of seeds do not wait,
/// because later lines begin with them.
Result<void> Pathlines::write(const rivulet_snapshot& snapshot, LineSet lines, bool released)
{
  Result<LineSet> all = waiting_->empty() ? Result<LineSet>() : waiting_->join(lines);
  Result<void> done =
      all ? run_.write(snapshot, waiting_->empty() ? lines : *all) : Result<void>(tl::unexpected(all.error()));
  if (all && run_.has_file())
  {
    waiting_->clear();
    states_->remove_replaced();
  }
  else if (!released)
  {
    waiting_->keep(std::move(lines));
  }
  return done;
}

/// Collective. Saves the state of the particles at a step, once its lines are in a file.
Result<void> Pathlines::save(const rivulet_snapshot& snapshot, bool begun)
{
  SavedMarch state{ identity_of_run(*grid_), snapshot.step, snapshot.time, begun, {} };
  Result<void> room;
  try
  {
    state.particles = particles_->saved();
  }
  catch (const std::bad_alloc&)
  {
    room = fail(ErrorCode::BadArgument, "there is no memory for the states of particles", "choose fewer seeds");
  }
  Result<void> done = agree(host_, room);
  done = done ? states_->gather(state) : done;
  return done && host_.first() && waiting_->empty() ? states_->save(state) : done;
}

} // namespace

RIVULET_ANALYTICS(Pathlines, 1)
