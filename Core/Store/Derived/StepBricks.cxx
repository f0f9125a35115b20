// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Derived/StepBricks.h"

#include "Base/Times.h"

#include <algorithm>
#include <string>
#include <tuple>

namespace rivulet
{

namespace
{

BrickKey key_in(const StepBricks::Step& step, const BrickKey& key)
{
  return { step.values.variable, step.values.step, key.index };
}

const Variable& variable_of(const StepBricks::Values& values)
{
  return values.source->info().variables[static_cast<std::size_t>(values.variable)];
}

bool same_bricks(const BrickGrid& a, const BrickGrid& b)
{
  return std::tie(a.cells, a.count, a.lattice) == std::tie(b.cells, b.count, b.lattice);
}

} // namespace

/// Hands on answers from the source of one step to one waiter, with the keys that it asked for.
class StepBricks::Answers final : public BrickWaiter
{
public:
  Answers(BrickWaiter& waiter, std::int32_t number)
    : waiter_(waiter)
    , number_(number)
  {
  }
  void brick_arrived(const BrickKey& key, Lookup&& found) override
  {
    waiter_.brick_arrived({ 0, number_, key.index }, std::move(found));
  }

private:
  BrickWaiter& waiter_;
  std::int32_t number_;
};

StepBricks::StepBricks(std::vector<double> times, const Values& like, Rows rows)
  : info_{ like.source->info().grid, { variable_of(like) }, std::move(times), { ValueRanges{} }, -1, {} }
  , bricks_(like.source->bricks(like.variable))
  , own_cut_(like.source->own_cut())
  , rows_(rows)
{
}

StepBricks::~StepBricks() = default;

Result<void> StepBricks::hold(std::vector<Step> steps, Lost lost)
{
  steps_.clear();
  lost_ = std::move(lost);
  answers_.clear();
  if (!steps.empty())
  {
    follow_cut(steps.front().values);
  }
  for (const Step& step : steps)
  {
    if (Result<void> good = check(step); !good)
    {
      return good;
    }
  }
  steps_ = std::move(steps);
  return {};
}

/// Takes over the bricks of a cut of its own, or of a row: in each interval it may be another one.
void StepBricks::follow_cut(const Values& values)
{
  const BrickCut* const cut = values.source->own_cut();
  if (rows_ == Rows::MayDiffer)
  {
    info_.grid = values.source->info().grid;
    bricks_ = values.source->bricks(values.variable);
  }
  if (own_cut_ != nullptr && cut != nullptr)
  {
    own_cut_ = cut;
    bricks_ = values.source->bricks(values.variable);
  }
}

Result<void> StepBricks::check(const Step& step) const
{
  const Variable& like = info_.variables.front();
  const Variable& variable = variable_of(step.values);
  const std::string where =
      "\"" + like.name + "\" at time " + format_time(info_.times[static_cast<std::size_t>(step.number)]);
  if (variable.components != like.components || variable.type != like.type || variable.centering != like.centering)
  {
    return fail(ErrorCode::Unsupported, where + " has another type or other components than in the steps before",
        "make all steps alike");
  }
  BrickSource& source = *step.values.source;
  if (rows_ == Rows::MayDiffer && source.bricks(step.values.variable).size() == 1)
  {
    return {};
  }
  if (!(source.info().grid == info_.grid) || source.own_cut() != own_cut_)
  {
    return fail(ErrorCode::Unsupported, where + " is on another grid than in the steps before",
        "use Resample To Image, with the same bounds for all steps");
  }
  if (!same_bricks(source.bricks(step.values.variable), bricks_))
  {
    return fail(ErrorCode::Unsupported, where + " is cut into other bricks than in the steps before",
        "write all steps with the same brick size");
  }
  return {};
}

const StepBricks::Step* StepBricks::held(std::int32_t number) const
{
  const auto found =
      std::find_if(steps_.begin(), steps_.end(), [number](const Step& step) { return step.number == number; });
  return found != steps_.end() ? &*found : nullptr;
}

std::shared_ptr<const Error> StepBricks::not_held(std::int32_t number) const
{
  if (const auto lost = lost_.find(number); lost != lost_.end())
  {
    return lost->second;
  }
  Error error;
  error.code = ErrorCode::NotFound;
  error.what = "step " + std::to_string(number) + " of \"" + info_.variables.front().name + "\" is not in memory";
  return std::make_shared<const Error>(std::move(error));
}

Lookup StepBricks::try_get(const BrickKey& key)
{
  if (const Step* step = held(key.step))
  {
    return step->values.source->try_get(key_in(*step, key));
  }
  Lookup lookup;
  lookup.state = Lookup::State::Failed;
  lookup.error = not_held(key.step);
  return lookup;
}

/// The same for all requests of a waiter for a step, so that the waiter can withdraw them.
StepBricks::Answers* StepBricks::answers_for(BrickWaiter& waiter, const Step& step, bool make)
{
  const std::lock_guard lock(mutex_);
  const std::pair key(&waiter, step.number);
  const auto found = answers_.find(key);
  if (found != answers_.end() || !make)
  {
    return found != answers_.end() ? found->second.get() : nullptr;
  }
  return answers_.emplace(key, std::make_unique<Answers>(waiter, step.number)).first->second.get();
}

void StepBricks::request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles)
{
  if (const Step* step = held(key.step))
  {
    step->values.source->request_for(key_in(*step, key), *answers_for(waiter, *step, true), particles);
    return;
  }
  waiter.brick_arrived(key, try_get(key));
}

void StepBricks::withdraw(BrickWaiter& waiter)
{
  for (const Step& step : steps_)
  {
    if (Answers* const answers = answers_for(waiter, step, false))
    {
      step.values.source->withdraw(*answers);
    }
  }
}

void StepBricks::prefetch(std::span<const BrickKey> keys, std::int64_t priority)
{
  for (const BrickKey& key : keys)
  {
    if (const Step* step = held(key.step))
    {
      const BrickKey of_source = key_in(*step, key);
      step->values.source->prefetch({ &of_source, 1 }, priority);
    }
  }
}

void StepBricks::prepare(const Workload& workload)
{
  // Steps may have one source, which chooses once.
  std::map<BrickSource*, Workload> of_sources;
  for (const Step& step : steps_)
  {
    Workload& of_source = of_sources[step.values.source];
    of_source.threads = workload.threads;
    of_source.at_once = workload.at_once;
    for (const BrickKey& key : workload.first_bricks)
    {
      if (key.step == step.number)
      {
        of_source.first_bricks.push_back(key_in(step, key));
      }
    }
  }
  for (const auto& [source, of_source] : of_sources)
  {
    source->prepare(of_source);
  }
}

int StepBricks::useful_threads(int wanted) const
{
  int most = steps_.empty() ? wanted : 1;
  for (const Step& step : steps_)
  {
    most = std::max(most, step.values.source->useful_threads(wanted));
  }
  return most;
}

std::int64_t StepBricks::bricks_at_once() const
{
  std::int64_t least = BrickSource::bricks_at_once();
  for (const Step& step : steps_)
  {
    least = std::min(least, step.values.source->bricks_at_once());
  }
  return least;
}

std::int64_t StepBricks::working_minimum(int workers) const
{
  std::int64_t sum = 0;
  for (const Step& step : steps_)
  {
    sum += step.values.source->working_minimum(workers);
  }
  return sum;
}

std::int64_t StepBricks::storage_order(const BrickKey& key) const
{
  const Step* const step = held(key.step);
  return step != nullptr ? step->values.source->storage_order(key_in(*step, key)) : key.index;
}

Result<void> StepBricks::health()
{
  Result<void> all;
  for (const Step& step : steps_)
  {
    Result<void> one = step.values.source->health();
    all = all ? std::move(one) : std::move(all);
  }
  return all;
}

} // namespace rivulet
