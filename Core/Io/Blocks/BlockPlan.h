// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bytes of files that hold the values of a box, and their places in the box.
///
/// The box is taken apart into runs of bytes; runs in one file that lie close together are one span, to be fetched at
/// once:
///
///     Result<void> done = for_each_span(variable, step, box, { .gap = 8 * kKiB, .most = kMiB },
///         [&](PlannedSpan&& planned) { ... fetch planned.span ...; place(variable, planned.runs, planned.span.offset,
///         bytes, out); return Result<void>{};
///         });
///
/// Pure functions; any thread.
#pragma once

#include "Base/Result.h"
#include "Io/Blocks/BlockField.h"

#include <functional>
#include <string>
#include <vector>

namespace rivulet
{

/// Bytes [offset, offset + bytes) of block number `block` of a part; offsets count from the start of the file.
struct BlockSpan
{
  const BlockVariable* variable = nullptr;
  const BlockPart* part = nullptr;
  std::int64_t block = 0;
  std::int64_t offset = 0;
  std::int64_t bytes = 0;

  [[nodiscard]] std::string path() const { return part->files.path(block); }
  /// What the file must hold: all of the block, so that a file too short is found out at once.
  [[nodiscard]] std::int64_t needed() const { return part->offset + variable->part_bytes(); }
};

/// Bytes that lie together in a file and whose values lie together in the box.
struct BlockRun
{
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t out = 0; ///< scalars from the start of the box
};

struct PlannedSpan
{
  BlockSpan span;
  std::vector<BlockRun> runs; ///< in the order of the file
};

/// How runs are put together.
struct SpanLimits
{
  std::int64_t gap = 0;  ///< runs no further apart than this are fetched together ...
  std::int64_t most = 0; ///< ... up to so many bytes; a value at least
};

/// The box must lie in the lattice and not be empty. Ends with the first failure of `visit`.
[[nodiscard]] Result<void> for_each_span(const BlockVariable& variable, int step, const Box& box,
    const SpanLimits& limits, const std::function<Result<void>(PlannedSpan&&)>& visit);

/// Whether the bytes of a span are the values as they must lie in the box, in one piece.
[[nodiscard]] bool is_plain_copy(const PlannedSpan& planned);

/// Converts the values of runs to where they belong in the box at `out`. `bytes` are those of the file from `offset`
/// on.
void place(const BlockVariable& variable, const std::vector<BlockRun>& runs, std::int64_t offset,
    const std::byte* bytes, void* out);

} // namespace rivulet
