// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The configuration file of a session, read and checked. Documentation/in-situ.md describes its keys.
///
///     {
///       "policy": "dynamic",
///       "cores": 28,
///       "analytics_threads": 4,
///       "plugins": ["/opt/analytics"],
///       "output": "results",
///       "analytics": [{ "name": "radial", "every": 10, "options": { "bins": 1000 } }]
///     }
///
/// The file is JSON, in which comments are allowed. Relative plugin folders begin at the folder of the file, `output`
/// begins at the working folder of the simulation, `trace` at `output`.
#pragma once

#include "Base/Result.h"

#include "rivulet_analytics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rivulet::insitu
{

/// Distribution of threads between simulation and analytics; Plan.h has their sizes.
enum class Policy : std::uint8_t
{
  Synchronous,  ///< analytics run within execute()
  Asynchronous, ///< both in one arena
  Static,       ///< helper cores that are never the simulation's
  Dynamic,      ///< helper cores that are the simulation's while there is nothing to analyse
  Task          ///< as Dynamic, but no thread is the analytics' own
};

/// Fate of a step that comes while all buffers are full.
enum class WhenFull : std::uint8_t
{
  Wait,      ///< the simulation waits
  Skip,      ///< the new step is left out
  DropOldest ///< the oldest step that no analytics have begun is left out
};

/// Fate of analytics that fail at a step.
enum class OnError : std::uint8_t
{
  Skip, ///< the step is left out; they get the next one that is due
  Stop  ///< they get no more steps
};

/// Treatment of results of an earlier run in "output".
enum class Start : std::int32_t
{
  Restart = RIVULET_RESTART,   ///< results before the first step of this run stay, the others are replaced
  Continue = RIVULET_CONTINUE, ///< all stay; steps up to the last of them are left out
  New = RIVULET_NEW            ///< there must be none
};

struct AnalyticsConfiguration
{
  std::string name;        ///< label in messages and summary; unique
  std::string plugin;      ///< file name without ".so"
  std::int64_t every = 1;  ///< wanted steps: first, first + every, ...
  std::int64_t first = 0;  ///< first wanted step
  std::int64_t repeat = 1; ///< executions for each wanted step
  OnError on_error = OnError::Skip;
  std::string options = "{}"; ///< JSON text
};

struct Configuration
{
  Policy policy = Policy::Dynamic;
  int cores = 0;             ///< N of this process; 0: as many as it may use
  int analytics_threads = 0; ///< n_a; 0: a quarter of the cores
  std::optional<int> workers;
  int buffers = 1;
  WhenFull when_full = WhenFull::Wait;
  std::int64_t buffer_mib = 0; ///< of each buffer, allocated at initialize; 0: when the first step comes
  bool low_priority = false;   ///< analytics get workers that the simulation leaves
  std::vector<std::string> plugins;
  bool check_plugins = true; ///< refuse plugins that another user than root and this one may change
  std::string output;        ///< empty: not given
  Start start = Start::Restart;
  double finalize_limit = 60; ///< seconds
  double wait_limit = 3600;   ///< seconds
  std::string trace;          ///< empty: no trace
  std::vector<AnalyticsConfiguration> analytics;
  std::uint64_t fingerprint = 0; ///< equal for equal contents; whitespace and comments do not matter
};

/// Reads a file. An error names the file, the line or the key, and the remedy.
[[nodiscard]] Result<Configuration> read_configuration(const std::string& path);

/// The same from text; `path` only serves messages and relative folders.
[[nodiscard]] Result<Configuration> parse_configuration(const std::string& text, const std::string& path);

/// The word of the configuration file for a policy.
[[nodiscard]] const char* name_of(Policy policy);

} // namespace rivulet::insitu
