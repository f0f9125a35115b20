// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// States of particles that an analytics saves, so that particles go on after a restart of the simulation. Files
/// NAME-STEP.state (Trace/Advect/SavedMarch.h) of the newest steps stay.
///
/// Options:
///     "save_every"  a state is saved at the first step, and at multiples of this; 1 by default, 0: never
///     "states"      number of states that stay; 2 by default
///
///     SavedStates states(host, read_state_options(read), seeds);
///     const Result<Begin> begin = states.begin(snapshot, files);                   // at the first step
///     if (*begin == Begin::GoOn) states.load(snapshot, identity, cells);
///     ...
///     if (states.is_due(step, false)) states.save(march);
///
/// States do not depend on ranks: that of particle i is of seed i, and ranks have ranges of seeds (SeedOptions.h).
/// Host::start() decides:
///
///     Restart   particles go on from the state of the run's first step. Without it they are released anew, with a
///               warning if there are results of an earlier run. States of later steps go.
///     Continue  steps are left out until one has a state. Without it, steps after the last file are an error.
///     New       there must be no states.
///
/// Threads: the one that calls the analytics.
#pragma once

#include "Lines/SeedOptions.h"
#include "Plugin/StepFiles.h"
#include "Trace/Advect/SavedMarch.h"

#include <optional>
#include <set>

namespace rivulet
{

struct StateOptions
{
  std::int64_t every = 1;
  std::int64_t most = 2;
};

/// Errors go to `read`.
[[nodiscard]] StateOptions read_state_options(OptionReader& read);

/// How the particles of a run begin at a step.
enum class Begin : int
{
  Release,
  GoOn, ///< from a state
  LeaveOut
};

class SavedStates
{
public:
  SavedStates(const Host& host, const StateOptions& options, std::int64_t seeds)
    : host_(host)
    , options_(options)
    , seeds_(seeds)
    , files_(host, ".state")
  {
  }

  /// In create(). Fails on the first rank if an earlier run has left states that this one may not touch.
  [[nodiscard]] Result<void> check() const { return host_.first() ? files_.check() : Result<void>(); }

  /// Collective. `files`: the files of the lines.
  [[nodiscard]] Result<Begin> begin(const rivulet_snapshot& snapshot, StepFiles& files);
  /// Collective. The state of a step, with the particles of this rank's seeds. Not released, and without particles,
  /// where a state cannot be used and particles are released anew.
  [[nodiscard]] Result<SavedMarch> load(const rivulet_snapshot& snapshot, std::uint64_t identity, const Int3& cells);

  /// `released`: whether the particles are released at this step.
  [[nodiscard]] bool is_due(std::int64_t step, bool released) const
  {
    return options_.every > 0 && (released || step % options_.every == 0);
  }
  /// Collective. `march`: with the particles of this rank's seeds; the first one gets all particles.
  [[nodiscard]] Result<void> gather(SavedMarch& march) const;
  /// On the first rank, once the lines of the step are in a file.
  [[nodiscard]] Result<void> save(const SavedMarch& march);
  /// On the first rank: once lines are in a file, states of an earlier run are not valid from its first step on.
  void remove_replaced();

private:
  [[nodiscard]] Result<Begin> begin_here(const rivulet_snapshot& snapshot, StepFiles& files);
  [[nodiscard]] std::string steps_there() const;
  [[nodiscard]] Result<SavedMarch> read(
      const rivulet_snapshot& snapshot, std::uint64_t identity, const Int3& cells) const;
  [[nodiscard]] Result<void> share(SavedMarch& march) const;

  Host host_;
  StateOptions options_;
  std::int64_t seeds_;
  StepFiles files_;
  std::set<std::int64_t> steps_;              ///< that have a state
  bool told_ = false;                         ///< of a release beside results of an earlier run
  std::optional<std::int64_t> replaced_from_; ///< states of these steps are to be removed
};

} // namespace rivulet
