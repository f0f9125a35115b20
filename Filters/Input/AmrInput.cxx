// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/AmrInput.h"

#include "AmrMesh/RefineBox.h"
#include "Filters/Input/MeshCache.h"
#include "Filters/Input/TiledArray.h"
#include "Pipeline/AmrCompat.h"
#include "Pipeline/ArrayValues.h"
#include "Pipeline/SourceArrays.h"
#include "vtkAMRBox.h"
#include "vtkCellData.h"
#include "vtkImageData.h"
#include "vtkPointData.h"
#include "vtkRivuletArray.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace rivulet
{

namespace
{

constexpr double kSpacingError = 1e-5; // relative; some files have single precision

/// Box with an exclusive upper corner; 1 cell along the axes that a mesh of fewer dimensions does not have.
Box box_of(const vtkAMRBox& amr_box)
{
  Box box;
  for (int axis = 0; axis < 3; ++axis)
  {
    const auto at = static_cast<std::size_t>(axis);
    box.begin[at] = amr_box.GetLoCorner()[axis];
    box.end[at] = std::max(amr_box.GetHiCorner()[axis] + 1, box.begin[at] + 1);
  }
  return box;
}

Box hull(const Box& a, const Box& b)
{
  Box both;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    both.begin[axis] = std::min(a.begin[axis], b.begin[axis]);
    both.end[axis] = std::max(a.end[axis], b.end[axis]);
  }
  return both;
}

bool is_flat(const vtkAMRBox& box, int axis)
{
  return box.GetHiCorner()[axis] < box.GetLoCorner()[axis];
}

Grid grid_of_level(vtkOverlappingAMR& amr, unsigned int level, const Box& domain, const std::array<bool, 3>& flat)
{
  Grid grid;
  grid.first = domain.begin;
  std::copy_n(amr.GetOrigin(), 3, grid.origin.begin());
  amr.GetSpacing(level, grid.spacing.data());
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grid.nodes[axis] = flat[axis] ? 1 : domain.size()[axis] + 1;
    grid.spacing[axis] = flat[axis] && !(grid.spacing[axis] > 0.0) ? 1.0 : grid.spacing[axis];
  }
  return grid;
}

vtkDataArray* array_of(vtkDataSet& block, const std::string& name, Centering centering)
{
  vtkDataSetAttributes* attributes = centering == Centering::Cell
                                         ? static_cast<vtkDataSetAttributes*>(block.GetCellData())
                                         : static_cast<vtkDataSetAttributes*>(block.GetPointData());
  return attributes->GetArray(name.c_str());
}

template <class T>
ArrayValues* values_of(vtkDataArray& array)
{
  auto* paged = dynamic_cast<vtkRivuletArray<T>*>(&array);
  return paged != nullptr ? paged->GetValues().get() : nullptr;
}

/// Values of a lazily paged array of float or double; nullptr for other arrays.
ArrayValues* values_of(vtkDataArray& array)
{
  return array.GetDataType() == VTK_FLOAT ? values_of<float>(array) : values_of<double>(array);
}

/// Box of the cells or nodes with values in a block, counted from the corner of the domain.
Box lattice_of(vtkImageData& block, const AmrMesh& levels, int level, Centering centering)
{
  const Grid& grid = levels.level(level).grid;
  Box lattice;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (levels.flat(axis))
    {
      lattice.end[axis] = 1;
      continue;
    }
    const double index = (block.GetOrigin()[axis] - grid.origin[axis]) / grid.spacing[axis] - grid.first[axis];
    lattice.begin[axis] = static_cast<std::int32_t>(std::lround(index)) + block.GetExtent()[2 * axis];
    const std::int32_t nodes = block.GetDimensions()[axis];
    lattice.end[axis] = lattice.begin[axis] + (centering == Centering::Cell ? std::max(1, nodes - 1) : nodes);
  }
  return lattice;
}

/// Fails unless the block has its level's spacing and covers its box: else values would be used at wrong places.
Result<void> check_block(vtkImageData& block, const AmrMesh& levels, int level, std::size_t number)
{
  const std::string name = "box " + std::to_string(number) + " of level " + std::to_string(level);
  const Box& box = levels.level(level).boxes[number];
  const Box lattice = lattice_of(block, levels, level, Centering::Cell);
  const Vec3& spacing = levels.level(level).grid.spacing;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double own = block.GetSpacing()[axis];
    if (!levels.flat(axis) && !(std::fabs(own - spacing[axis]) <= kSpacingError * std::fabs(spacing[axis])))
    {
      std::ostringstream text;
      text << name << " has cells of " << own << " along axis " << axis << ", its level of " << spacing[axis];
      return fail(ErrorCode::BadArgument, text.str(), "check the file that it comes from");
    }
    if (lattice.begin[axis] > box.begin[axis] || lattice.end[axis] < box.end[axis])
    {
      return fail(
          ErrorCode::BadArgument, "the block of " + name + " does not cover it", "check the file that it comes from");
    }
  }
  return {};
}

Result<void> check_blocks(const std::vector<std::vector<vtkImageData*>>& blocks, const AmrMesh& levels)
{
  for (std::size_t level = 0; level < blocks.size(); ++level)
  {
    for (std::size_t number = 0; number < blocks[level].size(); ++number)
    {
      vtkImageData* block = blocks[level][number];
      Result<void> checked =
          block != nullptr ? check_block(*block, levels, static_cast<int>(level), number) : Result<void>{};
      if (!checked)
      {
        return checked;
      }
    }
  }
  return {};
}

BrickView view_of(const void* values, const Variable& variable, ScalarType type, const Box& lattice)
{
  const Int3 size = lattice.size();
  const std::int64_t components = variable.components;
  return { values, type, variable.components, lattice,
    { components, components * size[0], components * size[0] * size[1] } };
}

} // namespace

Result<AmrBlocks> levels_of_amr(vtkOverlappingAMR& amr, MeshCache& cache)
{
  std::vector<AmrMeshLevel> levels;
  std::vector<std::vector<vtkImageData*>> blocks;
  Box domain;
  for (unsigned int i = 0; i < amr.GetNumberOfLevels(); ++i)
  {
    const unsigned int boxes = number_of_boxes(amr, i);
    if (boxes == 0)
    {
      break; // finer levels lie inside coarser ones, so they are empty, too
    }
    AmrMeshLevel level;
    blocks.emplace_back();
    std::array<bool, 3> flat;
    for (int axis = 0; axis < 3; ++axis)
    {
      const auto at = static_cast<std::size_t>(axis);
      flat[at] = is_flat(amr.GetAMRBox(i, 0), axis);
      level.ratio[at] = i == 0 || flat[at] ? 1 : amr.GetRefinementRatio(i - 1);
    }
    for (unsigned int b = 0; b < boxes; ++b)
    {
      level.boxes.push_back(box_of(amr.GetAMRBox(i, b)));
      blocks.back().push_back(block_of(amr, i, b));
      domain = i > 0 ? domain : b == 0 ? level.boxes.back() : hull(domain, level.boxes.back());
    }
    domain = refine(domain, level.ratio);
    level.grid = grid_of_level(amr, i, domain, flat);
    for (Box& box : level.boxes)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        box.begin[axis] -= domain.begin[axis];
        box.end[axis] -= domain.begin[axis];
      }
    }
    levels.push_back(std::move(level));
  }
  Result<std::shared_ptr<const AmrMesh>> mesh = cache.mesh(std::move(levels));
  if (!mesh)
  {
    return forward_error(mesh);
  }
  Result<void> checked = check_blocks(blocks, **mesh);
  if (!checked)
  {
    return forward_error(checked);
  }
  return AmrBlocks{ *mesh, std::move(blocks), *mesh };
}

vtkImageData* AmrBlocks::first() const
{
  for (const std::vector<vtkImageData*>& level : blocks)
  {
    const auto found = std::find_if(level.begin(), level.end(), [](vtkImageData* block) { return block != nullptr; });
    if (found != level.end())
    {
      return *found;
    }
  }
  return nullptr;
}

BlockValues::BlockValues(const AmrBlocks& levels, vtkDataArray& like, Centering centering)
  : variable_{ .name = like.GetName(),
    .type = plain_type_of(like),
    .components = like.GetNumberOfComponents(),
    .centering = centering }
{
  for (int level = 0; level < levels.mesh->levels(); ++level)
  {
    const std::vector<vtkImageData*>& images = levels.blocks[static_cast<std::size_t>(level)];
    std::vector<Block>& blocks = blocks_.emplace_back(images.size());
    for (std::size_t i = 0; i < blocks.size(); ++i)
    {
      if (images[i] != nullptr)
      {
        vtkDataArray* array = array_of(*images[i], variable_.name, centering);
        ArrayValues* paged = array != nullptr ? values_of(*array) : nullptr;
        blocks[i] = { array, array != nullptr ? array->GetMTime() : 0,
          lattice_of(*images[i], *levels.mesh, level, centering) };
        store_ = store_ == nullptr && paged != nullptr ? paged->store() : store_;
      }
    }
  }
  for (const std::vector<Block>& level : blocks_)
  {
    for (const Block& block : level)
    {
      if (store_ && block.values != nullptr)
      {
        keeps_.emplace_back(block.values);
      }
    }
  }
}

bool BlockValues::same(const BlockValues& other) const
{
  const auto same_block = [](const Block& a, const Block& b)
  {
    return a.values == b.values && a.changed == b.changed && a.lattice == b.lattice;
  };
  const auto same_level = [&](const std::vector<Block>& a, const std::vector<Block>& b)
  {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_block);
  };
  const Variable& others = other.variable_;
  return variable_.name == others.name && variable_.type == others.type && variable_.components == others.components &&
         variable_.centering == others.centering &&
         std::equal(blocks_.begin(), blocks_.end(), other.blocks_.begin(), other.blocks_.end(), same_level);
}

int patches_at_once(const BudgetedStore& store)
{
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  const std::int64_t patch = std::max<std::int64_t>(1, store.working_minimum(1));
  return static_cast<int>(std::clamp<std::int64_t>(store.memory_budget() / 4 / patch, 1, most));
}

int BlockValues::at_once() const
{
  return store_ == nullptr ? 0 : patches_at_once(*store_);
}

Result<HeldPatch> BlockValues::hold(int level, std::int32_t box)
{
  const Block& block = blocks_[static_cast<std::size_t>(level)][static_cast<std::size_t>(box)];
  const auto where = [&]
  {
    return "box " + std::to_string(box) + " of level " + std::to_string(level);
  };
  if (block.values == nullptr)
  {
    return fail(ErrorCode::NotFound, where() + " does not have the array \"" + variable_.name + "\" in this process",
        "load all levels (Default Number Of Levels 0 of ParaView's readers) and give all blocks to every process, as "
        "readers do that page on demand");
  }
  if (block.values->GetNumberOfTuples() != block.lattice.count() ||
      block.values->GetNumberOfComponents() != variable_.components)
  {
    return fail(ErrorCode::BadArgument,
        "the array \"" + variable_.name + "\" has " + std::to_string(block.values->GetNumberOfTuples()) +
            " values in " + where() + ", which takes " + std::to_string(block.lattice.count()),
        "check the filter that made it");
  }
  HeldPatch held;
  const ScalarType type = block.values->GetDataType() == VTK_FLOAT ? ScalarType::Float32 : ScalarType::Float64;
  if (ArrayValues* paged = values_of(*block.values))
  {
    Result<std::shared_ptr<const void>> values = paged->hold();
    if (!values)
    {
      return forward_error(values);
    }
    if (*values)
    {
      held.keeps = *values;
      held.view = view_of(values->get(), variable_, type, block.lattice);
      return held;
    }
  }
  if (is_plain(*block.values))
  {
    held.view = view_of(block.values->GetVoidPointer(0), variable_, type, block.lattice);
    return held;
  }
  const auto count = static_cast<std::size_t>(variable_.components);
  const auto copy = std::make_shared<std::vector<double>>(static_cast<std::size_t>(block.lattice.count()) * count);
  for (vtkIdType i = 0; i < block.values->GetNumberOfTuples(); ++i)
  {
    block.values->GetTuple(i, copy->data() + static_cast<std::size_t>(i) * count);
  }
  held.view = view_of(copy->data(), variable_, ScalarType::Float64, block.lattice);
  held.keeps = copy;
  return held;
}

} // namespace rivulet
