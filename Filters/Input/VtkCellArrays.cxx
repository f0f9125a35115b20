// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/VtkCellArrays.h"

#include "Filters/Input/CellTypes.h"
#include "Filters/Input/VtkCells.h"
#include "Parallel/Team.h"
#include "vtkAOSDataArrayTemplate.h"
#include "vtkCellArray.h"
#include "vtkDoubleArray.h"
#include "vtkPoints.h"
#include "vtkTypeInt64Array.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>
#include <utility>

namespace rivulet
{

namespace
{

/// Keeps arrays that others read.
class Kept
{
public:
  const void* keep(vtkDataArray* array)
  {
    arrays_.emplace_back(array);
    return array->GetVoidPointer(0);
  }

private:
  std::vector<vtkSmartPointer<vtkDataArray>> arrays_;
};

/// Whole numbers as they lie; copied where VTK makes them when they are asked for.
IndexArray index_array(vtkDataArray* array, Kept& kept)
{
  const int size = array->GetDataTypeSize();
  if (array->HasStandardMemoryLayout() && (size == 4 || size == 8))
  {
    return { kept.keep(array), size == 8, array->GetNumberOfValues() };
  }
  const auto copy = vtkSmartPointer<vtkTypeInt64Array>::New();
  copy->DeepCopy(array);
  return { kept.keep(copy), true, copy->GetNumberOfValues() };
}

PointArray point_array(vtkDataArray* array, Kept& kept)
{
  const bool floats = vtkAOSDataArrayTemplate<float>::FastDownCast(array) != nullptr;
  if (floats || vtkAOSDataArrayTemplate<double>::FastDownCast(array) != nullptr)
  {
    return { kept.keep(array), floats ? ScalarType::Float32 : ScalarType::Float64, array->GetNumberOfTuples(), {} };
  }
  const auto copy = vtkSmartPointer<vtkDoubleArray>::New();
  copy->DeepCopy(array);
  return { kept.keep(copy), ScalarType::Float64, copy->GetNumberOfTuples(), {} };
}

} // namespace

Result<std::shared_ptr<const UnstructuredCells>> unstructured_cells(
    vtkUnstructuredGrid& grid, const std::vector<bool>& left_out, int dimension)
{
  const std::vector<std::uint8_t> types = cell_types(grid);
  const bool any =
      std::any_of(types.begin(), types.end(), [](std::uint8_t type) { return cell_type(type) != nullptr; });
  if (!any || grid.GetPoints() == nullptr)
  {
    return std::shared_ptr<const UnstructuredCells>();
  }
  const auto kept = std::make_shared<Kept>();
  UnstructuredCells::Arrays arrays;
  arrays.cells.cells = grid.GetNumberOfCells();
  arrays.cells.offsets = index_array(grid.GetCells()->GetOffsetsArray(), *kept);
  arrays.cells.connectivity = index_array(grid.GetCells()->GetConnectivityArray(), *kept);
  arrays.cells.types = types.data();
  arrays.cells.owner = kept;
  arrays.points = point_array(grid.GetPoints()->GetData(), *kept);
  arrays.points.owner = kept;
  const vtkSmartPointer<vtkUnstructuredGrid> dataset(&grid);
  const auto others = [&](std::vector<bool> own)
  {
    return std::make_shared<const VtkCells>(*dataset, std::move(own), dimension);
  };
  return UnstructuredCells::create(std::move(arrays),
      { .left_out = left_out, .dimension = dimension, .others = others, .threads = resolve_threads(0) });
}

Result<std::shared_ptr<const UnstructuredCells>> moved_cells(const UnstructuredCells& cells, vtkUnstructuredGrid& grid)
{
  const auto kept = std::make_shared<Kept>();
  PointArray points = point_array(grid.GetPoints()->GetData(), *kept);
  points.owner = kept;
  return cells.moved(std::move(points));
}

} // namespace rivulet
