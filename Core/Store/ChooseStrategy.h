// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Which access strategy serves a field best, and why.
///
///     StrategyChoice choice = choose_strategy(AccessStrategy::Automatic, facts_about(path, aligned));
///     choice = choose_for_run(facts, measured, workload);       // Automatic, when a run begins
///
/// Before anything is known about the storage, Automatic maps files of local file systems that fit into the memory that
/// is free, where the second visit of a brick costs nothing. What does not fit is read asynchronously: bricks come from
/// the device again and again then, and a mapping waits for one page at a time. So it does over a network, where it
/// also turns every hiccup into a fault. What the user asked for is honoured where it can be; else the reason says what
/// came instead.
///
/// When a run begins, it compares how many bricks a second would come by each way, from what the storage was seen to
/// do: see choose_for_run().
///
/// Pure functions but for facts_about(), which asks the system; any thread.
#pragma once

#include "Io/StorageProbe.h"
#include "Store/BrickStore.h"

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
  bool shared_pages = false;    ///< neighbouring bricks lie in the same pages, so that the page cache saves reads
  Int3 brick_cells{ 9, 9, 9 };
  std::int64_t brick_bytes = 12288;
  int brick_reads = 1;     ///< requests that one brick takes
  std::int64_t bytes = 0;  ///< of all files of the field
  std::int64_t budget = 0; ///< bytes that the field may hold
};

/// What a look at the storage told.
struct MeasuredStorage
{
  std::optional<StorageSpeed> speed{}; ///< of reads of a brick
  std::optional<double> cached{};      ///< share of the bricks that are in the page cache
  std::int64_t bytes_read = 0;         ///< to find that out
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

/// What Automatic takes for a run: the way by which a brick comes soonest, from what the storage was seen to do, how
/// many bricks may be wanted at once, and whether those that the lines can reach fit into the budget. Where the storage
/// did not tell, what choose_strategy() says.
[[nodiscard]] StrategyChoice choose_for_run(
    const StorageFacts& facts, const MeasuredStorage& measured, const Workload& workload);

} // namespace rivulet
