// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/CurvilinearCells.h"

#include "Trace/Mesh/HexWalk.h"

namespace rivulet
{

namespace
{

Grid lattice_of(const PointLattice& lattice)
{
  Grid grid;
  grid.nodes = lattice.nodes;
  return grid;
}

MemoryArray array_of(const PointLattice& lattice)
{
  return { { .name = "points", .type = lattice.type, .components = 3, .centering = Centering::Node }, lattice.points,
    lattice.owner };
}

} // namespace

/// All cells are at hand.
class CurvilinearCells::Lattice
{
public:
  explicit Lattice(const CurvilinearCells& cells)
    : cells_(cells)
  {
  }
  [[nodiscard]] Int3 counts() const { return cells_.grid_->counts(); }
  [[nodiscard]] static bool at_hand(const Int3& /*cell*/) { return true; }
  [[nodiscard]] HexCell::Corners corners(const Int3& cell) const { return cells_.corners_.of(cell); }
  [[nodiscard]] bool hidden(const Int3& cell) const { return cells_.hidden(cell); }

private:
  const CurvilinearCells& cells_;
};

CurvilinearCells::CurvilinearCells(const PointLattice& lattice, const std::vector<bool>& hidden)
  : points_(lattice_of(lattice), { array_of(lattice) })
  , corners_(points_.try_get({}).pin.view())
{
  static constexpr std::uint8_t kHiddenCell = 32; // vtkDataSetAttributes::HIDDENCELL
  std::transform(hidden.begin(), hidden.end(), std::back_inserter(hidden_),
      [](bool is) { return is ? kHiddenCell : std::uint8_t{ 0 }; });
}

Result<std::shared_ptr<const CurvilinearCells>> CurvilinearCells::create(
    const PointLattice& lattice, const std::vector<bool>& hidden, int threads)
{
  std::shared_ptr<CurvilinearCells> cells(new CurvilinearCells(lattice, hidden));
  Result<std::shared_ptr<const CurvilinearGrid>> grid =
      CurvilinearGrid::create({ &cells->points_, 0, 0 }, CurvilinearGrid::kSmall, threads);
  if (!grid)
  {
    return forward_error(grid);
  }
  cells->grid_ = *std::move(grid);
  return std::shared_ptr<const CurvilinearCells>(std::move(cells));
}

std::int64_t CurvilinearCells::find(const Vec3& world, std::int64_t before, CellWeights& at) const
{
  WorldPosition place{ .point = world, .cell = before };
  Vec3 parametric{ 0, 0, 0 };
  if (before < 0 || walk_on(Lattice(*this), place, parametric) != WalkEnd::Inside)
  {
    const CurvilinearGrid::Found found =
        grid_->seek(world, corners_, [this](const Int3& cell) { return hidden(cell); });
    place.cell = found.cell;
    parametric = found.at;
  }
  if (place.cell >= 0)
  {
    weigh(place.cell, parametric, at);
  }
  return place.cell;
}

void CurvilinearCells::weigh(std::int64_t cell, const Vec3& parametric, CellWeights& at) const
{
  const Int3 low = from_row_major(cell, grid_->counts());
  const std::array<double, HexCell::kCorners> weights = HexCell::weights(parametric);
  at.nodes.resize(HexCell::kCorners);
  for (int corner = 0; corner < HexCell::kCorners; ++corner)
  {
    at.nodes[static_cast<std::size_t>(corner)] = row_major(HexCell::node(low, corner), grid_->cut().lattice);
  }
  at.weights.assign(weights.begin(), weights.end());
  at.gradients.clear();
}

void CurvilinearCells::weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const
{
  const HexCell hexahedron(corners_.of(from_row_major(cell, grid_->counts())));
  const Vec3 parametric = clamped_to_cell(hexahedron.locate(world).at);
  weigh(cell, parametric, at);
  if (gradients)
  {
    const std::array<Vec3, HexCell::kCorners> all = hexahedron.gradients(parametric);
    at.gradients.assign(all.begin(), all.end());
  }
}

Vec3 CurvilinearCells::cell_sides(std::int64_t cell) const
{
  return box_around(corners_.of(from_row_major(cell, grid_->counts()))).sides();
}

} // namespace rivulet
