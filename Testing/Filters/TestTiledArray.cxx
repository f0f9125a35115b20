// SPDX-License-Identifier: BSD-3-Clause
// Arrays of any type and layout, handed out as tiles of floating-point values.
#include "Filters/Input/TiledArray.h"
#include "Store/Memory/MemoryAccount.h"
#include "vtkIntArray.h"
#include "vtkNew.h"
#include "vtkSOADataArrayTemplate.h"

#include <gtest/gtest.h>

namespace rivulet::test
{
namespace
{

constexpr Int3 kNodes{ 40, 35, 18 };

Grid grid_of_nodes()
{
  Grid grid;
  grid.nodes = kNodes;
  return grid;
}

double value_at(const Int3& at, int component)
{
  return at[0] + 100 * at[1] + 10000 * at[2] + 0.25 * component;
}

template <class Array>
void fill(Array& array, const Int3& lattice, int components)
{
  array.SetNumberOfComponents(components);
  array.SetNumberOfTuples(volume(lattice));
  for (std::int64_t i = 0; i < volume(lattice); ++i)
  {
    for (int c = 0; c < components; ++c)
    {
      array.SetComponent(i, c, value_at(from_row_major(i, lattice), c));
    }
  }
}

/// Every value of every cell of the dataset is in the tile of that cell.
template <class Scalar>
void expect_all_values(TiledArray& tiles, const Grid& grid, const Int3& offset, double grain)
{
  for (std::int64_t i = 0; i < volume(grid.cells()); ++i)
  {
    const Int3 cell = from_row_major(i, grid.cells());
    const Int3 at{ cell[0] + offset[0], cell[1] + offset[1], cell[2] + offset[2] };
    const Lookup found = tiles.try_get({ 0, 0, tiles.bricks(0).index_of_cell(at) });
    ASSERT_EQ(found.state, Lookup::State::Ready);
    const BrickView& view = found.pin.view();
    const Int3 upper{ at[0] + 1, at[1] + 1, at[2] + 1 };
    ASSERT_TRUE(view.lattice.contains(at) && view.lattice.contains(upper));
    const auto* value = static_cast<const Scalar*>(view.data) + (upper[0] - view.lattice.begin[0]) * view.stride[0] +
                        (upper[1] - view.lattice.begin[1]) * view.stride[1] +
                        (upper[2] - view.lattice.begin[2]) * view.stride[2];
    const Int3 node{ cell[0] + 1, cell[1] + 1, cell[2] + 1 };
    ASSERT_NEAR(static_cast<double>(value[view.components - 1]), value_at(node, view.components - 1), grain);
    i += 37; // a sample of all cells
  }
}

TEST(TiledArray, IntegersBecomeDoubles)
{
  vtkNew<vtkIntArray> array;
  fill(*array, kNodes, 2);
  TiledArray tiles(*array, grid_of_nodes(), Centering::Node, { 0, 0, 0 }, std::make_shared<TileMemory>());
  EXPECT_EQ(tiles.info().variables[0].type, ScalarType::Float64);
  expect_all_values<double>(tiles, grid_of_nodes(), { 0, 0, 0 }, 0.25);
}

TEST(TiledArray, FloatsOfAnotherLayoutStayFloats)
{
  vtkNew<vtkSOADataArrayTemplate<float>> array;
  fill(*array, kNodes, 3);
  TiledArray tiles(*array, grid_of_nodes(), Centering::Node, { 0, 0, 0 }, std::make_shared<TileMemory>());
  EXPECT_EQ(tiles.info().variables[0].type, ScalarType::Float32);
  expect_all_values<float>(tiles, grid_of_nodes(), { 0, 0, 0 }, 0.01);
}

TEST(TiledArray, CountsFromTheLatticeOffset)
{
  vtkNew<vtkIntArray> array;
  fill(*array, kNodes, 1);
  const Int3 offset{ 5, 16, 31 };
  TiledArray tiles(*array, grid_of_nodes(), Centering::Node, offset, std::make_shared<TileMemory>());
  expect_all_values<double>(tiles, grid_of_nodes(), offset, 0.0);
}

TEST(TiledArray, CellValuesHaveNoSharedLayer)
{
  const Grid grid = grid_of_nodes();
  vtkNew<vtkIntArray> array;
  fill(*array, grid.cells(), 1);
  TiledArray tiles(*array, grid, Centering::Cell, { 0, 0, 0 }, std::make_shared<TileMemory>());
  const Lookup first = tiles.try_get({ 0, 0, 0 });
  EXPECT_EQ(first.pin.view().lattice.size(), (Int3{ 16, 16, 16 }));
  const Lookup last = tiles.try_get({ 0, 0, tiles.bricks(0).size() - 1 });
  EXPECT_EQ(last.pin.view().lattice.end, grid.cells());
}

TEST(TiledArray, TilesAreInTheAccount)
{
  constexpr std::int64_t kTile = std::int64_t{ 17 } * 17 * 17 * 2 * 8;
  vtkNew<vtkIntArray> array;
  fill(*array, kNodes, 2);
  const auto memory = std::make_shared<TileMemory>();
  TiledArray tiles(*array, grid_of_nodes(), Centering::Node, { 0, 0, 0 }, memory);
  EXPECT_EQ(memory->working_minimum(3), 3 * kTile);
  const MemoryAccount& account = MemoryAccount::process();
  const std::int64_t before = account.used(MemoryUse::Tiles);
  {
    const Lookup first = tiles.try_get({ 0, 0, 0 });
    const Lookup second = tiles.try_get({ 0, 0, 1 });
    EXPECT_EQ(account.used(MemoryUse::Tiles), before + 2 * kTile);
  }
  EXPECT_EQ(account.used(MemoryUse::Tiles), before);
  EXPECT_EQ(memory->statistics().peak_bytes, 2 * kTile);
}

} // namespace
} // namespace rivulet::test
