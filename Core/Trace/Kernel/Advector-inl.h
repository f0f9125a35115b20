// SPDX-License-Identifier: BSD-3-Clause
// Steps for as many particles at once as there are lanes, in one brick. With one lane it is the step of a single
// particle. The operations of a lane do not depend on the number of lanes, so that a particle may change from one width
// to another at any sample. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_ADVECTOR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_ADVECTOR_INL_H
#undef RIVULET_ADVECTOR_INL_H
#else
#define RIVULET_ADVECTOR_INL_H
#endif

#include "Trace/Kernel/Kernel.h"
#include "Trace/Kernel/RecordPath-inl.h"
#include "Trace/Kernel/VelocityGradient-inl.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Scalar: type of the velocity in memory. Unsteady: whether the field changes with time. Lanes: largest number of
/// lanes. MeshOf: the policy of a mesh.
///
/// This policy owns all that depends on the meaning of a position. It has
///   Call, Cell, Positions               the call it is made of; one position; the positions of all lanes
///   get(positions, lane)                one of them
///   slope_of(velocity)                  the velocity in the unit of slopes
///   move(lanes, from, by, at_end, to)   positions at a displacement (in that unit); other lanes of `to`
///                                       need not stay as they are
///   length_of(slope)                    its length in world units
///   world_of(lanes, at, world)          world positions in single precision
///   world(cell), way_point(cell)        one world position, before it is rounded to single precision
///   jacobian(lanes, at, m)              row-major: index displacement per world displacement
///   doubtful(at, lanes)                 lanes that may be outside of the window, for which ask
///   settle(cell), in_window(cell)       whether it is in the domain, and then in this brick; the first may move it
///   hidden(cell)                        whether its cell is hidden at the steps of the window
///   same(a, b)                          whether positions are the same place
///   displaced(), cells_along(), cells_between()                     for the ways of single particles
///   cell(position), position(cell)      from and to what others keep of a position
///   kMoves, set_moments(lanes, shares, at), set_moment(lane, share, at), set_share(share, cell)
///                                       whether the cell of a place depends on the time, and then the times of
///                                       positions, as shares of the interval
///   kWalks, unsettled(cell)             whether a particle may come with a position whose cell is not known
///   kWaysAtHand                         whether all cells of a straight way can be had:
///   straight_way(from, by, share_when)  where it leaves the domain. `share_when(part)`: the share of the interval that
///   has
///                                       gone at the end of a part of it
///   kCellsAlike, cell_length(), equal_sides(), crossing()           for the lengths of steps
///   cell_lengths(lanes, at)             cell_length() of all lanes; may be left out
///   sample_now(), sample_later(), sample_at(), prefetch()           values
template <class Scalar, template <class, class> class MeshOf, bool Unsteady, std::size_t Lanes>
class Advector
{
public:
  using W = Width<Lanes>;
  using Mesh = MeshOf<W, Scalar>;
  using Call = typename Mesh::Call;
  static constexpr std::size_t kLanes = W::kLanes;

  explicit Advector(const Call& on)
    : context_(on.call.context)
    , options_(on.call.context.options())
    , origin_(Unsteady ? on.call.window.origin : 0.0)
    , times_{ on.call.window.times[0] - origin_, on.call.window.times[1] - origin_ }
    , cubic_(Unsteady && on.call.window.is_cubic() ? &on.call.window.cubic : nullptr)
    , tableau_(on.call.context.tableau())
    , taken_(on.call.taken)
    , hidden_in_time_(Unsteady && on.call.context.mesh().hidden_in_time())
    , mesh_(on)
    , crosses_cells_(options_.step_unit == StepUnit::CellCrossing && !mesh_.equal_sides())
    , path_(on.call, mesh_)
    , crossings_(on.call.crossings)
  {
    if constexpr (Mesh::kCellsAlike)
    {
      const auto length = [&](double step)
      {
        return context_.to_length(step, [&] { return mesh_.cell_length(Cell{}); });
      };
      initial_step_ = length(options_.initial_step);
      bounds_ = { length(options_.minimum_step), length(options_.maximum_step) };
    }
    all_ = ParticleLanes<W, Mesh>{};
  }

  [[nodiscard]] bool full() const { return busy_ == W::kAll; }
  [[nodiscard]] int count() const { return std::popcount(busy_); }
  /// Whether there is room for the results of one try_step.
  [[nodiscard]] bool make_room()
  {
    return path_.make_room(kLanes) && (crossings_ == nullptr || crossings_->make_room(kLanes));
  }

  /// Takes a particle whose next sample is in the brick, at any stage.
  void enter(Particle& particle);

  /// The rest of one try of one step for every particle. Particles that leave are added to `done`, with their event.
  void try_step(std::vector<Particle*>& done);

  /// Gives all particles back: particles whose next sample is in the brick to `to`, leaving particles to `done`.
  void flush(std::vector<Particle*>& to, std::vector<Particle*>& done);

private:
  using Vector = typename W::Vector;
  using Cell = typename Mesh::Cell;
  using StraightWay = typename Mesh::StraightWay;
  /// Share of a length from which it counts as reached. Lengths are sums of steps of which the last was cut to fit, so
  /// they are equal up to rounding.
  static constexpr double kThere = 1.0 - 1e-14;

  /// Whether a step from the time of the next sample leads beyond these two time steps.
  [[nodiscard]] bool at_border_of_times(std::size_t lane) const
  {
    const double time = all_.trial_time[lane];
    return time != stop_time(lane) && time == times_[all_.sign[lane] > 0.0 ? 1 : 0];
  }
  [[nodiscard]] double stop_time(std::size_t lane) const { return all_.particle[lane]->stop_time - origin_; }
  void leave(std::size_t lane, int stage, Event event, std::vector<Particle*>& done);
  void end(std::size_t lane, int stage, Termination reason, std::vector<Particle*>& done)
  {
    all_.particle[lane]->reason = reason;
    leave(lane, stage, Event::Ended, done);
  }
  /// Rare, and hence not a part of the try_step's code.
  HWY_NOINLINE void end_all(LaneBits lanes, Termination reason, std::vector<Particle*>& done)
  {
    for_each_lane(lanes, [&](std::size_t lane) { end(lane, 0, reason, done); });
  }

  template <bool kGradient>
  [[nodiscard]] HWY_INLINE Triple<W> sample(LaneBits lanes, int stage, Gradient<W>& gradient) const;
  template <bool kGradient>
  [[nodiscard]] HWY_NOINLINE Triple<W> sample_cubic(LaneBits lanes, int stage, Gradient<W>& gradient) const;
  static HWY_INLINE void leave_out(Vector share, Triple<W>& now, Triple<W>& later);
  HWY_INLINE Vector share_of_interval(int stage) const
  {
    return (sample_times(stage) - W::set(times_[0])) / W::set(times_[1] - times_[0]);
  }
  HWY_INLINE Vector sample_times(int stage) const;
  [[nodiscard]] double share_at(double time) const { return (time - times_[0]) / (times_[1] - times_[0]); }
  void load_trial(std::size_t lane);
  HWY_INLINE Triple<W> slope_of(const Triple<W>& velocity, Vector speed) const;
  HWY_INLINE Triple<W> combine(const double* weights, int count) const;
  HWY_INLINE void aim(LaneBits lanes, const double* weights, int count);
  HWY_NOINLINE void end_in_hidden_cells(LaneBits arrived, std::vector<Particle*>& done);
  HWY_INLINE void keep_inside(LaneBits lanes, int stage, std::vector<Particle*>& done);
  HWY_INLINE void settle_at_border(std::vector<Particle*>& done);
  /// Whether the cell of a position is not known yet. Such a particle stays in its interval: if the place turns out to
  /// be outside, it tries shorter steps, which lie there.
  [[nodiscard]] static bool is_under_way(const Cell& at)
  {
    if constexpr (Mesh::kWalks)
    {
      return Mesh::unsettled(at);
    }
    return false;
  }
  void settle_those_that_came(std::vector<Particle*>& done);
  [[nodiscard]] bool halve_step(std::size_t lane, const Cell& outside);
  [[nodiscard]] bool leave_along_tangent(std::size_t lane, const Cell& outside);
  [[nodiscard]] bool stay_inside(std::size_t lane, const Cell& outside);
  /// The share of the interval that has gone when a step of the lane has: that of the time which set_arrival_times()
  /// sets.
  [[nodiscard]] double share_after(std::size_t lane, double step) const
  {
    if (!Unsteady)
    {
      return 0.0;
    }
    const double reached = all_.time[lane] + all_.sign[lane] * step;
    const double limit = all_.barrier[lane];
    return share_at(std::fabs(limit - reached) <= kSameTime * (times_[1] - times_[0]) ? limit : reached);
  }
  [[nodiscard]] bool bend_out(std::size_t lane, const Vec3& by, const StraightWay& inside);
  [[nodiscard]] bool go_straight_out(std::size_t lane, const StraightWay& way);
  void cross_on_straight_way(std::size_t lane, StraightWay& way);
  HWY_INLINE void drop_not_finite(Vector size, LaneBits lanes, int stage, std::vector<Particle*>& done);

  /// Mean speed of the last step, which ended at `speed`.
  HWY_INLINE Vector mean_speed(Vector speed) const { return (W::load(all_.speed) + speed) / W::set(2.0); }
  HWY_INLINE void arrive(LaneBits arriving, std::vector<Particle*>& done);
  HWY_INLINE void take_slope(LaneBits lanes, int stage, std::vector<Particle*>& done);
  HWY_INLINE void finish(std::vector<Particle*>& done);
  HWY_INLINE void set_arrival_times(LaneBits lanes);
  HWY_INLINE void move_to_new_points(LaneBits arriving, Vector speed);
  HWY_INLINE void end_lines(LaneBits arriving, std::vector<Particle*>& done);
  HWY_INLINE Triple<W> measure_steps(LaneBits lanes) const;
  HWY_INLINE void choose_steps(LaneBits arriving);
  HWY_INLINE LaneBits judge_steps(LaneBits lanes);
  LaneBits find_crossings(LaneBits taken);
  bool search_crossing(std::size_t lane, const Cell& at);
  bool cut_at_corner(std::size_t lane);
  void log_crossings(LaneBits arriving, std::vector<Particle*>& done);
  /// Converts a step in the options' unit to the quantity of steps: time in unsteady flow, else length.
  [[nodiscard]] double measure(double step, std::size_t lane) const
  {
    const Cell at = mesh_.get(all_.base, lane);
    if (crosses_cells_)
    {
      const Vec3 slope{ all_.slopes[0][0][lane], all_.slopes[0][1][lane], all_.slopes[0][2][lane] };
      if (const std::optional<double> crossing = mesh_.crossing(step, at, slope))
      {
        return *crossing;
      }
    }
    const auto cell_length = [&]
    {
      return mesh_.cell_length(at);
    };
    return Unsteady ? context_.to_time(step, cell_length, all_.speed[lane]) : context_.to_length(step, cell_length);
  }

  const AdvectionContext& context_;
  const TraceOptions& options_;
  double origin_;             ///< time from which times in here count; unsteady
  double times_[2];           ///< unsteady
  const CubicWeights* cubic_; ///< unsteady: the weights if velocities are cubic in time; nullptr: they are linear
  const Tableau& tableau_;
  std::int64_t& taken_;
  bool hidden_in_time_; ///< cells of the steps of this window, and others in the next one
  Mesh mesh_;
  bool crosses_cells_; ///< whether steps are measured in cells whose sides are not equal
  RecordPath<W, Mesh, Unsteady> path_;
  CrossingLog* crossings_;    ///< nullptr: no surfaces
  double initial_step_ = 0.0; ///< where all cells are alike, as the next one
  StepBounds bounds_;
  ParticleLanes<W, Mesh> all_;
  LaneBits busy_ = 0;     ///< lanes with a particle
  LaneBits arriving_ = 0; ///< lanes whose next sample is at a new point
  LaneBits rejected_ = 0; ///< lanes that try a step again and have no trial position yet
  LaneBits
      mid_step_[kMaxSlopes] = {}; ///< lanes that entered in the middle of a step, and join the others at this stage
  LaneBits started_ = 0;          ///< lanes with an earlier point
  LaneBits final_ = 0;            ///< lanes whose step is taken for any error
  LaneBits searching_ = 0;        ///< lanes that search a crossing within their step
  LaneBits shortened_ = 0;        ///< lanes that try a shorter step, because the one tried left the domain
  LaneBits at_border_ = 0;        ///< lanes whose trial is where they leave the domain, or cross a surface before
  Cell border_[kLanes];           ///< where these are then: aim() changes the trials of all lanes
  LaneBits leaving_ = 0;          ///< lanes that end at their next point, where they leave the domain
  LaneBits unsettled_ = 0;        ///< lanes that came with a position whose cell is not known
  LaneBits slow_ = 0;             ///< unsteady: arriving lanes that were too slow for a whole step
};

#define RIVULET_ADVECTOR template <class Scalar, template <class, class> class MeshOf, bool Unsteady, std::size_t Lanes>
#define RIVULET_ADVECTOR_OF Advector<Scalar, MeshOf, Unsteady, Lanes>

RIVULET_ADVECTOR void RIVULET_ADVECTOR_OF::enter(Particle& particle)
{
  const auto lane = static_cast<std::size_t>(std::countr_one(busy_));
  const LaneBits bit = LaneBits{ 1 } << lane;
  busy_ |= bit;
  started_ = particle.started ? started_ | bit : started_ & ~bit;
  final_ = particle.final_trial ? final_ | bit : final_ & ~bit;
  searching_ = particle.search.active() ? searching_ | bit : searching_ & ~bit;
  leaving_ = particle.leaves ? leaving_ | bit : leaving_ & ~bit;
  all_.load_state(lane, particle, origin_);
  if constexpr (Unsteady && Mesh::kMoves)
  {
    Mesh::set_moment(lane, share_at(all_.time[lane]), all_.base);
  }
  path_.take(lane, particle);
  if (particle.stage == 0)
  {
    arriving_ |= bit;
    load_trial(lane);
  }
  else
  {
    mid_step_[particle.stage] |= bit;
  }
  if constexpr (Mesh::kWalks)
  {
    unsettled_ = is_under_way(Mesh::cell(particle.trial)) ? unsettled_ | bit : unsettled_ & ~bit;
  }
  if constexpr (Unsteady)
  {
    all_.barrier[lane] =
        particle.sign > 0.0 ? std::min(stop_time(lane), times_[1]) : std::max(stop_time(lane), times_[0]);
  }
}

/// Takes the next sample position of the lane's particle, with the slopes before it and its moment.
RIVULET_ADVECTOR void RIVULET_ADVECTOR_OF::load_trial(std::size_t lane)
{
  all_.load_trial(lane);
  if constexpr (Unsteady && Mesh::kMoves)
  {
    // as sample_times()
    const int stage = all_.particle[lane]->stage;
    const double step = all_.sign[lane] * all_.step[lane];
    const double time = stage == 0 ? all_.trial_time[lane] : std::fma(step, tableau_.node[stage], all_.time[lane]);
    Mesh::set_moment(lane, share_at(time), all_.trial);
  }
}

RIVULET_ADVECTOR void RIVULET_ADVECTOR_OF::leave(std::size_t lane, int stage, Event event, std::vector<Particle*>& done)
{
  const LaneBits bit = LaneBits{ 1 } << lane;
  Particle& particle = all_.store_state(lane, stage, mesh_, origin_);
  path_.give(lane, particle);
  particle.started = (started_ & bit) != 0;
  particle.final_trial = (final_ & bit) != 0;
  particle.leaves = (leaving_ & bit) != 0;
  particle.event = event;
  busy_ &= ~bit;
  done.push_back(&particle);
}

RIVULET_ADVECTOR void RIVULET_ADVECTOR_OF::flush(std::vector<Particle*>& to, std::vector<Particle*>& done)
{
  for (int stage = 1; stage < kMaxSlopes; ++stage)
  {
    for_each_lane(std::exchange(mid_step_[stage], 0),
        [&](std::size_t lane)
        {
          load_trial(lane);
          leave(lane, stage, Event::NeedsBrick, to);
        });
  }
  for_each_lane(std::exchange(arriving_, 0), [&](std::size_t lane) { leave(lane, 0, Event::NeedsBrick, to); });
  for (LaneBits trying = std::exchange(rejected_, 0); trying != 0; trying = std::exchange(shortened_, 0))
  {
    aim(trying, tableau_.at[1], 1);
    keep_inside(trying, 1, done);
    const LaneBits still = trying & busy_ & ~(shortened_ | at_border_);
    for_each_lane(still, [&](std::size_t lane) { leave(lane, 1, Event::NeedsBrick, to); });
  }
  settle_at_border(done);
  for_each_lane(std::exchange(arriving_, 0), [&](std::size_t lane) { leave(lane, 0, Event::NeedsBrick, to); });
}

/// Particles that leave the domain at their next points arrive there.
RIVULET_ADVECTOR HWY_INLINE void RIVULET_ADVECTOR_OF::settle_at_border(std::vector<Particle*>& done)
{
  if (HWY_UNLIKELY(at_border_ != 0))
  {
    const LaneBits lanes = std::exchange(at_border_, 0);
    for_each_lane(lanes, [&](std::size_t lane) { all_.trial.set(lane, border_[lane]); });
    keep_inside(lanes, 0, done);
    arriving_ |= lanes & busy_;
  }
}

/// The brick that these waited for may have their cells. Others go on to another one, or are outside.
RIVULET_ADVECTOR void RIVULET_ADVECTOR_OF::settle_those_that_came(std::vector<Particle*>& done)
{
  for_each_lane(std::exchange(unsettled_, 0),
      [&](std::size_t lane)
      {
        const LaneBits bit = LaneBits{ 1 } << lane;
        LaneBits& waiting = (arriving_ & bit) != 0 ? arriving_ : mid_step_[all_.particle[lane]->stage];
        load_trial(lane);
        waiting &= ~bit;
        keep_inside(bit, all_.particle[lane]->stage, done);
        rejected_ |= std::exchange(shortened_, 0);
        if ((busy_ & bit) != 0 && (rejected_ & bit) == 0)
        {
          all_.particle[lane]->trial = Mesh::position(mesh_.get(all_.trial, lane));
          waiting |= bit;
        }
      });
}

RIVULET_ADVECTOR void RIVULET_ADVECTOR_OF::try_step(std::vector<Particle*>& done)
{
  if constexpr (Mesh::kWalks)
  {
    settle_those_that_came(done);
  }
  LaneBits going = arriving_ | std::exchange(rejected_, 0);
  if (arriving_ != 0)
  {
    arrive(std::exchange(arriving_, 0), done);
  }
  for (int stage = 1; stage < tableau_.slopes; ++stage)
  {
    going &= busy_;
    aim(going, tableau_.at[stage], stage);
    keep_inside(going, stage, done);
    going &= busy_ & ~(shortened_ | at_border_);
    if (mid_step_[stage] != 0)
    {
      for_each_lane(mid_step_[stage], [&](std::size_t lane) { load_trial(lane); });
      going |= std::exchange(mid_step_[stage], 0);
    }
    take_slope(going, stage, done);
  }
  if (busy_ != 0)
  {
    finish(done);
  }
}

/// Slope of a velocity: in steady flow the unit vector; zero stays zero.
RIVULET_ADVECTOR HWY_INLINE auto RIVULET_ADVECTOR_OF::slope_of(const Triple<W>& velocity, Vector speed) const
    -> Triple<W>
{
  if constexpr (Unsteady)
  {
    return mesh_.slope_of(velocity);
  }
  else
  {
    const Vector by = W::select(W::equal(speed, W::set(0.0)), W::set(1.0), speed);
    return mesh_.slope_of({ velocity.x / by, velocity.y / by, velocity.z / by });
  }
}

/// sum_j weights[j] * slopes[j] over the first `count`.
RIVULET_ADVECTOR HWY_INLINE auto RIVULET_ADVECTOR_OF::combine(const double* weights, int count) const -> Triple<W>
{
  Triple<W> sum = scale(W::set(weights[0]), Triple<W>::load(all_.slopes[0]));
  for (int j = 1; j < count; ++j)
  {
    if (weights[j] != 0.0) // a zero adds nothing
    {
      sum = scale_add(W::set(weights[j]), Triple<W>::load(all_.slopes[j]), sum);
    }
  }
  return sum;
}

/// Sets the trial positions from the known slopes. At the ends of steps their times have to be set before.
RIVULET_ADVECTOR HWY_INLINE void RIVULET_ADVECTOR_OF::aim(LaneBits lanes, const double* weights, int count)
{
  if constexpr (Unsteady && Mesh::kMoves)
  {
    mesh_.set_moments(lanes, share_of_interval(weights == tableau_.end ? 0 : count), all_.trial);
  }
  const Vector length = W::load(all_.sign) * W::load(all_.step);
  mesh_.move(lanes, all_.base, scale(length, combine(weights, count)), weights == tableau_.end, all_.trial);
}

/// Removes particles whose next sample lies in another brick, and ends particles that left the grid.
RIVULET_ADVECTOR HWY_INLINE void RIVULET_ADVECTOR_OF::keep_inside(
    LaneBits lanes, int stage, std::vector<Particle*>& done)
{
  for_each_lane(mesh_.doubtful(all_.trial, lanes),
      [&](std::size_t lane)
      {
        Cell at = mesh_.get(all_.trial, lane);
        if (!mesh_.settle(at))
        {
          if (!options_.exact_ends || !stay_inside(lane, at))
          {
            end(lane, stage, Termination::OutOfDomain, done);
          }
          else if constexpr (Mesh::kWalks)
          {
            all_.trial.set(lane, mesh_.get(all_.base, lane)); // where the search of the shorter step begins
          }
          return;
        }
        all_.trial.set(lane, at);
        const bool ends_interval = Unsteady && stage == 0 && !is_under_way(at) && at_border_of_times(lane);
        if (!mesh_.in_window(at) && !ends_interval)
        {
          leave(lane, stage, Event::NeedsBrick, done);
        }
      });
  if (Unsteady && stage == 0)
  {
    const LaneBits there = W::bits(W::equal(W::load(all_.trial_time), W::load(all_.barrier)));
    for_each_lane(lanes & busy_ & there & ~(shortened_ | at_border_),
        [&](std::size_t lane)
        {
          if (at_border_of_times(lane))
          {
            all_.particle[lane]->interval += all_.sign[lane] > 0.0 ? 1 : -1;
            leave(lane, stage, Event::NeedsBrick, done);
          }
        });
  }
}

/// `size`: of velocities, the speed or its square.
RIVULET_ADVECTOR HWY_INLINE void RIVULET_ADVECTOR_OF::drop_not_finite(
    Vector size, LaneBits lanes, int stage, std::vector<Particle*>& done)
{
  const LaneBits finite = W::bits(W::less(size, W::set(std::numeric_limits<double>::infinity())));
  for_each_lane(lanes & ~finite, [&](std::size_t lane) { leave(lane, stage, Event::NotFinite, done); });
}

/// Handles the velocity at the points where particles arrived: the points are recorded, and the next steps begin.
RIVULET_ADVECTOR HWY_INLINE void RIVULET_ADVECTOR_OF::arrive(LaneBits arriving, std::vector<Particle*>& done)
{
  Gradient<W> gradient;
  const Triple<W> velocity =
      path_.wants_gradient() ? sample<true>(arriving, 0, gradient) : sample<false>(arriving, 0, gradient);
  const Vector speed = length_of(velocity);
  drop_not_finite(speed, arriving, 0, done);
  arriving &= busy_;

  if constexpr (!Unsteady)
  {
    const LaneBits slow = W::bits(W::less_or_equal(mean_speed(speed), W::set(options_.terminal_speed)));
    for_each_lane(arriving & started_ & slow, [&](std::size_t lane) { end(lane, 0, Termination::Stagnation, done); });
    arriving &= busy_;
  }
  else
  {
    // Slow at both ends of a step: a speed that passes through zero is no end. A step of no length repeats a point.
    const Vector least = W::set(options_.terminal_speed);
    const LaneBits moved = W::bits(W::less(W::set(0.0), W::load(all_.step)));
    slow_ = started_ & moved & W::bits(W::less(speed, least)) & W::bits(W::less(W::load(all_.speed), least));
  }

  move_to_new_points(arriving, speed);
  slope_of(velocity, speed).store_some(arriving, all_.slopes[0]);
  path_.arrived({ arriving, started_, all_, velocity, gradient });
  if (crossings_ != nullptr)
  {
    log_crossings(arriving, done);
  }
  started_ |= arriving;
  end_lines(arriving, done);
  if (HWY_UNLIKELY(hidden_in_time_))
  {
    end_in_hidden_cells(arriving & busy_, done);
  }
  choose_steps(arriving & busy_);
}

/// Ends particles that came to the beginning of this interval in a cell that is hidden within it.
RIVULET_ADVECTOR HWY_NOINLINE void RIVULET_ADVECTOR_OF::end_in_hidden_cells(
    LaneBits arrived, std::vector<Particle*>& done)
{
  for_each_lane(arrived,
      [&](std::size_t lane)
      {
        if (mesh_.hidden(mesh_.get(all_.base, lane)))
        {
          end(lane, 0, Termination::OutOfDomain, done);
        }
      });
}

/// Moves particles to their new points and updates time, length and number of steps.
RIVULET_ADVECTOR HWY_INLINE void RIVULET_ADVECTOR_OF::move_to_new_points(LaneBits arriving, Vector speed)
{
  const LaneBits stepped = arriving & started_;
  const Vector step = W::load(all_.step);
  if constexpr (Unsteady)
  {
    const Vector gone = mean_speed(speed) * step;
    W::store_some(arriving, W::load(all_.trial_time), all_.time);
    W::store_some(stepped, W::load(all_.length) + gone, all_.length);
  }
  else
  {
    const Vector duration = W::load(all_.sign) * step / W::load(all_.speed);
    W::store_some(stepped, W::load(all_.time) + duration, all_.time);
    W::store_some(stepped, W::load(all_.length) + step, all_.length);
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane)
  {
    all_.steps[lane] += stepped >> lane & 1;
  }
  taken_ += std::popcount(stepped);

  W::store_some(arriving, speed, all_.speed);
  all_.base.take(arriving, all_.trial);
}

RIVULET_ADVECTOR HWY_INLINE void RIVULET_ADVECTOR_OF::take_slope(
    LaneBits lanes, int stage, std::vector<Particle*>& done)
{
  Gradient<W> none;
  const Triple<W> velocity = sample<false>(lanes, stage, none);
  const Vector size = Unsteady ? dot(velocity, velocity) : length_of(velocity); // unsteady slopes need no speed
  drop_not_finite(size, lanes, stage, done);
  slope_of(velocity, size).store(all_.slopes[stage]); // late lanes bring their own when they join
}

/// With all slopes known: judges the steps, and sets the trial positions at the ends of accepted ones.
RIVULET_ADVECTOR HWY_INLINE void RIVULET_ADVECTOR_OF::finish(std::vector<Particle*>& done)
{
  const LaneBits tried = busy_ & ~(shortened_ | at_border_);
  rejected_ = judge_steps(tried);
  LaneBits taken = tried & ~rejected_;
  if constexpr (Unsteady)
  {
    set_arrival_times(taken);
  }
  aim(taken, tableau_.end, tableau_.slopes);
  if (crossings_ != nullptr)
  {
    rejected_ |= find_crossings(taken);
    taken &= ~rejected_;
  }
  if constexpr (!Unsteady)
  {
    // All later steps would do the same.
    for_each_lane(taken & mesh_.same(all_.trial, all_.base),
        [&](std::size_t lane) { end(lane, 0, Termination::Stagnation, done); });
  }
  mesh_.prefetch(
      all_.base, all_.trial, Unsteady, cubic_); // needed one try_step later, after about the latency of memory
  keep_inside(taken & busy_, 0, done);
  arriving_ = taken & busy_ & ~(shortened_ | at_border_);
  settle_at_border(done);
  rejected_ |= std::exchange(shortened_, 0);
}

/// Sets the end times of steps: exactly the barrier if they are equal to it up to rounding.
RIVULET_ADVECTOR HWY_INLINE void RIVULET_ADVECTOR_OF::set_arrival_times(LaneBits lanes)
{
  const Vector limit = W::load(all_.barrier);
  const Vector reached = W::load(all_.time) + W::load(all_.sign) * W::load(all_.step);
  const auto there = W::less_or_equal(W::abs(limit - reached), W::set(kSameTime * (times_[1] - times_[0])));
  W::store_some(lanes, W::select(there, limit, reached), all_.trial_time);
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
