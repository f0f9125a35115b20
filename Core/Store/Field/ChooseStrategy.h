// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Chooses the access strategy for a field, with the reason.
///
///     StrategyChoice choice = choose_strategy(AccessStrategy::Automatic, facts_about(path, aligned));
///     choice = choose_for_run(facts, cached, workload);       // Automatic, when a run begins
///
/// Automatic, before any run: it maps files of local file systems that fit into the free memory, where the second visit
/// of a brick costs nothing. A field that does not fit is read asynchronously: its bricks come from the device again
/// and again, and a mapping would wait for one page at a time. A field on a network file system is read asynchronously,
/// too, because a mapping turns every hiccup of the network into a fault. A strategy that the user asked for is used if
/// it can be; else the reason names the replacement.
///
/// When a run begins, two more facts are known: the number of particles, and whether the bricks in which they begin are
/// in the page cache. See choose_for_run(). A change drops the bricks that are held, so that the strategy of the run
/// before may be the better one: see reason_to_keep().
///
/// Pure functions but for facts_about(), which asks the system; any thread.
#pragma once

#include "Store/Field/FileBricks.h"

#include <optional>

namespace rivulet
{

/// Facts about a file that the choice depends on.
struct StorageFacts
{
  std::string network{};        ///< name of the network file system; empty for a local one
  bool page_aligned = true;     ///< whether its bricks begin at pages
  std::string direct_refusal{}; ///< reason against direct reads; empty if they are possible
  bool fits_in_memory = true;   ///< whether all files of the field together take at most half of the free memory
  bool mapped = true;           ///< whether Automatic may map it: bricks can be used in place
  bool shared_pages = false;    ///< whether a brick takes many reads and shares pages with its neighbours
  std::int64_t bytes = 0;       ///< bytes of all files of the field
  std::int64_t budget = 0;      ///< bytes of memory that the field may hold
};

/// The chosen way of reading a field.
struct StrategyChoice
{
  AccessStrategy strategy = AccessStrategy::BufferedCache;
  std::string reason;  ///< one sentence
  bool direct = false; ///< Asynchronous: past the page cache
  bool far = false;    ///< Asynchronous: requests take so long that it pays to read over large gaps
};

[[nodiscard]] StorageFacts facts_about(const std::string& path, bool page_aligned);

[[nodiscard]] StrategyChoice choose_strategy(AccessStrategy wanted, const StorageFacts& facts);

/// Reads through the page cache: the system refused to map the field.
[[nodiscard]] StrategyChoice instead_of_mapping(const Error& refusal);

/// Reads on the calling thread: Asynchronous was chosen, but the system gives no threads.
[[nodiscard]] StrategyChoice without_threads();

/// Bricks that the strategy in use holds in memory of its own, from earlier runs. Mapped ones are in the page cache,
/// and do not count.
struct HeldBricks
{
  std::int64_t bytes = 0;
  double first_share = 0.0; ///< of the bricks in which the lines of the next run begin
};

/// The reason why a run goes on with the strategy in use, one sentence: most bricks in which its lines begin are held,
/// or its lines are so few that a new choice would gain less than the bricks that it drops are worth. Empty if a new
/// choice is to be made.
[[nodiscard]] std::string reason_to_keep(const HeldBricks& held, const Workload& workload);

/// The choice of Automatic for a run. A mapping, if bricks are in the page cache, or if lines are so few that there is
/// no other work while a brick is read. The Buffered Cache instead, if a mapping would have to drop bricks that are
/// read again. Else asynchronous reads. `cached`: share of the bricks in which lines begin that are in the page cache;
/// empty if the system does not tell.
[[nodiscard]] StrategyChoice choose_for_run(
    const StorageFacts& facts, std::optional<double> cached, const Workload& workload);

} // namespace rivulet
