// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/ParticleWorker.h"

#include "Trace/Kernel/Kernel.h"
#include "Trace/Mesh/FieldMesh.h"

#include <chrono>
#include <new>

namespace rivulet
{

namespace
{

/// Moves a particle into the cells of the brick that has its next sample; answers that brick, or -1 where there is
/// none.
std::int64_t enter_brick(const FieldMesh& mesh, Particle& particle)
{
  if (!mesh.is_amr())
  {
    return mesh.brick_of(particle.trial);
  }
  const std::int32_t before = particle.trial.level;
  const std::int64_t brick = mesh.enter_finest_level(particle.trial);
  const std::int32_t level = particle.trial.level;
  particle.base = mesh.on_level(particle.base, level);
  for (std::int32_t i = 0; i < particle.stage; ++i)
  {
    const double* slope = particle.slopes[i];
    const Vec3 moved = mesh.displacement_on_level({ slope[0], slope[1], slope[2] }, before, level);
    std::copy(moved.begin(), moved.end(), particle.slopes[i]);
  }
  return brick;
}

} // namespace

namespace
{

/// Bricks that a worker has asked for and not used yet, at most. In unsteady flow it has many more buckets than that,
/// and what they ask for would push each other out of a small cache before it is used.
constexpr std::int64_t kMostRequests = 256;
constexpr std::int64_t kMostRequestsUnsteady = 128;

} // namespace

ParticleWorker::Slice ParticleWorker::slice()
{
  try
  {
    return work();
  }
  catch (const std::bad_alloc&)
  {
    run_out_of_memory();
  }
  return Slice::Done;
}

ParticleWorker::Slice ParticleWorker::work()
{
  if (shared_.stop.load(std::memory_order_relaxed))
  {
    return Slice::Done;
  }
  take_releases();
  open_mail();
  if (!ready_.empty() && !(next_misses_ && requested_ >= most_requests()))
  {
    visit(ready_.pop());
    return Slice::Worked;
  }
  if (active_ > 0)
  {
    return Slice::Waits;
  }
  // Only particles that are on their way could make the source release more.
  const bool over = supply_ == ParticleSource::Supply::None || shared_.going.load() == 0;
  return over ? Slice::Done : Slice::Waits;
}

std::int64_t ParticleWorker::most_requests() const
{
  return shared_.context.is_unsteady() ? kMostRequestsUnsteady : kMostRequests;
}

void ParticleWorker::run_out_of_memory()
{
  shared_.out_of_memory.store(true);
  shared_.stop.store(true);
}

void ParticleWorker::take_releases()
{
  while (supply_ != ParticleSource::Supply::None && (active_ + shared_.chunk <= shared_.in_flight || active_ == 0))
  {
    releases_.clear();
    supply_ = shared_.source.take(shared_.chunk, releases_);
    if (releases_.empty())
    {
      return;
    }
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
  shared_.going.fetch_add(1);

  const auto place = release.brick != Release::kNotLocated ? std::optional(std::pair(release.at, release.brick))
                                                           : context.mesh().locate(release.point);
  if (!place || place->second < 0 || !context.within_times(release.time))
  {
    ++outside_;
    particle.reason = Termination::SeedOutside;
    retire(particle);
    return;
  }
  particle.trial = place->first;
  particle.sign = release.sign;
  if (context.is_unsteady())
  {
    particle.trial_time = release.time;
    particle.stop_time = context.stop_time(release.time, release.sign);
    particle.interval = context.interval_of(release.time, release.sign);
  }
  put(particle, context.item_of(place->second, particle.interval));
}

void ParticleWorker::put(Particle& particle, std::int64_t item)
{
  Bucket& bucket = buckets_[item];
  bucket.particles.push_back(&particle);
  if (!bucket.queued)
  {
    bucket.queued = true;
    ready_.push(item);
  }
}

void ParticleWorker::brick_arrived(const BrickKey& key)
{
  // Notified under the lock: the worker may be gone as soon as it is released.
  const std::lock_guard lock(mail_mutex_);
  arrived_.push_back(key);
  mail_.notify_one();
}

void ParticleWorker::open_mail()
{
  if (requested_ == 0)
  {
    return;
  }
  const std::lock_guard lock(mail_mutex_);
  const AdvectionContext& context = shared_.context;
  for (const BrickKey& key : arrived_)
  {
    --requested_;
    // In unsteady flow two buckets may have asked for the same brick, each once: it does not matter whose answer this
    // is.
    const std::int64_t lower = (context.is_unsteady() ? key.step * context.bricks().size() : 0) + key.index;
    if (!wake(lower, false))
    {
      wake(lower - context.bricks().size(), true);
    }
  }
  arrived_.clear();
}

/// Makes a bucket ready if it is the brick of this time level that it waits for.
bool ParticleWorker::wake(std::int64_t item, bool end)
{
  const auto found = buckets_.find(item);
  if (found == buckets_.end() || !found->second.parked || found->second.waits_for_end != end)
  {
    return false;
  }
  found->second.parked = false;
  ready_.push(item);
  return true;
}

void ParticleWorker::wait()
{
  const auto start = std::chrono::steady_clock::now();
  {
    // Wakes now and then to see whether the run was stopped. Releases of others' making are not told of.
    static constexpr std::chrono::milliseconds kLong{ 50 };
    static constexpr std::chrono::milliseconds kShort{ 1 };
    std::unique_lock lock(mail_mutex_);
    const bool for_releases = supply_ == ParticleSource::Supply::Wait && active_ == 0;
    mail_.wait_for(lock, for_releases ? kShort : kLong, [this] { return !arrived_.empty(); });
  }
  stall_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void ParticleWorker::visit(std::int64_t item)
{
  Pins pins;
  if (!pin(item, pins))
  {
    return;
  }
  // Looked up again after the visit: routing particles may rehash the table.
  std::vector<Particle*> waiting;
  {
    Bucket& bucket = buckets_[item];
    bucket.queued = false;
    waiting.swap(bucket.particles);
  }
  advance(item, pins, waiting);
  for (Lookup& found : pins.found)
  {
    found.pin.release();
  }
  buckets_.erase(item);
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

/// Pins what a item needs. False if that is not to be had now: the bucket is parked, or its particles have ended.
bool ParticleWorker::pin(std::int64_t item, Pins& pins)
{
  const bool unsteady = shared_.context.is_unsteady();
  for (const bool end : { false, true })
  {
    if (end && !unsteady)
    {
      break;
    }
    Lookup& found = pins.found[end ? 1 : 0];
    found = look_up(item, end);
    Bucket& bucket = buckets_[item];
    if (found.state == Lookup::State::Miss)
    {
      static constexpr int kPatience = 2;
      if (end && bucket.times_parked > kPatience && kept_item_ < 0)
      {
        kept_ = std::move(pins.found[0]);
        kept_item_ = item;
      }
      pins.found[0].pin.release();
      park(item, end);
      return false;
    }
    if (found.state == Lookup::State::Failed)
    {
      fail_bucket(bucket, found.error);
      buckets_.erase(item);
      return false;
    }
  }
  return true;
}

Lookup ParticleWorker::look_up(std::int64_t item, bool end)
{
  if (!end && item == kept_item_)
  {
    kept_item_ = -1;
    return std::move(kept_);
  }
  return shared_.context.field().velocity.source->try_get(shared_.context.key_of(item, end));
}

void ParticleWorker::advance(std::int64_t item, const Pins& pins, std::vector<Particle*>& waiting)
{
  const std::int64_t brick = shared_.context.brick_of_item(item);
  const AdvectionContext& context = shared_.context;
  const std::int32_t level = context.mesh().level_of(brick);
  FieldWindow window;
  window.now = BrickWindow::make(context, pins.found[0].pin.view(), brick);
  if (context.is_unsteady())
  {
    window.later = BrickWindow::make(context, pins.found[1].pin.view(), brick);
    const auto interval = static_cast<std::size_t>(context.interval_of_item(item));
    window.times[0] = context.times()[interval];
    window.times[1] = context.times()[interval + 1];
  }
  done_.reserve(done_.size() + waiting.size());
  bool no_room = false;
  advance_particles({ context, context.mesh().level(level), level, window, lines_, crossings_, waiting, done_,
      shared_.stop, no_room, steps_ });
  if (no_room)
  {
    run_out_of_memory();
  }
}

void ParticleWorker::park(std::int64_t item, bool end)
{
  next_misses_ = requested_ >= most_requests();
  if (next_misses_)
  {
    ready_.push(item);
    return;
  }
  {
    // Who brings the brick needs no memory to say so.
    const std::lock_guard lock(mail_mutex_);
    arrived_.reserve(static_cast<std::size_t>(requested_) + 1);
  }
  Bucket& bucket = buckets_[item];
  const auto particles = static_cast<std::int64_t>(bucket.particles.size());
  bucket.parked = true;
  bucket.waits_for_end = end;
  ++bucket.times_parked;
  parked_times_ += particles;
  ++requested_;
  try
  {
    shared_.context.field().velocity.source->request_for(shared_.context.key_of(item, end), *this, particles);
  }
  catch (const std::bad_alloc&)
  {
    --requested_;
    throw;
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

/// To where its next sample is.
void ParticleWorker::move(Particle& particle)
{
  const AdvectionContext& context = shared_.context;
  const std::int64_t brick = enter_brick(context.mesh(), particle);
  if (brick >= 0)
  {
    put(particle, context.item_of(brick, particle.interval));
    return;
  }
  particle.reason = Termination::OutOfDomain;
  retire(particle);
}

void ParticleWorker::judge_not_finite(Particle& particle, std::int64_t item)
{
  // A fault under a mapped brick reads as NaN and is only known to the source afterwards: ask again.
  particle.reason = Termination::UnexpectedValue;
  for (const bool end : { false, true })
  {
    if (end && !shared_.context.is_unsteady())
    {
      break;
    }
    const Lookup again = shared_.context.field().velocity.source->try_get(shared_.context.key_of(item, end));
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
  particle.task = -1;
  spare_.push_back(&particle);
  --active_;
  shared_.finished.fetch_add(1, std::memory_order_relaxed);
  shared_.going.fetch_sub(1);
}

/// Every request is answered exactly once; this object must live until then.
void ParticleWorker::withdraw_requests()
{
  try
  {
    shared_.context.field().velocity.source->withdraw(*this);
  }
  catch (const std::bad_alloc&) // then they are answered when their bricks are there
  {
  }
  while (requested_ > 0)
  {
    wait();
    const std::lock_guard lock(mail_mutex_);
    requested_ -= static_cast<std::int64_t>(arrived_.size());
    arrived_.clear();
  }
}

void ParticleWorker::finish()
{
  kept_ = {};
  kept_item_ = -1;
  if (requested_ > 0)
  {
    withdraw_requests();
  }
  for (Particle& particle : particles_)
  {
    if (particle.task >= 0)
    {
      particle.reason = shared_.cut.load();
      retire(particle);
    }
  }
  buckets_.clear();
}

} // namespace rivulet
