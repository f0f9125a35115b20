// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/CellNodes.h"

#include <algorithm>
#include <cstring>

namespace rivulet
{

namespace
{

using cell_shape_detail::kTypes;

/// VTK's types up to this one have neither a volume nor a surface: empty cells, vertices and lines.
constexpr int kPolyLine = 4;

tl::unexpected<Error> bad_cell(std::int64_t cell, const CellType& type, const std::string& what)
{
  return fail(ErrorCode::BadArgument, "cell " + std::to_string(cell) + ", a " + type.name + ", " + what,
      "mend the file, or leave the cell out with Threshold or Extract Cells By Region");
}

/// Whether a cell has as many nodes as its type, and each is one of the points.
bool nodes_fit(const CellArrays& arrays, std::int64_t points, std::int64_t cell, const CellType& type)
{
  const std::int64_t first = arrays.offsets[cell];
  bool fit = arrays.offsets[cell + 1] - first == type.corners;
  for (std::int64_t i = first; fit && i < first + type.corners; ++i)
  {
    const std::int64_t node = arrays.connectivity[i];
    fit = node >= 0 && node < points;
  }
  return fit;
}

/// Why they do not.
tl::unexpected<Error> bad_nodes(const CellArrays& arrays, std::int64_t points, std::int64_t cell, const CellType& type)
{
  const std::int64_t first = arrays.offsets[cell];
  const std::int64_t count = arrays.offsets[cell + 1] - first;
  if (count != type.corners)
  {
    return bad_cell(cell, type, "has " + std::to_string(count) + " points instead of " + std::to_string(type.corners));
  }
  std::int64_t i = first;
  while (arrays.connectivity[i] >= 0 && arrays.connectivity[i] < points)
  {
    ++i;
  }
  const std::int64_t node = arrays.connectivity[i];
  return bad_cell(cell, type, "has the point " + std::to_string(node) + "; there are " + std::to_string(points));
}

bool offsets_fit(const CellArrays& arrays, std::int64_t cell)
{
  const std::int64_t first = arrays.offsets[cell];
  const std::int64_t end = arrays.offsets[cell + 1];
  return first >= 0 && end >= first && end <= arrays.connectivity.count;
}

tl::unexpected<Error> bad_offsets(const CellArrays& arrays, std::int64_t cell)
{
  return fail(ErrorCode::BadArgument,
      "the points of cell " + std::to_string(cell) + " lie at " + std::to_string(arrays.offsets[cell]) + " to " +
          std::to_string(arrays.offsets[cell + 1]) + " of the list of all cells' points, which has " +
          std::to_string(arrays.connectivity.count),
      "mend the file");
}

} // namespace

Result<CellNodes> CellNodes::create(
    CellArrays arrays, std::int64_t points, const std::vector<bool>& left_out, int dimension)
{
  if (arrays.offsets.count < arrays.cells + 1)
  {
    return fail(ErrorCode::BadArgument,
        "there are " + std::to_string(arrays.cells) + " cells, and " + std::to_string(arrays.offsets.count) +
            " numbers that say where their points begin",
        "mend the file");
  }
  CellNodes made;
  made.kinds_.assign(static_cast<std::size_t>(arrays.cells), kNone);
  bool one_after_the_other = true;
  for (std::int64_t cell = 0; cell < arrays.cells; ++cell)
  {
    if (!offsets_fit(arrays, cell))
    {
      return bad_offsets(arrays, cell);
    }
    const int number = arrays.types[cell];
    const CellType* const type = cell_type(number);
    const bool out = !left_out.empty() && left_out[static_cast<std::size_t>(cell)];
    if (out || (type != nullptr && faces_of(type->shape).dimension < dimension))
    {
      continue;
    }
    if (type == nullptr)
    {
      made.others_ += number > kPolyLine ? 1 : 0;
      continue;
    }
    if (!nodes_fit(arrays, points, cell, *type))
    {
      return bad_nodes(arrays, points, cell, *type);
    }
    const auto kind = static_cast<std::size_t>(type - kTypes.data());
    made.kinds_[static_cast<std::size_t>(cell)] = static_cast<std::uint8_t>(kind);
    ++made.counts_[kind];
    one_after_the_other = one_after_the_other && arrays.offsets[cell] == cell * type->corners;
  }
  const auto whole = std::find(made.counts_.begin(), made.counts_.end(), arrays.cells);
  if (whole != made.counts_.end() && one_after_the_other && arrays.cells > 0)
  {
    made.only_ = &kTypes[static_cast<std::size_t>(whole - made.counts_.begin())];
  }
  made.arrays_ = std::move(arrays);
  made.arrays_.types = nullptr; // the caller's
  return made;
}

bool IndexArray::operator==(const IndexArray& other) const
{
  if (data == other.data || wide == other.wide)
  {
    const auto bytes = static_cast<std::size_t>(count) * (wide ? sizeof(std::int64_t) : sizeof(std::int32_t));
    return count == other.count && (data == other.data || std::memcmp(data, other.data, bytes) == 0);
  }
  bool same = count == other.count;
  for (std::int64_t i = 0; same && i < count; ++i)
  {
    same = (*this)[i] == other[i];
  }
  return same;
}

bool CellNodes::same_as(const CellNodes& other) const
{
  return cells() == other.cells() && only_ == other.only_ && kinds_ == other.kinds_ &&
         arrays_.offsets == other.arrays_.offsets && arrays_.connectivity == other.arrays_.connectivity;
}

} // namespace rivulet
