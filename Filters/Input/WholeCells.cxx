// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/WholeCells.h"

#include "Filters/Input/CellTypes.h"
#include "Filters/Input/PieceArrays.h"
#include "vtkCellArray.h"
#include "vtkDataArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkFloatArray.h"
#include "vtkInformation.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkTypeInt64Array.h"
#include "vtkUnsignedCharArray.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

namespace
{

/// Bytes while the whole is made, beside its arrays: of a point its place as gathered and in the whole, its number, and
/// by what it is found on other ranks (key, rank and id); of a cell its kind and offset, and of a cell's node its
/// number, each as gathered and in the whole.
constexpr std::int64_t kBytesOfPoint = 2 * 24 + 8 + 16 + 4 + 8;
constexpr std::int64_t kBytesOfCell = std::int64_t{ 2 } * (1 + 8);
constexpr std::int64_t kBytesOfNode = std::int64_t{ 2 } * 8;

/// A rank's part.
struct CellsOfRank
{
  std::int64_t points = 0;
  std::int64_t cells = 0;
  std::int64_t nodes = 0; ///< of all cells
  std::uint64_t sum = 0;  ///< of places, cells and ghosts
  std::int32_t floats = 1;
  std::int32_t ids = 1;       ///< whether its points have global ids
  std::int64_t polyhedra = 0; ///< number of these
};

std::span<const std::byte> bytes_of(vtkDataArray* array)
{
  return array == nullptr ? std::span<const std::byte>()
                          : std::span(static_cast<const std::byte*>(array->GetVoidPointer(0)),
                                static_cast<std::size_t>(array->GetNumberOfValues()) *
                                    static_cast<std::size_t>(array->GetDataTypeSize()));
}

/// All cells of all ranks, put together.
class CellPieces
{
public:
  CellPieces(vtkUnstructuredGrid& mine, const Ranks& ranks)
    : mine_(&mine)
    , ranks_(ranks)
  {
  }

  /// Whether ranks have other cells. Collective, as all that follow.
  [[nodiscard]] Result<bool> are_parts();
  [[nodiscard]] Result<void> check(std::int64_t limit);
  [[nodiscard]] Result<vtkSmartPointer<vtkDataObject>> join();

private:
  [[nodiscard]] CellsOfRank measured() const;
  [[nodiscard]] vtkUnstructuredGrid& mine() const { return *vtkUnstructuredGrid::SafeDownCast(mine_); }
  template <class Number>
  [[nodiscard]] std::int64_t sum(Number CellsOfRank::*of) const
  {
    std::int64_t all = 0;
    for (const CellsOfRank& each : all_)
    {
      all += static_cast<std::int64_t>(each.*of);
    }
    return all;
  }
  template <class Value, class Array>
  [[nodiscard]] Result<std::vector<Value>> gathered_as(vtkDataArray* array) const;
  [[nodiscard]] Result<std::vector<double>> places() const;
  [[nodiscard]] Result<void> join_points(const std::vector<double>& places);
  [[nodiscard]] Result<void> set_cells(vtkUnstructuredGrid& whole) const;
  [[nodiscard]] vtkSmartPointer<vtkCellArray> joined_cells(
      const std::vector<std::int64_t>& offsets, const std::vector<std::int64_t>& nodes) const;
  void set_points(vtkUnstructuredGrid& whole, const std::vector<double>& places) const;
  [[nodiscard]] Result<void> join_arrays(vtkUnstructuredGrid& whole) const;

  vtkSmartPointer<vtkDataSet> mine_;
  const Ranks& ranks_;
  std::vector<CellsOfRank> all_;
  std::vector<std::int64_t> number_of_; ///< of each point of all ranks, in the whole
  std::int64_t points_ = 0;             ///< of the whole
};

CellsOfRank CellPieces::measured() const
{
  CellsOfRank of;
  of.points = mine().GetNumberOfPoints();
  of.cells = mine().GetNumberOfCells();
  vtkDataArray* const places = of.points > 0 ? mine().GetPoints()->GetData() : nullptr;
  vtkCellArray* const cells = of.cells > 0 ? mine().GetCells() : nullptr;
  of.nodes = cells != nullptr ? cells->GetNumberOfConnectivityIds() : 0;
  of.floats = places == nullptr || vtkFloatArray::SafeDownCast(places) != nullptr ? 1 : 0;
  of.ids = of.points == 0 || mine().GetPointData()->GetGlobalIds() != nullptr ? 1 : 0;
  const std::vector<std::uint8_t> types = cell_types(mine());
  of.polyhedra = std::count(types.begin(), types.end(), VTK_POLYHEDRON);
  std::vector<vtkDataArray*> arrays{ places };
  if (cells != nullptr)
  {
    arrays.insert(arrays.end(), { cells->GetOffsetsArray(), cells->GetConnectivityArray() });
  }
  for (vtkDataSetAttributes* const each : attributes_of(mine()))
  {
    arrays.push_back(each->GetArray(vtkDataSetAttributes::GhostArrayName()));
  }
  for (vtkDataArray* const array : arrays)
  {
    const std::span<const std::byte> bytes = bytes_of(array);
    of.sum = XXH3_64bits_withSeed(bytes.data(), bytes.size(), of.sum);
  }
  return of;
}

Result<bool> CellPieces::are_parts()
{
  const CellsOfRank own = measured();
  Result<std::vector<CellsOfRank>> all = ranks_.gather(std::span<const CellsOfRank>(&own, 1));
  if (!all)
  {
    return forward_error(all);
  }
  all_ = *std::move(all);
  return std::any_of(
      all_.begin(), all_.end(), [&first = all_.front()](const CellsOfRank& each) { return each.sum != first.sum; });
}

Result<void> CellPieces::check(std::int64_t limit)
{
  if (sum(&CellsOfRank::polyhedra) > 0)
  {
    return fail(ErrorCode::Unsupported,
        "the input is in pieces on " + std::to_string(ranks_.size()) +
            " ranks, and has polyhedra, of which no whole is made",
        "run on one rank; or use Tetrahedralize before");
  }
  if (Result<void> same = make_arrays_alike(mine_, ranks_); !same)
  {
    return same;
  }
  const std::int64_t counts[] = { sum(&CellsOfRank::points), sum(&CellsOfRank::cells) };
  std::int64_t bytes = counts[0] * kBytesOfPoint + counts[1] * kBytesOfCell + sum(&CellsOfRank::nodes) * kBytesOfNode;
  for (std::size_t of = 0; of < 2; ++of)
  {
    vtkDataSetAttributes* const values = attributes_of(*mine_).at(of);
    for (int i = 0; i < values->GetNumberOfArrays(); ++i)
    {
      vtkDataArray* const array = values->GetArray(i);
      bytes += array == nullptr ? 0 : counts[of] * array->GetNumberOfComponents() * array->GetDataTypeSize();
    }
  }
  return bytes > limit ? Result<void>(whole_above(bytes, limit, ranks_)) : Result<void>{};
}

/// The values of all ranks, converted.
template <class Value, class Array>
Result<std::vector<Value>> CellPieces::gathered_as(vtkDataArray* array) const
{
  vtkSmartPointer<Array> own = Array::SafeDownCast(array);
  if (own == nullptr)
  {
    own = vtkSmartPointer<Array>::New();
    if (array != nullptr)
    {
      own->DeepCopy(array);
    }
  }
  return ranks_.gather(std::span<const Value>(
      reinterpret_cast<const Value*>(own->GetPointer(0)), static_cast<std::size_t>(own->GetNumberOfValues())));
}

Result<std::vector<double>> CellPieces::places() const
{
  vtkPoints* const points = mine().GetNumberOfPoints() > 0 ? mine().GetPoints() : nullptr;
  return gathered_as<double, vtkDoubleArray>(points != nullptr ? points->GetData() : nullptr);
}

/// Numbers the points of the whole. Points of several ranks with the same id, or at the same place, get one number.
Result<void> CellPieces::join_points(const std::vector<double>& places)
{
  struct Key
  {
    std::uint64_t of = 0;
    std::int64_t point = 0;
    bool operator<(const Key& other) const { return of != other.of ? of < other.of : point < other.point; }
  };
  const bool by_id = std::all_of(all_.begin(), all_.end(), [](const CellsOfRank& each) { return each.ids != 0; });
  Result<std::vector<std::int64_t>> ids =
      by_id ? gathered_as<std::int64_t, vtkTypeInt64Array>(mine().GetPointData()->GetGlobalIds())
            : Result<std::vector<std::int64_t>>();
  if (!ids)
  {
    return forward_error(ids);
  }
  const std::int64_t count = sum(&CellsOfRank::points);
  std::vector<std::int32_t> rank_of(static_cast<std::size_t>(count));
  std::vector<Key> keys(static_cast<std::size_t>(count));
  std::int64_t point = 0;
  for (std::size_t rank = 0; rank < all_.size(); ++rank)
  {
    for (std::int64_t i = 0; i < all_[rank].points; ++i, ++point)
    {
      const auto at = static_cast<std::size_t>(point);
      rank_of[at] = static_cast<std::int32_t>(rank);
      std::array<double, 3> place{};
      std::transform(places.begin() + 3 * point, places.begin() + 3 * point + 3, place.begin(),
          [](double x) { return x + 0.0; }); // no -0
      keys[at] = { by_id ? static_cast<std::uint64_t>((*ids)[at]) : XXH3_64bits(place.data(), sizeof place), point };
    }
  }
  std::sort(keys.begin(), keys.end());
  const auto same = [&](std::int64_t a, std::int64_t b)
  {
    return by_id || std::equal(places.begin() + 3 * a, places.begin() + 3 * a + 3, places.begin() + 3 * b);
  };
  number_of_.assign(static_cast<std::size_t>(count), -1); // first the point that stands for it; -1: itself
  for (auto begin = keys.begin(); begin != keys.end();)
  {
    const auto end = std::find_if(begin, keys.end(), [&](const Key& each) { return each.of != begin->of; });
    const bool one_of_each_rank =
        std::adjacent_find(begin, end,
            [&](const Key& a, const Key& b)
            {
              return rank_of[static_cast<std::size_t>(a.point)] == rank_of[static_cast<std::size_t>(b.point)] ||
                     !same(a.point, b.point);
            }) == end;
    for (auto each = begin + 1; one_of_each_rank && each < end; ++each)
    {
      number_of_[static_cast<std::size_t>(each->point)] = begin->point;
    }
    begin = end;
  }
  points_ = 0;
  for (std::int64_t& number : number_of_)
  {
    number = number < 0 ? points_++ : number_of_[static_cast<std::size_t>(number)];
  }
  return {};
}

void CellPieces::set_points(vtkUnstructuredGrid& whole, const std::vector<double>& places) const
{
  vtkNew<vtkPoints> points;
  const bool floats = std::all_of(all_.begin(), all_.end(), [](const CellsOfRank& each) { return each.floats != 0; });
  points->SetDataType(floats ? VTK_FLOAT : VTK_DOUBLE);
  points->SetNumberOfPoints(points_);
  for (std::size_t i = number_of_.size(); i-- > 0;) // the first of several stays, as of their values
  {
    points->SetPoint(number_of_[i], places.data() + 3 * i);
  }
  whole.SetPoints(points);
}

/// The cells of all ranks with the points of the whole.
vtkSmartPointer<vtkCellArray> CellPieces::joined_cells(
    const std::vector<std::int64_t>& offsets, const std::vector<std::int64_t>& nodes) const
{
  vtkNew<vtkTypeInt64Array> all_offsets;
  all_offsets->SetNumberOfValues(sum(&CellsOfRank::cells) + 1);
  vtkNew<vtkTypeInt64Array> all_nodes;
  all_nodes->SetNumberOfValues(sum(&CellsOfRank::nodes));
  vtkIdType cell = 0;
  std::int64_t node = 0;
  std::int64_t first_point = 0;
  auto offset = offsets.begin();
  for (const CellsOfRank& each : all_)
  {
    const std::int64_t before = node;
    for (std::int64_t i = 0; i < each.cells; ++i)
    {
      all_offsets->SetValue(cell++, before + *offset++);
    }
    offset += each.cells > 0 ? 1 : 0; // the end
    for (std::int64_t i = 0; i < each.nodes; ++i, ++node)
    {
      const std::int64_t point = first_point + nodes[static_cast<std::size_t>(node)];
      const bool is = point >= first_point && point < first_point + each.points;
      all_nodes->SetValue(node, is ? number_of_[static_cast<std::size_t>(point)] : -1); // -1 is refused later
    }
    first_point += each.points;
  }
  all_offsets->SetValue(cell, node);
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(all_offsets, all_nodes);
  return cells;
}

Result<void> CellPieces::set_cells(vtkUnstructuredGrid& whole) const
{
  const vtkIdType cells = mine().GetNumberOfCells();
  vtkCellArray* const own = cells > 0 ? mine().GetCells() : nullptr;
  const std::vector<std::uint8_t> own_types = cell_types(mine());
  const auto types = ranks_.gather(std::span<const std::uint8_t>(own_types));
  const auto offsets = gathered_as<std::int64_t, vtkTypeInt64Array>(own != nullptr ? own->GetOffsetsArray() : nullptr);
  const auto nodes =
      gathered_as<std::int64_t, vtkTypeInt64Array>(own != nullptr ? own->GetConnectivityArray() : nullptr);
  if (!types || !offsets || !nodes)
  {
    return tl::unexpected(!types ? types.error() : !offsets ? offsets.error() : nodes.error());
  }
  vtkNew<vtkUnsignedCharArray> all_types;
  all_types->SetNumberOfValues(sum(&CellsOfRank::cells));
  std::copy(types->begin(), types->end(), all_types->GetPointer(0));
  whole.SetCells(all_types, joined_cells(*offsets, *nodes));
  return {};
}

Result<void> CellPieces::join_arrays(vtkUnstructuredGrid& whole) const
{
  for (std::size_t of = 0; of < 2; ++of)
  {
    vtkDataSetAttributes* const from = attributes_of(*mine_).at(of);
    for (int i = 0; i < from->GetNumberOfArrays(); ++i)
    {
      vtkDataArray* const array = from->GetArray(i);
      if (array == nullptr || array->GetName() == nullptr)
      {
        continue;
      }
      const Result<std::vector<std::byte>> values = ranks_.gather(bytes_of(array));
      if (!values)
      {
        return tl::unexpected(values.error());
      }
      vtkSmartPointer<vtkDataArray> joined;
      joined.TakeReference(vtkDataArray::CreateDataArray(array->GetDataType()));
      joined->SetName(array->GetName());
      joined->SetNumberOfComponents(array->GetNumberOfComponents());
      joined->SetNumberOfTuples(of == 0 ? points_ : sum(&CellsOfRank::cells));
      const auto tuple = static_cast<std::size_t>(array->GetNumberOfComponents() * array->GetDataTypeSize());
      auto* const into = static_cast<std::byte*>(joined->GetVoidPointer(0));
      const std::size_t count = values->size() / tuple;
      for (std::size_t n = count; n-- > 0;) // the first of several stays
      {
        const std::size_t to = of == 0 ? static_cast<std::size_t>(number_of_[n]) : n;
        std::memcpy(into + to * tuple, values->data() + n * tuple, tuple);
      }
      attributes_of(whole).at(of)->AddArray(joined);
      if (const int attribute = from->IsArrayAnAttribute(i); attribute >= 0)
      {
        attributes_of(whole).at(of)->SetActiveAttribute(array->GetName(), attribute); // ids are not interpolated
      }
    }
  }
  return {};
}

Result<vtkSmartPointer<vtkDataObject>> CellPieces::join()
{
  const auto whole = vtkSmartPointer<vtkUnstructuredGrid>::New();
  const Result<std::vector<double>> all_places = places();
  if (!all_places)
  {
    return tl::unexpected(all_places.error());
  }
  Result<void> good = join_points(*all_places);
  if (good)
  {
    set_points(*whole, *all_places);
    good = set_cells(*whole);
  }
  good = good ? join_arrays(*whole) : std::move(good);
  if (!good)
  {
    return forward_error(good);
  }
  whole->GetFieldData()->PassData(mine().GetFieldData());
  whole->GetInformation()->Copy(mine().GetInformation(), 1);
  return vtkSmartPointer<vtkDataObject>(whole);
}

} // namespace

Result<void> make_whole_cells(vtkSmartPointer<vtkDataObject>& input, const Ranks& ranks, std::int64_t limit)
{
  CellPieces pieces(*vtkUnstructuredGrid::SafeDownCast(input), ranks);
  const Result<bool> parts = pieces.are_parts();
  if (!parts || !*parts)
  {
    return parts ? Result<void>{} : tl::unexpected(parts.error());
  }
  return put_together(pieces, input, ranks, limit);
}

} // namespace rivulet
