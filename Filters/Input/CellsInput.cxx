// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/CellsInput.h"

#include "Filters/Input/BoundingGrid.h"
#include "Filters/Input/ForeignRows.h"
#include "Filters/Input/InputCells.h"
#include "Pipeline/GridConversion.h"
#include "vtkBoundingBox.h"
#include "vtkDataSet.h"

namespace rivulet
{

namespace
{

/// The smallest box around some datasets, as a grid of one cell.
Grid bounding_grid(const std::vector<InputBlock>& blocks)
{
  vtkBoundingBox box;
  for (const InputBlock& block : blocks)
  {
    box.AddBounds(block.dataset->GetBounds());
  }
  std::array<double, 6> bounds;
  box.GetBounds(bounds.data());
  return rivulet::bounding_grid(bounds);
}

const Grid* lattice_of(const TraceField& field)
{
  return field.curvilinear != nullptr ? &field.grid : nullptr;
}

} // namespace

Result<void> CellsInput::describe(TraceField& field, const ChosenVectors&)
{
  Result<std::shared_ptr<const InputCells>> cells = cache_.cells(blocks_);
  if (!cells)
  {
    return forward_error(cells);
  }
  field.grid = bounding_grid(blocks_);
  if (const std::shared_ptr<const CurvilinearCells> lattice = (*cells)->one_grid())
  {
    give_nodes(lattice->grid().cut().lattice, field.grid);
    field.curvilinear = std::shared_ptr<const CurvilinearGrid>(lattice, &lattice->grid());
    field.cell_ghosts = lattice->ghosts();
    return {};
  }
  field.foreign = std::move(*cells);
  return {};
}

double CellsInput::longest_side(const TraceField& field) const
{
  return longest_side_of(bounds_of(field.grid));
}

Result<SourceArray> CellsInput::add(
    InputSources& sources, const TraceField& field, vtkDataArray& array, Centering centering)
{
  Result<std::shared_ptr<BrickSource>> row = row_of(blocks_, array, centering, lattice_of(field));
  return row ? Result<SourceArray>(sources.add(std::move(*row))) : forward_error(row);
}

Result<SourceArray> CellsInput::add_joined(InputSources& sources, const TraceField& field, const ChosenVectors& vectors)
{
  Result<std::shared_ptr<BrickSource>> row = row_of(blocks_, vectors, lattice_of(field));
  return row ? Result<SourceArray>(sources.add(std::move(*row))) : forward_error(row);
}

} // namespace rivulet
