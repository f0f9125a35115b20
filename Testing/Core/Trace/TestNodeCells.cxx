// SPDX-License-Identifier: BSD-3-Clause
// Derivatives at the nodes of unstructured cells, and exponents by them: exact for linear maps, and those of the
// lattice where the cells are its own.
#include "Core/Trace/CellMesh.h"
#include "Trace/FlowMap/FlowMap.h"
#include "Trace/FlowMap/NodeCells.h"

namespace rivulet::test
{
namespace
{

/// A flow map given by a formula, at the points of a mesh.
FlowMap map_of(const CellMesh& mesh, const std::function<Vec3(const Vec3&)>& to)
{
  FlowMap map;
  map.lattice.nodes = { static_cast<std::int32_t>(mesh.points()), 1, 1 };
  map.times = { 0.0, 0.5 };
  for (std::int64_t i = 0; i < mesh.points(); ++i)
  {
    map.ends.push_back({ .point = to(mesh.point(i)), .reason = Termination::OutOfTime });
  }
  return map;
}

Vec3 bent(const Vec3& x)
{
  return { 2.0 * x[0] + std::sin(x[1]), x[1] * x[0] - 0.5 * x[2], std::exp(x[2]) + 0.3 * x[0] };
}

} // namespace

TEST(NodeCells, HaveExactDerivativesOfLinearValues)
{
  const Mat3 m{ 0.3, -1.0, 0.25, 1.5, 0.2, -2.0, -0.25, 0.5, -1.0 };
  for (const CellMesh::Kind kind : CellMesh::kAll)
  {
    SCOPED_TRACE(static_cast<int>(kind));
    CellMesh mesh(kind, 4, kind == CellMesh::Kind::Voxels ? 0.0 : 0.2);
    if (kind != CellMesh::Kind::Voxels)
    {
      mesh.mirror_some();
    }
    mesh.shuffle();
    const NodeCells around(mesh.cells(), 0.0);
    std::vector<Vec3> values;
    for (std::int64_t i = 0; i < mesh.points(); ++i)
    {
      const Vec3 x = mesh.point(i);
      EXPECT_EQ(around.place(i), x);
      values.push_back({ m[0] * x[0] + m[1] * x[1] + m[2] * x[2], m[3] * x[0] + m[4] * x[1] + m[5] * x[2] + 1.0,
          m[6] * x[0] + m[7] * x[1] + m[8] * x[2] });
    }
    ASSERT_EQ(around.nodes(), mesh.points());
    for (std::int64_t i = 0; i < mesh.points(); ++i)
    {
      const auto found = around.gradient(i, [&](std::int64_t node) { return &values[static_cast<std::size_t>(node)]; });
      ASSERT_TRUE(found.has_value()) << i;
      for (std::size_t k = 0; k < m.size(); ++k)
      {
        EXPECT_NEAR((*found)[k], m[k], 1e-11) << i;
      }
    }
  }
}

/// On the boxes of a rectilinear lattice, whose spacing differs.
TEST(NodeCells, GiveTheExponentsOfTheLattice)
{
  constexpr int kCubes = 7;
  CellMesh mesh(CellMesh::Kind::Voxels, kCubes);
  mesh.move([](const Vec3& x) { return Vec3{ x[0] * x[0], 2.0 * x[1], x[2] + 0.2 * x[2] * x[2] }; });
  FlowMap in_cells = map_of(mesh, bent);
  FlowMap in_lattice = in_cells;
  in_cells.cells = std::make_shared<const NodeCells>(mesh.cells(), 0.0);
  in_lattice.lattice.nodes = { kCubes + 1, kCubes + 1, kCubes + 1 };
  auto places = std::make_shared<std::vector<Vec3>>();
  for (std::int64_t i = 0; i < mesh.points(); ++i)
  {
    places->push_back(mesh.point(i));
  }
  in_lattice.places = places;
  const Buffer<double> expected = lyapunov_exponent(in_lattice, 1);
  for (const int threads : { 1, 3 })
  {
    const Buffer<double> found = lyapunov_exponent(in_cells, threads);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
    {
      ASSERT_NEAR(found[i], expected[i], 1e-12) << i;
    }
  }
}

/// Parts of a long row are those of the whole.
TEST(NodeCells, GiveTheSameExponentsForAnyThreads)
{
  CellMesh mesh(CellMesh::Kind::Tetrahedra, 24, 0.2);
  FlowMap map = map_of(mesh, bent);
  map.cells = std::make_shared<const NodeCells>(mesh.cells(), 0.0);
  const Buffer<double> one = lyapunov_exponent(map, 1);
  const Buffer<double> four = lyapunov_exponent(map, 4);
  ASSERT_EQ(one.size(), 15625U);
  for (std::size_t i = 0; i < one.size(); ++i)
  {
    ASSERT_EQ(one[i], four[i]);
    ASSERT_TRUE(std::isfinite(one[i]));
  }
}

/// A saddle, of which some particles did not arrive: no exponent there, and exact ones at points with a whole cell.
TEST(NodeCells, LeaveOutCellsWithoutAllEnds)
{
  const CellMesh mesh(CellMesh::Kind::Hexahedra, 5, 0.1);
  FlowMap map = map_of(mesh, [](const Vec3& x) { return Vec3{ x[0] * std::exp(0.35), x[1] * std::exp(-0.35), x[2] }; });
  for (std::int64_t i = 0; i < mesh.points(); ++i)
  {
    if (mesh.point(i)[0] > 0.5 || (i >= 36 && i < 39))
    {
      map.ends[static_cast<std::size_t>(i)].reason = Termination::OutOfDomain;
    }
  }
  map.cells = std::make_shared<const NodeCells>(mesh.cells(), 0.0);
  const Buffer<double> found = lyapunov_exponent(map, 1);
  int known = 0;
  for (std::int64_t i = 0; i < mesh.points(); ++i)
  {
    const double exponent = found[static_cast<std::size_t>(i)];
    const bool arrived = map.ends[static_cast<std::size_t>(i)].reason == Termination::OutOfTime;
    EXPECT_TRUE(arrived || std::isnan(exponent)) << i;
    known += std::isfinite(exponent) ? 1 : 0;
    EXPECT_TRUE(std::isnan(exponent) || std::fabs(exponent - 0.7) < 1e-12) << i;
  }
  EXPECT_GT(known, 80);
  EXPECT_TRUE(std::isnan(found[0])); // the corner's only cell has an end that is not known
}

} // namespace rivulet::test
