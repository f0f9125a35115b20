// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Unstructured cells of any shape, made of the cubes of a lattice, with values at their points.
///
///     CellMesh mesh(CellMesh::Kind::Wedges, 5, 0.15);
///     mesh.move([](const Vec3& x) { return ...; });
///     auto cells = mesh.cells();
#pragma once

#include "Trace/Mesh/UnstructuredCells.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>

namespace rivulet::test
{

class CellMesh
{
public:
  enum class Kind
  {
    Tetrahedra,
    Pyramids,
    Wedges,
    Hexahedra,
    Voxels,
    Mixed ///< hexahedra, columns of wedges, and pyramids: all faces match
  };
  static constexpr Kind kAll[] = { Kind::Tetrahedra, Kind::Pyramids, Kind::Wedges, Kind::Hexahedra, Kind::Voxels,
    Kind::Mixed };

  /// [0, 1]^3 of `cubes` along each axis, whose inner points are moved by up to `moved` of a cube's side.
  CellMesh(Kind kind, int cubes, double moved = 0.0)
    : side_(cubes + 1)
  {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> share(-moved, moved);
    for (int i = 0; i < side_ * side_ * side_; ++i)
    {
      const Int3 at = from_row_major(i, { side_, side_, side_ });
      Vec3 x;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        const bool inner = at[axis] > 0 && at[axis] < cubes;
        x[axis] = (at[axis] + (inner ? share(random) : 0.0)) / cubes;
      }
      add_point(x);
    }
    for (int i = 0; i < cubes * cubes * cubes; ++i)
    {
      cut(kind, from_row_major(i, { cubes, cubes, cubes }));
    }
  }
  /// No cells yet.
  CellMesh() = default;

  std::int64_t add_point(const Vec3& x)
  {
    points_.insert(points_.end(), x.begin(), x.end());
    return points() - 1;
  }
  void add_cell(int type, const std::vector<std::int64_t>& nodes)
  {
    connectivity_.insert(connectivity_.end(), nodes.begin(), nodes.end());
    offsets_.push_back(static_cast<std::int64_t>(connectivity_.size()));
    types_.push_back(static_cast<std::uint8_t>(type));
  }
  void move(const std::function<Vec3(const Vec3&)>& to)
  {
    for (std::int64_t i = 0; i < points(); ++i)
    {
      const Vec3 x = to(point(i));
      std::copy(x.begin(), x.end(), points_.begin() + 3 * i);
    }
  }
  /// Turns each second cell inside out.
  void mirror_some()
  {
    for (std::size_t cell = 0; cell < types_.size(); cell += 2)
    {
      const auto first = connectivity_.begin() + offsets_[cell];
      switch (types_[cell])
      {
      case 10:
        std::swap(first[0], first[1]);
        break;
      case 11:
        std::swap_ranges(first, first + 4, first + 4);
        break;
      case 12:
        std::swap_ranges(first, first + 4, first + 4);
        break;
      case 13:
        std::swap_ranges(first, first + 3, first + 3);
        break;
      default:
        std::swap(first[1], first[3]);
      }
    }
  }
  /// Numbers cells and points in another order.
  void shuffle()
  {
    std::mt19937_64 random(11);
    std::vector<std::int64_t> place(static_cast<std::size_t>(points()));
    std::iota(place.begin(), place.end(), 0);
    std::shuffle(place.begin(), place.end(), random);
    std::vector<double> moved(points_.size());
    for (std::size_t i = 0; i < place.size(); ++i)
    {
      std::copy_n(points_.begin() + static_cast<std::ptrdiff_t>(3 * i), 3, moved.begin() + 3 * place[i]);
    }
    std::vector<std::int64_t> order(types_.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    CellMesh other;
    other.points_ = std::move(moved);
    for (const std::int64_t cell : order)
    {
      std::vector<std::int64_t> nodes = nodes_of(cell);
      std::transform(nodes.begin(), nodes.end(), nodes.begin(),
          [&](std::int64_t node) { return place[static_cast<std::size_t>(node)]; });
      other.add_cell(types_[static_cast<std::size_t>(cell)], nodes);
    }
    *this = std::move(other);
  }

  [[nodiscard]] std::int64_t points() const { return static_cast<std::int64_t>(points_.size() / 3); }
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(types_.size()); }
  [[nodiscard]] Vec3 point(std::int64_t i) const
  {
    const double* const x = points_.data() + 3 * i;
    return { x[0], x[1], x[2] };
  }
  [[nodiscard]] std::vector<std::int64_t> nodes_of(std::int64_t cell) const
  {
    const auto i = static_cast<std::size_t>(cell);
    return { connectivity_.begin() + offsets_[i], connectivity_.begin() + offsets_[i + 1] };
  }
  /// Of all points.
  [[nodiscard]] std::vector<double> values(const std::function<Vec3(const Vec3&)>& of) const
  {
    std::vector<double> all;
    for (std::int64_t i = 0; i < points(); ++i)
    {
      const Vec3 v = of(point(i));
      all.insert(all.end(), v.begin(), v.end());
    }
    return all;
  }
  [[nodiscard]] UnstructuredCells::Arrays arrays() const
  {
    UnstructuredCells::Arrays arrays;
    arrays.cells = { count(), { offsets_.data(), true, count() + 1 },
      { connectivity_.data(), true, static_cast<std::int64_t>(connectivity_.size()) }, types_.data(), nullptr };
    arrays.points = { points_.data(), ScalarType::Float64, points(), nullptr };
    return arrays;
  }
  /// The mesh must outlive them.
  [[nodiscard]] std::shared_ptr<const UnstructuredCells> cells(UnstructuredCells::Options options = {}) const
  {
    Result<std::shared_ptr<const UnstructuredCells>> made = UnstructuredCells::create(arrays(), std::move(options));
    EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().describe());
    return *made;
  }

private:
  void cut(Kind kind, const Int3& cube)
  {
    std::array<std::int64_t, 8> c;
    Vec3 middle{ 0, 0, 0 };
    for (int corner = 0; corner < 8; ++corner)
    {
      const Int3 node{ cube[0] + (corner & 1), cube[1] + (corner >> 1 & 1), cube[2] + (corner >> 2) };
      c[static_cast<std::size_t>(corner)] = row_major(node, { side_, side_, side_ });
      const Vec3 x = point(c[static_cast<std::size_t>(corner)]);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        middle[axis] += x[axis] / 8;
      }
    }
    if (kind == Kind::Mixed)
    {
      const int column = (cube[0] + 2 * cube[1]) % 3;
      kind = column == 0 ? Kind::Wedges : (column + cube[2]) % 2 == 0 ? Kind::Pyramids : Kind::Hexahedra;
    }
    switch (kind)
    {
    case Kind::Tetrahedra:
      for (const std::array<std::size_t, 2>& way :
          { std::array<std::size_t, 2>{ 1, 3 }, { 1, 5 }, { 2, 3 }, { 2, 6 }, { 4, 5 }, { 4, 6 } })
      {
        add_cell(10, { c[0], c[way[0]], c[way[1]], c[7] });
      }
      break;
    case Kind::Pyramids:
    {
      const std::int64_t apex = add_point(middle);
      for (const std::array<std::size_t, 4>& base : { std::array<std::size_t, 4>{ 0, 2, 6, 4 }, { 1, 3, 7, 5 },
               { 0, 1, 5, 4 }, { 2, 3, 7, 6 }, { 0, 1, 3, 2 }, { 4, 5, 7, 6 } })
      {
        add_cell(14, { c[base[0]], c[base[1]], c[base[2]], c[base[3]], apex });
      }
      break;
    }
    case Kind::Wedges:
      add_cell(13, { c[0], c[1], c[3], c[4], c[5], c[7] });
      add_cell(13, { c[0], c[3], c[2], c[4], c[7], c[6] });
      break;
    case Kind::Voxels:
      add_cell(11, { c.begin(), c.end() });
      break;
    default:
      add_cell(12, { c[0], c[1], c[3], c[2], c[4], c[5], c[7], c[6] });
    }
  }

  int side_ = 0; ///< nodes along each axis
  std::vector<double> points_;
  std::vector<std::int64_t> connectivity_;
  std::vector<std::int64_t> offsets_{ 0 };
  std::vector<std::uint8_t> types_;
};

} // namespace rivulet::test
