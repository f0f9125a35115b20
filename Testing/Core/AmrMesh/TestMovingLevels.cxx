// SPDX-License-Identifier: BSD-3-Clause
// Common refinements of AMR meshes, and the values of a step in the bricks of one.
#include "AmrMesh/AmrBricks.h"
#include "AmrMesh/MovingLevels.h"
#include "Core/AmrMesh/AmrInMemory.h"
#include "Trace/Mesh/LevelMesh.h"
#include "Trace/Mesh/MakeMesh.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace rivulet::test
{
namespace
{

std::shared_ptr<const AmrMesh> mesh_of(std::vector<AmrMeshLevel> levels)
{
  return std::make_shared<const AmrMesh>(*AmrMesh::create(std::move(levels)));
}

std::vector<AmrMeshLevel> levels_of_mesh(const AmrMesh& mesh)
{
  std::vector<AmrMeshLevel> levels;
  for (int number = 0; number < mesh.levels(); ++number)
  {
    levels.push_back(mesh.level(number));
  }
  return levels;
}

/// The mesh without some of its finer boxes; without a finest level at times.
std::shared_ptr<const AmrMesh> thinned(const AmrMesh& mesh, std::mt19937& random)
{
  std::vector<AmrMeshLevel> levels = levels_of_mesh(mesh);
  for (std::size_t i = 1; i < levels.size(); ++i)
  {
    std::erase_if(levels[i].boxes, [&](const Box&) { return random() % 3 == 0; });
  }
  if (random() % 3 == 0)
  {
    levels.pop_back();
  }
  return mesh_of(std::move(levels));
}

std::vector<double> wavy(const Vec3& x)
{
  return { std::sin(3.0 * x[0]) + x[1] * x[2], std::cos(2.0 * x[1] - x[2]), 1.0 + x[0] * x[0] };
}

/// A function on one mesh, in the bricks of another.
class Sampled
{
public:
  Sampled(const std::shared_ptr<const AmrMesh>& bricks, const std::shared_ptr<const AmrMesh>& own, Centering centering)
    : padded_(*with_levels_of(own, *bricks))
    , bricks_(bricks, padded_, std::make_shared<FunctionPatches>(*padded_, centering, 3, wavy), 0)
  {
    field_.velocity = { &bricks_, 0, 0 };
    field_.grid = bricks->level(0).grid;
  }

  [[nodiscard]] std::shared_ptr<const Mesh> mesh() const { return *make_mesh(field_); }

  [[nodiscard]] Vec3 at(const Mesh& mesh, const Vec3& place)
  {
    const auto found = mesh.enter(place, {});
    EXPECT_TRUE(found.has_value());
    const Lookup brick = bricks_.try_get({ 0, 0, found->brick });
    const BrickView& view = brick.pin.view();
    const auto at_cell = found->at.as<CellPosition>();
    Vec3 value{ 0, 0, 0 };
    for (int corner = 0; corner < 8; ++corner)
    {
      double share = 1.0;
      const auto* from = static_cast<const double*>(view.data);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        const int up = corner >> axis & 1;
        share *= up != 0 ? at_cell.fraction[axis] : 1.0 - at_cell.fraction[axis];
        const bool flat = field_.grid.nodes[axis] == 1;
        from += (at_cell.cell[axis] + (flat ? 0 : up) - view.lattice.begin[axis]) * view.stride[axis];
      }
      for (std::size_t c = 0; c < 3; ++c)
      {
        value[c] += share * from[c];
      }
    }
    return value;
  }

private:
  std::shared_ptr<const AmrMesh> padded_;
  AmrBricks bricks_;
  TraceField field_;
};

/// Places in the cells of all boxes, of which some lie on faces.
std::vector<Vec3> places_in(const AmrMesh& mesh, std::mt19937& random)
{
  std::vector<Vec3> places;
  for (int number = 0; number < mesh.levels(); ++number)
  {
    for (const Box& box : mesh.level(number).boxes)
    {
      for (int i = 0; i < 12; ++i)
      {
        const Grid& grid = mesh.level(number).grid;
        Vec3 place = position_of(grid, Centering::Node, box.begin);
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          const double share = i == 0 ? 0.0 : std::uniform_real_distribution<double>(0.0, 1.0)(random);
          place[axis] += mesh.flat(axis) ? 0.0 : share * box.size()[axis] * grid.spacing[axis];
        }
        places.push_back(place);
      }
    }
  }
  return places;
}

TEST(MovingLevels, ACommonRefinementHasTheCellsOfBothAndNoOthers)
{
  for (unsigned int seed = 0; seed < 60; ++seed)
  {
    std::mt19937 random(seed);
    const AmrMesh all = random_levels(seed, seed % 2 == 0 ? 3 : 2);
    const auto a = thinned(all, random);
    const auto b = thinned(all, random);
    MovingLevels moving;
    const Result<std::shared_ptr<const AmrMesh>> common = moving.common(a, b);
    ASSERT_TRUE(common.has_value()) << common.error().describe();
    ASSERT_EQ((*common)->levels(), std::max(a->levels(), b->levels()));
    for (int level = 0; level < (*common)->levels(); ++level)
    {
      const Int3 cells = (*common)->level(level).grid.cells();
      for (std::int64_t i = 0; i < volume(cells); ++i)
      {
        const Int3 at = from_row_major(i, cells);
        const auto has = [&](const AmrMesh& mesh)
        {
          return level < mesh.levels() && mesh.box_of(level, at) >= 0;
        };
        ASSERT_EQ(has(**common), has(*a) || has(*b)) << seed << ", level " << level;
      }
    }
  }
}

TEST(MovingLevels, TheValuesOfAStepAreItsOwnInTheBricksOfAnother)
{
  for (unsigned int seed = 0; seed < 60; ++seed)
  {
    std::mt19937 random(seed + 1000);
    const AmrMesh all = random_levels(seed, seed % 3 == 0 ? 2 : 3);
    const auto a = thinned(all, random);
    const auto b = thinned(all, random);
    const auto common = *MovingLevels().common(a, b);
    for (const std::shared_ptr<const AmrMesh>& mesh : { a, b })
    {
      const Centering centering = seed % 4 < 2 ? Centering::Cell : Centering::Node;
      Sampled own(mesh, mesh, centering);
      Sampled in_common(common, mesh, centering);
      const std::shared_ptr<const Mesh> own_mesh = own.mesh();
      const std::shared_ptr<const Mesh> common_mesh = in_common.mesh();
      for (const Vec3& place : places_in(*common, random))
      {
        const Vec3 expected = own.at(*own_mesh, place);
        const Vec3 value = in_common.at(*common_mesh, place);
        for (std::size_t c = 0; c < 3; ++c)
        {
          ASSERT_NEAR(value[c], expected[c], 1e-11) << seed << ": " << place[0] << " " << place[1] << " " << place[2];
        }
      }
    }
  }
}

TEST(LevelMesh, CountsLabelsInCellsOfTheCoarsestLevel)
{
  std::mt19937 random(5);
  const auto levels = std::make_shared<const AmrMesh>(three_levels());
  Sampled sampled(levels, levels, Centering::Cell);
  const std::shared_ptr<const Mesh> mesh = sampled.mesh();
  const Grid& coarsest = levels->level(0).grid;
  const GridGeometry geometry = *GridGeometry::create(coarsest);
  int finer = 0;
  for (const Vec3& place : places_in(*levels, random))
  {
    const std::optional<Mesh::Place> found = mesh->enter(place, {});
    ASSERT_TRUE(found.has_value());
    finer += found->at.as<CellPosition>().level > 0 ? 1 : 0;
    const std::int64_t expected = row_major(geometry.locate(place)->cell, coarsest.cells());
    EXPECT_EQ(mesh->label_number(place, found->at, {}, Centering::Cell), expected);
  }
  EXPECT_GT(finer, 10);
}

TEST(MovingLevels, MeshesThatAreEnoughAreUsedAgain)
{
  const auto all = std::make_shared<const AmrMesh>(three_levels());
  std::vector<AmrMeshLevel> fewer = levels_of_mesh(*all);
  fewer[1].boxes.pop_back();
  fewer.pop_back();
  const auto part = mesh_of(fewer);
  MovingLevels moving;
  EXPECT_EQ(*moving.common(part, part), part);
  EXPECT_EQ(*moving.common(all, part), all);
  EXPECT_EQ(*moving.common(all, std::make_shared<const AmrMesh>(three_levels())), all);
  // Levels that were there once stay, without boxes.
  const auto later = *moving.common(part, part);
  EXPECT_EQ(later->levels(), 3);
  EXPECT_TRUE(later->level(2).boxes.empty());
  EXPECT_EQ(*moving.common(part, part), later);
}

TEST(MovingLevels, LevelsOfOtherCellsAreRefused)
{
  const std::vector<Box> whole{ { { 0, 0, 0 }, { 8, 8, 8 } } };
  const std::vector<Box> part{ { { 4, 4, 4 }, { 8, 8, 8 } } };
  const auto mesh = [&](int ratio, const std::vector<Box>& coarse, double shift = 0.0)
  {
    std::vector<AmrMeshLevel> levels = levels_of(8, { { 1, 1, 1 }, { ratio, ratio, ratio } }, { coarse, part });
    levels[0].grid.origin[1] += shift;
    levels[1].grid.origin[1] += shift;
    return mesh_of(levels);
  };
  const auto refused = [](const auto& a, const auto& b)
  {
    const Result<std::shared_ptr<const AmrMesh>> common = MovingLevels().common(a, b);
    return common ? std::string() : common.error().what;
  };
  EXPECT_THAT(refused(mesh(2, whole), mesh(4, whole)), testing::HasSubstr("level 1 has other cells"));
  EXPECT_THAT(refused(mesh(2, whole), mesh(2, whole, 0.1)), testing::HasSubstr("level 0 has other cells"));
  EXPECT_EQ(refused(mesh(2, whole), mesh(2, whole, 1e-12)), "");
  EXPECT_THAT(refused(mesh(2, whole), mesh(2, { { { 0, 0, 0 }, { 8, 8, 4 } } })), testing::HasSubstr("another part"));
}

} // namespace
} // namespace rivulet::test
