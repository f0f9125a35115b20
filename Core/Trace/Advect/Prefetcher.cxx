// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/Prefetcher.h"

#include <algorithm>

namespace rivulet
{

namespace
{

/// Seconds that a brick costs which is read together with others: its share of the device, its checksum.
constexpr double kCost = 50e-6;
/// Particles of one bucket whose paths are looked at.
constexpr std::size_t kMostPaths = 4;

} // namespace

Prefetcher::Prefetcher(const AdvectionContext& context)
  : context_(context)
  , paths_(context)
  , book_(context.field().velocity.source->hints())
{
  if (book_ != nullptr)
  {
    known_ = book_->known();
  }
}

/// A work item as a place in the graph of hints: the brick, at the step with which its interval begins.
BrickKey Prefetcher::place_of(std::int64_t item) const
{
  return item < 0 ? HintGraph::kNoBrick : context_.key_of(item);
}

void Prefetcher::go_to(Particle& particle, std::int64_t item, std::int64_t active)
{
  if (particle.item >= 0 && active <= kFewParticles)
  {
    learnt_.add_hint(place_of(particle.item_before), place_of(particle.item), place_of(item));
  }
  particle.item_before = particle.item;
  particle.item = item;
}

void Prefetcher::keep_hints()
{
  if (book_ != nullptr)
  {
    book_->learn(learnt_);
  }
}

/// A mean of the last few values.
void Prefetcher::update(double& mean, double seconds)
{
  mean = mean > 0.0 ? mean + 0.125 * (seconds - mean) : seconds;
}

std::size_t Prefetcher::room(std::int64_t waiting) const
{
  const double ahead = std::clamp(read_ / (stay_ + kCost), 1.0, static_cast<double>(kMost));
  return static_cast<std::size_t>(ahead / static_cast<double>(std::max<std::int64_t>(waiting, 1)));
}

/// Adds the bricks of a work item that are not named yet.
void Prefetcher::add_steps(std::int64_t item, std::size_t most)
{
  const StepRange steps = context_.steps_of(context_.interval_of_item(item));
  for (std::int32_t step = steps.first; step <= steps.last && keys_.size() < most; ++step)
  {
    const BrickKey key = context_.key_of(item, step);
    if (std::find(keys_.begin(), keys_.end(), key) == keys_.end())
    {
      keys_.push_back(key);
    }
  }
}

/// The hints come from a file: they may name anything.
void Prefetcher::add_hints(const Particle& particle, std::size_t most)
{
  const SourceArray& velocity = context_.field().velocity;
  for (const BrickKey& place : known_->look(place_of(particle.item_before), place_of(particle.item), most))
  {
    const bool in_time = context_.is_unsteady() ? context_.holds(place.step) : place.step == velocity.step;
    const bool exists = place.index >= 0 && place.index < context_.bricks().size();
    if (in_time && exists && place.variable == velocity.variable)
    {
      add_steps(context_.item_of(place.index, context_.is_unsteady() ? place.step : 0), most);
    }
  }
}

const std::vector<BrickKey>& Prefetcher::look(
    std::span<Particle* const> particles, std::int64_t item, std::int32_t step, std::int64_t waiting)
{
  keys_.clear();
  const std::size_t all = room(waiting);
  if (all == 0)
  {
    return keys_;
  }
  for (std::int32_t other = step + 1; other <= context_.steps_of(context_.interval_of_item(item)).last; ++other)
  {
    keys_.push_back(context_.key_of(item, other));
  }
  const std::size_t paths = std::min(particles.size(), kMostPaths);
  for (std::size_t i = 0; i < paths; ++i)
  {
    const Particle& particle = *particles[i * particles.size() / paths];
    const std::size_t most = (i + 1) * all / paths;
    if (known_ && known_->size() > 0)
    {
      add_hints(particle, most);
    }
    paths_.look(particle, most, keys_);
  }
  return keys_;
}

} // namespace rivulet
