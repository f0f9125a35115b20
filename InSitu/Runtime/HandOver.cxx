// SPDX-License-Identifier: BSD-3-Clause
#include "HandOver.h"

#include "Base/Bytes.h"

#include "rivulet_insitu.h"

#include <algorithm>
#include <array>
#include <new>

namespace rivulet::insitu
{

namespace
{

constexpr double kForever = 1e8;    // seconds: three years
constexpr double kLongestGrace = 2; // seconds that analytics have to see that they should stop

double seconds_since(Trace::Clock::time_point begin)
{
  return std::chrono::duration<double>(Trace::Clock::now() - begin).count();
}

std::string text_of(double seconds)
{
  std::string text = std::to_string(seconds);
  return text.substr(0, text.find('.') + 2);
}

} // namespace

HandOver::HandOver(const Configuration& configuration, const Plan& plan, Arenas& arenas, AnalyticsGroup& group,
    MPI_Comm comm, Shared& shared)
  : configuration_(configuration)
  , arenas_(arenas)
  , group_(group)
  , comm_(comm)
  , shared_(shared)
  , ring_(configuration.buffers)
{
  MPI_Comm_size(comm_, &ranks_);
  for (int i = 0; i < configuration.buffers; ++i)
  {
    buffers_.push_back(std::make_unique<SnapshotBuffer>());
  }
  const AnalyticsMaster::Work work{ [this](const Ticket& ticket)
    {
      const rivulet_snapshot& snapshot = buffers_[static_cast<std::size_t>(ticket.buffer)]->snapshot();
      group_.execute(ticket.step, ticket.whole ? &snapshot : nullptr, ticket.sequence);
    },
    [this]
    {
      group_.destroy();
    } };
  if (plan.has_master_thread())
  {
    master_ = std::make_unique<MasterThread>(ring_, work, plan.master_cores, shared.trace);
  }
  else
  {
    master_ = std::make_unique<MasterTask>(ring_, work, arenas.analytics());
  }
}

void HandOver::create()
{
  master_->do_there([this] { group_.create(); });
  for (const auto& buffer : buffers_)
  {
    const Result<void> room = buffer->reserve(configuration_.buffer_mib * kMiB);
    if (!room)
    {
      shared_.messages.add(RIVULET_WARNING, room.error().describe());
      return;
    }
    touch(*buffer);
  }
}

/// First touch by the thread that will read the buffer, if that thread is idle; else by the threads that copy.
void HandOver::touch(SnapshotBuffer& buffer)
{
  if (buffer.untouched())
  {
    (void)master_->do_there_now([&buffer] { buffer.touch(); });
  }
}

/// Drops a step that waits. False if it has begun, or there is none.
bool HandOver::drop_one(std::int64_t sequence)
{
  const bool dropped = ring_.drop(sequence);
  use_.dropped += dropped ? 1 : 0;
  return dropped;
}

/// Makes room as configured, in the same way on all ranks. False: the new step is to be left out.
bool HandOver::agree_on_room()
{
  std::array<std::int64_t, 2> most{ ring_.full() ? 1 : 0, -ring_.first_unfinished() };
  if (MPI_Allreduce(MPI_IN_PLACE, most.data(), 2, MPI_INT64_T, MPI_MAX, comm_) != MPI_SUCCESS)
  {
    return false;
  }
  known_done_ = -most[1];
  if (most[0] == 0)
  {
    return true;
  }
  if (configuration_.when_full == WhenFull::Skip)
  {
    return false;
  }
  // A step that has begun on one rank cannot be dropped on another. No rank begins one until all have agreed.
  ring_.hold(true);
  std::int64_t begun_nowhere = ring_.first_waiting();
  const bool agreed = MPI_Allreduce(MPI_IN_PLACE, &begun_nowhere, 1, MPI_INT64_T, MPI_MAX, comm_) == MPI_SUCCESS;
  const bool dropped = agreed && drop_one(begun_nowhere);
  ring_.hold(false);
  return dropped;
}

std::optional<int> HandOver::wait_for_buffer()
{
  const auto begin = Trace::Clock::now();
  const double limit = configuration_.wait_limit > 0 ? configuration_.wait_limit : kForever;
  const std::optional<int> buffer = ring_.acquire(Ring::Seconds(limit));
  use_.wait_seconds += seconds_since(begin);
  shared_.trace.add(Activity::Wait, begin);
  if (!buffer)
  {
    gave_up_ = true;
    const Analytics* const running = group_.running();
    shared_.messages.add(
        RIVULET_ERROR, "no buffer came free within " + text_of(limit) + " s" +
                           (running == nullptr ? "" : ", while " + running->name() + " was at work") +
                           ": analytics seem to hang, and get no more steps. The limit is \"wait_limit\"");
  }
  return buffer;
}

/// A buffer for a new step. Nothing where the step is to be left out, or where analytics hang.
std::optional<int> HandOver::find_buffer()
{
  if (configuration_.when_full == WhenFull::Wait)
  {
    return wait_for_buffer();
  }
  if (group_.uses_mpi() && ranks_ > 1)
  {
    return agree_on_room() ? ring_.acquire(Ring::Seconds(0)) : std::nullopt;
  }
  if (ring_.full() && configuration_.when_full == WhenFull::DropOldest)
  {
    (void)drop_one(ring_.first_waiting());
  }
  return ring_.acquire(Ring::Seconds(0));
}

int HandOver::give(const rivulet_snapshot& published, bool good)
{
  const std::optional<int> buffer = gave_up_ ? std::nullopt : find_buffer();
  if (!buffer)
  {
    use_.skipped += gave_up_ ? 0 : 1;
    return gave_up_ ? RIVULET_ERROR_HANGS : RIVULET_SKIPPED;
  }
  const bool needed = group_.needs(published.step);
  const int code = !good ? RIVULET_ERROR_DATA : needed ? copy(published, *buffer) : RIVULET_OK;
  use_.handed += code == RIVULET_OK && needed ? 1 : 0;
  use_.left_out += code == RIVULET_OK ? 0 : 1;
  const std::int64_t sequence = ring_.put(*buffer, published.step, code == RIVULET_OK && needed);
  if (configuration_.when_full == WhenFull::Wait)
  {
    known_done_ = std::max<std::int64_t>(sequence + 1 - configuration_.buffers, 0);
  }
  master_->notify();
  return code;
}

Result<void> HandOver::make_room(std::int64_t bytes, int buffer)
{
  // With the first step, all buffers get their room: the thread that should touch them is idle now, and seldom later.
  const bool first =
      std::all_of(buffers_.begin(), buffers_.end(), [](const auto& each) { return each->capacity() == 0; });
  SnapshotBuffer& wanted = *buffers_[static_cast<std::size_t>(buffer)];
  Result<void> room = wanted.reserve(bytes);
  touch(wanted);
  for (std::size_t i = 0; room && first && i < buffers_.size(); ++i)
  {
    // A refusal is no failure yet: the buffer asks again when its turn comes.
    if (!buffers_[i]->reserve(bytes))
    {
      break;
    }
    touch(*buffers_[i]);
  }
  return room;
}

int HandOver::copy(const rivulet_snapshot& published, int buffer)
{
  const auto begin = Trace::Clock::now();
  std::int64_t bytes = 0;
  std::string refused;
  try
  {
    const SnapshotBuffer::Choice choice{ [&](const char* name, const char* variable)
      {
        return group_.wants(published.step, name, variable);
      } };
    const Result<void> room = make_room(SnapshotBuffer::bytes_for(published, choice), buffer);
    if (room)
    {
      arenas_.simulation().execute(
          [&] { bytes = buffers_[static_cast<std::size_t>(buffer)]->copy(published, choice); });
    }
    else
    {
      refused = room.error().describe();
    }
  }
  catch (const std::bad_alloc&)
  {
    refused = "there is no memory for the copy of an object, or for the list of arrays";
  }
  catch (const std::exception& failure) // of an object's own function
  {
    refused = std::string("an object cannot be copied: ") + failure.what();
  }
  catch (...)
  {
    refused = "an object cannot be copied";
  }
  use_.copied_bytes += bytes;
  use_.copy_seconds += seconds_since(begin);
  shared_.trace.add(Activity::Copy, begin, bytes);
  if (!refused.empty())
  {
    shared_.messages.add(RIVULET_ERROR, "step " + std::to_string(published.step) + " is left out: " + refused);
    return RIVULET_ERROR_MEMORY;
  }
  return RIVULET_OK;
}

/// Number of executions and steps that are over.
std::int64_t HandOver::progress() const
{
  std::int64_t all = ring_.first_unfinished();
  for (const Analytics* const each : group_.members())
  {
    const Analytics::Use use = each->use();
    all += use.executions + use.failures;
  }
  return all;
}

/// Waits until all that was accepted is analysed. False: analytics have shown no progress for the limit.
bool HandOver::has_ended(const std::function<void()>& look)
{
  static constexpr double kLook = 0.02; // seconds
  std::int64_t seen = progress();
  auto since = Trace::Clock::now();
  while (!master_->has_ended(Ring::Seconds(std::min(configuration_.finalize_limit, kLook))))
  {
    look();
    if (const std::int64_t now = progress(); now != seen)
    {
      seen = now;
      since = Trace::Clock::now();
    }
    else if (seconds_since(since) >= configuration_.finalize_limit)
    {
      return false;
    }
  }
  return true;
}

bool HandOver::finish(const std::function<void()>& look)
{
  const auto begin = Trace::Clock::now();
  master_->finish();
  bool ended = has_ended(look);
  if (!ended)
  {
    shared_.stopped = true;
    ended = master_->has_ended(Ring::Seconds(std::min(configuration_.finalize_limit, kLongestGrace)));
  }
  use_.wait_seconds += seconds_since(begin);
  const Analytics* const running = group_.running();
  if (!ended)
  {
    shared_.messages.add(RIVULET_ERROR,
        "analytics have shown no progress for " + text_of(configuration_.finalize_limit) + " s" +
            (running == nullptr ? "" : ": " + running->name() + " hangs") +
            ". Their thread is left to itself, and MPI_Finalize may hang. The limit is \"finalize_limit\"");
  }
  else if (const std::int64_t late = group_.left_out(); late > 0)
  {
    shared_.messages.add(RIVULET_WARNING,
        "analytics had no time for the last steps, " + std::to_string(late) + " of them: there was no progress for " +
            text_of(configuration_.finalize_limit) + " s. The limit is \"finalize_limit\"");
  }
  return ended;
}

std::int64_t HandOver::known_done() const
{
  return ranks_ == 1 ? ring_.first_unfinished() : known_done_;
}

} // namespace rivulet::insitu
