// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/VtkCells.h"

#include "Filters/ForeignRows.h"
#include "Pipeline/GridConversion.h"
#include "vtkBoundingBox.h"
#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkGenericCell.h"
#include "vtkIdList.h"
#include "vtkMath.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPointSet.h"
#include "vtkStaticCellLocator.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

namespace
{

double length_of(const Vec3& sides)
{
  return std::sqrt(sides[0] * sides[0] + sides[1] * sides[1] + sides[2] * sides[2]);
}

/// The thread's own: VTK's cells are not shared by threads.
vtkGenericCell& cell_of_this_thread()
{
  static thread_local vtkSmartPointer<vtkGenericCell> cell = vtkSmartPointer<vtkGenericCell>::New();
  return *cell;
}

/// Room for the weights of a cell with so many points.
std::vector<double>& room_for(std::size_t points)
{
  static thread_local std::vector<double> weights;
  weights.resize(std::max(weights.size(), points));
  return weights;
}

void take(vtkGenericCell& cell, std::int64_t first_node, const std::vector<double>& weights, CellWeights& to)
{
  const auto count = static_cast<std::size_t>(cell.GetNumberOfPoints());
  to.nodes.resize(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    to.nodes[i] = first_node + cell.GetPointId(static_cast<int>(i));
  }
  to.weights.assign(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(count));
  to.gradients.clear();
}

/// Derivatives of the weights: the cell's derivatives of values that are 1 at one point and 0 at the others. Of three
/// points at a time, as vectors: vtkPolyhedron::Derivatives() writes beyond its result for more components.
void take_gradients(vtkGenericCell& cell, int sub_cell, const double* parametric, CellWeights& to)
{
  const std::size_t count = to.nodes.size();
  to.gradients.resize(count);
  std::vector<double> values(3 * count);
  for (std::size_t first = 0; first < count; first += 3)
  {
    const std::size_t some = std::min<std::size_t>(3, count - first);
    std::fill(values.begin(), values.end(), 0.0);
    for (std::size_t i = 0; i < some; ++i)
    {
      values[3 * (first + i) + i] = 1.0;
    }
    double derivatives[9];
    cell.Derivatives(sub_cell, parametric, values.data(), 3, derivatives);
    for (std::size_t i = 0; i < some; ++i)
    {
      to.gradients[first + i] = { derivatives[3 * i], derivatives[3 * i + 1], derivatives[3 * i + 2] };
    }
  }
}

/// Cells that are hidden, use a hidden point, or are duplicates; empty if there are none.
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
  constexpr int kCells = vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::DUPLICATECELL;
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
          [&](vtkIdType point) { return (of_points[point] & vtkDataSetAttributes::HIDDENPOINT) != 0; });
    }
    left_out[static_cast<std::size_t>(cell)] = out;
    any = any || out;
  }
  return any ? left_out : std::vector<bool>{};
}

/// Fails with BadArgument at a point that lies nowhere: the locator's boxes would be wrong for all others.
Result<void> check_places(vtkDataSet& dataset)
{
  for (vtkIdType point = 0; point < dataset.GetNumberOfPoints(); ++point)
  {
    Vec3 place;
    dataset.GetPoint(point, place.data());
    if (!std::all_of(place.begin(), place.end(), [](double x) { return std::isfinite(x); }))
    {
      return fail(ErrorCode::BadArgument,
          "point " + std::to_string(point) + " of the input has a coordinate that is not a finite number",
          "leave out its cells with Threshold or Extract Cells By Region, or mend the file");
    }
  }
  return {};
}

bool same_points(vtkDataSet& a, vtkDataSet& b)
{
  auto* const of_a = vtkPointSet::SafeDownCast(&a);
  auto* const of_b = vtkPointSet::SafeDownCast(&b);
  if (of_a != nullptr && of_b != nullptr && of_a->GetPoints() == of_b->GetPoints())
  {
    return true;
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

bool same_cells(vtkDataSet& a, vtkDataSet& b)
{
  if (a.GetDataObjectType() != b.GetDataObjectType() || a.GetNumberOfCells() != b.GetNumberOfCells() ||
      a.GetNumberOfPoints() != b.GetNumberOfPoints() || !same_points(a, b))
  {
    return false;
  }
  vtkNew<vtkIdList> of_a;
  vtkNew<vtkIdList> of_b;
  for (vtkIdType cell = 0; cell < a.GetNumberOfCells(); ++cell)
  {
    a.GetCellPoints(cell, of_a);
    b.GetCellPoints(cell, of_b);
    if (a.GetCellType(cell) != b.GetCellType(cell) ||
        !std::equal(of_a->begin(), of_a->end(), of_b->begin(), of_b->end()))
    {
      return false;
    }
  }
  return true;
}

} // namespace

class VtkCells::Turn
{
public:
  explicit Turn(const VtkCells& cells)
  {
    if (cells.types_.contains(VTK_POLYHEDRON))
    {
      lock_ = std::unique_lock(cells.polyhedra_);
      seed_ = vtkMath::GetSeed();
      vtkMath::RandomSeed(1);
    }
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn()
  {
    if (lock_)
    {
      vtkMath::RandomSeed(seed_);
    }
  }

private:
  std::unique_lock<std::mutex> lock_;
  int seed_ = 0;
};

VtkCells::~VtkCells() = default;

Result<std::shared_ptr<const VtkCells>> VtkCells::of(const std::vector<InputBlock>& blocks)
{
  std::shared_ptr<VtkCells> made(new VtkCells);
  for (const InputBlock& block : blocks)
  {
    if (Result<void> added = made->add(*block.dataset); !added)
    {
      return forward_error(added);
    }
  }
  if (made->cells_ == 0)
  {
    return fail(ErrorCode::BadArgument, "the input has no cells", "check the filter before this one");
  }
  made->choose_precision();
  for (Part& part : made->parts_)
  {
    part.built = part.dataset->GetMTime();
  }
  return std::shared_ptr<const VtkCells>(std::move(made));
}

bool VtkCells::are_of(const std::vector<InputBlock>& blocks) const
{
  return std::equal(parts_.begin(), parts_.end(), blocks.begin(), blocks.end(),
      [](const Part& part, const InputBlock& block)
      {
        // The points and cells are shared with the pipeline, which may have changed them in place.
        if (part.dataset->GetMTime() > part.built || !same_cells(*part.dataset, *block.dataset))
        {
          return false;
        }
        const Result<std::vector<bool>> left_out = cells_left_out(*block.dataset);
        return left_out && *left_out == part.left_out;
      });
}

Result<void> VtkCells::add(vtkDataSet& dataset)
{
  Result<std::vector<bool>> left_out = cells_left_out(dataset);
  if (!left_out)
  {
    return forward_error(left_out);
  }
  if (Result<void> good = check_places(dataset); !good)
  {
    return good;
  }
  Part part;
  part.dataset.TakeReference(dataset.NewInstance());
  part.dataset->CopyStructure(&dataset);
  part.left_out = *std::move(left_out);
  part.first_cell = cells_;
  part.first_node = nodes_;
  part.most_points = static_cast<std::size_t>(std::max(dataset.GetMaxCellSize(), 1)); // VTK looks at all cells
  if (dataset.GetNumberOfCells() > 0)
  {
    part.dataset->GetCell(0, &cell_of_this_thread()); // makes what the dataset makes at first use, before threads come
    part.locator = vtkSmartPointer<vtkStaticCellLocator>::New();
    part.locator->SetDataSet(part.dataset);
    part.locator->BuildLocator();
    const double length = dataset.GetLength();
    part.tolerance = 1e-16 * length * length; // a place that far from a surface is not on it
  }
  for (vtkIdType cell = 0; cell < dataset.GetNumberOfCells(); ++cell)
  {
    if (types_.insert(dataset.GetCellType(cell)).second)
    {
      kinds_.insert(part.dataset->GetCell(cell)->GetClassName());
    }
  }
  cells_ += dataset.GetNumberOfCells();
  nodes_ += dataset.GetNumberOfPoints();
  parts_.push_back(std::move(part));
  return {};
}

/// Judges some of the cells, spread over all of them.
void VtkCells::choose_precision()
{
  constexpr std::int64_t kMostCells = 100000;
  constexpr double kShare = 0.01;
  const std::int64_t step = std::max<std::int64_t>(1, cells_ / kMostCells);
  double least = HUGE_VAL;
  for (std::int64_t cell = 0; cell < cells_; cell += step)
  {
    const double length = length_of(cell_sides(cell));
    least = length > 0.0 ? std::min(least, length) : least;
  }
  double farthest = 0.0;
  for (const Part& part : parts_)
  {
    double bounds[6];
    part.dataset->GetBounds(bounds);
    for (const double bound : bounds)
    {
      farthest = part.dataset->GetNumberOfPoints() > 0 ? std::max(farthest, std::fabs(bound)) : farthest;
    }
  }
  needs_doubles_ = farthest * std::ldexp(1.0, -24) > kShare * least;
}

const VtkCells::Part& VtkCells::part_of(std::int64_t cell) const
{
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), cell,
      [](std::int64_t number, const Part& part) { return number < part.first_cell; });
  return *std::prev(after);
}

bool VtkCells::is_in(const Part& part, vtkIdType cell, const Vec3& world, CellWeights& at)
{
  vtkGenericCell& of_thread = cell_of_this_thread();
  std::vector<double>& weights = room_for(part.most_points);
  part.dataset->GetCell(cell, &of_thread);
  int sub_cell = 0;
  double parametric[3];
  double distance = 0.0;
  double closest[3];
  if (of_thread.EvaluatePosition(world.data(), closest, sub_cell, parametric, distance, weights.data()) != 1 ||
      distance > part.tolerance)
  {
    return false;
  }
  take(of_thread, part.first_node, weights, at);
  return true;
}

vtkIdType VtkCells::find_in(const Part& part, const Vec3& world, CellWeights& at)
{
  if (part.locator == nullptr)
  {
    return -1;
  }
  vtkGenericCell& of_thread = cell_of_this_thread();
  std::vector<double>& weights = room_for(part.most_points);
  double place[3] = { world[0], world[1], world[2] };
  int sub_cell = 0;
  double parametric[3];
  const vtkIdType cell =
      part.locator->FindCell(place, part.tolerance, &of_thread, sub_cell, parametric, weights.data());
  if (cell < 0 || (of_thread.GetCellDimension() < 3 && !is_in(part, cell, world, at)))
  {
    return -1;
  }
  if (part.left_out.empty() || !part.left_out[static_cast<std::size_t>(cell)])
  {
    take(of_thread, part.first_node, weights, at);
    return cell;
  }
  // Another cell may have the place, too: on a face, or where cells overlap.
  vtkNew<vtkIdList> others;
  double around[6] = { world[0], world[0], world[1], world[1], world[2], world[2] };
  part.locator->FindCellsWithinBounds(around, others);
  std::sort(others->begin(), others->end());
  const auto found = std::find_if(others->begin(), others->end(),
      [&](vtkIdType other)
      { return !part.left_out[static_cast<std::size_t>(other)] && is_in(part, other, world, at); });
  return found != others->end() ? *found : -1;
}

std::int64_t VtkCells::find(const Vec3& world, std::int64_t before, CellWeights& at) const
{
  const Turn turn(*this);
  const Part* first = nullptr;
  if (before >= 0)
  {
    first = &part_of(before);
    if (is_in(*first, before - first->first_cell, world, at))
    {
      return before;
    }
    if (const vtkIdType cell = find_in(*first, world, at); cell >= 0)
    {
      return first->first_cell + cell;
    }
  }
  for (const Part& part : parts_)
  {
    const vtkIdType cell = &part != first ? find_in(part, world, at) : -1;
    if (cell >= 0)
    {
      return part.first_cell + cell;
    }
  }
  return -1;
}

void VtkCells::weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const
{
  const Turn turn(*this);
  const Part& part = part_of(cell);
  vtkGenericCell& of_thread = cell_of_this_thread();
  std::vector<double>& weights = room_for(part.most_points);
  part.dataset->GetCell(cell - part.first_cell, &of_thread);
  int sub_cell = 0;
  double parametric[3];
  double distance = 0.0;
  double closest[3];
  of_thread.EvaluatePosition(world.data(), closest, sub_cell, parametric, distance, weights.data());
  take(of_thread, part.first_node, weights, at);
  if (gradients)
  {
    take_gradients(of_thread, sub_cell, parametric, at);
  }
}

std::string VtkCells::kinds() const
{
  std::string names;
  for (const std::string& kind : kinds_)
  {
    names += (names.empty() ? "" : ", ") + kind;
  }
  return names;
}

Vec3 VtkCells::cell_sides(std::int64_t cell) const
{
  const Part& part = part_of(cell);
  vtkGenericCell& of_thread = cell_of_this_thread();
  part.dataset->GetCell(cell - part.first_cell, &of_thread);
  double bounds[6];
  of_thread.GetBounds(bounds);
  return { bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4] };
}

} // namespace rivulet
