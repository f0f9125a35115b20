// SPDX-License-Identifier: BSD-3-Clause
// Steps for as many particles at once as the processor has lanes for doubles, in one brick of three scalars a node.
// Lane by lane these are the operations of Stepper in Kernel.cxx, in the same order, so that a particle may change from
// one to the other at any sample. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_BATCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_BATCH_INL_H
#undef RIVULET_BATCH_INL_H
#else
#define RIVULET_BATCH_INL_H
#endif

#include "Trace/Kernel/Kernel.h"
#include "Trace/Kernel/WideParticles-inl.h"
#include "Trace/Kernel/WideSampling-inl.h"

#include <cstring>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

#if RIVULET_WIDE

/// Stepper is the one for single particles.
template <class Stepper>
class Batch
{
public:
  using Scalar = typename Stepper::Value;

  Batch(const AdvectionContext& context, const FieldWindow& window, LineStore& lines, Stepper& single,
      std::int64_t& taken)
    : context_(context)
    , options_(context.options())
    , window_(window.now)
    , later_(window.later)
    , times_{ window.times[0], window.times[1] }
    , lines_(lines)
    , single_(single)
    , tableau_(context.tableau())
    , taken_(taken)
    , aligned_(context.mesh().axis_aligned())
    , flat_(context.mesh().has_flat_axes())
    , index_from_world_(context.mesh().index_from_world({ 0, 0, 0, 0 }))
    , initial_step_(context.to_length(options_.initial_step, { 0, 0, 0, 0 }))
    , bounds_{ context.to_length(options_.minimum_step, { 0, 0, 0, 0 }),
      context.to_length(options_.maximum_step, { 0, 0, 0, 0 }) }
    , safe_(corner_of(window_))
    , safe_later_(kUnsteady ? corner_of(later_) : nullptr)
  {
    all_ = WideParticles{};
  }

  [[nodiscard]] bool full() const { return busy_ == kAllLanes; }
  [[nodiscard]] bool empty() const { return busy_ == 0; }
  [[nodiscard]] int count() const { return std::popcount(busy_); }
  /// Whether all particles have a point to arrive at: none is trying a step again.
  [[nodiscard]] bool between_steps() const { return arriving_ == busy_; }

  /// Takes a particle of stage 0 whose trial position is in the brick.
  void enter(Particle& particle);

  /// One try of one step for every particle. Those that leave are added to `done`, with their event.
  void turn(std::vector<Particle*>& done);

  /// Hands back all particles, between two steps.
  void flush(std::vector<Particle*>& to);

private:
  static constexpr bool kUniform = Stepper::kUniform;
  static constexpr bool kUnsteady = Stepper::kUnsteady;

  [[nodiscard]] static const Scalar* corner_of(const BrickWindow& window)
  {
    const Int3& cell = window.cells.begin;
    return static_cast<const Scalar*>(window.corner) + cell[0] * window.stride[0] + cell[1] * window.stride[1] +
           cell[2] * window.stride[2];
  }

  [[nodiscard]] bool between_others(std::size_t lane) const
  {
    return single_.between_others(all_.sign[lane], all_.trial_time[lane], all_.particle[lane]->stop_time);
  }
  void leave(std::size_t lane, int stage, Event event, std::vector<Particle*>& done);
  void end(std::size_t lane, int stage, Termination reason, std::vector<Particle*>& done)
  {
    all_.particle[lane]->reason = reason;
    leave(lane, stage, Event::Ended, done);
  }

  template <bool kGradient>
  [[nodiscard]] HWY_INLINE WideSample sample(LaneBits lanes, int stage) const;
  HWY_INLINE WideDoubles sample_times(int stage) const;
  HWY_INLINE WideTriple slope_of(const WideTriple& velocity, WideDoubles speed) const;
  HWY_INLINE WideTriple combine(const double* weights, int count) const;
  HWY_INLINE WideDoubles world_length(const WideTriple& slope) const;
  HWY_INLINE void aim(const double* weights, int count);
  HWY_INLINE LaneBits in_window() const;
  HWY_INLINE void keep_inside(int stage, std::vector<Particle*>& done);
  HWY_INLINE void drop_not_finite(WideDoubles speed, LaneBits lanes, int stage, std::vector<Particle*>& done);

  /// Of the last step, which ended at `speed`.
  HWY_INLINE WideDoubles mean_speed(WideDoubles speed) const
  {
    return hn::Div(hn::Add(load_wide(all_.speed), speed), set_wide(2.0));
  }
  HWY_INLINE void arrive(std::vector<Particle*>& done);
  HWY_INLINE void try_stage(int stage, std::vector<Particle*>& done);
  HWY_INLINE void finish(std::vector<Particle*>& done);
  HWY_INLINE void set_arrivals();
  HWY_INLINE void move_to_new_points(WideDoubles speed);
  HWY_INLINE void world_points(float (*world)[kWide]) const;
  HWY_INLINE void record(const WideSample& sample);
  HWY_INLINE WideTriple vorticity_of(const WideSample& sample) const;
  HWY_INLINE void rotate(const WideSample& sample, LaneBits fresh, double (*values)[kWide]);
  HWY_INLINE void end_lines(std::vector<Particle*>& done);
  /// A step in the options' unit as the kind of number that steps are: time in unsteady flow, else length.
  [[nodiscard]] double measure(double step, std::size_t lane) const
  {
    const std::array<std::int32_t, 4> cell = all_.base.cell_of(lane);
    return kUnsteady ? context_.to_time(step, cell, all_.speed[lane]) : context_.to_length(step, cell);
  }
  HWY_INLINE void choose_steps();
  HWY_INLINE void judge_steps();
  HWY_INLINE void ask_ahead() const;
  HWY_INLINE static void ask_for(const BrickWindow& window, const WideCells& cells);

  const AdvectionContext& context_;
  const TraceOptions& options_;
  const BrickWindow& window_;
  const BrickWindow& later_; ///< unsteady
  double times_[2];          ///< of the two; unsteady
  LineStore& lines_;
  Stepper& single_;
  const Tableau& tableau_;
  std::int64_t& taken_;
  bool aligned_;
  bool flat_; ///< along one axis at least
  Mat3 index_from_world_;
  double initial_step_;
  StepBounds bounds_;
  const Scalar* safe_; ///< where lanes without a particle read
  const Scalar* safe_later_;
  WideParticles all_;
  LaneBits busy_ = 0;     ///< lanes with a particle
  LaneBits arriving_ = 0; ///< of these, those whose next sample is that of a new point
  LaneBits started_ = 0;  ///< of these, those with a point before
  LaneBits final_ = 0;    ///< of the busy ones, those whose step is taken whatever its error
};

template <class Stepper>
void Batch<Stepper>::enter(Particle& particle)
{
  const auto lane = static_cast<std::size_t>(std::countr_one(busy_));
  const LaneBits bit = LaneBits{ 1 } << lane;
  busy_ |= bit;
  arriving_ |= bit;
  started_ = particle.started ? started_ | bit : started_ & ~bit;
  final_ &= ~bit;
  all_.take(lane, particle, lines_);
  if constexpr (kUnsteady)
  {
    all_.barrier[lane] = single_.barrier(particle.sign, particle.stop_time);
  }
}

template <class Stepper>
void Batch<Stepper>::leave(std::size_t lane, int stage, Event event, std::vector<Particle*>& done)
{
  const LaneBits bit = LaneBits{ 1 } << lane;
  Particle& particle = all_.give(lane, stage, lines_);
  particle.started = (started_ & bit) != 0;
  particle.final_trial = (final_ & bit) != 0;
  particle.event = event;
  busy_ &= ~bit;
  arriving_ &= ~bit;
  done.push_back(&particle);
}

template <class Stepper>
void Batch<Stepper>::flush(std::vector<Particle*>& to)
{
  for_each_lane(busy_, [&](std::size_t lane) { leave(lane, 0, Event::NeedsBrick, to); });
}

/// The times of the samples of a stage.
template <class Stepper>
HWY_INLINE WideDoubles Batch<Stepper>::sample_times(int stage) const
{
  if (stage == 0)
  {
    return load_wide(all_.trial_time);
  }
  const WideDoubles step = hn::Mul(load_wide(all_.sign), load_wide(all_.step));
  return hn::MulAdd(step, set_wide(tableau_.node[stage]), load_wide(all_.time));
}

template <class Stepper>
template <bool kGradient>
HWY_INLINE WideSample Batch<Stepper>::sample(LaneBits lanes, int stage) const
{
  WideSample here = sample_wide<kGradient, Scalar>(window_, all_.trial, lanes, safe_);
  if constexpr (kUnsteady)
  {
    const WideSample later = sample_wide<kGradient, Scalar>(later_, all_.trial, lanes, safe_later_);
    const WideDoubles since = hn::Sub(sample_times(stage), set_wide(times_[0]));
    const WideDoubles share = hn::Div(since, set_wide(times_[1] - times_[0]));
    here.velocity = mix(here.velocity, later.velocity, share);
    if constexpr (kGradient)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        here.by_index[axis] = mix(here.by_index[axis], later.by_index[axis], share);
      }
    }
  }
  return here;
}

template <class Stepper>
HWY_INLINE WideTriple Batch<Stepper>::slope_of(const WideTriple& velocity, WideDoubles speed) const
{
  WideTriple unit = velocity;
  if constexpr (!kUnsteady)
  {
    const WideDoubles by = hn::IfThenElse(hn::Eq(speed, hn::Zero(Wide())), set_wide(1.0), speed);
    unit = { hn::Div(velocity.x, by), hn::Div(velocity.y, by), hn::Div(velocity.z, by) };
  }
  if constexpr (!kUniform)
  {
    return unit;
  }
  const Mat3& m = index_from_world_;
  if (aligned_)
  {
    return { hn::Mul(set_wide(m[0]), unit.x), hn::Mul(set_wide(m[4]), unit.y), hn::Mul(set_wide(m[8]), unit.z) };
  }
  const auto row = [&](std::size_t i) HWY_ATTR
  {
    const WideDoubles xy = hn::MulAdd(set_wide(m[i + 1]), unit.y, hn::Mul(set_wide(m[i]), unit.x));
    return hn::MulAdd(set_wide(m[i + 2]), unit.z, xy);
  };
  return { row(0), row(3), row(6) };
}

/// sum_j weights[j] * slopes[j] over the first `count`.
template <class Stepper>
HWY_INLINE WideTriple Batch<Stepper>::combine(const double* weights, int count) const
{
  WideTriple sum = scale(set_wide(weights[0]), load_triple(all_.slopes[0]));
  for (int j = 1; j < count; ++j)
  {
    if (weights[j] != 0.0) // a zero would add nothing
    {
      sum = scale_add(set_wide(weights[j]), load_triple(all_.slopes[j]), sum);
    }
  }
  return sum;
}

template <class Stepper>
HWY_INLINE WideDoubles Batch<Stepper>::world_length(const WideTriple& slope) const
{
  if constexpr (!kUniform)
  {
    return length_of(slope);
  }
  const Mat3& m = context_.mesh().world_from_index();
  const auto row = [&](std::size_t i) HWY_ATTR
  {
    return dot({ set_wide(m[i]), set_wide(m[i + 1]), set_wide(m[i + 2]) }, slope);
  };
  return length_of({ row(0), row(3), row(6) });
}

/// Sets the trial positions from the slopes known.
template <class Stepper>
HWY_INLINE void Batch<Stepper>::aim(const double* weights, int count)
{
  const WideDoubles length = hn::Mul(load_wide(all_.sign), load_wide(all_.step));
  const WideTriple displacement = scale(length, combine(weights, count));
  if constexpr (kUniform)
  {
    const auto move = [&](std::size_t axis, WideDoubles by) HWY_ATTR
    {
      const WideDoubles far = hn::Add(load_wide(all_.base.fraction[axis]), by);
      const WideDoubles moved =
          hn::Max(hn::Min(far, set_wide(StructuredMesh::kFarAway)), set_wide(-StructuredMesh::kFarAway));
      const WideDoubles whole = hn::Floor(moved);
      store_wide(hn::Sub(moved, whole), all_.trial.fraction[axis]);
      hn::Store(hn::Add(hn::Load(WideInts(), all_.base.cell[axis]), hn::DemoteTo(WideInts(), whole)), WideInts(),
          all_.trial.cell[axis]);
    };
    move(0, displacement.x);
    move(1, displacement.y);
    move(2, displacement.z);
  }
  else
  {
    alignas(64) double by[3][kWide];
    store_triple(displacement, by);
    const StructuredMesh& mesh = context_.mesh();
    const bool at_end = weights == tableau_.end;
    for_each_lane(busy_,
        [&](std::size_t lane)
        {
          const CellPosition from = all_.base.get(lane);
          const std::array<double, 4> way{ by[0][lane], by[1][lane], by[2][lane], 0.0 };
          all_.trial.set(lane, at_end ? mesh.end_of_step(from, way) : mesh.moved(from, way));
        });
  }
}

template <class Stepper>
HWY_INLINE LaneBits Batch<Stepper>::in_window() const
{
  const Box& box = window_.cells;
  const auto within = [&](std::size_t axis) HWY_ATTR
  {
    const auto cell = hn::Load(WideInts(), all_.trial.cell[axis]);
    return hn::And(
        hn::Gt(cell, hn::Set(WideInts(), box.begin[axis] - 1)), hn::Lt(cell, hn::Set(WideInts(), box.end[axis])));
  };
  LaneBits inside = bits_of(WideInts(), hn::And(within(0), hn::And(within(1), within(2))));
  for (std::size_t axis = 0; flat_ && axis < 3; ++axis)
  {
    if (context_.mesh().flat(static_cast<int>(axis)))
    {
      inside &= bits_of(Wide(), hn::Eq(load_wide(all_.trial.fraction[axis]), hn::Zero(Wide())));
    }
  }
  return inside;
}

/// Particles whose next sample lies in another brick leave, those that left the grid end.
template <class Stepper>
HWY_INLINE void Batch<Stepper>::keep_inside(int stage, std::vector<Particle*>& done)
{
  const LaneBits asked = stage == 0 ? arriving_ : busy_;
  const LaneBits doubtful = context_.has_hidden_cells() ? asked : asked & ~in_window();
  for_each_lane(doubtful,
      [&](std::size_t lane)
      {
        CellPosition at = all_.trial.get(lane);
        if (!settle(context_, at))
        {
          end(lane, stage, Termination::OutOfDomain, done);
          return;
        }
        all_.trial.set(lane, at);
        if (!single_.in_window(at) && !(kUnsteady && stage == 0 && between_others(lane)))
        {
          leave(lane, stage, Event::NeedsBrick, done);
        }
      });
  if (kUnsteady && stage == 0)
  {
    const auto there = hn::Eq(load_wide(all_.trial_time), load_wide(all_.barrier));
    for_each_lane(arriving_ & bits_of(Wide(), there),
        [&](std::size_t lane)
        {
          if (between_others(lane))
          {
            all_.particle[lane]->level += all_.sign[lane] > 0.0 ? 1 : -1;
            leave(lane, stage, Event::NeedsBrick, done);
          }
        });
  }
}

template <class Stepper>
HWY_INLINE void Batch<Stepper>::drop_not_finite(
    WideDoubles speed, LaneBits lanes, int stage, std::vector<Particle*>& done)
{
  const LaneBits finite = bits_of(Wide(), hn::Lt(speed, set_wide(std::numeric_limits<double>::infinity())));
  for_each_lane(lanes & ~finite, [&](std::size_t lane) { leave(lane, stage, Event::NotFinite, done); });
}

template <class Stepper>
void Batch<Stepper>::turn(std::vector<Particle*>& done)
{
  if (arriving_ != 0)
  {
    arrive(done);
  }
  for (int stage = 1; stage < tableau_.slopes && busy_ != 0; ++stage)
  {
    try_stage(stage, done);
  }
  if (busy_ != 0)
  {
    finish(done);
  }
}

/// The velocity at the points the particles arrived at, which are recorded; the next steps begin.
template <class Stepper>
HWY_INLINE void Batch<Stepper>::arrive(std::vector<Particle*>& done)
{
  const bool rotating = context_.layout().rotation >= 0;
  const WideSample here = rotating ? sample<true>(arriving_, 0) : sample<false>(arriving_, 0);
  const WideDoubles speed = length_of(here.velocity);
  drop_not_finite(speed, arriving_, 0, done);

  if constexpr (!kUnsteady)
  {
    const LaneBits slow = bits_of(Wide(), hn::Le(mean_speed(speed), set_wide(options_.terminal_speed)));
    for_each_lane(arriving_ & started_ & slow, [&](std::size_t lane) { end(lane, 0, Termination::Stagnation, done); });
  }

  move_to_new_points(speed);
  const auto arrived = mask_of(Wide(), arriving_);
  const WideTriple slope = slope_of(here.velocity, speed);
  store_some(arrived, slope.x, all_.slopes[0][0]);
  store_some(arrived, slope.y, all_.slopes[0][1]);
  store_some(arrived, slope.z, all_.slopes[0][2]);
  record(here);
  started_ |= arriving_;
  end_lines(done);
  arriving_ = 0;
}

/// The particles that arrived stand on their new points, with the time, the length and the number of steps that took.
template <class Stepper>
HWY_INLINE void Batch<Stepper>::move_to_new_points(WideDoubles speed)
{
  const LaneBits stepped = arriving_ & started_;
  const WideDoubles step = load_wide(all_.step);
  const auto stepped_lanes = mask_of(Wide(), stepped);
  if constexpr (kUnsteady)
  {
    const WideDoubles gone = hn::Mul(mean_speed(speed), step);
    store_some(mask_of(Wide(), arriving_), load_wide(all_.trial_time), all_.time);
    store_some(stepped_lanes, hn::Add(load_wide(all_.length), gone), all_.length);
  }
  else
  {
    const WideDoubles duration = hn::Div(hn::Mul(load_wide(all_.sign), step), load_wide(all_.speed));
    store_some(stepped_lanes, hn::Add(load_wide(all_.time), duration), all_.time);
    store_some(stepped_lanes, hn::Add(load_wide(all_.length), step), all_.length);
  }
  for (std::size_t lane = 0; lane < kWide; ++lane)
  {
    all_.steps[lane] += stepped >> lane & 1;
  }
  taken_ += std::popcount(stepped);

  const auto arrived = mask_of(Wide(), arriving_);
  const auto arrived_cells = mask_of(WideInts(), arriving_);
  store_some(arrived, speed, all_.speed);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    store_some(arrived, load_wide(all_.trial.fraction[axis]), all_.base.fraction[axis]);
    hn::BlendedStore(hn::Load(WideInts(), all_.trial.cell[axis]), arrived_cells, WideInts(), all_.base.cell[axis]);
  }
}

template <class Stepper>
HWY_INLINE void Batch<Stepper>::try_stage(int stage, std::vector<Particle*>& done)
{
  aim(tableau_.at[stage], stage);
  keep_inside(stage, done);
  const WideTriple velocity = sample<false>(busy_, stage).velocity;
  const WideDoubles speed = length_of(velocity);
  drop_not_finite(speed, busy_, stage, done);
  store_triple(slope_of(velocity, speed), all_.slopes[stage]);
}

/// All slopes are known: the steps are judged, and the points where they end are aimed at.
template <class Stepper>
HWY_INLINE void Batch<Stepper>::finish(std::vector<Particle*>& done)
{
  judge_steps();
  aim(tableau_.end, tableau_.slopes);
  if constexpr (kUnsteady)
  {
    set_arrivals();
    ask_ahead();
    keep_inside(0, done);
    return;
  }
  const auto still = [&](std::size_t axis) HWY_ATTR
  {
    const auto cells = hn::Sub(hn::Load(WideInts(), all_.trial.cell[axis]), hn::Load(WideInts(), all_.base.cell[axis]));
    const WideDoubles part = hn::Sub(load_wide(all_.trial.fraction[axis]), load_wide(all_.base.fraction[axis]));
    return hn::Eq(hn::Add(hn::PromoteTo(Wide(), cells), part), hn::Zero(Wide())); // as same_position()
  };
  for_each_lane(arriving_ & bits_of(Wide(), hn::And(still(0), hn::And(still(1), still(2)))),
      [&](std::size_t lane) { end(lane, 0, Termination::Stagnation, done); });
  ask_ahead();
  keep_inside(0, done);
}

/// When the steps end.
template <class Stepper>
HWY_INLINE void Batch<Stepper>::set_arrivals()
{
  const WideDoubles limit = load_wide(all_.barrier);
  const WideDoubles forward = hn::Mul(load_wide(all_.sign), load_wide(all_.step));
  const WideDoubles reached = hn::Add(load_wide(all_.time), forward);
  const auto there = hn::Le(hn::Abs(hn::Sub(limit, reached)), set_wide(kSameTime * (times_[1] - times_[0])));
  store_some(mask_of(Wide(), arriving_), hn::IfThenElse(there, limit, reached), all_.trial_time);
}

/// Asks the processor for the values about the end of the next step, if it is like the last one: they are needed a turn
/// later, which is about as long as memory takes to answer.
template <class Stepper>
HWY_INLINE void Batch<Stepper>::ask_ahead() const
{
  const auto ahead = [&](std::size_t axis) HWY_ATTR
  {
    const auto base_cell = hn::Load(WideInts(), all_.base.cell[axis]);
    const auto trial_cell = hn::Load(WideInts(), all_.trial.cell[axis]);
    const WideDoubles trial = load_wide(all_.trial.fraction[axis]);
    const WideDoubles moved = hn::Add(
        hn::Sub(trial, load_wide(all_.base.fraction[axis])), hn::PromoteTo(Wide(), hn::Sub(trial_cell, base_cell)));
    return hn::Add(trial_cell, hn::DemoteTo(WideInts(), hn::Floor(hn::Add(trial, moved))));
  };
  const WideCells cells{ ahead(0), ahead(1), ahead(2) };
  ask_for(window_, cells);
  if constexpr (kUnsteady)
  {
    ask_for(later_, cells);
  }
}

template <class Stepper>
HWY_INLINE void Batch<Stepper>::ask_for(const BrickWindow& window, const WideCells& cells)
{
  alignas(64) std::int64_t corners[kWide];
  hn::Store(corner_addresses<Scalar>(window, cells), WideAddresses(), corners);
  for (const std::int64_t address : corners)
  {
    const auto* corner = reinterpret_cast<const Scalar*>(address);
    __builtin_prefetch(corner);
    __builtin_prefetch(corner + window.upper[1]);
    __builtin_prefetch(corner + window.upper[2]);
    __builtin_prefetch(corner + window.upper[1] + window.upper[2]);
  }
}

#endif

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
