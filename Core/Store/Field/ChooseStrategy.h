// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Which access strategy serves a field best, and why.
///
///     StrategyChoice choice = choose_strategy(AccessStrategy::Automatic, facts_about(path, aligned));
///     choice = choose_for_run(facts, cached, workload);       // Automatic, when a run begins
///
/// Before anything is known about the storage, Automatic maps files of local file systems that fit into the memory that
/// is free, where the second visit of a brick costs nothing. What does not fit is read asynchronously: bricks come from
/// the device again and again then, and a mapping waits for one page at a time. So it does over a network, where it
/// also turns every hiccup into a fault. What the user asked for is honoured where it can be; else the reason says what
/// came instead.
///
/// When a run begins, it is known besides how many particles there are, and whether the bricks in which they begin are
/// in the page cache: see choose_for_run().
///
/// Pure functions but for facts_about(), which asks the system; any thread.
#pragma once

#include "Store/Field/FileBricks.h"

#include <optional>

namespace rivulet
{

/// What matters about a file for the choice.
struct StorageFacts
{
  std::string network{};        ///< name of the network file system it lies on; empty for local ones
  bool page_aligned = true;     ///< its bricks begin on pages
  std::string direct_refusal{}; ///< why it cannot be read directly; empty if it can
  bool fits_in_memory = true;   ///< all files of the field together take at most half of the memory that is free
  bool mapped = true;           ///< Automatic may map it: bricks can be used as they lie in the file
  bool shared_pages = false;    ///< a brick takes many reads, and its neighbours lie in the same pages
  std::int64_t bytes = 0;       ///< of all files of the field
  std::int64_t budget = 0;      ///< bytes that the field may hold
};

/// How a field is to be read, once that is settled.
struct StrategyChoice
{
  AccessStrategy strategy = AccessStrategy::BufferedCache;
  std::string reason;  ///< one sentence
  bool direct = false; ///< Asynchronous: past the page cache
  bool far = false;    ///< Asynchronous: a request takes so long that it pays to read over large gaps
};

[[nodiscard]] StorageFacts facts_about(const std::string& path, bool page_aligned);

[[nodiscard]] StrategyChoice choose_strategy(AccessStrategy wanted, const StorageFacts& facts);

/// Through the page cache, where the system refused to map the field.
[[nodiscard]] StrategyChoice instead_of_mapping(const Error& refusal);

/// To wait for each brick, where Asynchronous was chosen and the system gives it no threads.
[[nodiscard]] StrategyChoice without_threads();

/// The choice of Automatic for a run. A mapping where bricks are in the page cache, or where few lines leave nothing to
/// do while a brick is read; a copy of them where the mapping would have to drop bricks that come again. Elsewhere
/// asynchronous reads. `cached` is the share of the bricks in which the lines begin that are in the page cache; none if
/// the system does not say.
[[nodiscard]] StrategyChoice choose_for_run(
    const StorageFacts& facts, std::optional<double> cached, const Workload& workload);

} // namespace rivulet
