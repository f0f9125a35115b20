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

void ParticleWorker::run()
{
  try
  {
    work();
  }
  catch (const std::bad_alloc&)
  {
    run_out_of_memory();
  }
  abandon();
}

void ParticleWorker::work()
{
  while (!shared_.stop.load(std::memory_order_relaxed))
  {
    claim();
    open_mail();
    if (ready_.empty())
    {
      if (active_ == 0 || !wait_for_brick())
      {
        break;
      }
      continue;
    }
    const std::int64_t item = ready_.front();
    ready_.pop_front();
    visit(item);
  }
}

void ParticleWorker::run_out_of_memory()
{
  shared_.out_of_memory.store(true);
  shared_.stop.store(true);
}

void ParticleWorker::claim()
{
  const auto count = static_cast<std::int64_t>(shared_.tasks.size());
  while (active_ + shared_.chunk <= shared_.in_flight || active_ == 0)
  {
    const std::int64_t first = shared_.next_task.fetch_add(shared_.chunk, std::memory_order_relaxed);
    if (first >= count)
    {
      // Keeps the counter from running away while others finish.
      shared_.next_task.store(count, std::memory_order_relaxed);
      return;
    }
    const std::int64_t last = std::min(count, first + shared_.chunk);
    for (std::int64_t i = first; i < last; ++i)
    {
      start(shared_.tasks[static_cast<std::size_t>(i)]);
    }
  }
}

void ParticleWorker::start(const Task& task)
{
  if (spare_.empty())
  {
    spare_.reserve(particles_.size() + 1);
    spare_.push_back(&particles_.emplace_back());
  }
  Particle& particle = *spare_.back();
  spare_.pop_back();
  particle = Particle{};
  particle.task = task.number;
  particle.trial = task.seed;
  const auto seeds = static_cast<std::int64_t>(shared_.results.size() / 2);
  particle.sign = task.number >= seeds ? -1.0 : 1.0;
  if (shared_.context.is_unsteady())
  {
    particle.trial_time = task.time;
    particle.stop_time = shared_.context.stop_time(task.time, particle.sign);
    particle.interval = shared_.context.interval_of_item(task.item);
  }
  ++active_;
  put(particle, task.item);
}

void ParticleWorker::put(Particle& particle, std::int64_t item)
{
  Bucket& bucket = buckets_[item];
  bucket.particles.push_back(&particle);
  if (!bucket.queued)
  {
    bucket.queued = true;
    ready_.push_back(item);
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
bool ParticleWorker::wake(std::int64_t item, bool upper)
{
  const auto found = buckets_.find(item);
  if (found == buckets_.end() || !found->second.parked || found->second.waits_for_upper != upper)
  {
    return false;
  }
  found->second.parked = false;
  ready_.push_back(item);
  return true;
}

bool ParticleWorker::wait_for_brick()
{
  if (requested_ == 0)
  {
    return false;
  }
  const auto start = std::chrono::steady_clock::now();
  {
    std::unique_lock lock(mail_mutex_);
    // Wakes now and then to see whether the run was stopped.
    mail_.wait_for(lock, std::chrono::milliseconds(50), [this] { return !arrived_.empty(); });
  }
  stall_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return true;
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
  for (const bool upper : { false, true })
  {
    if (upper && !unsteady)
    {
      break;
    }
    Lookup& found = pins.found[upper ? 1 : 0];
    found = look_up(item, upper);
    Bucket& bucket = buckets_[item];
    if (found.state == Lookup::State::Miss)
    {
      static constexpr int kPatience = 2;
      if (upper && bucket.times_parked > kPatience && kept_item_ < 0)
      {
        kept_ = std::move(pins.found[0]);
        kept_item_ = item;
      }
      pins.found[0].pin.release();
      park(item, upper);
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

Lookup ParticleWorker::look_up(std::int64_t item, bool upper)
{
  if (!upper && item == kept_item_)
  {
    kept_item_ = -1;
    return std::move(kept_);
  }
  return shared_.context.field().velocity.source->try_get(shared_.context.key_of(item, upper));
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
  advance_particles(
      { context, context.mesh().level(level), level, window, &lines_, waiting, done_, shared_.stop, no_room, steps_ });
  if (no_room)
  {
    run_out_of_memory();
  }
}

void ParticleWorker::park(std::int64_t item, bool upper)
{
  {
    // Who brings the brick needs no memory to say so.
    const std::lock_guard lock(mail_mutex_);
    arrived_.reserve(static_cast<std::size_t>(requested_) + 1);
  }
  Bucket& bucket = buckets_[item];
  const auto particles = static_cast<std::int64_t>(bucket.particles.size());
  bucket.parked = true;
  bucket.waits_for_upper = upper;
  ++bucket.times_parked;
  parked_times_ += particles;
  ++requested_;
  try
  {
    shared_.context.field().velocity.source->request_for(shared_.context.key_of(item, upper), *this, particles);
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
  for (const bool upper : { false, true })
  {
    if (upper && !shared_.context.is_unsteady())
    {
      break;
    }
    const Lookup again = shared_.context.field().velocity.source->try_get(shared_.context.key_of(item, upper));
    if (again.state == Lookup::State::Failed)
    {
      const std::lock_guard lock(shared_.error_mutex);
      if (!shared_.error)
      {
        shared_.error = again.error;
      }
      particle.reason = Termination::DataMissing;
    }
  }
  retire(particle);
}

void ParticleWorker::fail_bucket(Bucket& bucket, const std::shared_ptr<const Error>& error)
{
  {
    const std::lock_guard lock(shared_.error_mutex);
    if (!shared_.error)
    {
      shared_.error = error;
    }
  }
  for (Particle* particle : bucket.particles)
  {
    particle->reason = Termination::DataMissing;
    retire(*particle);
  }
}

void ParticleWorker::retire(Particle& particle)
{
  TaskResult& result = shared_.results[static_cast<std::size_t>(particle.task)];
  result = { .chain = particle.path.chain,
    .reason = particle.reason,
    .length = particle.length,
    .time = particle.time,
    .steps = particle.steps };
  if (particle.path.chain.points < 2)
  {
    lines_.clear(result.chain);
  }
  particle.task = -1;
  spare_.push_back(&particle);
  --active_;
  shared_.finished.fetch_add(1, std::memory_order_relaxed);
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
    wait_for_brick();
    const std::lock_guard lock(mail_mutex_);
    requested_ -= static_cast<std::int64_t>(arrived_.size());
    arrived_.clear();
  }
}

/// Ends all lines that are not at their ends. Needs no memory.
void ParticleWorker::abandon()
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
