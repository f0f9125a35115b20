// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads a whole field once, so that its local cache has all bricks.
///
///     OpenOptions options{ .strategy = AccessStrategy::Asynchronous, .local_cache = { "/scratch/me/cache" } };
///     options.local_cache.keep_all = true;
///     Result<StageReport> staged = stage_field(**open_field(paths, options), {});
///
/// Bricks that the cache has already are read from it and checked: a staging that was stopped goes on there. The
/// calling thread calls `progress`. Any thread or a signal handler may set `cancel`. Bytes.
#pragma once

#include "Store/Field/FileBricks.h"

#include <atomic>
#include <functional>
#include <optional>

namespace rivulet
{

struct StageOptions
{
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(std::int64_t done, std::int64_t total)> progress{}; ///< bytes of values
};

struct StageReport
{
  std::int64_t bricks = 0;
  std::int64_t bad = 0;           ///< bricks that cannot be read
  std::optional<Error> error;     ///< of the first of these
  std::int64_t bytes_read = 0;    ///< from the field's own storage
  std::int64_t bytes_present = 0; ///< from the local cache
  std::int64_t left_out = 0;      ///< values that the cache did not take
  std::string trouble;            ///< of the cache; empty if there was none
};

/// Fails with BadArgument if the field has no local cache or does not fit into it, with Cancelled, and with
/// BudgetTooSmall if there is no memory.
[[nodiscard]] Result<StageReport> stage_field(FileBricks& field, const StageOptions& options);

} // namespace rivulet
