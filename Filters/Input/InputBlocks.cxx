// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/InputBlocks.h"

#include "Pipeline/GridConversion.h"
#include "Pipeline/Ranks.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkInformation.h"

#include <algorithm>

namespace rivulet
{

namespace
{

std::string name_of(vtkCompositeDataIterator& iterator)
{
  const std::string number = "block " + std::to_string(iterator.GetCurrentFlatIndex());
  vtkInformation* about = iterator.HasCurrentMetaData() != 0 ? iterator.GetCurrentMetaData() : nullptr;
  const char* name = about != nullptr ? about->Get(vtkCompositeDataSet::NAME()) : nullptr;
  return name != nullptr && *name != '\0' ? number + " (" + name + ")" : number;
}

Result<vtkDataSet*> dataset_in(vtkDataObject& object, const std::string& name)
{
  if (auto* dataset = vtkDataSet::SafeDownCast(&object); dataset != nullptr)
  {
    return dataset;
  }
  return fail(ErrorCode::Unsupported, name + " of the input is a " + object.GetClassName() + ", which has no cells",
      "leave it out with Extract Block");
}

} // namespace

Result<std::vector<InputBlock>> blocks_of(vtkCompositeDataSet& data)
{
  std::vector<InputBlock> blocks;
  const auto iterator = vtkSmartPointer<vtkCompositeDataIterator>::Take(data.NewIterator());
  iterator->SetSkipEmptyNodes(false);
  const bool alone = Ranks().size() == 1;
  for (iterator->InitTraversal(); !iterator->IsDoneWithTraversal(); iterator->GoToNextItem())
  {
    vtkDataObject* object = iterator->GetCurrentDataObject();
    const std::string name = name_of(*iterator);
    if (object == nullptr && !alone)
    {
      return fail(ErrorCode::NotFound, name + " of the input is not in this process",
          "give all blocks to every process, as readers do that page on demand");
    }
    if (object == nullptr)
    {
      continue; // the reader could not read this block
    }
    Result<vtkDataSet*> dataset = dataset_in(*object, name);
    if (!dataset)
    {
      return forward_error(dataset);
    }
    if ((*dataset)->GetNumberOfCells() > 0)
    {
      blocks.push_back({ *dataset, name });
    }
  }
  if (blocks.empty())
  {
    return fail(ErrorCode::BadArgument, "the input has no blocks with cells", "check what it was made from");
  }
  return blocks;
}

Result<Box> own_cells(vtkDataSet& dataset, const std::string& name)
{
  Result<Grid> grid = grid_of(&dataset);
  Result<const std::uint8_t*> marks = grid ? ghosts_of(dataset, *grid, Centering::Cell) : forward_error(grid);
  if (!marks)
  {
    Error error = std::move(marks.error());
    error.what = name + " of the input: " + error.what;
    return tl::unexpected(std::move(error));
  }
  const Int3 cells = grid->cells();
  if (*marks == nullptr)
  {
    return Box{ {}, cells };
  }
  Box own{ cells, {} };
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < volume(cells); ++i)
  {
    if (((*marks)[i] & vtkDataSetAttributes::DUPLICATECELL) == 0)
    {
      const Int3 at = from_row_major(i, cells);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        own.begin[axis] = std::min(own.begin[axis], at[axis]);
        own.end[axis] = std::max(own.end[axis], at[axis] + 1);
      }
      ++count;
    }
  }
  if (count != own.count())
  {
    return fail(ErrorCode::BadArgument, "the cells of " + name + " that are no ghosts make no box",
        "check vtkGhostType, or use Resample To Image");
  }
  return own;
}

} // namespace rivulet
