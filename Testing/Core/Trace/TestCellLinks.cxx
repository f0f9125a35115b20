// SPDX-License-Identifier: BSD-3-Clause
// Links of cells are the same whether they are found face by face or together, and only between cells of which two have
// a face.
#include "Core/Trace/CellMesh.h"

#include <gmock/gmock.h>
#include <thread>

namespace rivulet::test
{
namespace
{

CellNodes nodes_of(const CellMesh& mesh, int dimension = 3)
{
  Result<CellNodes> nodes = CellNodes::create(mesh.arrays().cells, mesh.points(), {}, dimension);
  EXPECT_TRUE(nodes.has_value());
  return *std::move(nodes);
}

CellLinks unknown_links(const CellNodes& nodes)
{
  Result<CellLinks> links = CellLinks::create(nodes);
  EXPECT_TRUE(links.has_value());
  return *std::move(links);
}

/// Of all faces, one after the other, each with a look at all cells.
CellLinks found_one_by_one(const CellNodes& nodes)
{
  CellLinks links = unknown_links(nodes);
  for (std::int64_t cell = 0; cell < nodes.cells(); ++cell)
  {
    for (int face = 0; face < faces_of(nodes.type(cell).shape).count; ++face)
    {
      SameFaces same(nodes, cell, face);
      for (std::int64_t other = 0; other < nodes.cells(); ++other)
      {
        same.look_at(other);
      }
      links.keep(same);
    }
  }
  return links;
}

CellLinks found_together(const CellNodes& nodes, std::int64_t points)
{
  CellLinks links = unknown_links(nodes);
  links.find_all(nodes, points, 2);
  return links;
}

/// Calls use(cell, face) for all.
template <class Use>
void for_each_face(const CellNodes& nodes, const Use& use)
{
  for (std::int64_t cell = 0; cell < nodes.cells(); ++cell)
  {
    for (int face = 0; face < faces_of(nodes.type(cell).shape).count; ++face)
    {
      use(cell, face);
    }
  }
}

/// Numbers of cells beyond the faces of all cells.
std::vector<std::int64_t> all_of(const CellNodes& nodes, const CellLinks& links)
{
  std::vector<std::int64_t> all;
  for_each_face(nodes, [&](std::int64_t cell, int face) { all.push_back(links.beyond(cell, face)); });
  return all;
}

/// Tetrahedra on one triangle, each with a tip of its own.
CellMesh around_one_triangle(int cells)
{
  CellMesh mesh;
  mesh.add_point({ 0, 0, 0 });
  mesh.add_point({ 1, 0, 0 });
  mesh.add_point({ 0, 1, 0 });
  for (int i = 0; i < cells; ++i)
  {
    mesh.add_cell(10, { 0, 1, 2, mesh.add_point({ 0.1 * i, 0.1, i % 2 == 0 ? 1.0 : -1.0 }) });
  }
  return mesh;
}

/// Two triangles over and over, of which one side is free.
CellMesh plane(int cubes)
{
  CellMesh mesh;
  for (int i = 0; i < (cubes + 1) * (cubes + 1); ++i)
  {
    mesh.add_point({ 1.0 / 3 * (i % (cubes + 1)), 1.0 / 3 * (i / (cubes + 1)), 0.7 });
  }
  for (std::int64_t j = 0; j < cubes; ++j)
  {
    for (std::int64_t i = 0; i < cubes; ++i)
    {
      const std::int64_t at = j * (cubes + 1) + i;
      mesh.add_cell(5, { at, at + 1, at + cubes + 1 });
      mesh.add_cell(5, { at + 1, at + cubes + 2, at + cubes + 1 });
    }
  }
  return mesh;
}

} // namespace

TEST(CellLinks, AreNotKnownAtFirst)
{
  const CellMesh mesh(CellMesh::Kind::Mixed, 2);
  const CellNodes nodes = nodes_of(mesh);
  EXPECT_THAT(all_of(nodes, unknown_links(nodes)), testing::Each(CellLinks::kUnknown));
}

TEST(CellLinks, AreTheSameFaceByFaceAndTogether)
{
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    CellMesh mesh(kind, 4);
    mesh.mirror_some();
    mesh.shuffle();
    const CellNodes nodes = nodes_of(mesh);
    const std::vector<std::int64_t> together = all_of(nodes, found_together(nodes, mesh.points()));
    EXPECT_EQ(all_of(nodes, found_one_by_one(nodes)), together);
    EXPECT_THAT(together, testing::Each(testing::Ge(CellLinks::kNone)));
    EXPECT_THAT(together, testing::Contains(CellLinks::kNone));
    EXPECT_THAT(together, testing::Contains(testing::Gt(CellLinks::kNone)));
  }
}

TEST(CellLinks, KnowBothSidesOfAFaceThatIsFound)
{
  const CellMesh mesh = around_one_triangle(2);
  const CellNodes nodes = nodes_of(mesh);
  const std::vector<std::int64_t> together = all_of(nodes, found_together(nodes, mesh.points()));
  const auto face = static_cast<int>(std::find(together.begin(), together.end(), 1) - together.begin());
  ASSERT_LT(face, 4) << "the first cell has the second one beyond a face";
  CellLinks links = unknown_links(nodes);
  SameFaces same(nodes, 0, face);
  same.look_at(0);
  same.look_at(1);
  links.keep(same);
  EXPECT_EQ(links.beyond(0, face), 1);
  EXPECT_GE(links.face_to(1, 4, 0), 0);
}

TEST(CellLinks, AreNoneWhereThreeCellsShareAFace)
{
  for (const int cells : { 1, 3, 4 })
  {
    const CellMesh mesh = around_one_triangle(cells);
    const CellNodes nodes = nodes_of(mesh);
    EXPECT_THAT(all_of(nodes, found_one_by_one(nodes)), testing::Each(CellLinks::kNone));
    EXPECT_THAT(all_of(nodes, found_together(nodes, mesh.points())), testing::Each(CellLinks::kNone));
  }
}

TEST(CellLinks, AreNoneBetweenTwoFacesOfOneCell)
{
  CellMesh mesh;
  for (const Vec3& x : { Vec3{ 0, 0, 0 }, Vec3{ 1, 0, 0 }, Vec3{ 0, 1, 0 }, Vec3{ 0, 0, 1 } })
  {
    mesh.add_point(x);
  }
  mesh.add_cell(10, { 0, 1, 2, 2 }); // no volume: a triangle twice
  mesh.add_cell(10, { 0, 1, 2, 3 });
  const CellNodes nodes = nodes_of(mesh);
  EXPECT_THAT(all_of(nodes, found_one_by_one(nodes)), testing::Each(CellLinks::kNone));
  EXPECT_THAT(all_of(nodes, found_together(nodes, mesh.points())), testing::Each(CellLinks::kNone));
}

// Cells that were just made find links by a search in their boxes, until they have looked at many.
TEST(CellLinks, AreFoundBySearchesInBoxes)
{
  std::vector<std::pair<CellMesh, int>> meshes{ { plane(3), 2 } };
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    for (const double far : { 0.0, 1e7 })
    {
      CellMesh mesh(kind, 3, kind == CellMesh::Kind::Voxels ? 0.0 : 0.3);
      mesh.move([&](const Vec3& x) { return Vec3{ far + x[0] / 3, x[1], 1e-3 * x[2] }; });
      mesh.shuffle();
      meshes.emplace_back(std::move(mesh), 3);
    }
  }
  for (const auto& [mesh, dimension] : meshes)
  {
    const CellNodes nodes = nodes_of(mesh, dimension);
    const CellLinks expected = found_together(nodes, mesh.points());
    for_each_face(nodes,
        [&, &of = mesh, in = dimension](std::int64_t cell, int face)
        {
          const auto cells = of.cells({ .dimension = in });
          const std::int64_t next = cells->beyond(cell, face);
          ASSERT_EQ(next, expected.beyond(cell, face)) << "cell " << cell << ", face " << face;
          if (next >= 0)
          {
            const int back = cells->face_back(next, cell);
            ASSERT_GE(back, 0);
            EXPECT_EQ(expected.beyond(next, back), cell);
          }
        });
  }
}

TEST(CellLinks, AreTheSameForThreadsThatAskTogether)
{
  CellMesh mesh(CellMesh::Kind::Mixed, 6, 0.2);
  mesh.shuffle();
  const CellNodes nodes = nodes_of(mesh);
  const CellLinks together = found_together(nodes, mesh.points());
  std::vector<std::int64_t> expected;
  for_each_face(nodes,
      [&](std::int64_t cell, int face)
      {
        const std::int64_t next = together.beyond(cell, face);
        expected.push_back(next);
        expected.push_back(next < 0 ? -1 : together.face_to(next, faces_of(nodes.type(next).shape).count, cell));
      });
  const auto cells = mesh.cells({ .threads = 2 });
  std::array<std::vector<std::int64_t>, 4> found;
  std::vector<std::thread> threads;
  for (std::vector<std::int64_t>& own : found)
  {
    threads.emplace_back(
        [&]
        {
          for_each_face(nodes,
              [&](std::int64_t cell, int face)
              {
                const std::int64_t next = cells->beyond(cell, face);
                own.push_back(next);
                own.push_back(next < 0 ? -1 : cells->face_back(next, cell));
              });
        });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
  EXPECT_THAT(found, testing::Each(expected));
}

} // namespace rivulet::test
