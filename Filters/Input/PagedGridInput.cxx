// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/PagedGridInput.h"

#include "Filters/Input/BoundingGrid.h"
#include "Pipeline/LazyField.h"
#include "Pipeline/LazyValues.h"
#include "Trace/Mesh/CurvilinearGrid.h"
#include "vtkPoints.h"
#include "vtkStructuredGrid.h"

#include <algorithm>

namespace rivulet
{

namespace
{

/// The values of an array that are a whole lattice of an open field; nullptr of any other array.
const LazyValues* whole_lattice(vtkDataArray* array)
{
  const LazyValues* const values = lazy_values(array);
  const bool whole = values != nullptr && values->block().box == Box{ { 0, 0, 0 },
    values->field()->source()->bricks(values->block().variable).lattice };
  return whole ? values : nullptr;
}

/// The places of the nodes; nullptr unless a field has all of them, and cells with a volume between them.
const LazyValues* places_of(vtkStructuredGrid& grid)
{
  const LazyValues* const places = grid.GetPoints() != nullptr ? whole_lattice(grid.GetPoints()->GetData()) : nullptr;
  if (places == nullptr || grid.GetDataDimension() != 3 || places->block().variable != places->field()->info().points)
  {
    return nullptr;
  }
  Int3 nodes;
  grid.GetDimensions(nodes.data());
  return nodes == places->field()->info().grid.nodes ? places : nullptr;
}

bool cut_alike(const LazyValues& places, const LazyValues* vectors)
{
  if (vectors == nullptr || vectors->field() != places.field())
  {
    return false;
  }
  const FileBricks& source = *places.field()->source();
  const BrickGrid& of_places = source.bricks(places.block().variable);
  const BrickGrid& of_vectors = source.bricks(vectors->block().variable);
  return of_places.cells == of_vectors.cells && of_places.count == of_vectors.count;
}

} // namespace

PagedGridInput::PagedGridInput(vtkStructuredGrid& grid, MeshCache& cache)
  : DatasetInput(grid)
  , grid_(grid)
  , cache_(cache)
{
}

std::unique_ptr<PagedGridInput> PagedGridInput::of(vtkDataSet& dataset, const ChosenVectors& vectors, MeshCache& cache)
{
  auto* const grid = vtkStructuredGrid::SafeDownCast(&dataset);
  const LazyValues* const places = grid != nullptr ? places_of(*grid) : nullptr;
  const bool all = places != nullptr && std::all_of(vectors.arrays.begin(), vectors.arrays.end(),
                                            [&](vtkDataArray* array)
                                            { return array == nullptr || cut_alike(*places, whole_lattice(array)); });
  return all ? std::unique_ptr<PagedGridInput>(new PagedGridInput(*grid, cache)) : nullptr;
}

Result<void> PagedGridInput::describe(TraceField& field, const ChosenVectors&)
{
  const LazyValues& places = *places_of(grid_);
  if (Result<void> same = places.check_unchanged(); !same)
  {
    return same;
  }
  Result<std::shared_ptr<const CurvilinearGrid>> grid = cache_.nodes(places.field(), places.block().step);
  if (!grid)
  {
    return forward_error(grid);
  }
  std::array<double, 6> bounds;
  grid_.GetBounds(bounds.data());
  field.grid = bounding_grid(bounds);
  give_nodes((*grid)->cut().lattice, field.grid);
  field.curvilinear = *std::move(grid);
  return take_ghosts(field);
}

Result<std::unique_ptr<InputKind>> PagedGridInput::joined() const
{
  return fail(ErrorCode::Unsupported, "time steps of a curvilinear grid in files are not cut into the same bricks",
      "write all steps with the same brick size");
}

} // namespace rivulet
