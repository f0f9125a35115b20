// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/CellsInput.h"

#include "Filters/Input/BoundingGrid.h"
#include "Filters/Input/ForeignRows.h"
#include "Filters/Input/InputCells.h"
#include "Pipeline/GridConversion.h"
#include "vtkBoundingBox.h"
#include "vtkDataSet.h"

#include <optional>

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

/// The lattice of the nodes of a curvilinear grid, which does not depend on where they lie.
std::optional<Grid> lattice_of(const TraceField& field)
{
  std::optional<Grid> lattice;
  if (field.curvilinear != nullptr)
  {
    lattice.emplace();
    lattice->nodes = field.grid.nodes;
  }
  return lattice;
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
  // Cells of one dataset have no numbers of several to be told apart.
  const std::shared_ptr<const ForeignCells> of_one = (*cells)->of_one();
  field.foreign = of_one != nullptr ? of_one : std::shared_ptr<const ForeignCells>(std::move(*cells));
  return {};
}

double CellsInput::longest_side(const TraceField& field) const
{
  return longest_side_of(bounds_of(field.grid));
}

Result<SourceArray> CellsInput::add(
    InputSources& sources, const TraceField& field, vtkDataArray& array, Centering centering)
{
  const std::optional<Grid> lattice = lattice_of(field);
  Result<std::shared_ptr<BrickSource>> row = row_of(blocks_, array, centering, lattice ? &*lattice : nullptr);
  return row ? Result<SourceArray>(sources.add(std::move(*row))) : forward_error(row);
}

Result<SourceArray> CellsInput::add_joined(InputSources& sources, const TraceField& field, const ChosenVectors& vectors)
{
  const std::optional<Grid> lattice = lattice_of(field);
  Result<std::shared_ptr<BrickSource>> row = row_of(blocks_, vectors, lattice ? &*lattice : nullptr);
  return row ? Result<SourceArray>(sources.add(std::move(*row))) : forward_error(row);
}

} // namespace rivulet
