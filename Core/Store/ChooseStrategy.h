// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Which access strategy serves a field best, and why.
///
///     StrategyChoice choice = choose_strategy(AccessStrategy::Automatic, facts_about(path, aligned));
///
/// Automatic maps files of local file systems that fit into the memory that is free, where the second visit of a brick
/// costs nothing. What does not fit is read asynchronously: bricks come from the device again and again then, and a
/// mapping waits for one page at a time. So it does over a network, where it also turns every hiccup into a fault. What
/// the user asked for is honoured where it can be; else the reason says what came instead.
///
/// Pure functions but for facts_about(), which asks the system; any thread.
#pragma once

#include "Store/BrickStore.h"

namespace rivulet
{

/// What matters about a file for the choice.
struct StorageFacts
{
  std::string network;        ///< name of the network file system it lies on; empty for local ones
  bool page_aligned = true;   ///< its bricks begin on pages
  std::string direct_refusal; ///< why it cannot be read directly; empty if it can
  bool fits_in_memory = true; ///< all files of the field together take at most half of the memory that is free
  bool asynchronous = true;   ///< there is a way to read its bricks asynchronously
};

/// How a field is to be read, once that is settled.
struct StrategyChoice
{
  AccessStrategy strategy = AccessStrategy::BufferedCache;
  std::string reason;  ///< one sentence
  bool direct = false; ///< Asynchronous: past the page cache
};

[[nodiscard]] StorageFacts facts_about(const std::string& path, bool page_aligned);

[[nodiscard]] StrategyChoice choose_strategy(AccessStrategy wanted, const StorageFacts& facts);

} // namespace rivulet
