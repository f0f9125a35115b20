// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/UniformBlocks.h"

#include "Filters/Input/MeshCache.h"
#include "Trace/Mesh/GridGeometry.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkImageData.h"
#include "vtkMatrix3x3.h"
#include "vtkSmartPointer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace rivulet
{

namespace
{

constexpr double kSpacingError = 1e-5; // relative; some files have single precision
constexpr double kPlaceError = 1e-2;   // in cells
constexpr const char* kOtherWays = "use Stream Tracer, which follows such cells, or Resample To Image";

struct Leaf
{
  vtkImageData* image = nullptr;
  std::string name; ///< in messages
  Int3 cells{ 1, 1, 1 };
  std::array<bool, 3> flat{ false, false, false };
  Vec3 spacing{ 1, 1, 1 };
  Vec3 corner{ 0, 0, 0 };
};

Result<Leaf> leaf_of(vtkDataSet& object, const std::string& name)
{
  auto* image = vtkImageData::SafeDownCast(&object);
  if (image == nullptr)
  {
    return fail(ErrorCode::Unsupported,
        name + " of the input is a " + object.GetClassName() + ", and levels are made of uniform grids only",
        kOtherWays);
  }
  Leaf leaf{ .image = image, .name = name };
  Result<Box> own = own_cells(*image, name);
  if (!own)
  {
    return forward_error(own);
  }
  leaf.cells = own->empty() ? Int3{ 0, 0, 0 } : own->size();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    leaf.flat[axis] = image->GetDimensions()[axis] == 1;
    const double spacing = image->GetSpacing()[axis];
    leaf.spacing[axis] = leaf.flat[axis] && !(spacing > 0.0) ? 1.0 : spacing;
    leaf.corner[axis] = image->GetOrigin()[axis] + (image->GetExtent()[2 * axis] + own->begin[axis]) * spacing;
    if (!(leaf.spacing[axis] > 0.0) || !std::isfinite(leaf.spacing[axis]) || !std::isfinite(leaf.corner[axis]))
    {
      return fail(ErrorCode::BadArgument, name + " has a spacing or an origin that cannot be", kOtherWays);
    }
  }
  if (!image->GetDirectionMatrix()->IsIdentity())
  {
    return fail(ErrorCode::Unsupported, name + " of the input is turned by a direction matrix", kOtherWays);
  }
  return leaf;
}

/// Leaves of the blocks with cells that are no duplicates.
Result<std::vector<Leaf>> leaves_of(const std::vector<InputBlock>& blocks)
{
  std::vector<Leaf> leaves;
  for (const InputBlock& block : blocks)
  {
    Result<Leaf> leaf = leaf_of(*block.dataset, block.name);
    if (!leaf)
    {
      return forward_error(leaf);
    }
    if (leaf->cells[0] > 0)
    {
      leaves.push_back(std::move(*leaf));
    }
  }
  if (leaves.empty())
  {
    return fail(ErrorCode::BadArgument, "the input has no blocks with cells", "check what it was made from");
  }
  return leaves;
}

bool alike(const Leaf& a, const Leaf& b)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const bool same = std::fabs(a.spacing[axis] - b.spacing[axis]) <= kSpacingError * a.spacing[axis];
    if (a.flat[axis] != b.flat[axis] || (!same && !a.flat[axis]))
    {
      return false;
    }
  }
  return true;
}

double size_of_cell(const Leaf& leaf)
{
  double size = 1.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    size *= leaf.flat[axis] ? 1.0 : leaf.spacing[axis];
  }
  return size;
}

/// Shortest side of a cell, flat axes aside.
double smallest_side(const Leaf& leaf)
{
  double smallest = std::numeric_limits<double>::max();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    smallest = leaf.flat[axis] ? smallest : std::min(smallest, leaf.spacing[axis]);
  }
  return smallest;
}

/// Numbers of leaves by level, the coarsest first.
std::vector<std::vector<std::size_t>> by_level(const std::vector<Leaf>& leaves)
{
  std::vector<std::vector<std::size_t>> levels;
  for (std::size_t i = 0; i < leaves.size(); ++i)
  {
    const auto level = std::find_if(levels.begin(), levels.end(),
        [&](const std::vector<std::size_t>& members) { return alike(leaves[members.front()], leaves[i]); });
    level != levels.end() ? level->push_back(i) : levels.push_back({ i });
  }
  std::stable_sort(levels.begin(), levels.end(),
      [&](const std::vector<std::size_t>& a, const std::vector<std::size_t>& b)
      { return size_of_cell(leaves[a.front()]) > size_of_cell(leaves[b.front()]); });
  return levels;
}

Result<Int3> ratio_between(const Leaf& coarse, const Leaf& fine)
{
  Int3 ratio{ 1, 1, 1 };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double exact = fine.flat[axis] ? 1.0 : coarse.spacing[axis] / fine.spacing[axis];
    const double whole = std::round(exact);
    if (!(whole >= 1.0 && whole <= GridGeometry::kFarAway && std::fabs(exact - whole) <= kSpacingError * whole) ||
        coarse.flat[axis] != fine.flat[axis])
    {
      return fail(ErrorCode::BadArgument,
          "the cells of " + fine.name + " of the input are not those of " + coarse.name + " divided by whole numbers",
          kOtherWays);
    }
    ratio[axis] = static_cast<std::int32_t>(whole);
  }
  return ratio;
}

/// Cells of a leaf on its level's lattice, which has index 0 at `corner`.
Result<Box> box_of(const Leaf& leaf, const Vec3& corner, const Vec3& spacing)
{
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    // All leaves must lie in one plane across a flat axis. The distance is in cells along the other axes.
    const double cell = leaf.flat[axis] ? smallest_side(leaf) : spacing[axis];
    const double exact = (leaf.corner[axis] - corner[axis]) / cell;
    const double whole = leaf.flat[axis] ? 0.0 : std::round(exact);
    if (!(std::fabs(exact - whole) <= kPlaceError && std::fabs(whole) + leaf.cells[axis] <= GridGeometry::kFarAway))
    {
      return fail(ErrorCode::BadArgument, leaf.name + " of the input does not lie on the lattice of the other blocks",
          kOtherWays);
    }
    box.begin[axis] = static_cast<std::int32_t>(whole);
    box.end[axis] = box.begin[axis] + leaf.cells[axis];
  }
  return box;
}

/// Boxes of one level on its lattice, which has index 0 at `corner`.
Result<std::vector<Box>> boxes_of(
    const std::vector<Leaf>& leaves, const std::vector<std::size_t>& members, const Vec3& corner)
{
  std::vector<Box> boxes;
  for (const std::size_t i : members)
  {
    Result<Box> box = box_of(leaves[i], corner, leaves[members.front()].spacing);
    if (!box)
    {
      return forward_error(box);
    }
    boxes.push_back(*box);
  }
  return boxes;
}

Box hull_of(const std::vector<Box>& boxes)
{
  Box hull = boxes.front();
  for (const Box& box : boxes)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      hull.begin[axis] = std::min(hull.begin[axis], box.begin[axis]);
      hull.end[axis] = std::max(hull.end[axis], box.end[axis]);
    }
  }
  return hull;
}

/// Grid of the coarsest lattice: that of the domain, so that its corner has index 0.
Result<Grid> coarsest_grid(const std::vector<Leaf>& leaves, const std::vector<std::size_t>& members)
{
  const Leaf& first = leaves[members.front()];
  Result<std::vector<Box>> boxes = boxes_of(leaves, members, first.corner);
  if (!boxes)
  {
    return forward_error(boxes);
  }
  const Box hull = hull_of(*boxes);
  Grid grid;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grid.nodes[axis] = first.flat[axis] ? 1 : hull.size()[axis] + 1;
    grid.spacing[axis] = first.spacing[axis];
    grid.origin[axis] = first.corner[axis] + hull.begin[axis] * first.spacing[axis];
  }
  return grid;
}

/// Grid of the next finer level.
Result<Grid> refined_grid(const Grid& coarse, const Leaf& fine, const Int3& ratio)
{
  Grid grid = coarse;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (fine.flat[axis])
    {
      continue;
    }
    const std::int64_t cells = std::int64_t{ coarse.nodes[axis] - 1 } * ratio[axis];
    if (cells >= static_cast<std::int64_t>(GridGeometry::kFarAway))
    {
      return fail(ErrorCode::BadArgument, "the cells of " + fine.name + " of the input are too small for its domain",
          kOtherWays);
    }
    grid.nodes[axis] = static_cast<std::int32_t>(cells) + 1;
    grid.spacing[axis] = fine.spacing[axis];
  }
  return grid;
}

} // namespace

bool has_ghost_layers(vtkCompositeDataSet& data)
{
  const auto iterator = vtkSmartPointer<vtkCompositeDataIterator>::Take(data.NewIterator());
  for (iterator->InitTraversal(); !iterator->IsDoneWithTraversal(); iterator->GoToNextItem())
  {
    auto* block = vtkDataSet::SafeDownCast(iterator->GetCurrentDataObject());
    if (block != nullptr && block->HasAnyGhostCells())
    {
      return true;
    }
  }
  return false;
}

Result<AmrBlocks> levels_of_blocks(const std::vector<InputBlock>& blocks_of_input, MeshCache& cache)
{
  Result<std::vector<Leaf>> leaves = leaves_of(blocks_of_input);
  if (!leaves)
  {
    return forward_error(leaves);
  }
  std::vector<AmrMeshLevel> levels;
  std::vector<std::vector<vtkImageData*>> blocks;
  const Leaf* coarser = nullptr;
  for (const std::vector<std::size_t>& members : by_level(*leaves))
  {
    const Leaf& first = (*leaves)[members.front()];
    Result<Int3> ratio = coarser != nullptr ? ratio_between(*coarser, first) : Int3{ 1, 1, 1 };
    if (!ratio)
    {
      return forward_error(ratio);
    }
    Result<Grid> grid =
        levels.empty() ? coarsest_grid(*leaves, members) : refined_grid(levels.back().grid, first, *ratio);
    if (!grid)
    {
      return forward_error(grid);
    }
    Result<std::vector<Box>> boxes = boxes_of(*leaves, members, grid->origin);
    if (!boxes)
    {
      return forward_error(boxes);
    }
    levels.push_back({ std::move(*grid), *ratio, std::move(*boxes) });
    std::vector<vtkImageData*>& images = blocks.emplace_back();
    std::transform(members.begin(), members.end(), std::back_inserter(images),
        [&](std::size_t member) { return (*leaves)[member].image; });
    coarser = &first;
  }
  Result<std::shared_ptr<const AmrMesh>> mesh = cache.mesh(std::move(levels));
  if (!mesh)
  {
    return forward_error(mesh);
  }
  return AmrBlocks{ *mesh, std::move(blocks), *mesh };
}

} // namespace rivulet
