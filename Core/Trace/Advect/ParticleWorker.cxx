// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/ParticleWorker.h"

#include "Trace/Kernel/Kernel.h"

#include <algorithm>
#include <chrono>
#include <new>

namespace rivulet
{

namespace
{

/// Particles on whose behalf a brick is asked for that must come before all others.
constexpr std::int64_t kBeforeAll = std::int64_t{ 1 } << 40U;

/// Moves a particle into the cells of the brick with its next sample. Returns that brick; -1 if there is none.
std::int64_t enter_brick(const Mesh& mesh, Particle& particle, const Moment& moment)
{
  return mesh.enter_brick(
      particle.trial, particle.base, { particle.slopes, static_cast<std::size_t>(particle.stage) }, moment);
}

} // namespace

Slice ParticleWorker::slice()
{
  if (!ending_)
  {
    try
    {
      if (const Slice after = work(); after != Slice::Done)
      {
        return after;
      }
    }
    catch (const std::bad_alloc&)
    {
      run_out_of_memory();
    }
    begin_end();
  }
  return end();
}

/// Tells the other workers of the particles that have ended, all at once: each write to memory that they share costs
/// more than the other work for a particle.
void ParticleWorker::count_ended()
{
  if (const std::int64_t ended = std::exchange(ended_, 0); ended > 0)
  {
    shared_.finished.fetch_add(ended, std::memory_order_relaxed);
    shared_.going.fetch_sub(ended);
  }
}

Slice ParticleWorker::work()
{
  count_ended();
  if (shared_.stop.load(std::memory_order_relaxed))
  {
    return Slice::Done;
  }
  take_releases();
  take_arrivals();
  if (!items_with_pins_.empty())
  {
    const std::int64_t item = items_with_pins_.front();
    items_with_pins_.pop_front();
    visit(item);
    return Slice::Worked;
  }
  if (!ready_.empty() && !(next_misses_ && requested_ >= shared_.most_requests))
  {
    visit(ready_.pop());
    return Slice::Worked;
  }
  if (active_ > 0)
  {
    return Slice::Waits;
  }
  count_ended(); // particles that ended at once, for example outside the field
  using Supply = ParticleSource::Supply;
  const bool over = supply_ == Supply::None || (supply_ == Supply::Wait && shared_.going.load() == 0);
  return over ? Slice::Done : Slice::Waits;
}

void ParticleWorker::run_out_of_memory()
{
  shared_.out_of_memory.store(true);
  shared_.stop.store(true);
}

void ParticleWorker::take_releases()
{
  while (supply_ != ParticleSource::Supply::None)
  {
    const bool has_work = !items_with_pins_.empty() || !ready_.empty();
    const std::int64_t most = has_work ? shared_.with_work : shared_.in_flight;
    if (active_ > 0 && active_ + shared_.chunk > most)
    {
      return;
    }
    releases_.clear();
    supply_ = shared_.source.take(shared_.chunk, releases_);
    if (releases_.empty())
    {
      return;
    }
    shared_.going.fetch_add(static_cast<std::int64_t>(releases_.size()));
    for (const Release& release : releases_)
    {
      start(release);
    }
  }
}

void ParticleWorker::start(const Release& release)
{
  const AdvectionContext& context = shared_.context;
  if (spare_.empty())
  {
    spare_.reserve(particles_.size() + 1);
    spare_.push_back(&particles_.emplace_back());
  }
  Particle& particle = *spare_.back();
  spare_.pop_back();
  particle = Particle{};
  particle.task = release.id;
  particle.release = release.point;
  ++active_;
  if (release.paused != nullptr)
  {
    go_on(particle, *release.paused);
    return;
  }

  const auto place = release.brick != Release::kNotLocated
                         ? std::optional(Mesh::Place{ release.at, release.brick })
                         : context.mesh().enter(release.point, context.moment_of(release.time, release.sign));
  if (!place || place->brick < 0 || !context.within_times(release.time))
  {
    end_outside(particle);
    return;
  }
  particle.trial = place->at;
  particle.base = place->at;
  particle.sign = release.sign;
  if (context.is_unsteady())
  {
    particle.trial_time = release.time;
    particle.last_time = context.last_time(release.time, release.sign, release.end);
  }
  enter_time(particle, place->brick);
}

/// Puts a particle into the bucket of a brick in its interval. Pauses it if that is not held.
void ParticleWorker::enter_time(Particle& particle, std::int64_t brick)
{
  const AdvectionContext& context = shared_.context;
  if (context.is_unsteady())
  {
    particle.stop_time = context.held_stop_time(particle.last_time, particle.sign);
    particle.interval = context.interval_of(particle.trial_time, particle.sign);
    if (!context.holds(particle.interval) && particle.trial_time == particle.stop_time)
    {
      particle.interval -= particle.sign > 0.0 ? 1 : -1; // its only sample is at the end of the interval before
    }
    if (!context.holds(particle.interval))
    {
      pause(particle);
      return;
    }
    if (!particle.started && hidden_at_release(particle))
    {
      end_outside(particle);
      return;
    }
  }
  put(particle, context.item_of(brick, particle.interval));
}

/// Judged here and not where seeds are located: the steps of later releases may not be held yet.
bool ParticleWorker::hidden_at_release(const Particle& particle) const
{
  const AdvectionContext& context = shared_.context;
  return hidden_at(context.mesh(), particle.trial, context.steps_at(particle.trial_time, particle.interval));
}

/// Continues a particle that an earlier run paused. The mesh may have other cells now. One that has not begun is
/// located anew, so that its place does not depend on the meshes in between.
void ParticleWorker::go_on(Particle& particle, const ParticleState& from)
{
  static_cast<ParticleState&>(particle) = from;
  const Mesh& mesh = shared_.context.mesh();
  const Moment moment = shared_.context.moment_of(particle.trial_time, particle.sign);
  if (const auto place = particle.started ? std::nullopt : mesh.enter(particle.release, moment))
  {
    particle.trial = place->at;
    particle.base = place->at;
  }
  const std::int64_t brick = enter_brick(mesh, particle, moment);
  brick >= 0 ? enter_time(particle, brick) : end_outside(particle);
}

/// Neighbours go to the same bucket, one after the other: most often it is that of the call before.
ParticleWorker::Bucket& ParticleWorker::bucket_of(std::int64_t item)
{
  if (last_item_ != item)
  {
    last_bucket_ = &buckets_[item];
    last_item_ = item;
  }
  return *last_bucket_;
}

void ParticleWorker::drop_bucket(std::int64_t item)
{
  buckets_.erase(item);
  last_item_ = last_item_ == item ? -1 : last_item_;
}

void ParticleWorker::put(Particle& particle, std::int64_t item)
{
  prefetcher_.enter(particle, item, active_);
  Bucket& bucket = bucket_of(item);
  bucket.particles.push_back(&particle);
  if (!bucket.queued)
  {
    bucket.queued = true;
    ready_.push(item);
  }
}

/// Called on any thread.
void ParticleWorker::take_in(const ItemBrick& brick, Lookup&& found)
{
  // Notified under the lock: the worker may be destroyed as soon as it is released.
  const std::lock_guard lock(mail_mutex_);
  arrived_.push_back({ brick, std::move(found) });
  mail_.notify_one();
}

void ParticleWorker::wake()
{
  const std::lock_guard lock(mail_mutex_);
  mail_.notify_one();
}

void ParticleWorker::take_arrivals()
{
  if (requested_ == 0)
  {
    return;
  }
  const std::lock_guard lock(mail_mutex_);
  const AdvectionContext& context = shared_.context;
  for (Arrival& arrival : arrived_)
  {
    // In unsteady flow several buckets may have requested the same brick, each once. Any of them may use any answer.
    const ItemBrick& brick = arrival.brick;
    const IntervalRange intervals = context.intervals_with(brick);
    std::int32_t interval = intervals.last;
    while (interval >= intervals.first && !wake(context.item_of(brick.key.index, interval), brick, arrival.found))
    {
      --interval;
    }
  }
  requested_ -= static_cast<std::int64_t>(arrived_.size()); // not earlier, or end() would count some twice
  arrived_.clear();
}

/// Makes a bucket ready if it waits for this brick.
bool ParticleWorker::wake(std::int64_t item, const ItemBrick& brick, Lookup& found)
{
  const auto bucket = buckets_.find(item);
  if (bucket == buckets_.end() || !bucket->second.parked ||
      shared_.context.brick_of(item, bucket->second.waits_for) != brick)
  {
    return false;
  }
  bucket->second.parked = false;
  prefetcher_.brick_came(std::chrono::duration<double>(Clock::now() - bucket->second.parked_at).count());
  if (found.state == Lookup::State::Ready)
  {
    items_with_pins_.push_back(item);
  }
  else
  {
    ready_.push(item);
  }
  bucket->second.found[static_cast<std::size_t>(bucket->second.waits_for)] = std::move(found);
  return true;
}

void ParticleWorker::wait()
{
  const Clock::time_point start = Clock::now();
  {
    // Wakes now and then: no notification comes for releases that become possible, nor for a stop for lack of memory.
    static constexpr std::chrono::milliseconds kLong{ 50 };
    static constexpr std::chrono::milliseconds kShort{ 1 };
    std::unique_lock lock(mail_mutex_);
    const bool for_releases = active_ == 0; // the source has none now
    mail_.wait_for(
        lock, for_releases ? kShort : kLong, [this] { return !arrived_.empty() || (shared_.stop.load() && !ending_); });
  }
  stall_seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
}

void ParticleWorker::visit(std::int64_t item)
{
  Bucket& bucket = bucket_of(item);
  if (!pin(item, bucket))
  {
    return;
  }
  std::vector<Particle*> waiting;
  waiting.swap(bucket.particles);
  const Clock::time_point start = Clock::now();
  advance(item, bucket.found, waiting);
  prefetcher_.brick_was_used(std::chrono::duration<double>(Clock::now() - start).count());
  drop_bucket(item); // unpins its bricks
  for (Particle* particle : waiting)
  {
    put(*particle, item); // the run was stopped
  }
  for (Particle* particle : done_)
  {
    route(*particle, item);
  }
  done_.clear();
}

/// Pins the bricks of an item. False if one is not there: then the bucket is parked, or its particles have ended.
bool ParticleWorker::pin(std::int64_t item, Bucket& bucket)
{
  const AdvectionContext& context = shared_.context;
  partially_pinned_item_ = partially_pinned_item_ == item ? -1 : partially_pinned_item_;
  for (int number = 0; number < context.count_of_bricks(item); ++number)
  {
    Lookup& found = bucket.found[static_cast<std::size_t>(number)];
    if (found.state == Lookup::State::Miss)
    {
      const ItemBrick brick = context.brick_of(item, number);
      found = context.source_of(brick.of).try_get(brick.key);
    }
    if (found.state == Lookup::State::Miss)
    {
      keep_or_unpin(item, bucket);
      park(item, number);
      return false;
    }
    if (found.state == Lookup::State::Failed)
    {
      fail_bucket(bucket, found.error);
      drop_bucket(item);
      return false;
    }
  }
  return true;
}

/// Only one bucket of a worker may keep some of its bricks while it waits for another one: if all did, none might ever
/// get all of them. The others unpin theirs, and request them again later. It may always request, and before all
/// others: else, with room for its bricks alone, another bucket could have its own read in turn without end.
void ParticleWorker::keep_or_unpin(std::int64_t item, Bucket& bucket)
{
  const auto is_there = [](const Lookup& found)
  {
    return found.state == Lookup::State::Ready;
  };
  if (std::none_of(bucket.found.begin(), bucket.found.end(), is_there))
  {
    return;
  }
  if (partially_pinned_item_ < 0)
  {
    partially_pinned_item_ = item;
    return;
  }
  bucket.found = {};
}

FieldWindow ParticleWorker::window_of(std::int64_t item, const FoundBricks& found) const
{
  const AdvectionContext& context = shared_.context;
  const std::int32_t interval = context.interval_of_item(item);
  const StepRange steps = context.steps_of(interval);
  const auto brick_at = [&](std::int32_t step)
  {
    return &found[static_cast<std::size_t>(step - steps.first)].pin.view();
  };
  FieldWindow window;
  window.steps = steps;
  window.interval = interval;
  // The bricks of places follow the velocity's, as in AdvectionContext::brick_of().
  const std::int32_t places = steps.count();
  const bool in_bricks = context.mesh().places() != nullptr;
  const bool moves = in_bricks && context.mesh().moves();
  window.places.now = !in_bricks ? nullptr : moves ? brick_at(interval + places) : brick_at(steps.last + 1);
  if (!context.is_unsteady())
  {
    window.now = brick_at(steps.first);
    return window;
  }
  window.now = brick_at(interval);
  window.later = brick_at(interval + 1);
  window.times[0] = context.times()[static_cast<std::size_t>(interval)];
  window.times[1] = context.times()[static_cast<std::size_t>(interval) + 1];
  window.origin = clock_origin(window.times[0], window.times[1]);
  window.places.later = moves ? brick_at(interval + 1 + places) : nullptr;
  if (steps.count() > 2)
  {
    window.cubic = CubicWeights::make(context.times(), interval);
    window.before = window.cubic.has_before ? brick_at(interval - 1) : nullptr;
    window.after = window.cubic.has_after ? brick_at(interval + 2) : nullptr;
    window.places.before = moves && window.cubic.has_before ? brick_at(interval - 1 + places) : nullptr;
    window.places.after = moves && window.cubic.has_after ? brick_at(interval + 2 + places) : nullptr;
  }
  return window;
}

void ParticleWorker::advance(std::int64_t item, const FoundBricks& found, std::vector<Particle*>& waiting)
{
  const AdvectionContext& context = shared_.context;
  const FieldWindow window = window_of(item, found);
  done_.reserve(done_.size() + waiting.size());
  bool no_room = false;
  context.mesh().advance({ context, context.brick_of_item(item), window, lines_, crossings_, waiting, done_,
      shared_.stop, no_room, steps_ });
  if (no_room)
  {
    run_out_of_memory();
  }
}

void ParticleWorker::park(std::int64_t item, int number)
{
  if (requested_ >= shared_.most_requests && item != partially_pinned_item_)
  {
    next_misses_ = true;
    ready_.push(item);
    return;
  }
  next_misses_ = false;
  {
    // Reserved here, so that take_in() allocates nothing.
    const std::lock_guard lock(mail_mutex_);
    arrived_.reserve(static_cast<std::size_t>(requested_) + 1);
  }
  Bucket& bucket = bucket_of(item);
  const auto particles = static_cast<std::int64_t>(bucket.particles.size());
  bucket.parked = true;
  bucket.waits_for = number;
  bucket.parked_at = Clock::now();
  parked_times_ += particles;
  ++requested_;
  try
  {
    const ItemBrick brick = shared_.context.brick_of(item, number);
    shared_.context.source_of(brick.of).request_for(
        brick.key, mailbox_of(brick.of), item == partially_pinned_item_ ? kBeforeAll : particles);
  }
  catch (const std::bad_alloc&)
  {
    --requested_;
    throw;
  }
  look_ahead(item, number);
}

/// Names the bricks after a parked bucket's. They are read together with the one that it waits for.
void ParticleWorker::look_ahead(std::int64_t item, int number)
{
  const ItemBrick brick = shared_.context.brick_of(item, number);
  if (active_ > Prefetcher::kFewParticles || brick.of != ItemBrick::Of::Velocity)
  {
    return;
  }
  const std::vector<BrickKey>& keys = prefetcher_.look(bucket_of(item).particles, item, brick.key.step, requested_);
  if (!keys.empty())
  {
    shared_.context.field().velocity.source->prefetch(keys, 0);
  }
}

void ParticleWorker::route(Particle& particle, std::int64_t item)
{
  switch (particle.event)
  {
  case Event::NeedsBrick:
    move(particle);
    break;
  case Event::NotFinite:
    judge_not_finite(particle, item);
    break;
  case Event::Ended:
    retire(particle);
    break;
  }
}

/// Moves a particle to the bucket of its next sample.
void ParticleWorker::move(Particle& particle)
{
  const AdvectionContext& context = shared_.context;
  const Moment moment = context.moment_in(particle.interval, particle.trial_time);
  const std::int64_t brick = enter_brick(context.mesh(), particle, moment);
  if (brick >= 0)
  {
    put(particle, context.item_of(brick, particle.interval));
    return;
  }
  end_outside(particle);
}

/// Ends a particle whose next sample is nowhere in the mesh.
void ParticleWorker::end_outside(Particle& particle)
{
  outside_ += particle.started ? 0 : 1;
  particle.reason = particle.started ? Termination::OutOfDomain : Termination::SeedOutside;
  retire(particle);
}

void ParticleWorker::judge_not_finite(Particle& particle, std::int64_t item)
{
  // A fault under a mapped brick reads as NaN, and the source knows of it only afterwards: look it up again.
  const AdvectionContext& context = shared_.context;
  particle.reason = Termination::UnexpectedValue;
  for (int number = 0; number < context.count_of_bricks(item); ++number)
  {
    const ItemBrick brick = context.brick_of(item, number);
    const Lookup again = context.source_of(brick.of).try_get(brick.key);
    if (again.state == Lookup::State::Failed)
    {
      note_error(again.error);
      particle.reason = Termination::DataMissing;
    }
  }
  retire(particle);
}

void ParticleWorker::note_error(const std::shared_ptr<const Error>& error)
{
  const std::lock_guard lock(shared_.error_mutex);
  if (!shared_.error)
  {
    shared_.error = error;
  }
}

void ParticleWorker::fail_bucket(Bucket& bucket, const std::shared_ptr<const Error>& error)
{
  note_error(error);
  for (Particle* particle : bucket.particles)
  {
    particle->reason = Termination::DataMissing;
    retire(*particle);
  }
}

void ParticleWorker::retire(Particle& particle)
{
  shared_.recorder.ended(number_, particle);
  let_go(particle);
}

void ParticleWorker::pause(Particle& particle)
{
  shared_.recorder.paused(number_, particle);
  let_go(particle);
}

/// Frees a particle that has ended or is paused.
void ParticleWorker::let_go(Particle& particle)
{
  particle.task = -1;
  spare_.push_back(&particle);
  --active_;
  ++ended_;
}

void ParticleWorker::begin_end()
{
  ending_ = true;
  buckets_.clear(); // unpins their bricks
  last_item_ = -1;
  if (requested_ == 0)
  {
    return;
  }
  try
  {
    shared_.context.source_of(ItemBrick::Of::Velocity).withdraw(mailbox_of(ItemBrick::Of::Velocity));
    if (shared_.context.mesh().places() != nullptr)
    {
      shared_.context.source_of(ItemBrick::Of::Places).withdraw(mailbox_of(ItemBrick::Of::Places));
    }
  }
  catch (const std::bad_alloc&) // the requests are answered when their bricks are there
  {
  }
}

/// Waits for the answers: every request is answered exactly once, and this object must live until then.
Slice ParticleWorker::end()
{
  {
    const std::lock_guard lock(mail_mutex_);
    requested_ -= static_cast<std::int64_t>(arrived_.size());
    arrived_.clear();
  }
  if (requested_ > 0)
  {
    return Slice::Waits;
  }
  for (Particle& particle : particles_)
  {
    if (particle.task >= 0)
    {
      particle.reason = shared_.cut.load();
      retire(particle);
    }
  }
  return Slice::Done;
}

} // namespace rivulet
