// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/InterpolateArrays.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <limits>
#include <mutex>
#include <new>
#include <optional>

namespace rivulet
{

namespace
{

constexpr std::size_t kChunk = 65536; // points sorted at a time, per thread

/// The contribution of one time step to the value of a point.
struct StepPart
{
  enum class How
  {
    First, ///< the time steps before have no weight
    Mix,   ///< linear: the value so far has the rest of the weight
    Add
  };

  double weight = 1.0;
  How how = How::First;

  /// Changes the value of a point, which is not set before the first part.
  template <class Scalar>
  void apply(double value, Scalar& to) const
  {
    if (how == How::First)
    {
      to = static_cast<Scalar>(weight * value);
      return;
    }
    to = static_cast<Scalar>(std::fma(weight, how == How::Mix ? value - to : value, to));
  }
};

/// Samples one array: finds the lattice cell, and the addresses and distances of its corners.
class ArraySampler
{
public:
  ArraySampler(const AdvectionContext& context, const SourceArray& array)
    : context_(context)
    , variable_(array.source->info().variables[static_cast<std::size_t>(array.variable)])
    , bricks_(array.source->bricks(array.variable))
  {
  }

  [[nodiscard]] std::size_t tuple_bytes() const { return variable_.interpolated_bytes(); }

  /// The brick of a position at a step, as one number.
  [[nodiscard]] std::int64_t place_of(const Position& at, std::int32_t step) const
  {
    return step * bricks_.size() + context_.mesh().brick_in(bricks_, at);
  }
  [[nodiscard]] BrickKey key_of(std::int64_t place, std::int32_t variable) const
  {
    return { variable, static_cast<std::int32_t>(place / bricks_.size()), place % bricks_.size() };
  }

  /// Changes `to` by the value at a place. `values`: room for one.
  void sample(const BrickView& view, std::int32_t step, const Position& at, const Moment& moment, const StepPart& part,
      std::vector<double>& values, std::byte* to) const
  {
    values.resize(static_cast<std::size_t>(variable_.components));
    context_.mesh().interpolate(view, step, variable_.centering, at, moment, values.data());
    for (std::int32_t c = 0; c < variable_.components; ++c)
    {
      const double value = values[static_cast<std::size_t>(c)];
      variable_.interpolated_type() == ScalarType::Float32 ? part.apply(value, reinterpret_cast<float*>(to)[c])
                                                           : part.apply(value, reinterpret_cast<double*>(to)[c]);
    }
  }

  void fill_missing(std::byte* to) const
  {
    for (std::int32_t c = 0; c < variable_.components; ++c)
    {
      variable_.interpolated_type() == ScalarType::Float32
          ? void(reinterpret_cast<float*>(to)[c] = std::numeric_limits<float>::quiet_NaN())
          : void(reinterpret_cast<double*>(to)[c] = std::numeric_limits<double>::quiet_NaN());
    }
  }

private:
  const AdvectionContext& context_;
  Variable variable_;
  const BrickGrid& bricks_;
};

/// The time step and the part of it for each point, in one of the rounds in which points get their values.
class PointSteps
{
public:
  PointSteps(const AdvectionContext& context, const SourceArray& array, std::span<const double> times)
    : context_(context)
    , array_(array)
    , times_(times)
  {
    const auto intervals = static_cast<std::int32_t>(context.times().size()) - 1;
    for (std::int32_t i = 0; i < intervals && context.steps_of(i).count() > 2; ++i)
    {
      cubic_.push_back(CubicWeights::make(context.times(), i));
    }
  }

  [[nodiscard]] int rounds() const { return times_.empty() ? 1 : cubic_.empty() ? 2 : kMostSteps; }
  void begin_round(int round) { round_ = round; }

  [[nodiscard]] std::int32_t step(std::size_t point) const
  {
    return times_.empty() ? array_.step : interval_of(point) + round_ - (cubic_.empty() ? 0 : 1);
  }
  [[nodiscard]] Moment moment(std::size_t point) const
  {
    return times_.empty() ? Moment{} : context_.moment_in(interval_of(point), times_[point]);
  }
  /// None if the time step has no weight at this point.
  [[nodiscard]] std::optional<StepPart> part(std::size_t point) const
  {
    if (times_.empty() || (cubic_.empty() && round_ == 0))
    {
      return StepPart{};
    }
    const std::int32_t interval = interval_of(point);
    const double share = context_.moment_in(interval, times_[point]).share;
    if (cubic_.empty())
    {
      return part_of(share, share == 1.0 ? StepPart::How::First : StepPart::How::Mix);
    }
    const std::array<double, 4> weights = cubic_[static_cast<std::size_t>(interval)].at(share);
    const auto* const round = weights.begin() + round_;
    const bool first = std::all_of(weights.begin(), round, [](double before) { return before == 0.0; });
    return part_of(*round, first ? StepPart::How::First : StepPart::How::Add);
  }

private:
  [[nodiscard]] std::int32_t interval_of(std::size_t point) const { return context_.held_interval_of(times_[point]); }
  [[nodiscard]] static std::optional<StepPart> part_of(double weight, StepPart::How how)
  {
    return weight == 0.0 ? std::nullopt : std::optional(StepPart{ weight, how });
  }

  const AdvectionContext& context_;
  const SourceArray& array_;
  std::span<const double> times_;
  std::vector<CubicWeights> cubic_; ///< one per interval; empty: values are linear in time
  int round_ = 0;
};

/// Points of a chunk that share a brick.
struct Group
{
  std::int64_t place;
  std::size_t begin;
  std::size_t end;
  Lookup found; ///< its brick, after it arrived
};

/// A brick that arrived in answer to a request.
struct Arrival
{
  BrickKey key;
  Lookup found;
};

/// State shared by the workers.
struct SharedPoints
{
  const ArraySampler& sampler;
  const SourceArray& array;
  const PointSteps& steps;
  std::span<const Position> positions;
  std::byte* values;
  const std::atomic<bool>& stop;
  std::atomic<std::size_t> next{ 0 }; ///< first point of the next chunk
};

/// One worker's part of the work.
class AttributeWorker final : public BrickWaiter
{
public:
  explicit AttributeWorker(SharedPoints& shared)
    : shared_(shared)
  {
  }

  /// Interpolates at the points of one brick, or takes the next chunk. Never waits. If the system has no memory, the
  /// last slice throws std::bad_alloc: after the answers of all requests, because this object must live until then.
  [[nodiscard]] Slice slice()
  {
    try
    {
      if (!out_of_memory_)
      {
        return work();
      }
    }
    catch (const std::bad_alloc&)
    {
      out_of_memory_ = true;
    }
    if (drop_all())
    {
      throw std::bad_alloc();
    }
    return Slice::Waits;
  }

  /// Waits until a slice can do something again, 50 ms at most.
  void wait()
  {
    std::unique_lock lock(mutex_);
    mail_.wait_for(lock, std::chrono::milliseconds(50), [this] { return !arrived_.empty(); });
  }

  [[nodiscard]] const std::shared_ptr<const Error>& error() const { return error_; }

  void brick_arrived(const BrickKey& key, Lookup&& found) override
  {
    const std::lock_guard lock(mutex_);
    arrived_.push_back({ key, std::move(found) });
    mail_.notify_one();
  }

private:
  Slice work()
  {
    if (shared_.stop.load(std::memory_order_relaxed))
    {
      return drop_all() ? Slice::Done : Slice::Waits;
    }
    take_arrivals();
    if (!ready_.empty())
    {
      Group group = std::move(ready_.front());
      ready_.pop_front();
      fill_group(std::move(group));
      return Slice::Worked;
    }
    if (requested_ > 0)
    {
      return Slice::Waits;
    }
    const std::size_t begin = shared_.next.fetch_add(kChunk);
    if (begin >= shared_.positions.size())
    {
      return Slice::Done;
    }
    sort(begin, std::min(shared_.positions.size(), begin + kChunk));
    return Slice::Worked;
  }

  /// Removes all groups. True if all requests are answered.
  bool drop_all()
  {
    ready_.clear();
    const std::lock_guard lock(mutex_);
    requested_ -= static_cast<std::int64_t>(arrived_.size());
    arrived_.clear();
    return requested_ == 0;
  }

  void ask_for(const BrickKey& key)
  {
    {
      // Reserved here, so that brick_arrived() allocates nothing.
      const std::lock_guard lock(mutex_);
      arrived_.reserve(static_cast<std::size_t>(requested_) + 1);
    }
    ++requested_;
    try
    {
      shared_.array.source->request(key, *this);
    }
    catch (const std::bad_alloc&)
    {
      --requested_;
      throw;
    }
  }

  void sort(std::size_t begin, std::size_t end)
  {
    order_.clear();
    for (std::size_t point = begin; point < end; ++point)
    {
      if (shared_.steps.part(point))
      {
        order_.emplace_back(shared_.sampler.place_of(shared_.positions[point], shared_.steps.step(point)), point);
      }
    }
    std::sort(order_.begin(), order_.end());
    for (std::size_t first = 0; first < order_.size();)
    {
      std::size_t last = first + 1;
      while (last < order_.size() && order_[last].first == order_[first].first)
      {
        ++last;
      }
      ready_.push_back({ order_[first].first, first, last, {} });
      first = last;
    }
  }

  void fill_group(Group&& group)
  {
    const BrickKey key = shared_.sampler.key_of(group.place, shared_.array.variable);
    const Lookup found =
        group.found.state != Lookup::State::Miss ? std::move(group.found) : shared_.array.source->try_get(key);
    if (found.state == Lookup::State::Miss)
    {
      parked_.push_back(std::move(group));
      ask_for(key);
      return;
    }
    if (found.state == Lookup::State::Failed && !error_)
    {
      error_ = found.error;
    }
    for (std::size_t i = group.begin; i < group.end; ++i)
    {
      const std::size_t point = order_[i].second;
      std::byte* to = shared_.values + point * shared_.sampler.tuple_bytes();
      found.state == Lookup::State::Ready ? shared_.sampler.sample(found.pin.view(), key.step, shared_.positions[point],
                                                shared_.steps.moment(point), *shared_.steps.part(point), value_, to)
                                          : shared_.sampler.fill_missing(to);
    }
  }

  void take_arrivals()
  {
    if (requested_ == 0)
    {
      return;
    }
    const std::lock_guard lock(mutex_);
    for (Arrival& arrival : arrived_)
    {
      const auto parked = std::find_if(parked_.begin(), parked_.end(),
          [&](const Group& group)
          { return shared_.sampler.key_of(group.place, shared_.array.variable) == arrival.key; });
      parked->found = std::move(arrival.found);
      ready_.push_back(std::move(*parked));
      parked_.erase(parked);
    }
    requested_ -= static_cast<std::int64_t>(arrived_.size()); // not earlier, or drop_all() would count some twice
    arrived_.clear();
  }

  SharedPoints& shared_;
  std::vector<std::pair<std::int64_t, std::size_t>> order_;
  std::vector<double> value_; ///< of one point
  std::deque<Group> ready_;
  std::vector<Group> parked_;
  std::int64_t requested_ = 0;
  bool out_of_memory_ = false;
  std::shared_ptr<const Error> error_;
  std::mutex mutex_;
  std::condition_variable mail_;
  std::vector<Arrival> arrived_; ///< has capacity for the answers of all requests
};

/// Interpolates one array at one of the time steps of each point with all workers.
std::shared_ptr<const Error> fill_round(SharedPoints& shared, const InterpolationRun& run)
{
  std::vector<std::unique_ptr<AttributeWorker>> workers;
  workers.reserve(static_cast<std::size_t>(run.workers));
  for (int i = 0; i < run.workers; ++i)
  {
    workers.push_back(std::make_unique<AttributeWorker>(shared));
  }
  const auto worker_of = [&workers](int number) -> AttributeWorker&
  {
    return *workers[static_cast<std::size_t>(number)];
  };
  run.executor.run(run.workers,
      { [&](int number) { return worker_of(number).slice(); },
          [&](int number)
          {
            worker_of(number).wait();
          } },
      run.watch);
  for (const std::unique_ptr<AttributeWorker>& worker : workers)
  {
    if (worker->error())
    {
      return worker->error();
    }
  }
  return nullptr;
}

} // namespace

std::shared_ptr<const Error> interpolate_attribute(const AdvectionContext& context, const SourceArray& array,
    const PointPlaces& points, std::byte* values, const InterpolationRun& run)
{
  const ArraySampler sampler(context, array);
  std::shared_ptr<const Error> first_error;
  PointSteps steps(context, array, points.times);
  for (int round = 0; round < steps.rounds() && !run.stop.load(); ++round)
  {
    steps.begin_round(round);
    SharedPoints shared{ sampler, array, steps, points.positions, values, run.stop };
    const std::shared_ptr<const Error> error = fill_round(shared, run);
    first_error = first_error ? first_error : error;
  }
  const std::shared_ptr<const Error> of_mesh = context.mesh().take_error();
  return first_error ? first_error : of_mesh;
}

} // namespace rivulet
