// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bytes of files that hold the values of a box, and their places in the box.
///
/// The box is taken apart into pieces of consecutive bytes (BlockPiece). Pieces that lie close together in one file
/// form one span, to be fetched at once:
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
  /// Bytes that the file must hold: the whole block, so that a file that is too short fails at once.
  [[nodiscard]] std::int64_t needed() const { return part->offset + variable->part_bytes(); }
};

/// Consecutive bytes in a file whose values are consecutive in the box, too.
struct BlockPiece
{
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t out = 0; ///< scalars from the start of the box to the first value
};

struct PlannedSpan
{
  BlockSpan span;
  std::vector<BlockPiece> runs; ///< in the order of the file
};

/// Rules for joining pieces to spans.
struct SpanLimits
{
  std::int64_t gap = 0;  ///< pieces at most so many bytes apart are fetched together ...
  std::int64_t most = 0; ///< ... up to so many bytes; one value at least
};

/// The box must lie in the lattice and not be empty. Stops at the first failure of `visit`.
[[nodiscard]] Result<void> for_each_span(const BlockVariable& variable, int step, const Box& box,
    const SpanLimits& limits, const std::function<Result<void>(PlannedSpan&&)>& visit);

/// Whether the bytes of the span are one piece of the box as it is: no conversion, no gaps.
[[nodiscard]] bool is_plain_copy(const PlannedSpan& planned);

/// Converts the values of `runs` to their places in the box at `out`. `bytes` holds the bytes of the file from `offset`
/// on.
void place(const BlockVariable& variable, const std::vector<BlockPiece>& runs, std::int64_t offset,
    const std::byte* bytes, void* out);

} // namespace rivulet
