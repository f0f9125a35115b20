// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/ForeignRows.h"

#include "Filters/Input/TiledArray.h"
#include "Pipeline/SourceArrays.h"
#include "Store/Memory/MemoryAccount.h"
#include "Store/Source/ArrayBricks.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rivulet
{

namespace
{

/// Arrays that become components of a row: one that has all, or one for each.
struct Components
{
  std::string name;
  int count = 0;
  Centering centering = Centering::Node;
  std::vector<vtkDataArray*> like; ///< of the first dataset; nullptr: the component is 0
  double ignore_above = 0.0;       ///< larger absolute values are missing ones; 0: none are
  const Grid* lattice = nullptr;   ///< of the values; nullptr: they are a row
};

std::int64_t tuples_of(vtkDataSet& dataset, Centering centering)
{
  return centering == Centering::Node ? dataset.GetNumberOfPoints() : dataset.GetNumberOfCells();
}

/// A row's values and their share of the account.
struct OwnedRow
{
  vtkSmartPointer<vtkDataArray> values;
  MemoryPart memory{ MemoryUse::Copies };
};

std::shared_ptr<BrickSource> source_of(const Components& what, const std::shared_ptr<OwnedRow>& row)
{
  const Variable variable{
    .name = what.name, .type = plain_type_of(*row->values), .components = what.count, .centering = what.centering
  };
  const Grid grid =
      what.lattice != nullptr ? *what.lattice : row_grid(row->values->GetNumberOfTuples(), what.centering);
  return std::make_shared<ArrayBricks>(
      grid, std::vector<MemoryArray>{ { variable, row->values->GetVoidPointer(0), row } });
}

/// The arrays of one dataset that match the arrays of the first, in the same order.
Result<std::vector<vtkDataArray*>> arrays_in(const InputBlock& block, const Components& what)
{
  std::vector<vtkDataArray*> arrays;
  for (vtkDataArray* like : what.like)
  {
    if (like == nullptr)
    {
      arrays.push_back(nullptr);
      continue;
    }
    vtkDataArray* const array = array_of(*block.dataset, like->GetName(), what.centering);
    if (Result<void> same = check_same_array(array, *like, what.centering, block.name); !same)
    {
      return forward_error(same);
    }
    if (array->GetNumberOfTuples() != tuples_of(*block.dataset, what.centering))
    {
      return fail(ErrorCode::BadArgument,
          "the array \"" + std::string(array->GetName()) + "\" has " + std::to_string(array->GetNumberOfTuples()) +
              " values in " + block.name + ", which has " + std::to_string(tuples_of(*block.dataset, what.centering)) +
              (what.centering == Centering::Node ? " points" : " cells"),
          "check what it was made from");
    }
    arrays.push_back(array);
  }
  return arrays;
}

void copy_values(const std::vector<vtkDataArray*>& arrays, std::int64_t first, std::int64_t count, vtkDataArray& to)
{
  if (arrays.size() == 1)
  {
    to.InsertTuples(first, count, 0, arrays.front());
    return;
  }
  for (std::size_t component = 0; component < arrays.size(); ++component)
  {
    for (std::int64_t i = 0; i < count; ++i)
    {
      const double value = arrays[component] != nullptr ? arrays[component]->GetComponent(i, 0) : 0.0;
      to.SetComponent(first + i, static_cast<int>(component), value);
    }
  }
}

void hide_above(double above, vtkDataArray& values)
{
  for (vtkIdType i = 0; above > 0.0 && i < values.GetNumberOfTuples(); ++i)
  {
    for (int component = 0; component < values.GetNumberOfComponents(); ++component)
    {
      if (std::fabs(values.GetComponent(i, component)) > above)
      {
        values.SetComponent(i, component, std::numeric_limits<double>::quiet_NaN());
      }
    }
  }
}

/// Whether the values can be read where they lie.
bool lies_ready(const std::vector<InputBlock>& blocks, const Components& what)
{
  return blocks.size() == 1 && what.like.size() == 1 && what.ignore_above == 0.0 && is_plain(*what.like.front());
}

Result<std::shared_ptr<BrickSource>> make_row(const std::vector<InputBlock>& blocks, const Components& what)
{
  if (what.count < 1)
  {
    return fail(ErrorCode::Unsupported, "the array \"" + what.name + "\" has no components", "leave it out");
  }
  std::vector<std::vector<vtkDataArray*>> of_blocks;
  std::int64_t tuples = 0;
  bool floats = true;
  for (const InputBlock& block : blocks)
  {
    Result<std::vector<vtkDataArray*>> arrays = arrays_in(block, what);
    if (!arrays)
    {
      return forward_error(arrays);
    }
    floats = floats &&
             std::all_of(arrays->begin(), arrays->end(),
                 [](vtkDataArray* array) { return array == nullptr || plain_type_of(*array) == ScalarType::Float32; });
    of_blocks.push_back(std::move(*arrays));
    tuples += tuples_of(*block.dataset, what.centering);
  }
  if (tuples >= std::numeric_limits<std::int32_t>::max())
  {
    return fail(ErrorCode::Unsupported, "the input has more than 2^31 points or cells", "take a part of it");
  }
  auto row = std::make_shared<OwnedRow>();
  if (lies_ready(blocks, what))
  {
    row->values = what.like.front();
    return source_of(what, row);
  }
  row->values.TakeReference(vtkDataArray::CreateDataArray(floats ? VTK_FLOAT : VTK_DOUBLE));
  row->values->SetNumberOfComponents(what.count);
  row->values->SetNumberOfTuples(tuples);
  row->memory.take(tuples * what.count * static_cast<std::int64_t>(row->values->GetDataTypeSize()));
  std::int64_t first = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i)
  {
    const std::int64_t count = tuples_of(*blocks[i].dataset, what.centering);
    copy_values(of_blocks[i], first, count, *row->values);
    first += count;
  }
  hide_above(what.ignore_above, *row->values);
  return source_of(what, row);
}

} // namespace

Grid row_grid(std::int64_t count, Centering centering)
{
  Grid grid;
  grid.nodes[0] = static_cast<std::int32_t>(count + (centering == Centering::Cell ? 1 : 0));
  return grid;
}

Result<std::shared_ptr<BrickSource>> row_of(
    const std::vector<InputBlock>& blocks, vtkDataArray& like, Centering centering, const Grid* lattice)
{
  return make_row(blocks, { .name = like.GetName(),
                              .count = like.GetNumberOfComponents(),
                              .centering = centering,
                              .like = { &like },
                              .lattice = lattice });
}

Result<std::shared_ptr<BrickSource>> row_of(
    const std::vector<InputBlock>& blocks, const ChosenVectors& vectors, const Grid* lattice)
{
  Components what{ .name = vectors.name,
    .count = 3,
    .centering = vectors.centering,
    .like = { vectors.arrays[0] },
    .ignore_above = vectors.ignore_above,
    .lattice = lattice };
  if (vectors.of_scalars)
  {
    what.like.assign(vectors.arrays.begin(), vectors.arrays.end());
  }
  return make_row(blocks, what);
}

} // namespace rivulet
