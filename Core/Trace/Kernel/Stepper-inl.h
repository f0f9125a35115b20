// SPDX-License-Identifier: BSD-3-Clause
// The step of one particle, x, y and z in the lanes. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_STEPPER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_STEPPER_INL_H
#undef RIVULET_STEPPER_INL_H
#else
#define RIVULET_STEPPER_INL_H
#endif

#include "Trace/Kernel/Kernel.h"
#include "Trace/Kernel/Lanes-inl.h"
#include "Trace/Kernel/Sampling-inl.h"

#include <cmath>
#include <cstring>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Feeds samples to particles. Scalar is the field's type; Uniform says whether the grid is; Unsteady whether the field
/// changes with time.
template <class Scalar, bool Uniform, bool Unsteady>
class Stepper
{
public:
  using Value = Scalar;
  static constexpr bool kUniform = Uniform;
  static constexpr bool kUnsteady = Unsteady;
  /// Lengths are sums of steps whose last one was cut to fit: equal up to rounding means there.
  static constexpr double kThere = 1.0 - 1e-14;

  Stepper(const AdvectionContext& context, const FieldWindow& window, LineStore& lines, std::int64_t& taken)
    : context_(context)
    , window_(window.now)
    , later_(window.later)
    , times_{ window.times[0], window.times[1] }
    , lines_(lines)
    , taken_(taken)
    , tableau_(context.tableau())
    , cell_centred_(context.velocity().centering == Centering::Cell)
    , contiguous_(packed(window.now) && (!Unsteady || packed(window.later)))
    , flat_(context.mesh().has_flat_axes())
  {
    if constexpr (Uniform)
    {
      const Mat3 m = context.mesh().index_from_world({ 0, 0, 0, 0 });
      for (int i = 0; i < 3; ++i)
      {
        columns_[i] = make4(
            m[static_cast<std::size_t>(i)], m[static_cast<std::size_t>(3 + i)], m[static_cast<std::size_t>(6 + i)]);
      }
      diagonal_ = make4(m[0], m[4], m[8]);
      aligned_ = context.mesh().axis_aligned();
    }
  }

  /// The velocity where the particle asks for it, and when.
  HWY_INLINE Lanes4 sample(const Particle& particle) const
  {
    const Lanes4 now = sample_in(window_, particle.trial);
    if constexpr (Unsteady)
    {
      return mix(now, sample_in(later_, particle.trial), broadcast(share_of_later(sample_time(particle))));
    }
    return now;
  }

  /// Velocity to slope: in steady flow the unit vector (zero stays zero). In index units on uniform grids.
  HWY_INLINE Lanes4 slope_of(const Lanes4& velocity, double speed) const
  {
    Lanes4 slope = velocity;
    if constexpr (!Unsteady)
    {
      slope = divide(velocity, broadcast(speed == 0.0 ? 1.0 : speed));
    }
    if constexpr (Uniform)
    {
      slope = aligned_ ? multiply(diagonal_, slope) : transform(columns_, slope);
    }
    return slope;
  }

  /// Feeds one sample. True while the next one is in this brick, too; else the particle's event says what is up.
  HWY_INLINE bool feed(Particle& particle, const Lanes4& velocity, double speed, const Lanes4& slope)
  {
    if (!(speed < std::numeric_limits<double>::infinity()))
    {
      particle.event = Event::NotFinite;
      return false;
    }
    if (particle.stage == 0 && !arrive(particle, velocity, speed))
    {
      return false;
    }
    store4(particle.slopes[particle.stage], slope);
    if (++particle.stage == tableau_.slopes)
    {
      finish_step(particle);
    }
    return aim(particle);
  }

  /// Asks the processor for the values of the particle's next sample.
  HWY_INLINE void prefetch(const Particle& particle) const
  {
    prefetch_in(window_, particle.trial);
    if constexpr (Unsteady)
    {
      prefetch_in(later_, particle.trial);
    }
  }

  /// Whether the next sample is in this brick, and between its time levels; ends particles that left the grid.
  HWY_INLINE bool inside(Particle& particle)
  {
    if (!in_window(particle.trial) || context_.has_hidden_cells())
    {
      if (!settle(context_, particle.trial))
      {
        return end(particle, Termination::OutOfDomain);
      }
      particle.event = Event::NeedsBrick;
    }
    if (Unsteady && particle.stage == 0 && between_others(particle.sign, particle.trial_time, particle.stop_time))
    {
      particle.level += particle.sign > 0.0 ? 1 : -1;
      particle.event = Event::NeedsBrick;
      return false;
    }
    return in_window(particle.trial);
  }

  /// Whether what comes after the time given lies beyond these time levels.
  [[nodiscard]] HWY_INLINE bool between_others(double sign, double time, double stop) const
  {
    return time != stop && time == (sign > 0.0 ? times_[1] : times_[0]);
  }

  /// The time a step may not reach over.
  [[nodiscard]] HWY_INLINE double barrier(double sign, double stop) const
  {
    return sign > 0.0 ? std::min(stop, times_[1]) : std::max(stop, times_[0]);
  }

  /// Where a step that begins at `time` ends: at the barrier if it is as good as there.
  [[nodiscard]] HWY_INLINE double arrival(double time, double forward, double limit) const
  {
    const double reached = time + forward;
    return std::fabs(limit - reached) <= kSameTime * (times_[1] - times_[0]) ? limit : reached;
  }

  [[nodiscard]] static bool packed(const BrickWindow& window) { return window.stride[0] == 3 && window.upper[0] == 3; }

  [[nodiscard]] HWY_INLINE bool in_window(const CellPosition& at) const
  {
    const Box& box = window_.cells;
    return at.cell[0] >= box.begin[0] && at.cell[0] < box.end[0] && at.cell[1] >= box.begin[1] &&
           at.cell[1] < box.end[1] && at.cell[2] >= box.begin[2] && at.cell[2] < box.end[2] &&
           (!flat_ || context_.mesh().on_plane(at));
  }

private:
  /// Adds the particle's base, where the velocity is `components`, to its line, unless (in steady flow) it is the same
  /// as the last one in single precision.
  void record(Particle& particle, const std::array<float, 3>& point, const double* components)
  {
    if (!Unsteady && particle.started && point == particle.recorded_point)
    {
      return;
    }
    std::byte* row = lines_.append(particle.chain);
    const RecordLayout& layout = lines_.layout();
    write_record(layout, particle.time, point.data(), components, row);
    if (layout.cell_position >= 0)
    {
      CellPosition at = particle.base;
      at.cell[3] = context_.level();
      std::memcpy(row + layout.cell_position, &at, sizeof(at));
    }
    if (layout.rotation >= 0)
    {
      record_rotation(particle, components, row + layout.rotation);
    }
    particle.recorded_point = point;
    particle.recorded_time = particle.time;
  }

  HWY_INLINE static const Scalar* lower_corner(const BrickWindow& window, const CellPosition& at)
  {
    return static_cast<const Scalar*>(window.corner) + at.cell[0] * window.stride[0] + at.cell[1] * window.stride[1] +
           at.cell[2] * window.stride[2];
  }

  HWY_INLINE Lanes4 sample_in(const BrickWindow& window, const CellPosition& at) const
  {
    const Scalar* low = lower_corner(window, at);
    if (cell_centred_)
    {
      return load3(low);
    }
    const CellRows<Scalar> rows{ low, window.upper };
    return contiguous_ ? trilinear<true>(rows, at.fraction.data()) : trilinear<false>(rows, at.fraction.data());
  }

  HWY_INLINE static void prefetch_in(const BrickWindow& window, const CellPosition& at)
  {
    const Scalar* low = lower_corner(window, at);
    __builtin_prefetch(low);
    __builtin_prefetch(low + window.upper[1]);
    __builtin_prefetch(low + window.upper[2]);
    __builtin_prefetch(low + window.upper[1] + window.upper[2]);
  }

  /// The time of the particle's next sample.
  HWY_INLINE double sample_time(const Particle& particle) const
  {
    return particle.stage == 0 ? particle.trial_time
                               : std::fma(particle.sign * particle.step, tableau_.node[particle.stage], particle.time);
  }

  /// 0 at the lower time level, 1 at the upper one.
  HWY_INLINE double share_of_later(double time) const { return (time - times_[0]) / (times_[1] - times_[0]); }

  /// sum_j weights[j] * slopes[j] over the slopes known.
  HWY_INLINE Lanes4 combine(const Particle& particle, const double* weights, int count) const
  {
    Lanes4 sum = multiply(broadcast(weights[0]), load4(particle.slopes[0]));
    for (int j = 1; j < count; ++j)
    {
      if (weights[j] != 0.0) // a zero would add nothing
      {
        sum = multiply_add(broadcast(weights[j]), load4(particle.slopes[j]), sum);
      }
    }
    return sum;
  }

  /// Sets the position of the next sample from the slopes known. False if the particle must leave the brick.
  HWY_INLINE bool aim(Particle& particle)
  {
    const bool at_end = particle.stage == tableau_.slopes;
    const Lanes4 sum = combine(
        particle, at_end ? tableau_.end : tableau_.at[particle.stage], at_end ? tableau_.slopes : particle.stage);
    const Lanes4 displacement = multiply(broadcast(particle.sign * particle.step), sum);
    if constexpr (Uniform)
    {
      const Lanes4 moved = clamp(add(load4(particle.base.fraction.data()), displacement), StructuredMesh::kFarAway);
      const Lanes4 whole = round_down(moved);
      store4(particle.trial.fraction.data(), subtract(moved, whole));
      add_whole(whole, particle.base.cell.data(), particle.trial.cell.data());
    }
    else
    {
      std::array<double, 4> world;
      store4(world.data(), displacement);
      const StructuredMesh& mesh = context_.mesh();
      particle.trial = at_end ? mesh.end_of_step(particle.base, world) : mesh.moved(particle.base, world);
    }
    if (at_end)
    {
      particle.stage = 0;
      if constexpr (Unsteady)
      {
        particle.trial_time =
            arrival(particle.time, particle.sign * particle.step, barrier(particle.sign, particle.stop_time));
      }
      else if (same_position(particle.trial, particle.base))
      {
        return end(particle, Termination::Stagnation); // all other steps would be this one
      }
    }
    return inside(particle);
  }

  /// All slopes are known: take the step, or try a shorter one. The end is aimed at by the caller.
  HWY_INLINE void finish_step(Particle& particle)
  {
    if (tableau_.adaptive && !particle.final_trial)
    {
      const double error = particle.step * world_length(combine(particle, tableau_.error, tableau_.slopes));
      const StepVerdict verdict = judge_step(particle.step, error, context_.options().maximum_error, particle.bounds);
      if (!verdict.accepted)
      {
        particle.step = verdict.next;
        particle.final_trial = verdict.final;
        particle.stage = 1;
        return;
      }
      particle.next_step = verdict.next;
    }
    else
    {
      particle.next_step = particle.step;
    }
  }

  HWY_INLINE double world_length(const Lanes4& slope) const
  {
    if constexpr (Uniform)
    {
      alignas(32) double index[4];
      store4(index, slope);
      const Mat3& m = context_.mesh().world_from_index();
      double square = 0.0;
      for (std::size_t row = 0; row < 9; row += 3)
      {
        const double x = m[row] * index[0] + m[row + 1] * index[1] + m[row + 2] * index[2];
        square += x * x;
      }
      return std::sqrt(square);
    }
    else
    {
      return std::sqrt(squared_length(slope));
    }
  }

  static bool end(Particle& particle, Termination reason)
  {
    particle.reason = reason;
    particle.event = Event::Ended;
    return false;
  }

  /// The sample is the velocity at a new point: record it and begin the next step.
  bool arrive(Particle& particle, const Lanes4& velocity, double speed)
  {
    const TraceOptions& options = context_.options();
    if (particle.started)
    {
      const double mean = (particle.speed + speed) / 2.0;
      if (!Unsteady && mean <= options.terminal_speed)
      {
        return end(particle, Termination::Stagnation);
      }
      particle.time = Unsteady ? particle.trial_time : particle.time + particle.sign * particle.step / particle.speed;
      particle.length += Unsteady ? mean * particle.step : particle.step;
      ++particle.steps;
      ++taken_;
    }
    else if constexpr (Unsteady)
    {
      particle.time = particle.trial_time;
    }
    particle.base = particle.trial;
    particle.speed = speed;
    const Vec3 world = context_.mesh().world(particle.base);
    alignas(32) double components[4];
    store4(components, velocity);
    record(particle, { static_cast<float>(world[0]), static_cast<float>(world[1]), static_cast<float>(world[2]) },
        components);
    return begin_step(particle);
  }

  /// Sets the step to try, or ends the line.
  bool begin_step(Particle& particle)
  {
    const TraceOptions& options = context_.options();
    const bool first = !particle.started;
    particle.started = true;
    if (Unsteady ? particle.speed < options.terminal_speed
                 : particle.speed == 0.0 || particle.speed <= options.terminal_speed)
    {
      return end(particle, Termination::Stagnation);
    }
    if (particle.length >= options.maximum_length * kThere)
    {
      return end(particle, Termination::OutOfLength);
    }
    if (particle.steps > options.maximum_steps)
    {
      return end(particle, Termination::OutOfSteps);
    }
    if constexpr (Unsteady)
    {
      return begin_step_in_time(particle, first);
    }
    const double elapsed = std::fabs(particle.time);
    if (options.maximum_time > 0.0 && elapsed >= options.maximum_time * kThere)
    {
      return end(particle, Termination::OutOfTime);
    }
    choose_step(particle, first);
    const double length_left = options.maximum_length - particle.length;
    if (particle.step > length_left)
    {
      limit_step(particle, length_left);
    }
    if (options.maximum_time > 0.0)
    {
      // Even where the step to try is short enough: error control may choose a longer one.
      limit_step(particle, (options.maximum_time - elapsed) * particle.speed);
    }
    return true;
  }

  bool begin_step_in_time(Particle& particle, bool first)
  {
    if (particle.time == particle.stop_time)
    {
      return end(particle, Termination::OutOfTime);
    }
    choose_step(particle, first);
    limit_step(particle, std::fabs(barrier(particle.sign, particle.stop_time) - particle.time));
    return true;
  }

  /// A step in the options' unit as the kind of number that steps are: time in unsteady flow, else length.
  [[nodiscard]] double measure(double step, const Particle& particle) const
  {
    const auto& cell = particle.base.cell;
    return Unsteady ? context_.to_time(step, cell, particle.speed) : context_.to_length(step, cell);
  }

  static void limit_step(Particle& particle, double room)
  {
    particle.step = std::min(particle.step, room);
    particle.bounds.maximum = std::min(particle.bounds.maximum, room);
    particle.bounds.minimum = std::min(particle.bounds.minimum, room);
  }

  void choose_step(Particle& particle, bool first)
  {
    const TraceOptions& options = context_.options();
    if (first || !tableau_.adaptive)
    {
      particle.step = measure(options.initial_step, particle);
    }
    if (tableau_.adaptive)
    {
      particle.bounds = { measure(options.minimum_step, particle), measure(options.maximum_step, particle) };
      particle.final_trial = false;
      if (!first)
      {
        particle.step = std::max(particle.bounds.minimum, std::min(particle.bounds.maximum, particle.next_step));
      }
    }
  }

  /// Vorticity, its component along the velocity, and the trapezoidal sum of that over time.
  void record_rotation(Particle& particle, const double* velocity, std::byte* row)
  {
    std::array<double, 5> values{ 0, 0, 0, 0, 0 };
    if (!cell_centred_)
    {
      const Vec3 vorticity = vorticity_at(particle.base, particle.time);
      std::copy(vorticity.begin(), vorticity.end(), values.begin());
    }
    double angular = 0.0;
    if (particle.speed != 0.0)
    {
      angular = (values[0] * velocity[0] + values[1] * velocity[1] + values[2] * velocity[2]) / particle.speed *
                context_.options().rotation_scale;
    }
    if (particle.started)
    {
      particle.rotation += (particle.angular_velocity + angular) / 2.0 * (particle.time - particle.recorded_time);
    }
    particle.angular_velocity = angular;
    values[3] = particle.rotation;
    values[4] = angular;
    std::memcpy(row, values.data(), sizeof(values));
  }

  void gradient(const CellPosition& at, double time, double (*by_index)[4]) const
  {
    trilinear_gradient(CellRows<Scalar>{ lower_corner(window_, at), window_.upper }, at.fraction.data(), by_index);
    if constexpr (Unsteady)
    {
      alignas(32) double later[3][4];
      trilinear_gradient(CellRows<Scalar>{ lower_corner(later_, at), later_.upper }, at.fraction.data(), later);
      const Lanes4 share = broadcast(share_of_later(time));
      for (int axis = 0; axis < 3; ++axis)
      {
        store4(by_index[axis], mix(load4(by_index[axis]), load4(later[axis]), share));
      }
    }
  }

  Vec3 vorticity_at(const CellPosition& at, double time) const
  {
    alignas(32) double by_index[3][4]; // by_index[i][c] = d velocity_c / d index_i
    gradient(at, time, by_index);
    const Mat3 m = context_.mesh().index_from_world(at.cell);
    const auto derivative = [&](std::size_t component, std::size_t axis)
    {
      return by_index[0][component] * m[axis] + by_index[1][component] * m[3 + axis] +
             by_index[2][component] * m[6 + axis];
    };
    return { derivative(2, 1) - derivative(1, 2), derivative(0, 2) - derivative(2, 0),
      derivative(1, 0) - derivative(0, 1) };
  }

  const AdvectionContext& context_;
  const BrickWindow& window_;
  const BrickWindow& later_;
  double times_[2];
  LineStore& lines_;
  std::int64_t& taken_;
  const Tableau& tableau_;
  Lanes4 columns_[3];
  Lanes4 diagonal_;
  bool aligned_ = true;
  bool cell_centred_;
  bool contiguous_;
  bool flat_;
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
