// SPDX-License-Identifier: BSD-3-Clause
// Unstructured cells: each place is found, in the right cell, and linear fields are exact, in cells of all shapes.
#include "Core/Trace/BentLattice.h"
#include "Core/Trace/CellMesh.h"

#include <cmath>
#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

using testing::HasSubstr;

constexpr int kCubes = 5;

/// The place that nodes with these weights have, and the sum of the weights.
struct Weighed
{
  Vec3 place{ 0, 0, 0 };
  double sum = 0.0;
  double least = HUGE_VAL;
};
Weighed weighed(const CellMesh& mesh, const CellWeights& at)
{
  Weighed all;
  for (std::size_t i = 0; i < at.nodes.size(); ++i)
  {
    const Vec3 x = mesh.point(at.nodes[i]);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      all.place[axis] += at.weights[i] * x[axis];
    }
    all.sum += at.weights[i];
    all.least = std::min(all.least, at.weights[i]);
  }
  return all;
}

void expect_found(const CellMesh& mesh, const UnstructuredCells& cells, const Vec3& world, double size = 1.0)
{
  CellWeights at;
  const std::int64_t cell = cells.find(world, -1, at);
  ASSERT_GE(cell, 0) << world[0] << ' ' << world[1] << ' ' << world[2];
  EXPECT_THAT(at.nodes, testing::UnorderedElementsAreArray(mesh.nodes_of(cell)));
  const Weighed all = weighed(mesh, at);
  EXPECT_NEAR(all.sum, 1.0, 1e-13);
  EXPECT_GE(all.least, -1e-6);
  EXPECT_LT(distance(all.place, world), 1e-11 * size);
}

/// An affine map, so that plane faces stay plane.
Vec3 skewed(const Vec3& x)
{
  return { 3 + x[0] + 0.4 * x[1], 1 - 2 * x[1] + 0.3 * x[2], 5 * x[2] + 0.1 * x[0] };
}

} // namespace

TEST(UnstructuredCells, FindEachPlaceInItsCell)
{
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    for (const double moved : { 0.0, 0.2 })
    {
      if (kind == CellMesh::Kind::Voxels && moved > 0.0)
      {
        continue; // they are boxes
      }
      const CellMesh mesh(kind, kCubes, moved);
      const auto cells = mesh.cells();
      Points points;
      for (int i = 0; i < 2000; ++i)
      {
        expect_found(mesh, *cells, points.next());
      }
      CellWeights at;
      EXPECT_EQ(cells->find({ 1.001, 0.5, 0.5 }, -1, at), -1);
      EXPECT_EQ(cells->find({ 0.5, 0.5, -0.001 }, 3, at), -1);
    }
  }
}

TEST(UnstructuredCells, FindTheSameCellFromAnyOther)
{
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    const CellMesh mesh(kind, kCubes, kind == CellMesh::Kind::Voxels ? 0.0 : 0.2);
    const auto cells = mesh.cells();
    Points points;
    int walks = 0;
    for (int i = 0; i < 2000; ++i)
    {
      const Vec3 world = points.next();
      const UnstructuredCells::Found sought = cells->seek(world);
      const std::int64_t before = points.cell(mesh.count());
      const UnstructuredCells::Found walked = cells->walk(world, before);
      CellWeights at;
      EXPECT_EQ(cells->find(world, before, at), sought.cell);
      if (walked.cell >= 0)
      {
        ++walks;
        EXPECT_EQ(walked.cell, sought.cell);
        EXPECT_EQ(walked.at, sought.at);
      }
    }
    EXPECT_GT(walks, 1400); // bent faces may mislead a long way
  }
}

TEST(UnstructuredCells, AreLinkedOverAllTheirFaces)
{
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    const CellMesh mesh(kind, kCubes);
    const auto cells = mesh.cells();
    std::int64_t on_border = 0;
    for (std::int64_t cell = 0; cell < mesh.count(); ++cell)
    {
      const CellShape shape = cells->table().type(cell).shape;
      for (int face = 0; face < faces_of(shape).count; ++face)
      {
        const std::int64_t next = cells->beyond(cell, face);
        on_border += next < 0 ? 1 : 0;
        if (next >= 0)
        {
          const int back = cells->face_back(next, cell);
          ASSERT_GE(back, 0);
          EXPECT_EQ(cells->beyond(next, back), cell);
        }
      }
    }
    const std::int64_t squares = 6 * kCubes * kCubes;
    if (kind == CellMesh::Kind::Tetrahedra)
    {
      EXPECT_EQ(on_border, 2 * squares);
    }
    else if (kind == CellMesh::Kind::Wedges)
    {
      EXPECT_EQ(on_border, squares + 2 * kCubes * kCubes); // triangles at the bottom and the top
    }
    else if (kind != CellMesh::Kind::Mixed)
    {
      EXPECT_EQ(on_border, squares);
    }
    EXPECT_LE(cells->bytes(), mesh.count() * (kind == CellMesh::Kind::Tetrahedra ? 32 : 64));
  }
}

TEST(UnstructuredCells, MayBeTurnedInsideOutSqueezedAndNumberedInAnyOrder)
{
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    const bool boxes = kind == CellMesh::Kind::Voxels;
    CellMesh mesh(kind, kCubes, boxes ? 0.0 : 0.2);
    if (!boxes)
    {
      mesh.mirror_some();
    }
    mesh.shuffle();
    const std::function<Vec3(const Vec3&)> maps[] = { [](const Vec3& x) {
                                                       return Vec3{ x[0], x[1], 1e-6 * x[2] };
                                                     },
      [](const Vec3& x) {
        return Vec3{ 1e-9 * x[0], 1e-9 * x[1], 1e-9 * x[2] };
      },
      [](const Vec3& x) {
        return Vec3{ 1e12 * x[0], 1e12 * x[1], 1e12 * x[2] };
      },
      skewed };
    for (const auto& map : maps)
    {
      CellMesh mapped = mesh;
      mapped.move(map);
      const auto cells = mapped.cells();
      const double size = distance(map({ 0, 0, 0 }), map({ 1, 1, 1 }));
      Points points;
      for (int i = 0; i < 300; ++i)
      {
        expect_found(mapped, *cells, map(points.next(0.01, 0.99)), size);
      }
    }
  }
}

/// Wedges and pyramids reproduce linear fields, too; their weights are those of VTK's shape functions.
TEST(UnstructuredCells, HaveExactGradientsOfLinearFields)
{
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    const CellMesh mesh(kind, kCubes, kind == CellMesh::Kind::Voxels ? 0.0 : 0.2);
    const auto cells = mesh.cells();
    Points points;
    for (int i = 0; i < 500; ++i)
    {
      const Vec3 world = points.next();
      CellWeights at;
      const std::int64_t cell = cells->find(world, -1, at);
      cells->weigh(cell, world, true, at);
      Vec3 sum{ 0, 0, 0 };
      for (std::size_t node = 0; node < at.nodes.size(); ++node)
      {
        const Vec3 x = mesh.point(at.nodes[node]);
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          sum[axis] += (2 * x[0] - 3 * x[1] + 0.5 * x[2]) * at.gradients[node][axis];
        }
      }
      EXPECT_LT(distance(sum, { 2, -3, 0.5 }), 1e-11);
    }
  }
}

TEST(UnstructuredCells, HaveTheirCornersAndTheApexOfAPyramid)
{
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    const CellMesh mesh(kind, 2, kind == CellMesh::Kind::Voxels ? 0.0 : 0.1);
    const auto cells = mesh.cells();
    for (std::int64_t point = 0; point < mesh.points(); ++point)
    {
      expect_found(mesh, *cells, mesh.point(point));
    }
    for (std::int64_t cell = 0; cell < mesh.count(); ++cell) // from a cell that has the point as a corner
    {
      for (const std::int64_t node : mesh.nodes_of(cell))
      {
        CellWeights at;
        ASSERT_GE(cells->find(mesh.point(node), cell, at), 0);
        EXPECT_LT(distance(weighed(mesh, at).place, mesh.point(node)), 1e-10);
      }
    }
  }
}

/// A pyramid whose base is bent, from a mesh of random nodes: the way to its coordinates leads beyond the cell.
TEST(UnstructuredCells, FindPlacesInABentPyramid)
{
  CellMesh mesh;
  for (const Vec3& point : { Vec3{ -0.61014881, -0.31285544, -0.36727989 }, { -0.67403127, -0.45382143, 0.03063788 },
           { -0.62828687, 0.10959104, -0.07584524 }, { -0.72882549, -0.08402365, -0.4117171 },
           { -0.83016156, -0.17597202, -0.18635888 } })
  {
    mesh.add_point(point);
  }
  mesh.add_cell(14, { 0, 1, 2, 3, 4 });
  const auto cells = mesh.cells();
  expect_found(mesh, *cells, { -0.72206145, -0.34693805, -0.07507115 });
  const ShapeCorners corners = cells->corners(0);
  Points points;
  for (int i = 0; i < 2000; ++i)
  {
    const Vec3 share = points.next();
    const ShapeWeights weights = weights_of(CellShape::Pyramid, { share[0] * share[2], share[1] * share[2], share[2] });
    Vec3 world{ 0, 0, 0 };
    for (std::size_t corner = 0; corner < 5; ++corner)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        world[axis] += weights[corner] * corners[corner][axis];
      }
    }
    expect_found(mesh, *cells, world);
  }
}

/// A cube beside four: no face of one is a face of the others.
TEST(UnstructuredCells, AreFoundBeyondFacesThatDoNotMatch)
{
  CellMesh mesh;
  const auto point = [&](double x, double y, double z)
  {
    return mesh.add_point({ x, y, z });
  };
  const auto box = [&](double x, double y, double z, double side)
  {
    std::vector<std::int64_t> nodes;
    for (int corner = 0; corner < 8; ++corner)
    {
      nodes.push_back(point(x + side * (corner & 1), y + side * (corner >> 1 & 1), z + side * (corner >> 2)));
    }
    mesh.add_cell(11, nodes);
  };
  box(0, 0, 0, 2);
  for (int i = 0; i < 4; ++i)
  {
    box(2, i & 1, i >> 1, 1);
  }
  const auto cells = mesh.cells();
  CellWeights at;
  EXPECT_EQ(cells->find({ 2.5, 1.5, 0.5 }, 0, at), 2);
  EXPECT_EQ(cells->find({ 1.5, 1.5, 0.5 }, 4, at), 0);
  EXPECT_EQ(cells->find({ 2.0, 1.5, 0.5 }, 4, at), 0); // the first that has it
}

TEST(UnstructuredCells, OfAPlaneHaveThePlacesInIt)
{
  for (const int type : { 5, 8, 9 })
  {
    CellMesh mesh;
    constexpr int kSide = 6;
    const auto place = [](double x, double y)
    {
      return Vec3{ x, y, 0.25 + 0.5 * x - 0.125 * y }; // a plane that is not along the axes
    };
    for (int i = 0; i < kSide * kSide; ++i)
    {
      mesh.add_point(place(i % kSide, i / kSide)); // NOLINT(bugprone-integer-division): the row
    }
    for (int y = 0; y + 1 < kSide; ++y)
    {
      for (int x = 0; x + 1 < kSide; ++x)
      {
        const std::int64_t low = y * kSide + x;
        switch (type)
        {
        case 5:
          mesh.add_cell(5, { low, low + 1, low + kSide });
          mesh.add_cell(5, { low + 1, low + kSide + 1, low + kSide });
          break;
        case 8:
          mesh.add_cell(8, { low, low + 1, low + kSide, low + kSide + 1 });
          break;
        default:
          mesh.add_cell(9, { low, low + 1, low + kSide + 1, low + kSide });
        }
      }
    }
    mesh.add_point({ 1e20, 0, 0 }); // of no cell
    const auto cells = mesh.cells({ .dimension = 2 });
    Points points;
    for (int i = 0; i < 500; ++i)
    {
      const Vec3 share = points.next();
      const Vec3 world = place(5 * share[0], 5 * share[1]);
      expect_found(mesh, *cells, world);
      CellWeights at;
      const UnstructuredCells::Found walked = cells->walk(world, points.cell(mesh.count()));
      EXPECT_EQ(walked.cell, cells->seek(world).cell);
      EXPECT_EQ(cells->find({ world[0], world[1], world[2] + 1e-3 }, -1, at), -1);
      EXPECT_EQ(cells->find({ world[0], world[1], world[2] + 1e-3 }, walked.cell, at), -1);
    }
  }
}

TEST(UnstructuredCells, ThatAreLeftOutAreNeverFound)
{
  const CellMesh mesh(CellMesh::Kind::Hexahedra, kCubes);
  std::vector<bool> left_out(static_cast<std::size_t>(mesh.count()), false);
  left_out[62] = true; // the middle one
  const auto cells = mesh.cells({ .left_out = left_out });
  CellWeights at;
  EXPECT_EQ(cells->find({ 0.5, 0.5, 0.5 }, -1, at), -1);
  EXPECT_EQ(cells->find({ 0.5, 0.5, 0.5 }, 61, at), -1);
  EXPECT_EQ(cells->find({ 0.7, 0.5, 0.5 }, 61, at), 63);
}

/// Two cells at one place: the faces they share with a third do not say which is next.
TEST(UnstructuredCells, ThatAreThereTwiceCountOnce)
{
  CellMesh mesh(CellMesh::Kind::Hexahedra, 3);
  mesh.add_cell(12, mesh.nodes_of(13));
  const auto cells = mesh.cells();
  CellWeights at;
  EXPECT_EQ(cells->find({ 0.5, 0.5, 0.5 }, -1, at), 13);
  EXPECT_EQ(cells->find({ 0.5, 0.5, 0.5 }, 12, at), 13);
  EXPECT_EQ(cells->find({ 0.9, 0.5, 0.5 }, 13, at), 14);
}

TEST(UnstructuredCells, WithoutAVolumeHaveNoPlaces)
{
  CellMesh mesh(CellMesh::Kind::Tetrahedra, 2);
  const std::int64_t first = mesh.count();
  mesh.add_cell(10, { 0, 1, 2, 2 });
  mesh.add_cell(10, { 0, 1, 3, 4 }); // in a plane
  const auto cells = mesh.cells();
  Points points;
  for (int i = 0; i < 300; ++i)
  {
    CellWeights at;
    const std::int64_t cell = cells->find(points.next(), points.cell(mesh.count()), at);
    EXPECT_GE(cell, 0);
    EXPECT_LT(cell, first);
  }
}

TEST(UnstructuredCells, OfBadArraysAreRefusedByName)
{
  const auto refused = [](const CellMesh& mesh)
  {
    const auto made = UnstructuredCells::create(mesh.arrays(), {});
    return made ? std::string() : made.error().describe();
  };
  CellMesh beyond(CellMesh::Kind::Tetrahedra, 2);
  beyond.add_cell(10, { 0, 1, 2, 27 });
  EXPECT_THAT(refused(beyond), HasSubstr("cell 48, a tetrahedron, has the point 27; there are 27"));
  CellMesh few(CellMesh::Kind::Hexahedra, 2);
  few.add_cell(12, { 0, 1, 2 });
  EXPECT_THAT(refused(few), HasSubstr("cell 8, a hexahedron, has 3 points instead of 8"));
  CellMesh before(CellMesh::Kind::Hexahedra, 2);
  before.add_cell(10, { 0, 1, 2, -1 });
  EXPECT_THAT(refused(before), HasSubstr("has the point -1"));
  EXPECT_THAT(refused(before), HasSubstr("Mend the file"));

  const CellMesh mesh(CellMesh::Kind::Tetrahedra, 1);
  const std::vector<std::int64_t> offsets{ 0, 4, 8, 4, 16, 20, 24 };
  UnstructuredCells::Arrays arrays = mesh.arrays();
  arrays.cells.offsets.data = offsets.data();
  EXPECT_THAT(
      UnstructuredCells::create(arrays, {}).error().describe(), HasSubstr("the points of cell 2 lie at 8 to 4"));
  arrays.cells.offsets.count = 6;
  EXPECT_THAT(UnstructuredCells::create(arrays, {}).error().describe(), HasSubstr("there are 6 cells, and 6 numbers"));
}

} // namespace rivulet::test
