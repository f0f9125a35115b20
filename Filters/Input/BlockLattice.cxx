// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/BlockLattice.h"

#include "Pipeline/GridConversion.h"
#include "vtkDataSetAttributes.h"
#include "vtkMatrix3x3.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rivulet
{

namespace
{

constexpr double kSpacingError = 1e-5; // relative; some files have single precision
constexpr double kPlaceError = 1e-2;   // in cells
constexpr double kWidestStep = 2.0;    // widest gap between blocks, in cells beside the gap
constexpr const char* kOtherWays = "use Stream Tracer, or Resample To Image";

tl::unexpected<Error> no_lattice(const std::string& why)
{
  return fail(ErrorCode::BadArgument, why, kOtherWays);
}

bool alike(const Grid& a, const Grid& b)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const bool flat = a.nodes[axis] == 1 && b.nodes[axis] == 1;
    if (!flat && !(std::fabs(a.spacing[axis] - b.spacing[axis]) <= kSpacingError * std::fabs(a.spacing[axis])))
    {
      return false;
    }
  }
  return a.direction == b.direction;
}

bool turned(const Grid& grid)
{
  return grid.direction != Grid{}.direction;
}

/// Corner node of `grid`, in cells of `first` from the corner of `first`, along the axes of `first`.
Vec3 corner_in(const Grid& first, const Grid& grid)
{
  const auto corner = [](const Grid& of)
  {
    Vec3 at = of.origin;
    for (std::size_t row = 0; row < 3; ++row)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        at[row] += of.direction[3 * row + axis] * of.spacing[axis] * of.first[axis];
      }
    }
    return at;
  };
  std::array<double, 9> back;
  vtkMatrix3x3::Invert(first.direction.data(), back.data());
  const Vec3 here = corner(grid);
  const Vec3 zero = corner(first);
  Vec3 place{ 0, 0, 0 };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (std::size_t row = 0; row < 3; ++row)
    {
      place[axis] += back[3 * axis + row] * (here[row] - zero[row]);
    }
    place[axis] /= first.spacing[axis];
  }
  return place;
}

Result<void> place_uniform(BlockLattice& lattice)
{
  const Grid& first = lattice.blocks.front().grid;
  for (LatticeBlock& block : lattice.blocks)
  {
    const Vec3 exact = corner_in(first, block.grid);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const double whole = std::round(exact[axis]);
      if (!(std::fabs(exact[axis] - whole) <= kPlaceError && std::fabs(whole) < 1e9))
      {
        return no_lattice(
            block.block.name + " of the input does not lie on the lattice of " + lattice.blocks.front().block.name);
      }
      block.begin[axis] = static_cast<std::int32_t>(whole);
    }
  }
  return {};
}

/// The positions of a grid's nodes along an axis.
std::vector<double> positions(const Grid& grid, std::size_t axis)
{
  if (grid.kind == Grid::Kind::Rectilinear)
  {
    return grid.axes[axis];
  }
  std::vector<double> at;
  at.reserve(static_cast<std::size_t>(grid.nodes[axis]));
  for (std::int32_t i = 0; i < grid.nodes[axis]; ++i)
  {
    at.push_back(grid.origin[axis] + grid.spacing[axis] * (grid.first[axis] + i));
  }
  return at;
}

/// Positions of the nodes of all blocks along an axis, each once, in the direction of the blocks.
struct Positions
{
  std::vector<double> all;
  bool falling = false;
  double nearness = 0.0; ///< largest distance of two positions that count as the same
};

Result<Positions> merge(const BlockLattice& lattice, std::size_t axis)
{
  Positions merged;
  bool rising = false;
  double smallest = std::numeric_limits<double>::max();
  for (const LatticeBlock& block : lattice.blocks)
  {
    const std::vector<double> at = positions(block.grid, axis);
    merged.all.insert(merged.all.end(), at.begin(), at.end());
    for (std::size_t i = 1; i < at.size(); ++i)
    {
      smallest = std::min(smallest, std::fabs(at[i] - at[i - 1]));
      (at[i] < at[i - 1] ? merged.falling : rising) = true;
    }
  }
  if (rising && merged.falling)
  {
    return no_lattice(std::string("the blocks of the input run both ways along ") + static_cast<char>('x' + axis));
  }
  merged.nearness = smallest == std::numeric_limits<double>::max() ? 0.0 : kPlaceError * smallest;
  std::stable_sort(
      merged.all.begin(), merged.all.end(), [&](double a, double b) { return merged.falling ? a > b : a < b; });
  const auto same = [&](double a, double b)
  {
    return std::fabs(a - b) <= merged.nearness;
  };
  merged.all.erase(std::unique(merged.all.begin(), merged.all.end(), same), merged.all.end());
  return merged;
}

/// A gap without cells between two blocks may be at most kWidestStep cells wide. The wider of the cells on both sides
/// counts. If all blocks are slices, neighbouring gaps count as cells. Two slices alone have no neighbouring gap, so
/// that any distance is good.
Result<void> check_gaps(const BlockLattice& lattice, const std::vector<double>& all, std::size_t axis)
{
  std::vector<bool> spanned(all.size(), false);
  for (const LatticeBlock& block : lattice.blocks)
  {
    const auto first = spanned.begin() + block.begin[axis];
    std::fill(first, first + block.grid.nodes[axis] - 1, true);
  }
  const bool slices = std::find(spanned.begin(), spanned.end(), true) == spanned.end();
  const auto width = [&](std::size_t i)
  {
    return spanned[i] || slices ? std::fabs(all[i + 1] - all[i]) : 0.0;
  };
  for (std::size_t i = 0; i + 1 < all.size(); ++i)
  {
    const double beside = std::max(i > 0 ? width(i - 1) : 0.0, i + 2 < all.size() ? width(i + 1) : 0.0);
    const bool judged = beside > 0.0 || slices;
    if (!spanned[i] && judged && std::fabs(all[i + 1] - all[i]) > kWidestStep * beside)
    {
      return no_lattice("the blocks of the input do not fill a box: there is a gap from " + std::to_string(all[i]) +
                        " to " + std::to_string(all[i + 1]) + " along " + static_cast<char>('x' + axis));
    }
  }
  return {};
}

Result<void> place_along(BlockLattice& lattice, std::size_t axis)
{
  Result<Positions> merged = merge(lattice, axis);
  if (!merged)
  {
    return forward_error(merged);
  }
  const std::vector<double>& all = merged->all;
  for (LatticeBlock& block : lattice.blocks)
  {
    const std::vector<double> at = positions(block.grid, axis);
    const auto first = std::find_if(
        all.begin(), all.end(), [&](double position) { return std::fabs(position - at[0]) <= merged->nearness; });
    const auto begin = static_cast<std::size_t>(first - all.begin());
    for (std::size_t i = 0; i < at.size(); ++i)
    {
      if (begin + i >= all.size() || !(std::fabs(all[begin + i] - at[i]) <= merged->nearness))
      {
        return no_lattice(std::string("the ") + static_cast<char>('x' + axis) + " coordinates of " + block.block.name +
                          " of the input are not those of the blocks beside it");
      }
    }
    block.begin[axis] = static_cast<std::int32_t>(begin);
  }
  lattice.grid.axes[axis] = all;
  lattice.grid.nodes[axis] = static_cast<std::int32_t>(all.size());
  return check_gaps(lattice, all, axis);
}

Result<void> place_rectilinear(BlockLattice& lattice)
{
  lattice.grid.kind = Grid::Kind::Rectilinear;
  Result<void> placed;
  for (std::size_t axis = 0; axis < 3 && placed; ++axis)
  {
    placed = place_along(lattice, axis);
  }
  return placed;
}

Box moved(const Box& box, const Int3& by)
{
  Box at = box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    at.begin[axis] += by[axis];
    at.end[axis] += by[axis];
  }
  return at;
}

/// Counts nodes from the corner of all blocks. A uniform lattice takes its geometry from the block at that corner, so
/// that positions have the same bits as in the grid that the blocks were cut from.
Result<void> begin_at_corner(BlockLattice& lattice)
{
  Box hull{ lattice.blocks.front().begin, lattice.blocks.front().begin };
  for (const LatticeBlock& block : lattice.blocks)
  {
    const Box nodes = moved(block.own(Centering::Node), block.begin);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      hull.begin[axis] = std::min(hull.begin[axis], nodes.begin[axis]);
      hull.end[axis] = std::max(hull.end[axis], nodes.end[axis]);
    }
  }
  const Int3 back{ -hull.begin[0], -hull.begin[1], -hull.begin[2] };
  const LatticeBlock* corner = nullptr;
  for (LatticeBlock& block : lattice.blocks)
  {
    block.begin = moved({ block.begin, block.begin }, back).begin;
    const Int3 own = moved({ block.own(Centering::Node).begin, {} }, block.begin).begin;
    corner = own == Int3{ 0, 0, 0 } && corner == nullptr ? &block : corner;
  }
  if (corner == nullptr)
  {
    return no_lattice("the blocks of the input do not fill a box");
  }
  if (lattice.grid.kind == Grid::Kind::Uniform)
  {
    lattice.grid = corner->grid;
    lattice.grid.nodes = hull.size();
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      lattice.grid.first[axis] -= corner->begin[axis];
    }
  }
  else
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      std::vector<double>& at = lattice.grid.axes[axis];
      at.erase(at.begin(), at.begin() + hull.begin[axis]);
      at.resize(static_cast<std::size_t>(hull.size()[axis]));
      lattice.grid.nodes[axis] = hull.size()[axis];
    }
  }
  return {};
}

/// Table of the box that covers each part of the lattice. Boxes begin and end only at the borders of parts.
class Cover
{
public:
  static constexpr std::int64_t kMostParts = std::int64_t{ 1 } << 26;

  Cover(const std::vector<Box>& boxes, const Int3& lattice)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      std::vector<std::int32_t>& at = cuts_[axis];
      at = { 0, lattice[axis] };
      for (const Box& box : boxes)
      {
        at.push_back(box.begin[axis]);
        at.push_back(box.end[axis]);
      }
      std::sort(at.begin(), at.end());
      at.erase(std::unique(at.begin(), at.end()), at.end());
      parts_[axis] = static_cast<std::int32_t>(at.size()) - 1;
    }
  }

  [[nodiscard]] bool too_many() const { return volume(parts_) > kMostParts; }

  /// First pair of boxes that overlap, and whether the boxes cover the whole lattice.
  struct Answer
  {
    std::int32_t box = -1;
    std::int32_t other = -1;
    bool complete = false;
  };
  [[nodiscard]] Answer look(const std::vector<Box>& boxes) const
  {
    Answer answer;
    std::vector<std::int32_t> owner(static_cast<std::size_t>(volume(parts_)), -1);
    for (std::size_t number = 0; number < boxes.size(); ++number)
    {
      const Box in = parts_of(boxes[number]);
      for (std::int64_t i = 0; i < in.count(); ++i)
      {
        const Int3 at = moved({ from_row_major(i, in.size()), {} }, in.begin).begin;
        std::int32_t& known = owner[static_cast<std::size_t>(row_major(at, parts_))];
        if (known >= 0 && answer.box < 0)
        {
          answer.box = static_cast<std::int32_t>(number);
          answer.other = known;
        }
        known = static_cast<std::int32_t>(number);
      }
    }
    answer.complete = std::find(owner.begin(), owner.end(), -1) == owner.end();
    return answer;
  }

private:
  [[nodiscard]] Box parts_of(const Box& box) const
  {
    Box parts;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const auto number = [&](std::int32_t at)
      {
        const std::vector<std::int32_t>& cuts = cuts_[axis];
        return static_cast<std::int32_t>(std::lower_bound(cuts.begin(), cuts.end(), at) - cuts.begin());
      };
      parts.begin[axis] = number(box.begin[axis]);
      parts.end[axis] = number(box.end[axis]);
    }
    return parts;
  }

  std::array<std::vector<std::int32_t>, 3> cuts_;
  Int3 parts_{ 1, 1, 1 };
};

std::vector<Box> boxes_of(const BlockLattice& lattice, Centering centering)
{
  std::vector<Box> boxes;
  for (const LatticeBlock& block : lattice.blocks)
  {
    Box box = block.own(centering);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      // The flat cells of a plane count only if the lattice is a plane, too.
      const bool none = centering == Centering::Cell && block.grid.nodes[axis] == 1 && lattice.grid.nodes[axis] > 1;
      box.end[axis] = none ? box.begin[axis] : box.end[axis];
    }
    boxes.push_back(moved(box, block.begin));
  }
  return boxes;
}

Result<void> check_tiles(const BlockLattice& lattice, Centering centering)
{
  for (const Centering values : { Centering::Cell, Centering::Node })
  {
    const std::vector<Box> boxes = boxes_of(lattice, values);
    const Cover cover(boxes, lattice.grid.lattice(values));
    if (cover.too_many())
    {
      return no_lattice("the blocks of the input begin and end at too many places");
    }
    const Cover::Answer answer = cover.look(boxes);
    if (values == Centering::Cell && answer.box >= 0)
    {
      const auto name = [&](std::int32_t number)
      {
        return lattice.blocks[static_cast<std::size_t>(number)].block.name;
      };
      return no_lattice(name(answer.box) + " of the input overlaps " + name(answer.other));
    }
    if (values == centering && !answer.complete)
    {
      return no_lattice("the blocks of the input do not fill a box");
    }
  }
  return {};
}

/// Copies the hidden points or cells of a block to the marks of the lattice.
void add_hidden(const std::uint8_t* from, const LatticeBlock& block, Centering centering, const Int3& lattice,
    std::vector<std::uint8_t>& to)
{
  const auto hides = centering == Centering::Node ? std::uint8_t{ vtkDataSetAttributes::HIDDENPOINT }
                                                  : std::uint8_t{ vtkDataSetAttributes::HIDDENCELL };
  const Box own = block.own(centering);
  const Int3 size = block.grid.lattice(centering);
  for (std::int64_t i = 0; from != nullptr && i < own.count(); ++i)
  {
    const Int3 at = moved({ from_row_major(i, own.size()), {} }, own.begin).begin;
    if ((from[row_major(at, size)] & hides) != 0)
    {
      to.resize(static_cast<std::size_t>(volume(lattice)), 0);
      to[static_cast<std::size_t>(row_major(moved({ at, {} }, block.begin).begin, lattice))] |= hides;
    }
  }
}

Result<void> take_ghosts(BlockLattice& lattice)
{
  for (const LatticeBlock& block : lattice.blocks)
  {
    for (const Centering centering : { Centering::Node, Centering::Cell })
    {
      Result<const std::uint8_t*> ghosts = ghosts_of(*block.block.dataset, block.grid, centering);
      if (!ghosts)
      {
        return forward_error(ghosts);
      }
      add_hidden(*ghosts, block, centering, lattice.grid.lattice(centering),
          centering == Centering::Node ? lattice.point_ghosts : lattice.cell_ghosts);
    }
  }
  return {};
}

Result<LatticeBlock> lattice_block(const InputBlock& block)
{
  Result<Box> own = own_cells(*block.dataset, block.name);
  if (!own)
  {
    return forward_error(own);
  }
  return LatticeBlock{ .block = block, .grid = *grid_of(block.dataset), .begin = { 0, 0, 0 }, .cells = *own };
}

} // namespace

Box LatticeBlock::own(Centering centering) const
{
  Box box = cells;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.end[axis] += centering == Centering::Node && grid.nodes[axis] > 1 && !cells.empty() ? 1 : 0;
  }
  return box;
}

Result<BlockLattice> lattice_of(const std::vector<InputBlock>& blocks, Centering centering)
{
  BlockLattice lattice;
  for (const InputBlock& block : blocks)
  {
    Result<LatticeBlock> made = lattice_block(block);
    if (!made)
    {
      return forward_error(made);
    }
    if (!made->cells.empty())
    {
      lattice.blocks.push_back(std::move(*made));
    }
  }
  if (lattice.blocks.empty())
  {
    return no_lattice("all cells of the input are ghosts");
  }
  const Grid& first = lattice.blocks.front().grid;
  const bool uniform = std::all_of(lattice.blocks.begin(), lattice.blocks.end(),
      [&](const LatticeBlock& block) { return block.grid.kind == Grid::Kind::Uniform && alike(first, block.grid); });
  const auto is_turned = std::find_if(
      lattice.blocks.begin(), lattice.blocks.end(), [](const LatticeBlock& block) { return turned(block.grid); });
  if (!uniform && is_turned != lattice.blocks.end())
  {
    return no_lattice(
        is_turned->block.name + " of the input is turned by a direction matrix, and others are not like it");
  }
  Result<void> placed = uniform ? place_uniform(lattice) : place_rectilinear(lattice);
  placed = placed ? begin_at_corner(lattice) : placed;
  placed = placed ? check_tiles(lattice, centering) : placed;
  placed = placed ? take_ghosts(lattice) : placed;
  return placed ? Result<BlockLattice>(std::move(lattice)) : forward_error(placed);
}

} // namespace rivulet
