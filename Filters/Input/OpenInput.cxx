// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/OpenInput.h"

#include "Filters/Input/BlocksInput.h"
#include "Filters/Input/CellsInput.h"
#include "Filters/Input/DatasetInput.h"
#include "Filters/Input/FilterInput.h"
#include "Filters/Input/LevelsInput.h"
#include "Filters/Input/PagedGridInput.h"
#include "Filters/Input/UniformBlocks.h"
#include "Trace/Mesh/CurvilinearGrid.h"
#include "Trace/Mesh/ForeignCells.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataSet.h"
#include "vtkImageData.h"
#include "vtkOverlappingAMR.h"
#include "vtkUniformGrid.h"

#include <algorithm>

namespace rivulet
{

namespace
{

Result<ChosenVectors> choose_in(vtkAlgorithm& filter, vtkDataSet& dataset, const ChooseArray& choose)
{
  return chosen_vectors(filter, dataset, choose(dataset));
}

/// Vectors of the first block that has them; if none has, the error of the first block.
Result<ChosenVectors> choose_in(vtkAlgorithm& filter, const std::vector<InputBlock>& blocks, const ChooseArray& choose)
{
  Result<ChosenVectors> first = choose_in(filter, *blocks.front().dataset, choose);
  for (std::size_t i = 1; !first && i < blocks.size(); ++i)
  {
    Result<ChosenVectors> other = choose_in(filter, *blocks[i].dataset, choose);
    if (other)
    {
      first = std::move(other);
    }
  }
  return first;
}

std::string size_text(const Grid& grid)
{
  std::string text;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    text += (axis > 0 ? " x " : "") + std::to_string(grid.nodes[axis]);
  }
  return text + " points";
}

Result<OpenedInput> finish(Result<FlowInput> flow, const ChosenVectors& vectors, std::string layout)
{
  if (!flow)
  {
    return forward_error(flow);
  }
  OpenedInput input{ {}, vectors.name, std::move(layout), {} };
  input.flows.push_back(std::move(*flow));
  return input;
}

Result<OpenedInput> open_dataset(
    vtkAlgorithm& filter, vtkDataSet& dataset, const ChooseArray& choose, const std::string& what)
{
  Result<ChosenVectors> vectors = choose_in(filter, dataset, choose);
  if (!vectors)
  {
    return forward_error(vectors);
  }
  Result<OpenedInput> opened =
      finish(FlowInput::open(std::make_unique<DatasetInput>(dataset), *vectors), *vectors, what);
  if (opened)
  {
    opened->layout += " of " + size_text(opened->flows.front().field().grid);
  }
  return opened;
}

Result<OpenedInput> open_levels(
    vtkAlgorithm& filter, Result<AmrBlocks> levels, const ChooseArray& choose, MeshCache& cache)
{
  if (!levels)
  {
    return forward_error(levels);
  }
  vtkDataSet* first = levels->first();
  if (first == nullptr)
  {
    return fail(ErrorCode::BadArgument, "the input has no blocks", "check what it was made from");
  }
  Result<ChosenVectors> vectors = choose_in(filter, *first, choose);
  if (!vectors)
  {
    return forward_error(vectors);
  }
  const int count = levels->mesh->levels();
  return finish(FlowInput::open(std::make_unique<LevelsInput>(std::move(*levels), cache), *vectors), *vectors,
      std::to_string(count) + (count == 1 ? " level" : " levels") + " of uniform grids");
}

bool all_images(const std::vector<InputBlock>& blocks)
{
  return std::all_of(blocks.begin(), blocks.end(),
      [](const InputBlock& block) { return vtkImageData::SafeDownCast(block.dataset) != nullptr; });
}

/// Name of the first block with hidden cells or points; empty if there is none. An AmrMesh cannot have any.
std::string first_hidden(const std::vector<InputBlock>& blocks)
{
  const auto hidden = std::find_if(blocks.begin(), blocks.end(),
      [](const InputBlock& block) { return block.dataset->HasAnyBlankCells() || block.dataset->HasAnyBlankPoints(); });
  return hidden != blocks.end() ? hidden->name : "";
}

/// Whether all blocks are vtkUniformGrid, the type of AMR patches.
bool is_amr(const std::vector<InputBlock>& blocks)
{
  return std::all_of(blocks.begin(), blocks.end(),
      [](const InputBlock& block) { return vtkUniformGrid::SafeDownCast(block.dataset) != nullptr; });
}

/// One flow per block, with the same vectors in each. `why`: reason why the blocks are not one flow.
Result<OpenedInput> open_each(
    const std::vector<InputBlock>& blocks, const ChosenVectors& vectors, const std::string& why)
{
  OpenedInput all;
  all.vectors = vectors.name;
  for (const InputBlock& block : blocks)
  {
    Result<ChosenVectors> same = same_vectors(*block.dataset, vectors, block.name);
    Result<FlowInput> flow =
        same ? FlowInput::open(std::make_unique<DatasetInput>(*block.dataset), *same) : forward_error(same);
    if (!flow)
    {
      Error error = std::move(flow.error());
      error.what = (same ? block.name + " of the input: " : "") + error.what;
      return tl::unexpected(std::move(error));
    }
    all.flows.push_back(std::move(*flow));
  }
  all.layout = std::to_string(blocks.size()) + " blocks, each by itself";
  all.apart = why;
  return all;
}

/// Datasets of which some are no grids, as one mesh.
Result<OpenedInput> open_foreign(vtkAlgorithm& filter, std::vector<InputBlock> blocks, const ChooseArray& choose,
    const std::string& what, MeshCache& cache)
{
  Result<ChosenVectors> vectors = choose_in(filter, blocks, choose);
  if (!vectors)
  {
    return forward_error(vectors);
  }
  std::unique_ptr<InputKind> kind;
  if (blocks.size() == 1)
  {
    kind = PagedGridInput::of(*blocks.front().dataset, *vectors, cache);
  }
  if (kind == nullptr)
  {
    kind = std::make_unique<CellsInput>(std::move(blocks), cache);
  }
  Result<OpenedInput> opened = finish(FlowInput::open(std::move(kind), *vectors), *vectors, what);
  if (opened)
  {
    const TraceField& field = opened->flows.front().field();
    const std::int64_t cells = field.foreign != nullptr ? field.foreign->cells() : volume(field.curvilinear->counts());
    opened->layout += " of " + std::to_string(cells) + " cells";
  }
  return opened;
}

bool all_grids(const std::vector<InputBlock>& blocks)
{
  return std::all_of(blocks.begin(), blocks.end(), [](const InputBlock& block) { return is_grid(*block.dataset); });
}

Result<OpenedInput> open_blocks(
    vtkAlgorithm& filter, const std::vector<InputBlock>& blocks, const ChooseArray& choose, MeshCache& cache)
{
  if (!all_grids(blocks))
  {
    return open_foreign(filter, blocks, choose,
        blocks.size() == 1 ? "one block" : std::to_string(blocks.size()) + " blocks as one mesh", cache);
  }
  const std::string hidden = first_hidden(blocks);
  if (is_amr(blocks) && hidden.empty())
  {
    return open_levels(filter, levels_of_blocks(blocks, cache), choose, cache);
  }
  if (blocks.size() == 1)
  {
    return open_dataset(filter, *blocks.front().dataset, choose, "one block");
  }
  Result<ChosenVectors> vectors = choose_in(filter, blocks, choose);
  if (!vectors)
  {
    return forward_error(vectors);
  }
  Result<BlockLattice> lattice = lattice_of(blocks, vectors->centering);
  if (lattice)
  {
    const std::string layout =
        std::to_string(lattice->blocks.size()) + " blocks as one grid of " + size_text(lattice->grid);
    return finish(FlowInput::open(std::make_unique<BlocksInput>(std::move(*lattice)), *vectors), *vectors, layout);
  }
  if (!all_images(blocks) || !hidden.empty())
  {
    return open_each(blocks, *vectors, lattice.error().what);
  }
  Result<AmrBlocks> levels = levels_of_blocks(blocks, cache);
  return levels ? open_levels(filter, std::move(levels), choose, cache)
                : open_each(blocks, *vectors, levels.error().what);
}

} // namespace

Result<OpenedInput> open_input(vtkAlgorithm& filter, vtkDataObject* input, const ChooseArray& choose, MeshCache& cache)
{
  auto* composite = vtkCompositeDataSet::SafeDownCast(input);
  if (composite == nullptr)
  {
    Result<vtkDataSet*> dataset = as_dataset(input);
    if (!dataset)
    {
      return forward_error(dataset);
    }
    return is_grid(**dataset) ? open_dataset(filter, **dataset, choose, "one grid")
                              : open_foreign(filter, { { *dataset, "the input" } }, choose, "one mesh", cache);
  }
  auto* amr = vtkOverlappingAMR::SafeDownCast(composite);
  if (amr != nullptr && !has_ghost_layers(*amr))
  {
    return open_levels(filter, levels_of_amr(*amr, cache), choose, cache);
  }
  Result<std::vector<InputBlock>> blocks = blocks_of(*composite);
  return blocks ? open_blocks(filter, *blocks, choose, cache) : forward_error(blocks);
}

} // namespace rivulet
