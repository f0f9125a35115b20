// SPDX-License-Identifier: BSD-3-Clause
#include "Analytics.h"

#include "KeptHost.h"
#include "Parallel/CalmFloats.h"

#include <bit>
#include <exception>
#include <utility>

namespace rivulet::insitu
{

Analytics::Analytics(AnalyticsConfiguration configuration, Results results, const rivulet_analytics* functions,
    const ParallelLoop& loop, Messages& messages, Trace& trace, const std::atomic<bool>& stopped)
  : configuration_(std::move(configuration))
  , results_(std::move(results))
  , uses_mpi_(functions != nullptr && asks_mpi(*functions, configuration_.options))
  , functions_(functions)
  , loop_(loop)
  , messages_(messages)
  , trace_(trace)
  , stopped_(stopped)
  , host_{ RIVULET_ANALYTICS_ABI, loop.slots(), 0, 1, MPI_COMM_NULL, configuration_.name.c_str(),
    configuration_.options.c_str(), results_.output.c_str(), this, &on_parallel, &on_message, &on_stopped,
    static_cast<std::int32_t>(results_.start) }
{
  if (functions_ == nullptr)
  {
    switch_off(-1);
  }
}

std::string Analytics::place() const
{
  const std::int64_t step = step_;
  return configuration_.name + (step < 0 ? "" : ", step " + std::to_string(step)) + ": ";
}

template <class Function>
bool Analytics::call(const char* what, const Function& function)
{
  std::string failure;
  try
  {
    int code = 0;
    loop_.arena().execute(
        [&]
        {
          const CalmFloats calm;
          code = function();
        });
    const std::string of_mpi = mpi_errors_.take();
    if (code == 0 && of_mpi.empty())
    {
      return true;
    }
    failure = "has returned " + std::to_string(code) + (of_mpi.empty() ? "" : " after an error of MPI: " + of_mpi);
  }
  catch (const std::exception& exception)
  {
    failure = std::string("has thrown: ") + exception.what();
  }
  catch (...)
  {
    failure = "has thrown something that is no std::exception";
  }
  tell_failure(what, failure);
  return false;
}

/// Of failures at one step after the other, the first, second, fourth, ... are told.
bool Analytics::tells_failure(std::int64_t in_turn)
{
  return std::has_single_bit(static_cast<std::uint64_t>(in_turn));
}

void Analytics::tell_failure(const char* what, const std::string& failure)
{
  ++failures_;
  const std::int64_t in_turn = ++failures_in_turn_;
  if (tells_failure(in_turn))
  {
    messages_.add(RIVULET_ERROR, place() + what + " " + failure +
                                     (in_turn == 1 ? "" : " (failure number " + std::to_string(in_turn) + " in turn)"));
  }
}

void Analytics::tell_success()
{
  if (const std::int64_t failed = failures_in_turn_.exchange(0); failed > 0)
  {
    messages_.add(RIVULET_NOTE, place() + "execute succeeds again, after " + std::to_string(failed) +
                                    (failed == 1 ? " failure" : " failures") + " in turn");
  }
}

bool Analytics::create()
{
  created_ = call("create",
      [this]
      {
        const KeptHost kept(KeptHost::Simulation::Waits);
        return functions_->create(&host_, &self_);
      });
  return created_;
}

bool Analytics::execute(const rivulet_snapshot& snapshot)
{
  step_ = snapshot.step;
  const auto begin = Trace::Clock::now();
  const bool good = call("execute", [&] { return functions_->execute(self_, &snapshot); });
  executions_ += good ? 1 : 0;
  if (good)
  {
    tell_success();
  }
  seconds_ += std::chrono::duration<double>(Trace::Clock::now() - begin).count();
  trace_.add(Activity::Analytics, begin, snapshot.step, configuration_.name.c_str());
  step_ = -1;
  return good;
}

void Analytics::refuse_step(std::int64_t step, const std::string& reason)
{
  step_ = step;
  tell_failure("execute", "was left out: " + reason);
  step_ = -1;
}

void Analytics::destroy()
{
  if (std::exchange(created_, false))
  {
    (void)call("destroy",
        [this]
        {
          const KeptHost kept(KeptHost::Simulation::Waits);
          functions_->destroy(self_);
          return 0;
        });
  }
}

void Analytics::on_parallel(void* self, std::int64_t count, std::int64_t grain, rivulet_loop_body body, void* data)
{
  static_cast<Analytics*>(self)->loop_.run(count, grain, body, data);
}

void Analytics::on_message(void* self, std::int32_t severity, const char* text)
{
  auto* const mine = static_cast<Analytics*>(self);
  if (severity == RIVULET_ERROR && mine->step_ >= 0 && !tells_failure(mine->failures_in_turn_ + 1))
  {
    return; // as the failure that it explains
  }
  mine->messages_.add(severity, mine->place() + (text == nullptr ? "(no text)" : text));
}

std::int32_t Analytics::on_stopped(void* self)
{
  return static_cast<Analytics*>(self)->stopped_ ? 1 : 0;
}

} // namespace rivulet::insitu
