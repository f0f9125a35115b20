// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Steps/AlikeSteps.h"

#include "Filters/Input/InputBlocks.h"
#include "Trace/Mesh/CurvilinearGrid.h"
#include "vtkCellArray.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkPoints.h"
#include "vtkPointSet.h"
#include "vtkUnstructuredGrid.h"

#include <algorithm>

namespace rivulet
{

namespace
{

vtkMTimeType written(vtkDataSet* dataset)
{
  vtkMTimeType last = 0;
  const auto look_at = [&last](vtkObject* part)
  {
    last = part != nullptr ? std::max(last, part->GetMTime()) : last;
  };
  if (auto* const points = vtkPointSet::SafeDownCast(dataset))
  {
    look_at(points->GetPoints()); // and its array
  }
  if (auto* const grid = vtkUnstructuredGrid::SafeDownCast(dataset); grid != nullptr && grid->GetCells() != nullptr)
  {
    look_at(grid->GetCells()->GetOffsetsArray());
    look_at(grid->GetCells()->GetConnectivityArray());
  }
  return last;
}

/// Whether the points of two grids in memory are the same array, which a filter wrote to between the steps.
bool one_array(const CurvilinearGrid& a, const CurvilinearGrid& b)
{
  const auto first_brick = [](const CurvilinearGrid& grid)
  {
    std::shared_ptr<const Error> error;
    return grid.pin(0, error);
  };
  const bool in_memory = a.points().source != b.points().source;
  return in_memory && first_brick(a).view().data == first_brick(b).view().data;
}

/// Whether the same cells of a curvilinear grid are hidden in both: they are a part of the grid.
bool hide_alike(const TraceField& a, const TraceField& b)
{
  if (a.curvilinear == nullptr)
  {
    return true;
  }
  const Int3 cells = a.curvilinear->counts();
  const auto hides = [&](const TraceField& field, std::int64_t cell)
  {
    const bool any = field.point_ghosts != nullptr || field.cell_ghosts != nullptr;
    return any && hides_cell(field.grid.nodes, field.point_ghosts, field.cell_ghosts, from_row_major(cell, cells));
  };
  const bool same_arrays = a.point_ghosts == b.point_ghosts && a.cell_ghosts == b.cell_ghosts;
  bool alike = true;
  for (std::int64_t cell = 0; !same_arrays && alike && cell < volume(cells); ++cell)
  {
    alike = hides(a, cell) == hides(b, cell);
  }
  return alike;
}

} // namespace

vtkMTimeType structure_written(vtkDataObject& data)
{
  auto* const composite = vtkCompositeDataSet::SafeDownCast(&data);
  const Result<std::vector<InputBlock>> blocks =
      composite != nullptr ? blocks_of(*composite) : std::vector<InputBlock>{};
  vtkMTimeType last = written(vtkDataSet::SafeDownCast(&data));
  for (std::size_t i = 0; blocks && i < blocks->size(); ++i)
  {
    last = std::max(last, written((*blocks)[i].dataset));
  }
  return last;
}

namespace
{

const char* const kResample = "use Resample To Image, with the same bounds for all steps";

/// The same of curvilinear grids.
Result<void> check_nodes(const TraceField& first, const TraceField& field, const std::string& where)
{
  if (first.curvilinear->counts() != field.curvilinear->counts() || !hide_alike(first, field))
  {
    return fail(ErrorCode::Unsupported,
        "the mesh " + where + " is not the one of the steps before: its number of points or its hidden cells changed",
        kResample);
  }
  if (field.curvilinear != first.curvilinear && one_array(*field.curvilinear, *first.curvilinear))
  {
    return fail(ErrorCode::Unsupported,
        "the points " + where + " are the array of the step before, to which a filter wrote: where they were is lost",
        "let the filter make new points for each step");
  }
  if (field.curvilinear->left_handed() != first.curvilinear->left_handed())
  {
    return fail(ErrorCode::Unsupported,
        "the cells of the grid " + where + " are mirror images of the steps before: between two steps, they would fold",
        kResample);
  }
  return {};
}

} // namespace

Result<void> check_alike(const HeldStep& before, const HeldStep& more, const std::string& where)
{
  const TraceField& first = before.flow.field();
  const TraceField& field = more.flow.field();
  const bool levels = more.flow.amr_mesh() != nullptr;
  if (levels != (before.flow.amr_mesh() != nullptr))
  {
    return fail(ErrorCode::Unsupported,
        std::string("the input ") + (levels ? "is" : "is not") + " made of levels " + where + ", unlike before",
        kResample);
  }
  if ((first.curvilinear != nullptr) != (field.curvilinear != nullptr) ||
      (first.foreign != nullptr) != (field.foreign != nullptr))
  {
    return fail(
        ErrorCode::Unsupported, "the mesh " + where + " is of another kind than that of the steps before", kResample);
  }
  if (field.curvilinear != nullptr)
  {
    return check_nodes(first, field, where);
  }
  if (field.foreign != nullptr && structure_written(*before.data) > before.written)
  {
    return fail(ErrorCode::Unsupported,
        "the points or cells " + where +
            " are the arrays of the step before, to which a filter wrote: the mesh that was is lost",
        "let the filter make new points and cells for each step");
  }
  if (!levels && field.foreign == nullptr && !(first.grid == field.grid))
  {
    return fail(ErrorCode::Unsupported, "the grid " + where + " is not the one of the steps before", kResample);
  }
  return {};
}

} // namespace rivulet
