// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/WriteBox.h"

#include "Base/Bytes.h"
#include "Curve/Hilbert.h"

#include <algorithm>
#include <new>

namespace rivulet
{

namespace
{

constexpr std::int64_t kBatch = 4 * kMiB;

/// Fills the record of one brick.
Result<void> pack(const FieldFileWriter& writer, int variable, const ConstStridedBox& values, const Int3& brick,
    std::byte* spare, std::byte* record)
{
  const BrickLayout& layout = writer.layout(variable);
  if (layout.encoding == Encoding::Plain)
  {
    copy_box_to_record(layout, values, brick, record);
    return {};
  }
  copy_box_to_record(layout, values, brick, spare);
  return writer.encode(variable, spare, record);
}

} // namespace

std::vector<CurvePlace> along_curve(const BrickLayout& layout, const Box& bricks)
{
  const HilbertCurve curve(layout.grid.count);
  std::vector<CurvePlace> places;
  for (std::int64_t number = 0; number < bricks.count(); ++number)
  {
    const Int3 at = from_row_major(number, bricks.size());
    const Int3 brick{ at[0] + bricks.begin[0], at[1] + bricks.begin[1], at[2] + bricks.begin[2] };
    places.push_back({ curve.index(brick), brick });
  }
  std::sort(
      places.begin(), places.end(), [](const CurvePlace& a, const CurvePlace& b) { return a.hilbert < b.hilbert; });
  return places;
}

std::span<const CurvePlace> first_run(std::span<const CurvePlace> places, std::size_t most)
{
  std::size_t count = std::min<std::size_t>(1, places.size());
  while (count < std::min(most, places.size()) &&
         places[count].hilbert == places.front().hilbert + static_cast<std::int64_t>(count))
  {
    ++count;
  }
  return places.first(count);
}

PageMemory pages_of(std::int64_t bytes)
{
  auto* const pages =
      static_cast<std::byte*>(std::aligned_alloc(kPage, static_cast<std::size_t>(round_up(bytes, kPage))));
  if (pages == nullptr)
  {
    throw std::bad_alloc();
  }
  return PageMemory(pages);
}

Box bricks_within(const BrickLayout& layout, const Box& box)
{
  Box bricks;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int32_t cells = layout.cells[axis];
    bricks.begin[axis] = (std::max(0, box.begin[axis]) + cells - 1) / cells;
    // The last brick may have fewer points.
    const std::int32_t end = box.end[axis];
    bricks.end[axis] = end >= layout.grid.lattice[axis] ? layout.grid.count[axis]
                                                        : std::max(0, end - (layout.nodes[axis] - cells)) / cells;
  }
  return bricks.empty() ? Box{} : bricks;
}

Result<void> write_box(FieldFileWriter& writer, int variable, int step, const ConstStridedBox& values,
    const Box& bricks, const BatchMemory& memory, const RunWritten& written)
{
  const BrickLayout& layout = writer.layout(variable);
  if (intersect(bricks_within(layout, values.box), bricks) != bricks)
  {
    return fail(ErrorCode::BadArgument, "the values of some bricks are missing",
        "give all points of the bricks, the layer that they share with their upper neighbours included");
  }
  const std::vector<CurvePlace> places = along_curve(layout, bricks);
  const auto batch = static_cast<std::size_t>(memory.bytes / layout.stride);
  for (std::size_t first = 0; first < places.size();)
  {
    const std::span<const CurvePlace> run = first_run(std::span(places).subspan(first), batch);
    for (std::size_t i = 0; i < run.size(); ++i)
    {
      std::byte* record = memory.records + static_cast<std::int64_t>(i) * layout.stride;
      if (Result<void> packed = pack(writer, variable, values, run[i].brick, memory.brick, record); !packed)
      {
        return packed;
      }
    }
    if (Result<void> stored = writer.write_run(
            variable, step, run.front().hilbert, static_cast<std::int64_t>(run.size()), memory.records);
        !stored)
    {
      return stored;
    }
    if (!written(run))
    {
      return {};
    }
    first += run.size();
  }
  return {};
}

Result<void> write_box(
    FieldFileWriter& writer, int variable, int step, const ConstStridedBox& values, const Box& bricks)
{
  const BrickLayout& layout = writer.layout(variable);
  const std::int64_t bytes =
      layout.stride * std::clamp<std::int64_t>(kBatch / layout.stride, 1, std::max<std::int64_t>(1, bricks.count()));
  const auto records = pages_of(bytes);
  std::vector<std::byte> brick(static_cast<std::size_t>(layout.encoding == Encoding::Plain ? 0 : layout.values));
  return write_box(writer, variable, step, values, bricks, { records.get(), bytes, brick.data() },
      [](std::span<const CurvePlace>) { return true; });
}

} // namespace rivulet
