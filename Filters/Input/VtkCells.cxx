// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/VtkCells.h"

#include "Base/Vector.h"
#include "Filters/Input/CellTypes.h"
#include "vtkBoundingBox.h"
#include "vtkGenericCell.h"
#include "vtkIdList.h"
#include "vtkMath.h"
#include "vtkNew.h"
#include "vtkPoints.h"
#include "vtkPointSet.h"
#include "vtkStaticCellLocator.h"
#include "vtkStructuredGrid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

namespace rivulet
{

namespace
{

/// Held while a polyhedron may be evaluated: all draw from one sequence.
std::mutex& polyhedra_mutex()
{
  static std::mutex mutex;
  return mutex;
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

void take(vtkGenericCell& cell, const std::vector<double>& weights, CellWeights& to)
{
  const auto count = static_cast<std::size_t>(cell.GetNumberOfPoints());
  to.nodes.resize(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    to.nodes[i] = cell.GetPointId(static_cast<int>(i));
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

/// Dimensions of the types of cells that there are.
std::map<int, int> dimensions_of(const std::vector<std::uint8_t>& types)
{
  std::map<int, int> dimensions;
  vtkNew<vtkGenericCell> of_type;
  int last = -1;
  for (const std::uint8_t its_type : types)
  {
    if (its_type == last)
    {
      continue; // as for most of them
    }
    last = its_type;
    const auto [type, is_new] = dimensions.try_emplace(its_type, 0);
    if (is_new)
    {
      of_type->SetCellType(type->first);
      type->second = of_type->GetCellDimension();
    }
  }
  return dimensions;
}

} // namespace

int dimension_of(vtkDataSet& dataset)
{
  auto* const grid = vtkStructuredGrid::SafeDownCast(&dataset);
  if (grid != nullptr && grid->GetDataDimension() == 3)
  {
    return 3; // all of its cells, which need not be looked at
  }
  int most = -1;
  for (const auto& [type, dimension] : dimensions_of(cell_types(dataset)))
  {
    most = std::max(most, dimension);
  }
  return most;
}

class VtkCells::Turn
{
public:
  explicit Turn(const VtkCells& cells)
  {
    if (cells.types_.contains(VTK_POLYHEDRON))
    {
      lock_ = std::unique_lock(polyhedra_mutex());
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

VtkCells::VtkCells(vtkDataSet& dataset, std::vector<bool> left_out, int dimension)
  : dataset_(&dataset)
  , locator_(vtkSmartPointer<vtkStaticCellLocator>::New())
  , left_out_(std::move(left_out))
  , most_points_(static_cast<std::size_t>(std::max(dataset.GetMaxCellSize(), 1))) // VTK looks at all cells
{
  dataset.GetCell(0, &cell_of_this_thread()); // VTK builds structures at first use: do it before threads come
  locator_->SetDataSet(&dataset);
  locator_->BuildLocator();
  leave_out_lower(dimension);
  judge_precision();
}

VtkCells::~VtkCells() = default;

void VtkCells::leave_out_lower(int dimension)
{
  const std::vector<std::uint8_t> types = cell_types(*dataset_);
  const std::map<int, int> dimensions = dimensions_of(types);
  const bool any = std::any_of(
      dimensions.begin(), dimensions.end(), [&](const auto& of_type) { return of_type.second < dimension; });
  if (any)
  {
    left_out_.resize(static_cast<std::size_t>(cells()), false);
  }
  for (vtkIdType cell = 0; cell < cells(); ++cell)
  {
    const int type = types[static_cast<std::size_t>(cell)];
    if (dimensions.at(type) < dimension)
    {
      left_out_[static_cast<std::size_t>(cell)] = true;
    }
    else if (!is_left_out(cell))
    {
      types_.insert(type);
    }
  }
}

/// Judges some of the cells, spread over all of them.
void VtkCells::judge_precision()
{
  constexpr double kOnSurface = 1e-8; // of the diagonal; a place that far from a surface is not on it
  constexpr std::int64_t kMostCells = 100000;
  constexpr double kShare = 0.01;
  const std::int64_t step = std::max<std::int64_t>(1, cells() / kMostCells);
  double least = HUGE_VAL;
  for (std::int64_t cell = 0; cell < cells(); cell += step)
  {
    const double length = length_of(cell_sides(cell));
    least = length > 0.0 ? std::min(least, length) : least;
  }
  double farthest = 0.0;
  double bounds[6];
  dataset_->GetBounds(bounds);
  for (const double bound : bounds)
  {
    farthest = std::max(farthest, std::fabs(bound));
  }
  needs_doubles_ = farthest * std::ldexp(1.0, -24) > kShare * least;
  auto* const points = vtkPointSet::SafeDownCast(dataset_);
  const bool floats =
      points != nullptr && points->GetPoints() != nullptr && points->GetPoints()->GetDataType() == VTK_FLOAT;
  const double distance = std::max(kOnSurface * dataset_->GetLength(), floats ? farthest * std::ldexp(1.0, -22) : 0.0);
  tolerance_ = distance * distance;
}

bool VtkCells::is_in(vtkIdType cell, const Vec3& world, CellWeights& at) const
{
  vtkGenericCell& of_thread = cell_of_this_thread();
  std::vector<double>& weights = room_for(most_points_);
  dataset_->GetCell(cell, &of_thread);
  int sub_cell = 0;
  double parametric[3];
  double distance = 0.0;
  double closest[3];
  if (of_thread.EvaluatePosition(world.data(), closest, sub_cell, parametric, distance, weights.data()) != 1 ||
      distance > tolerance_)
  {
    return false;
  }
  take(of_thread, weights, at);
  return true;
}

vtkIdType VtkCells::seek(const Vec3& world, CellWeights& at) const
{
  vtkGenericCell& of_thread = cell_of_this_thread();
  std::vector<double>& weights = room_for(most_points_);
  double place[3] = { world[0], world[1], world[2] };
  int sub_cell = 0;
  double parametric[3];
  const vtkIdType cell = locator_->FindCell(place, tolerance_, &of_thread, sub_cell, parametric, weights.data());
  if (cell < 0)
  {
    return -1;
  }
  if (!is_left_out(cell) && (of_thread.GetCellDimension() == 3 || is_in(cell, world, at)))
  {
    take(of_thread, weights, at);
    return cell;
  }
  // Another cell may have the place: on a face, where cells overlap, or beside a surface that has it in its shadow.
  vtkNew<vtkIdList> others;
  double around[6] = { world[0], world[0], world[1], world[1], world[2], world[2] };
  locator_->FindCellsWithinBounds(around, others);
  std::sort(others->begin(), others->end());
  const auto found = std::find_if(
      others->begin(), others->end(), [&](vtkIdType other) { return !is_left_out(other) && is_in(other, world, at); });
  return found != others->end() ? *found : -1;
}

std::int64_t VtkCells::find(const Vec3& world, std::int64_t before, CellWeights& at) const
{
  const Turn turn(*this);
  return before >= 0 && is_in(before, world, at) ? before : seek(world, at);
}

void VtkCells::weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const
{
  const Turn turn(*this);
  vtkGenericCell& of_thread = cell_of_this_thread();
  std::vector<double>& weights = room_for(most_points_);
  dataset_->GetCell(cell, &of_thread);
  int sub_cell = 0;
  double parametric[3];
  double distance = 0.0;
  double closest[3];
  of_thread.EvaluatePosition(world.data(), closest, sub_cell, parametric, distance, weights.data());
  take(of_thread, weights, at);
  if (gradients)
  {
    take_gradients(of_thread, sub_cell, parametric, at);
  }
}

std::string VtkCells::kinds() const
{
  std::set<std::string> kinds;
  vtkNew<vtkGenericCell> cell;
  for (const int type : types_)
  {
    cell->SetCellType(type);
    kinds.insert(cell->GetRepresentativeCell()->GetClassName());
  }
  std::string names;
  for (const std::string& kind : kinds)
  {
    names += (names.empty() ? "" : ", ") + kind;
  }
  return names.empty() ? names : names + " (found by VTK)";
}

Vec3 VtkCells::cell_sides(std::int64_t cell) const
{
  vtkGenericCell& of_thread = cell_of_this_thread();
  dataset_->GetCell(cell, &of_thread);
  double bounds[6];
  of_thread.GetBounds(bounds);
  return { bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4] };
}

} // namespace rivulet
