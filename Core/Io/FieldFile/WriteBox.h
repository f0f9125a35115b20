// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Writes bricks of a field file from values in memory, as a simulation has them.
///
///     const ConstStridedBox values{ box, pointer, dense_strides(box, 12) };     // of the points `box` of the lattice
///     Result<void> written = write_box(*writer, 0, step, values, bricks_within(writer->layout(0), box));
///
/// Threads: several may write different bricks of one file at a time. Memory: one batch of records, at most 4 MiB or
/// one record.
#pragma once

#include "Io/FieldFile/BrickRecord.h"
#include "Io/FieldFile/FieldFileWriter.h"

#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace rivulet
{

/// The bricks with all their points in `box`, as places in the grid of bricks; empty if there is none. A block of a
/// simulation should begin where bricks do, and have one layer of nodes of its upper neighbours.
[[nodiscard]] Box bricks_within(const BrickLayout& layout, const Box& box);

/// A brick, and its number along the curve.
struct CurvePlace
{
  std::int64_t hilbert = 0;
  Int3 brick{ 0, 0, 0 };
};

/// Bricks in the order of the curve, so that bricks written together lie together.
[[nodiscard]] std::vector<CurvePlace> along_curve(const BrickLayout& layout, const Box& bricks);

/// As many of the first bricks as are consecutive along the curve, `most` at most.
[[nodiscard]] std::span<const CurvePlace> first_run(std::span<const CurvePlace> places, std::size_t most);

struct FreePages
{
  void operator()(std::byte* pages) const { std::free(pages); }
};
using PageMemory = std::unique_ptr<std::byte, FreePages>;

/// Memory that can be written past the page cache. Throws std::bad_alloc.
[[nodiscard]] PageMemory pages_of(std::int64_t bytes);

/// Memory of a caller that writes many boxes.
struct BatchMemory
{
  std::byte* records = nullptr; ///< page-aligned where records are written past the page cache
  std::int64_t bytes = 0;       ///< of records: at least one
  std::byte* brick = nullptr;   ///< a brick's values, of encoded variables
};

/// Called with the bricks that were written in one call; false ends the writing without an error.
using RunWritten = std::function<bool(std::span<const CurvePlace>)>;

/// Writes `bricks` of a variable at a step of the file, in the order of the curve. `values` has the variable's type and
/// components, and all points of these bricks. Fails as FieldFileWriter::write_run() and encode() do, and with
/// BadArgument if points are missing.
[[nodiscard]] Result<void> write_box(
    FieldFileWriter& writer, int variable, int step, const ConstStridedBox& values, const Box& bricks);
/// The same in the caller's memory.
[[nodiscard]] Result<void> write_box(FieldFileWriter& writer, int variable, int step, const ConstStridedBox& values,
    const Box& bricks, const BatchMemory& memory, const RunWritten& written);

} // namespace rivulet
