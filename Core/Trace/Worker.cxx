// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Worker.h"

#include "Trace/Kernel.h"

#include <chrono>

namespace rivulet
{

void Worker::run()
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
    const std::int64_t brick = ready_.front();
    ready_.pop_front();
    visit(brick);
  }
  abandon();
}

void Worker::claim()
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

void Worker::start(const Task& task)
{
  if (spare_.empty())
  {
    spare_.push_back(&particles_.emplace_back());
  }
  Particle& particle = *spare_.back();
  spare_.pop_back();
  particle = Particle{};
  particle.task = task.number;
  particle.trial = task.seed;
  const auto seeds = static_cast<std::int64_t>(shared_.results.size() / 2);
  particle.sign = task.number >= seeds ? -1.0 : 1.0;
  ++active_;
  put(particle, task.brick);
}

void Worker::put(Particle& particle, std::int64_t brick)
{
  Bucket& bucket = buckets_[brick];
  bucket.particles.push_back(&particle);
  if (!bucket.queued)
  {
    bucket.queued = true;
    ready_.push_back(brick);
  }
}

void Worker::brick_arrived(const BrickKey& key)
{
  // Notified under the lock: the worker may be gone as soon as it is released.
  const std::lock_guard lock(mail_mutex_);
  arrived_.push_back(key.index);
  mail_.notify_one();
}

void Worker::open_mail()
{
  if (requested_ == 0)
  {
    return;
  }
  const std::lock_guard lock(mail_mutex_);
  for (const std::int64_t brick : arrived_)
  {
    ready_.push_back(brick);
    --requested_;
  }
  arrived_.clear();
}

bool Worker::wait_for_brick()
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

void Worker::visit(std::int64_t brick)
{
  // Looked up again after the visit: routing particles may rehash the table.
  std::vector<Particle*> waiting;
  waiting.swap(buckets_[brick].particles);
  const Problem& problem = shared_.problem;
  Lookup found = problem.field().velocity.source->try_get(problem.key_of(brick));
  Bucket& bucket = buckets_[brick];
  if (found.state == Lookup::State::Miss)
  {
    bucket.particles.swap(waiting);
    park(brick);
    return;
  }
  bucket.queued = false;
  if (found.state == Lookup::State::Failed)
  {
    bucket.particles.swap(waiting);
    fail_bucket(bucket, found.error);
    buckets_.erase(brick);
    return;
  }
  advance_particles(
      problem, BrickWindow::make(problem, found.pin.view(), brick), lines_, waiting, done_, shared_.stop, steps_);
  found.pin.release();
  buckets_.erase(brick);
  for (Particle* particle : waiting)
  {
    put(*particle, brick); // the run was stopped
  }
  for (Particle* particle : done_)
  {
    route(*particle, brick);
  }
  done_.clear();
}

void Worker::park(std::int64_t brick)
{
  const auto particles = static_cast<std::int64_t>(buckets_[brick].particles.size());
  parked_times_ += particles;
  ++requested_;
  shared_.problem.field().velocity.source->request_for(shared_.problem.key_of(brick), *this, particles);
}

void Worker::route(Particle& particle, std::int64_t brick)
{
  switch (particle.event)
  {
  case Event::NeedsBrick:
    put(particle, shared_.problem.brick_of(particle.trial.cell));
    break;
  case Event::NotFinite:
    judge_not_finite(particle, brick);
    break;
  case Event::Ended:
    retire(particle);
    break;
  }
}

void Worker::judge_not_finite(Particle& particle, std::int64_t brick)
{
  // A fault under a mapped brick reads as NaN and is only known to the source afterwards: ask again.
  const Lookup again = shared_.problem.field().velocity.source->try_get(shared_.problem.key_of(brick));
  if (again.state == Lookup::State::Failed)
  {
    const std::lock_guard lock(shared_.error_mutex);
    if (!shared_.error)
    {
      shared_.error = again.error;
    }
    particle.reason = Termination::DataMissing;
  }
  else
  {
    particle.reason = Termination::UnexpectedValue;
  }
  retire(particle);
}

void Worker::fail_bucket(Bucket& bucket, const std::shared_ptr<const Error>& error)
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

void Worker::retire(Particle& particle)
{
  TaskResult& result = shared_.results[static_cast<std::size_t>(particle.task)];
  result = { .chain = particle.chain,
    .reason = particle.reason,
    .length = particle.length,
    .time = particle.time,
    .steps = particle.steps };
  if (particle.chain.points < 2)
  {
    lines_.clear(result.chain);
  }
  spare_.push_back(&particle);
  --active_;
  shared_.finished.fetch_add(1, std::memory_order_relaxed);
}

void Worker::abandon()
{
  // Every request is answered exactly once; this object must live until then.
  if (requested_ > 0)
  {
    shared_.problem.field().velocity.source->withdraw(*this);
  }
  while (requested_ > 0)
  {
    wait_for_brick();
    open_mail();
  }
  for (auto& [brick, bucket] : buckets_)
  {
    for (Particle* particle : bucket.particles)
    {
      particle->reason = Termination::Cancelled;
      retire(*particle);
    }
  }
  buckets_.clear();
}

} // namespace rivulet
