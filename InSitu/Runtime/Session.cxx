// SPDX-License-Identifier: BSD-3-Clause
#include "Session.h"

#include "CheckData.h"

#include "Base/Times.h"
#include "rivulet_insitu.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

namespace rivulet::insitu
{

/// Ranks must answer alike, because a simulation may communicate for the sake of analytics. So a failure only counts
/// once all ranks know of it: with its step finished everywhere, as far as that follows from the hand-shake. Failures
/// of analytics without MPI are one rank's own; they count where that rank is alone.
bool Session::hidden(const Analytics& analytics) const
{
  if (std::find(failed_everywhere_.begin(), failed_everywhere_.end(), &analytics) != failed_everywhere_.end())
  {
    return true;
  }
  const std::int64_t known = hand_over_ ? hand_over_->known_done() : 0;
  return analytics.off_since() < known && (ranks_ == 1 || analytics.uses_mpi());
}

bool Session::wants_of(const AnalyticsGroup& group, std::int64_t step) const
{
  return std::any_of(group.members().begin(), group.members().end(),
      [this, step](const Analytics* each) { return each->due(step) && !hidden(*each); });
}

int Session::wants(std::int64_t step) const
{
  const bool beside = hand_over_ && !hand_over_->gave_up() && wants_of(*beside_, step);
  return beside || wants_of(*at_once_, step) ? 1 : 0;
}

int Session::wants_data(std::int64_t step, const char* name, const char* variable) const
{
  const auto wanted_by = [&](const AnalyticsGroup& group)
  {
    return std::any_of(group.members().begin(), group.members().end(),
        [&](const Analytics* each)
        { return each->due(step) && !hidden(*each) && (variable == nullptr || each->wants(name, variable)); });
  };
  const bool beside = hand_over_ && !hand_over_->gave_up() && wanted_by(*beside_);
  return beside || wanted_by(*at_once_) ? 1 : 0;
}

int Session::check_thread(const char* function)
{
  if (std::this_thread::get_id() != owner_)
  {
    shared_.messages.add(
        RIVULET_ERROR, std::string(function) + " was called by another thread than initialize: nothing was done");
    return RIVULET_ERROR_ORDER;
  }
  return RIVULET_OK;
}

int Session::check_order(const char* function)
{
  const int code = check_thread(function);
  if (code == RIVULET_OK && depth_ > 0)
  {
    shared_.messages.add(
        RIVULET_ERROR, std::string(function) + " was called within rivulet_insitu_run: nothing was done");
    return RIVULET_ERROR_ORDER;
  }
  return code;
}

/// Reports published data that failed their check; the step is then not good.
int Session::keep(const Result<void>& checked)
{
  if (!checked)
  {
    good_ = false;
    shared_.messages.add(RIVULET_ERROR, checked.error().describe());
    return RIVULET_ERROR_DATA;
  }
  return RIVULET_OK;
}

/// Keeps published data, under a name that is new in this step. Without memory for them the step is left out.
template <class T>
int Session::keep(const T& given, const char* kind, Result<void> (*check)(const T&), std::vector<T>& kept)
{
  const bool good_so_far = std::exchange(good_, false);
  const int code = keep(check(given));
  if (code != RIVULET_OK)
  {
    return code;
  }
  if (!names_.insert(given.name).second)
  {
    return keep(fail(ErrorCode::BadArgument,
        std::string(kind) + " \"" + given.name + "\": this name was published before, and not executed",
        "publish each name once, then call rivulet_insitu_execute, or rivulet_insitu_discard to begin anew"));
  }
  kept.push_back(structures_.copy(given));
  good_ = good_so_far;
  return code;
}

int Session::publish(const rivulet_particles& particles)
{
  return keep(particles, "particles", check_particles, particles_);
}

int Session::publish(const rivulet_field& field)
{
  return keep(field, "field", check_field, fields_);
}

int Session::publish(const rivulet_mesh& mesh)
{
  return keep(mesh, "mesh", check_mesh, meshes_);
}

int Session::publish(const rivulet_object& object)
{
  return keep(object, "object", check_object, objects_);
}

int Session::publish_nothing(const char* function)
{
  return keep(fail(
      ErrorCode::BadArgument, std::string(function) + " got a null pointer", "give it the address of a structure"));
}

rivulet_snapshot Session::published(std::int64_t step, double time) const
{
  return { step, time, static_cast<std::int32_t>(particles_.size()), particles_.data(),
    static_cast<std::int32_t>(fields_.size()), fields_.data(), static_cast<std::int32_t>(objects_.size()),
    objects_.data(), static_cast<std::int32_t>(meshes_.size()), meshes_.data(), first_ ? first_->first : step,
    first_ ? first_->second : time };
}

int Session::execute(std::int64_t step, double time)
{
  struct Forget // the simulation's structures end with the step, whatever happens
  {
    explicit Forget(Session& session)
      : self(session)
    {
    }
    Forget(const Forget&) = delete;
    Forget& operator=(const Forget&) = delete;
    ~Forget() { self.forget_published(); }
    Session& self;
  };
  const Forget forget(*this);
  if (std::isfinite(time))
  {
    first_ = first_ ? first_ : std::optional(std::pair(step, time));
  }
  else
  {
    (void)keep(
        fail(ErrorCode::BadArgument, "step " + std::to_string(step) + " is left out: its time is " + format_time(time),
            "call execute with a finite time"));
  }
  const rivulet_snapshot snapshot = published(step, time);
  int code = good_ ? RIVULET_OK : RIVULET_ERROR_DATA;
  if (hand_over_ && wants_of(*beside_, step))
  {
    code = hand_over_->give(snapshot, good_);
  }
  if (wants_of(*at_once_, step))
  {
    execute_at_once(snapshot);
  }
  return code;
}

/// Analytics within execute() read published data in place, but arrays that are not packed are copied.
void Session::execute_at_once(const rivulet_snapshot& published)
{
  if (!good_ || SnapshotBuffer::is_packed(published))
  {
    at_once_->execute(published.step, good_ ? &published : nullptr, -1);
    return;
  }
  const SnapshotBuffer::Choice choice{ [&](const char* name, const char* variable)
    { return at_once_->wants(published.step, name, variable); },
    Copies::Unpacked };
  Result<void> room = packed_.reserve(SnapshotBuffer::bytes_for(published, choice));
  if (room)
  {
    arenas_.simulation().execute([&] { packed_.copy(published, choice); });
  }
  else
  {
    shared_.messages.add(RIVULET_ERROR, room.error().describe());
  }
  at_once_->execute(published.step, room ? &packed_.snapshot() : nullptr, -1);
}

void Session::forget_published()
{
  particles_.clear();
  fields_.clear();
  meshes_.clear();
  objects_.clear();
  names_.clear();
  structures_.clear();
  good_ = true;
}

void Session::begin_region()
{
  shared_.trace.add(Activity::SimulationSequential, region_);
  region_ = Trace::Clock::now();
}

void Session::end_region()
{
  shared_.trace.add(Activity::SimulationParallel, region_);
  region_ = Trace::Clock::now();
}

int Session::run(void (*body)(void*), void* data)
{
  struct Region
  {
    explicit Region(Session& session)
      : self(session)
    {
      if (self.depth_++ == 0 && !self.marked_)
      {
        self.begin_region();
      }
    }
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
    ~Region()
    {
      if (--self.depth_ == 0 && !self.marked_)
      {
        self.end_region();
      }
    }
    Session& self;
  };
  const Region region(*this);
  arenas_.simulation().execute([&] { body(data); });
  return RIVULET_OK;
}

int Session::before_parallel()
{
  if (marked_)
  {
    shared_.messages.add(RIVULET_ERROR, "rivulet_insitu_before_parallel was called for the second time in turn");
    return RIVULET_ERROR_ORDER;
  }
  marked_ = true;
  begin_region();
  return RIVULET_OK;
}

int Session::after_parallel()
{
  if (!marked_)
  {
    shared_.messages.add(
        RIVULET_ERROR, "rivulet_insitu_after_parallel was called without rivulet_insitu_before_parallel");
    return RIVULET_ERROR_ORDER;
  }
  marked_ = false;
  end_region();
  return RIVULET_OK;
}

const char* Session::message()
{
  if (std::this_thread::get_id() != owner_)
  {
    return "rivulet_insitu_message was called by another thread than initialize";
  }
  shown_ = shared_.messages.last();
  return shown_.c_str();
}

} // namespace rivulet::insitu
