// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/WholeInput.h"

#include "Filters/Input/InputOrigin.h"
#include "Filters/Input/PieceArrays.h"
#include "Filters/Input/WholeCells.h"
#include "Store/Memory/MemoryAccount.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkMatrix3x3.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkRectilinearGrid.h"
#include "vtkStreamingDemandDrivenPipeline.h"
#include "vtkStructuredGrid.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace rivulet
{

namespace
{

using Extent = std::array<int, 6>;

/// Of the place of a node of a curvilinear grid, as gathered and in the whole.
constexpr std::int64_t kBytesOfPoint = 2 * 3 * sizeof(double);

constexpr Extent kNothing{ 0, -1, 0, -1, 0, -1 };
constexpr unsigned char kDuplicate = vtkDataSetAttributes::DUPLICATECELL; // as DUPLICATEPOINT

Extent extent_of(vtkDataSet& dataset)
{
  Extent extent = kNothing;
  if (auto* image = vtkImageData::SafeDownCast(&dataset); image != nullptr)
  {
    image->GetExtent(extent.data());
  }
  else if (auto* grid = vtkRectilinearGrid::SafeDownCast(&dataset); grid != nullptr)
  {
    grid->GetExtent(extent.data());
  }
  else if (auto* curvilinear = vtkStructuredGrid::SafeDownCast(&dataset); curvilinear != nullptr)
  {
    curvilinear->GetExtent(extent.data());
  }
  return extent;
}

/// Points, or cells, along an axis. A flat axis has one layer of cells.
std::int64_t count_along(const Extent& extent, std::size_t axis, bool cells)
{
  const std::int64_t points = std::int64_t{ extent[2 * axis + 1] } - extent[2 * axis] + 1;
  return cells && points > 1 ? points - 1 : std::max<std::int64_t>(points, 0);
}

std::int64_t count_of(const Extent& extent, bool cells)
{
  return count_along(extent, 0, cells) * count_along(extent, 1, cells) * count_along(extent, 2, cells);
}

/// The pieces of all ranks.
class Pieces
{
public:
  Pieces(vtkDataSet& mine, const Extent& whole, std::vector<Extent> extents, const Ranks& ranks)
    : mine_(&mine)
    , whole_(whole)
    , ranks_(ranks)
    , extents_(std::move(extents))
  {
  }

  /// Whether ranks have other pieces. A filter before may announce more than it gives to all.
  [[nodiscard]] bool are_parts() const
  {
    return std::any_of(
        extents_.begin(), extents_.end(), [&first = extents_.front()](const Extent& each) { return each != first; });
  }
  [[nodiscard]] Result<void> check(std::int64_t limit);
  [[nodiscard]] Result<vtkSmartPointer<vtkDataObject>> join();

private:
  /// Neighbouring tuples.
  struct Run
  {
    std::int64_t from = 0; ///< among the tuples of all ranks, one rank after the other
    std::int64_t to = 0;   ///< in the whole
    std::int64_t count = 0;
  };

  [[nodiscard]] Result<void> set_geometry(vtkImageData& whole) const;
  [[nodiscard]] Result<std::vector<std::byte>> gathered(vtkDataArray& array, bool cells) const;
  [[nodiscard]] Result<void> set_coordinates(vtkRectilinearGrid& whole) const;
  [[nodiscard]] Result<std::vector<double>> coordinates(int axis) const;
  [[nodiscard]] Result<void> set_points(vtkStructuredGrid& whole) const;
  [[nodiscard]] Result<std::vector<Run>> runs(vtkDataSetAttributes& of, bool cells) const;
  [[nodiscard]] Result<void> join_arrays(vtkDataSetAttributes& from, vtkDataSetAttributes& to, bool cells) const;
  template <class Row>
  void for_rows(const Extent& piece, bool cells, const Row& row) const;

  vtkSmartPointer<vtkDataSet> mine_;
  Extent whole_;
  const Ranks& ranks_;
  std::vector<Extent> extents_; ///< of each rank
};

/// All ranks with points have the same arrays, and the whole is within the limit.
Result<void> Pieces::check(std::int64_t limit)
{
  if (Result<void> same = make_arrays_alike(mine_, ranks_); !same)
  {
    return same;
  }
  const bool has_points = vtkStructuredGrid::SafeDownCast(mine_) != nullptr;
  std::int64_t bytes = has_points ? count_of(whole_, false) * kBytesOfPoint : 0;
  for (const bool cells : { false, true })
  {
    vtkDataSetAttributes* const values = attributes_of(*mine_).at(cells ? 1 : 0);
    for (int i = 0; i < values->GetNumberOfArrays(); ++i)
    {
      vtkDataArray* const array = values->GetArray(i);
      bytes +=
          array == nullptr ? 0 : count_of(whole_, cells) * array->GetNumberOfComponents() * array->GetDataTypeSize();
    }
  }
  std::array<std::int64_t, 1> most{ bytes };
  ranks_.max(most);
  if (most[0] > limit)
  {
    return whole_above(most[0], limit, ranks_);
  }
  return {};
}

/// The values of an array of all ranks, one rank after the other.
Result<std::vector<std::byte>> Pieces::gathered(vtkDataArray& array, bool cells) const
{
  const std::int64_t own = count_of(extents_[static_cast<std::size_t>(ranks_.rank())], cells);
  const auto size = static_cast<std::size_t>(own * array.GetNumberOfComponents() * array.GetDataTypeSize());
  return ranks_.gather(std::span<const std::byte>(static_cast<const std::byte*>(array.GetVoidPointer(0)), size));
}

/// Calls row(first tuple of the piece, first tuple of the whole, tuples).
template <class Row>
void Pieces::for_rows(const Extent& piece, bool cells, const Row& row) const
{
  const std::int64_t length = count_along(piece, 0, cells);
  std::int64_t from = 0;
  for (std::int64_t k = 0; k < count_along(piece, 2, cells); ++k)
  {
    for (std::int64_t j = 0; j < count_along(piece, 1, cells); ++j, from += length)
    {
      const std::int64_t y = piece[2] - whole_[2] + j;
      const std::int64_t z = piece[4] - whole_[4] + k;
      const std::int64_t to =
          (z * count_along(whole_, 1, cells) + y) * count_along(whole_, 0, cells) + piece[0] - whole_[0];
      row(from, to, length);
    }
  }
}

/// The tuples of all ranks that make up the whole, without duplicates of another rank's tuples. Fails if some are
/// missing.
Result<std::vector<Pieces::Run>> Pieces::runs(vtkDataSetAttributes& of, bool cells) const
{
  vtkDataArray* const own = of.GetArray(vtkDataSetAttributes::GhostArrayName()); // on all ranks, or on none
  const Result<std::vector<std::byte>> ghosts =
      own != nullptr ? gathered(*own, cells) : Result<std::vector<std::byte>>();
  if (!ghosts)
  {
    return tl::unexpected(ghosts.error());
  }
  const auto is_duplicate = [&](std::int64_t tuple)
  {
    return !ghosts->empty() &&
           (static_cast<unsigned char>((*ghosts)[static_cast<std::size_t>(tuple)]) & kDuplicate) != 0;
  };
  std::vector<Run> runs;
  std::vector<bool> there(static_cast<std::size_t>(count_of(whole_, cells)));
  std::int64_t begin = 0; // tuple at which a rank's piece begins
  for (const Extent& piece : extents_)
  {
    const auto take = [&](std::int64_t from, std::int64_t at, std::int64_t count)
    {
      for (std::int64_t n = 0; n < count;)
      {
        Run run{ begin + from + n, at + n, 0 };
        for (; n < count && !is_duplicate(begin + from + n); ++n)
        {
          there[static_cast<std::size_t>(run.to + run.count++)] = true;
        }
        if (run.count > 0)
        {
          runs.push_back(run);
        }
        n += n < count ? 1 : 0; // a duplicate
      }
    };
    for_rows(piece, cells, take);
    begin += count_of(piece, cells);
  }
  if (std::find(there.begin(), there.end(), false) != there.end())
  {
    return fail(ErrorCode::Unsupported, "the pieces of the input on the ranks do not make up the whole",
        "let the ranks' pieces fill the whole extent");
  }
  return runs;
}

Result<void> Pieces::join_arrays(vtkDataSetAttributes& from, vtkDataSetAttributes& to, bool cells) const
{
  if (from.GetNumberOfArrays() == 0)
  {
    return {};
  }
  Result<std::vector<Run>> all = runs(from, cells);
  if (!all)
  {
    return forward_error(all);
  }
  for (int i = 0; i < from.GetNumberOfArrays(); ++i)
  {
    vtkDataArray* const array = from.GetArray(i);
    if (array == nullptr || array->GetName() == nullptr)
    {
      continue;
    }
    const Result<std::vector<std::byte>> values = gathered(*array, cells);
    if (!values)
    {
      return tl::unexpected(values.error());
    }
    vtkSmartPointer<vtkDataArray> joined;
    joined.TakeReference(vtkDataArray::CreateDataArray(array->GetDataType()));
    joined->SetName(array->GetName());
    joined->SetNumberOfComponents(array->GetNumberOfComponents());
    joined->SetNumberOfTuples(count_of(whole_, cells));
    const std::int64_t tuple = std::int64_t{ array->GetNumberOfComponents() } * array->GetDataTypeSize();
    auto* const into = static_cast<std::byte*>(joined->GetVoidPointer(0));
    for (const Run& run : *all)
    {
      std::memcpy(
          into + run.to * tuple, values->data() + run.from * tuple, static_cast<std::size_t>(run.count * tuple));
    }
    to.AddArray(joined);
  }
  return {};
}

/// The positions of the nodes along an axis of a rectilinear grid.
Result<std::vector<double>> Pieces::coordinates(int axis) const
{
  auto& grid = dynamic_cast<vtkRectilinearGrid&>(*mine_);
  vtkDataArray* const own = axis == 0   ? grid.GetXCoordinates()
                            : axis == 1 ? grid.GetYCoordinates()
                                        : grid.GetZCoordinates();
  std::vector<double> mine;
  const auto a = static_cast<std::size_t>(axis);
  for (std::int64_t i = 0; i < count_along(extents_[static_cast<std::size_t>(ranks_.rank())], a, false); ++i)
  {
    mine.push_back(own->GetTuple1(i));
  }
  const Result<std::vector<double>> all = ranks_.gather(std::span<const double>(mine));
  if (!all)
  {
    return tl::unexpected(all.error());
  }
  std::vector<double> places(static_cast<std::size_t>(count_along(whole_, a, false)));
  auto next = all->begin();
  for (const Extent& piece : extents_)
  {
    const std::int64_t count = count_along(piece, a, false);
    std::copy_n(next, count, places.begin() + (piece[2 * a] - whole_[2 * a]));
    next += count;
  }
  return places;
}

/// The geometry of the first rank that has points.
Result<void> Pieces::set_geometry(vtkImageData& whole) const
{
  auto& own = dynamic_cast<vtkImageData&>(*mine_);
  std::array<double, 15> mine{};
  std::copy_n(own.GetOrigin(), 3, mine.begin());
  std::copy_n(own.GetSpacing(), 3, mine.begin() + 3);
  std::copy_n(own.GetDirectionMatrix()->GetData(), 9, mine.begin() + 6);
  const Result<std::vector<double>> all = ranks_.gather(std::span<const double>(mine));
  if (!all)
  {
    return tl::unexpected(all.error());
  }
  const auto first = static_cast<std::size_t>(
      std::find_if(extents_.begin(), extents_.end(), [](const Extent& each) { return count_of(each, false) > 0; }) -
      extents_.begin());
  std::copy_n(all->data() + std::min(first, extents_.size() - 1) * mine.size(), mine.size(), mine.begin());
  whole.SetOrigin(mine.data());
  whole.SetSpacing(mine.data() + 3);
  whole.SetDirectionMatrix(mine.data() + 6);
  Extent extent = whole_;
  whole.SetExtent(extent.data());
  return {};
}

Result<void> Pieces::set_coordinates(vtkRectilinearGrid& whole) const
{
  Extent extent = whole_;
  whole.SetExtent(extent.data());
  for (int axis = 0; axis < 3; ++axis)
  {
    const Result<std::vector<double>> of_axis = coordinates(axis);
    if (!of_axis)
    {
      return tl::unexpected(of_axis.error());
    }
    vtkNew<vtkDoubleArray> places;
    for (const double place : *of_axis)
    {
      places->InsertNextValue(place);
    }
    axis == 0   ? whole.SetXCoordinates(places)
    : axis == 1 ? whole.SetYCoordinates(places)
                : whole.SetZCoordinates(places);
  }
  return {};
}

/// The places of the nodes of a curvilinear grid: single precision if all ranks have that. Of a node of several ranks
/// that is no duplicate the last one stays, as of its values.
Result<void> Pieces::set_points(vtkStructuredGrid& whole) const
{
  auto& own = dynamic_cast<vtkStructuredGrid&>(*mine_);
  vtkPoints* const of_piece = own.GetNumberOfPoints() > 0 ? own.GetPoints() : nullptr;
  std::vector<double> mine(static_cast<std::size_t>(of_piece != nullptr ? 3 * of_piece->GetNumberOfPoints() : 0));
  for (std::size_t i = 0; i < mine.size(); i += 3)
  {
    of_piece->GetPoint(static_cast<vtkIdType>(i / 3), mine.data() + i);
  }
  const Result<std::vector<double>> all = ranks_.gather(std::span<const double>(mine));
  const Result<std::vector<Run>> taken = runs(*own.GetPointData(), false);
  if (!all || !taken)
  {
    return tl::unexpected(all ? taken.error() : all.error());
  }
  std::array<std::int64_t, 1> doubles{ of_piece != nullptr && of_piece->GetDataType() != VTK_FLOAT ? 1 : 0 };
  ranks_.max(doubles);
  vtkNew<vtkPoints> places;
  places->SetDataType(doubles[0] != 0 ? VTK_DOUBLE : VTK_FLOAT);
  places->SetNumberOfPoints(count_of(whole_, false));
  for (const Run& run : *taken)
  {
    for (std::int64_t i = 0; i < run.count; ++i)
    {
      places->SetPoint(run.to + i, all->data() + 3 * (run.from + i));
    }
  }
  Extent extent = whole_;
  whole.SetExtent(extent.data());
  whole.SetPoints(places);
  return {};
}

Result<vtkSmartPointer<vtkDataObject>> Pieces::join()
{
  vtkSmartPointer<vtkDataSet> whole;
  whole.TakeReference(mine_->NewInstance());
  Result<void> done;
  if (auto* image = vtkImageData::SafeDownCast(whole); image != nullptr)
  {
    done = set_geometry(*image);
  }
  else if (auto* grid = vtkStructuredGrid::SafeDownCast(whole); grid != nullptr)
  {
    done = set_points(*grid);
  }
  else
  {
    done = set_coordinates(dynamic_cast<vtkRectilinearGrid&>(*whole));
  }
  if (!done)
  {
    return forward_error(done);
  }
  whole->GetFieldData()->PassData(mine_->GetFieldData());
  whole->GetInformation()->Copy(mine_->GetInformation(), 1);
  done = join_arrays(*mine_->GetPointData(), *whole->GetPointData(), false);
  done = done ? join_arrays(*mine_->GetCellData(), *whole->GetCellData(), true) : done;
  if (!done)
  {
    return forward_error(done);
  }
  return vtkSmartPointer<vtkDataObject>(whole);
}

/// A rank's share of an input.
struct Piece
{
  enum Kind : std::int32_t
  {
    Other,
    Grid, ///< of a whole whose extent is known
    Cells ///< unstructured
  };

  std::int32_t kind = Other;
  Extent extent = kNothing;
};
static_assert(sizeof(Piece) == 7 * sizeof(int));

Piece piece_of(vtkDataObject* input, vtkInformation& connection)
{
  const bool grid = vtkImageData::SafeDownCast(input) != nullptr ||
                    vtkRectilinearGrid::SafeDownCast(input) != nullptr ||
                    vtkStructuredGrid::SafeDownCast(input) != nullptr;
  if (vtkUnstructuredGrid::SafeDownCast(input) != nullptr)
  {
    return { Piece::Cells };
  }
  if (!grid || connection.Has(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT()) == 0)
  {
    return {};
  }
  auto& dataset = dynamic_cast<vtkDataSet&>(*input);
  return { Piece::Grid, dataset.GetNumberOfPoints() > 0 ? extent_of(dataset) : kNothing };
}

} // namespace

Result<void> make_whole(vtkSmartPointer<vtkDataObject>& input, const WholeInput& of, std::int64_t budget)
{
  const Ranks& ranks = of.ranks;
  if (ranks.size() == 1)
  {
    return {};
  }
  // In any case, and once: ranks may have inputs of other kinds, or none.
  const Piece mine = piece_of(input, of.connection);
  const Result<std::vector<Piece>> all = ranks.gather(std::span<const Piece>(&mine, 1));
  if (!all)
  {
    return tl::unexpected(all.error());
  }
  const auto all_are = [&all](Piece::Kind kind)
  {
    return std::all_of(all->begin(), all->end(), [kind](const Piece& each) { return each.kind == kind; });
  };
  const std::int64_t limit = budget > 0 ? budget : default_memory_budget();
  if (all_are(Piece::Cells))
  {
    return make_whole_cells(input, ranks, limit);
  }
  const bool are_grids = all_are(Piece::Grid);
  if (!are_grids && comes_from_simulation(of.filter))
  {
    return fail(ErrorCode::Unsupported,
        std::string("a simulation or a program hands over a ") +
            (input != nullptr ? input->GetClassName() : "data object") + " on " + std::to_string(ranks.size()) +
            " ranks, of which each has a part, and lines would end there",
        "run on one rank; or let the analytics store write it, and trace in the store");
  }
  if (!are_grids)
  {
    return {};
  }
  std::vector<Extent> extents;
  std::transform(all->begin(), all->end(), std::back_inserter(extents), [](const Piece& each) { return each.extent; });
  Extent whole{};
  of.connection.Get(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), whole.data());
  Pieces pieces(dynamic_cast<vtkDataSet&>(*input), whole, std::move(extents), ranks);
  if (!pieces.are_parts())
  {
    return {};
  }
  return put_together(pieces, input, ranks, limit);
}

} // namespace rivulet
