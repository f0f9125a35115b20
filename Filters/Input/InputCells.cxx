// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/InputCells.h"

#include "Filters/Input/CellTypes.h"
#include "Filters/Input/ForeignRows.h"
#include "Filters/Input/VtkCellArrays.h"
#include "Filters/Input/VtkCells.h"
#include "Parallel/Team.h"
#include "Pipeline/GridConversion.h"
#include "vtkAOSDataArrayTemplate.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkIdList.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPointSet.h"
#include "vtkStructuredGrid.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace rivulet
{

namespace
{

/// Cells that are hidden or refined, use a hidden point, or are duplicates; empty if there are none.
Result<std::vector<bool>> cells_left_out(vtkDataSet& dataset)
{
  const auto read = [&](std::int64_t count, Centering centering)
  {
    return ghosts_of(dataset, row_grid(count, centering), centering);
  };
  Result<const std::uint8_t*> cell_ghosts = read(dataset.GetNumberOfCells(), Centering::Cell);
  if (!cell_ghosts)
  {
    return forward_error(cell_ghosts);
  }
  Result<const std::uint8_t*> point_ghosts = read(dataset.GetNumberOfPoints(), Centering::Node);
  if (!point_ghosts)
  {
    return forward_error(point_ghosts);
  }
  const std::uint8_t* const of_cells = *cell_ghosts;
  const std::uint8_t* const of_points = *point_ghosts;
  if (of_cells == nullptr && of_points == nullptr)
  {
    return std::vector<bool>{};
  }
  constexpr int kCells =
      vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::REFINEDCELL | vtkDataSetAttributes::DUPLICATECELL;
  std::vector<bool> left_out(static_cast<std::size_t>(dataset.GetNumberOfCells()), false);
  vtkNew<vtkIdList> points;
  bool any = false;
  for (vtkIdType cell = 0; cell < dataset.GetNumberOfCells(); ++cell)
  {
    bool out = of_cells != nullptr && (of_cells[cell] & kCells) != 0;
    if (of_points != nullptr && !out)
    {
      dataset.GetCellPoints(cell, points);
      out = std::any_of(points->begin(), points->end(),
          [&](vtkIdType point)
          {
            const bool is = point >= 0 && point < dataset.GetNumberOfPoints(); // others are refused later
            return is && (of_points[point] & vtkDataSetAttributes::HIDDENPOINT) != 0;
          });
    }
    left_out[static_cast<std::size_t>(cell)] = out;
    any = any || out;
  }
  return any ? left_out : std::vector<bool>{};
}

Int3 dimensions_of(vtkStructuredGrid& grid)
{
  Int3 dimensions;
  grid.GetDimensions(dimensions.data());
  return dimensions;
}

/// Fails with BadArgument if a structured grid has another number of points than its dimensions say.
Result<void> check_count(vtkDataSet& dataset)
{
  auto* const grid = vtkStructuredGrid::SafeDownCast(&dataset);
  const std::int64_t count = grid != nullptr ? volume(dimensions_of(*grid)) : 0;
  if (grid != nullptr && grid->GetNumberOfPoints() != count)
  {
    return fail(ErrorCode::BadArgument,
        "the input has " + std::to_string(grid->GetNumberOfPoints()) + " points, and dimensions for " +
            std::to_string(count),
        "check what it was made from");
  }
  return {};
}

vtkDataArray* points_of(vtkDataSet& dataset)
{
  auto* const points = vtkPointSet::SafeDownCast(&dataset);
  return points != nullptr && points->GetPoints() != nullptr ? points->GetPoints()->GetData() : nullptr;
}

/// Number of the first point with a coordinate that is not finite; -1: there is none.
vtkIdType first_nowhere(vtkDataSet& dataset)
{
  const auto is_finite = [](double x)
  {
    return std::isfinite(x);
  };
  const auto first_in = [&](auto& array)
  {
    const auto* const begin = array.GetPointer(0);
    const auto* const end = begin + array.GetNumberOfValues();
    const auto* const found = std::find_if_not(begin, end, is_finite);
    return found == end ? vtkIdType{ -1 } : static_cast<vtkIdType>((found - begin) / 3);
  };
  if (auto* const floats = vtkAOSDataArrayTemplate<float>::FastDownCast(points_of(dataset)))
  {
    return first_in(*floats);
  }
  if (auto* const doubles = vtkAOSDataArrayTemplate<double>::FastDownCast(points_of(dataset)))
  {
    return first_in(*doubles);
  }
  for (vtkIdType point = 0; point < dataset.GetNumberOfPoints(); ++point)
  {
    Vec3 place;
    dataset.GetPoint(point, place.data());
    if (!std::all_of(place.begin(), place.end(), is_finite))
    {
      return point;
    }
  }
  return -1;
}

/// Fails with BadArgument at a point that lies nowhere: the locator's boxes would be wrong for all others.
Result<void> check_places(vtkDataSet& dataset)
{
  if (const vtkIdType point = first_nowhere(dataset); point >= 0)
  {
    return fail(ErrorCode::BadArgument,
        "point " + std::to_string(point) + " of the input has a coordinate that is not a finite number",
        "leave out its cells with Threshold or Extract Cells By Region, or mend the file");
  }
  return {};
}

/// Whether two arrays have the same bytes. An array that does not lie in memory as plain values is equal to itself
/// alone.
bool same_values(vtkDataArray* a, vtkDataArray* b)
{
  if (a == nullptr || a == b)
  {
    return a == b;
  }
  if (b == nullptr || a->GetDataType() != b->GetDataType() || a->GetNumberOfValues() != b->GetNumberOfValues() ||
      !a->HasStandardMemoryLayout() || !b->HasStandardMemoryLayout())
  {
    return false;
  }
  const auto bytes = static_cast<std::size_t>(a->GetNumberOfValues()) * static_cast<std::size_t>(a->GetDataTypeSize());
  return std::memcmp(a->GetVoidPointer(0), b->GetVoidPointer(0), bytes) == 0;
}

bool same_places(vtkDataSet& a, vtkDataSet& b)
{
  if (points_of(a) != nullptr && points_of(b) != nullptr)
  {
    return same_values(points_of(a), points_of(b));
  }
  for (vtkIdType i = 0; i < a.GetNumberOfPoints(); ++i)
  {
    Vec3 place_a;
    Vec3 place_b;
    a.GetPoint(i, place_a.data());
    b.GetPoint(i, place_b.data());
    if (place_a != place_b)
    {
      return false;
    }
  }
  return true;
}

bool same_cell(vtkDataSet& a, vtkDataSet& b, vtkIdType cell)
{
  vtkNew<vtkIdList> of_a;
  vtkNew<vtkIdList> of_b;
  a.GetCellPoints(cell, of_a);
  b.GetCellPoints(cell, of_b);
  return std::equal(of_a->begin(), of_a->end(), of_b->begin(), of_b->end());
}

/// Whether the cells have the same types, of which the points say all: polyhedra have faces besides.
bool same_types(vtkDataSet& a, vtkDataSet& b)
{
  const std::vector<std::uint8_t> types = cell_types(a);
  return types == cell_types(b) && std::find(types.begin(), types.end(), VTK_POLYHEDRON) == types.end();
}

/// Whether they have the same cells, of points with the same numbers.
bool same_cells(vtkDataSet& a, vtkDataSet& b)
{
  if (a.GetDataObjectType() != b.GetDataObjectType() || a.GetNumberOfCells() != b.GetNumberOfCells() ||
      a.GetNumberOfPoints() != b.GetNumberOfPoints())
  {
    return false;
  }
  if (auto* const grid = vtkStructuredGrid::SafeDownCast(&a))
  {
    return dimensions_of(*grid) == dimensions_of(*vtkStructuredGrid::SafeDownCast(&b)); // which say what the cells are
  }
  if (auto* const cells_of_a = vtkUnstructuredGrid::SafeDownCast(&a))
  {
    vtkCellArray* const of_a = cells_of_a->GetCells();
    vtkCellArray* const of_b = vtkUnstructuredGrid::SafeDownCast(&b)->GetCells();
    return of_a == of_b || (of_a != nullptr && of_b != nullptr && same_types(a, b) &&
                               same_values(of_a->GetOffsetsArray(), of_b->GetOffsetsArray()) &&
                               same_values(of_a->GetConnectivityArray(), of_b->GetConnectivityArray()));
  }
  if (!same_types(a, b))
  {
    return false;
  }
  bool same = true;
  for (vtkIdType cell = 0; same && cell < a.GetNumberOfCells(); ++cell)
  {
    same = same_cell(a, b, cell);
  }
  return same;
}

/// When the structure was last changed.
vtkMTimeType changed_at(vtkDataSet& dataset)
{
  auto* const cells = vtkUnstructuredGrid::SafeDownCast(&dataset);
  const vtkMTimeType of_cells = cells != nullptr && cells->GetCells() != nullptr ? cells->GetCells()->GetMTime() : 0;
  return std::max(dataset.GetMTime(), of_cells);
}

/// The points of a curvilinear grid, where they lie or, if these are not floats or doubles, as a copy.
PointLattice lattice_of(vtkStructuredGrid& grid)
{
  PointLattice lattice;
  lattice.nodes = dimensions_of(grid);
  vtkSmartPointer<vtkDataArray> points = grid.GetPoints()->GetData();
  auto* const floats = vtkAOSDataArrayTemplate<float>::FastDownCast(points);
  if (floats == nullptr && vtkAOSDataArrayTemplate<double>::FastDownCast(points) == nullptr)
  {
    const auto doubles = vtkSmartPointer<vtkDoubleArray>::New();
    doubles->DeepCopy(points);
    points = doubles;
  }
  lattice.type = floats != nullptr ? ScalarType::Float32 : ScalarType::Float64;
  lattice.points = points->GetVoidPointer(0);
  lattice.owner = std::shared_ptr<const void>(lattice.points, [points](const void*) {});
  return lattice;
}

/// nullptr if it is none with cells that have a volume.
vtkStructuredGrid* curvilinear_grid(vtkDataSet& dataset)
{
  auto* const grid = vtkStructuredGrid::SafeDownCast(&dataset);
  return grid != nullptr && grid->GetDataDimension() == 3 ? grid : nullptr;
}

} // namespace

Result<std::shared_ptr<const InputCells>> InputCells::of(const std::vector<InputBlock>& blocks)
{
  int dimension = 0;
  for (const InputBlock& block : blocks)
  {
    dimension = std::max(dimension, dimension_of(*block.dataset));
  }
  std::shared_ptr<InputCells> made(new InputCells);
  for (const InputBlock& block : blocks)
  {
    if (Result<void> added = made->add(*block.dataset, dimension); !added)
    {
      return forward_error(added);
    }
  }
  if (made->cells_ == 0)
  {
    return fail(ErrorCode::BadArgument, "the input has no cells", "check the filter before this one");
  }
  for (Part& part : made->parts_)
  {
    part.built = changed_at(*part.dataset);
  }
  return std::shared_ptr<const InputCells>(std::move(made));
}

bool InputCells::are_of(const std::vector<InputBlock>& blocks) const
{
  return std::equal(parts_.begin(), parts_.end(), blocks.begin(), blocks.end(),
      [](const Part& part, const InputBlock& block)
      {
        // The points and cells are shared with the pipeline, which may have changed them in place.
        if (changed_at(*part.dataset) > part.built || !same_cells(*part.dataset, *block.dataset) ||
            !same_places(*part.dataset, *block.dataset))
        {
          return false;
        }
        const Result<std::vector<bool>> left_out = cells_left_out(*block.dataset);
        return left_out && *left_out == part.left_out;
      });
}

Result<std::shared_ptr<const InputCells>> InputCells::moved(const std::vector<InputBlock>& blocks) const
{
  const Part& part = parts_.front();
  vtkDataSet& dataset = *blocks.front().dataset;
  if (parts_.size() != 1 || blocks.size() != 1 || part.own == nullptr || part.own->others() != nullptr ||
      changed_at(*part.dataset) > part.built || !same_cells(*part.dataset, dataset))
  {
    return std::shared_ptr<const InputCells>();
  }
  if (Result<void> good = check_places(dataset); !good)
  {
    return forward_error(good);
  }
  Result<std::vector<bool>> left_out = cells_left_out(dataset);
  if (!left_out)
  {
    return forward_error(left_out);
  }
  if (*left_out != part.left_out)
  {
    return std::shared_ptr<const InputCells>();
  }
  Result<std::shared_ptr<const UnstructuredCells>> cells =
      moved_cells(*part.own, *vtkUnstructuredGrid::SafeDownCast(&dataset));
  if (!cells)
  {
    return std::shared_ptr<const InputCells>(); // as a mesh of its own, whatever happened to its cells
  }
  std::shared_ptr<InputCells> made(new InputCells);
  made->parts_.push_back(part_without_cells(dataset, *std::move(left_out)));
  made->parts_.front().own = *std::move(cells);
  made->parts_.front().cells = made->parts_.front().own;
  made->parts_.front().built = changed_at(*made->parts_.front().dataset);
  made->cells_ = cells_;
  made->nodes_ = nodes_;
  return std::shared_ptr<const InputCells>(std::move(made));
}

InputCells::Part InputCells::part_without_cells(vtkDataSet& dataset, std::vector<bool> left_out)
{
  Part part;
  part.dataset.TakeReference(dataset.NewInstance());
  part.dataset->CopyStructure(&dataset);
  part.left_out = std::move(left_out);
  return part;
}

Result<void> InputCells::add(vtkDataSet& dataset, int dimension)
{
  Result<std::vector<bool>> left_out = cells_left_out(dataset);
  if (!left_out)
  {
    return forward_error(left_out);
  }
  Result<void> good = check_count(dataset);
  good = good ? check_places(dataset) : std::move(good);
  if (!good)
  {
    return good;
  }
  Part part = part_without_cells(dataset, *std::move(left_out));
  part.first_cell = cells_;
  part.first_node = nodes_;
  if (dataset.GetNumberOfCells() > 0)
  {
    if (vtkStructuredGrid* const grid = curvilinear_grid(*part.dataset))
    {
      Result<std::shared_ptr<const CurvilinearCells>> cells =
          CurvilinearCells::create(lattice_of(*grid), part.left_out, resolve_threads(0));
      if (!cells)
      {
        return forward_error(cells);
      }
      part.lattice = *std::move(cells);
      part.cells = part.lattice;
    }
    else if (auto* const cells_of_any = vtkUnstructuredGrid::SafeDownCast(part.dataset))
    {
      Result<std::shared_ptr<const UnstructuredCells>> cells =
          unstructured_cells(*cells_of_any, part.left_out, dimension);
      if (!cells)
      {
        return forward_error(cells);
      }
      part.own = *std::move(cells);
      part.cells = part.own;
    }
    if (part.cells == nullptr)
    {
      part.cells = std::make_shared<const VtkCells>(*part.dataset, part.left_out, dimension);
    }
  }
  cells_ += dataset.GetNumberOfCells();
  nodes_ += dataset.GetNumberOfPoints();
  parts_.push_back(std::move(part));
  return {};
}

const InputCells::Part& InputCells::part_of(std::int64_t cell) const
{
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), cell,
      [](std::int64_t number, const Part& part) { return number < part.first_cell; });
  return *std::prev(after);
}

/// `before`: of this part, or -1.
std::int64_t InputCells::find_in(const Part& part, const Vec3& world, std::int64_t before, CellWeights& at)
{
  const std::int64_t own = before >= 0 ? before - part.first_cell : -1;
  const std::int64_t cell = part.cells != nullptr ? part.cells->find(world, own, at) : -1;
  if (cell < 0)
  {
    return -1;
  }
  for (std::int64_t& node : at.nodes)
  {
    node += part.first_node;
  }
  return part.first_cell + cell;
}

std::int64_t InputCells::find(const Vec3& world, std::int64_t before, CellWeights& at) const
{
  const Part* const first = before >= 0 ? &part_of(before) : nullptr;
  if (first != nullptr)
  {
    if (const std::int64_t cell = find_in(*first, world, before, at); cell >= 0)
    {
      return cell;
    }
  }
  for (const Part& part : parts_)
  {
    const std::int64_t cell = &part != first ? find_in(part, world, -1, at) : -1;
    if (cell >= 0)
    {
      return cell;
    }
  }
  return -1;
}

void InputCells::weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const
{
  const Part& part = part_of(cell);
  part.cells->weigh(cell - part.first_cell, world, gradients, at);
  for (std::int64_t& node : at.nodes)
  {
    node += part.first_node;
  }
}

Vec3 InputCells::cell_sides(std::int64_t cell) const
{
  const Part& part = part_of(cell);
  return part.cells->cell_sides(cell - part.first_cell);
}

std::string InputCells::kinds() const
{
  std::set<std::string> kinds;
  for (const Part& part : parts_)
  {
    if (part.cells != nullptr && !part.cells->kinds().empty())
    {
      kinds.insert(part.cells->kinds());
    }
  }
  std::string names;
  for (const std::string& kind : kinds)
  {
    names += (names.empty() ? "" : "; ") + kind;
  }
  return names;
}

bool InputCells::needs_doubles() const
{
  return std::any_of(parts_.begin(), parts_.end(),
      [](const Part& part) { return part.cells != nullptr && part.cells->needs_doubles(); });
}

} // namespace rivulet
