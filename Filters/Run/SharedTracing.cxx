// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Run/SharedTracing.h"

#include "Pipeline/MpiLink.h"

namespace rivulet
{

SharedTracing::SharedTracing(const Ranks& ranks, DistributedBricks* bricks)
  : bricks_(bricks)
{
  std::int64_t without = bricks == nullptr ? 1 : 0;
  ranks.sum({ &without, 1 });
  if (without > 0 && bricks != nullptr)
  {
    bricks->read_alone();
  }
  bricks_ = without == 0 ? bricks : nullptr;
  RankLink* const link = mpi_link(LinkUse::Tracing);
  if (link == nullptr)
  {
    return;
  }
  std::function<void()> poll_bricks;
  if (bricks_ != nullptr)
  {
    poll_bricks = [this]
    {
      bricks_->poll();
    };
  }
  particles_.emplace(*link, std::move(poll_bricks));
}

void SharedTracing::attach(RunOptions& run)
{
  if (particles_)
  {
    particles_->attach(run);
  }
}

void SharedTracing::close(const std::function<void()>& idle)
{
  if (particles_)
  {
    particles_->close(idle);
  }
  if (bricks_ != nullptr)
  {
    bricks_->close(idle);
  }
}

std::optional<DistributedStatistics> SharedTracing::bricks() const
{
  return bricks_ != nullptr ? std::optional(bricks_->ranked()) : std::nullopt;
}

} // namespace rivulet
