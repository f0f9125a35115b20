// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Description of a field without its values: its grid, its variables, its times.
#pragma once

#include "Base/Box.h"

#include <cstddef>
#include <string>
#include <vector>

namespace rivulet
{

enum class ScalarType : std::uint8_t
{
  Float32,
  Float64
};

[[nodiscard]] constexpr std::size_t size_of(ScalarType type)
{
  return type == ScalarType::Float32 ? 4 : 8;
}

/// Types of whole numbers. A field holds them as floats or doubles (WholeType.h); users get them as they were.
enum class WholeType : std::uint8_t
{
  None,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64
};

enum class Centering : std::uint8_t
{
  Node, ///< one value per grid node; the lattice has as many points as the grid has nodes
  Cell  ///< one value per grid cell; the lattice has one point less along each axis longer than one node
};

/// The geometry of a structured grid. A node (i, j, k), counted from (0, 0, 0) at the grid's corner, has the index
/// first + (i, j, k), and lies in the world at
///   uniform:      origin + direction * (spacing .* (first + (i, j, k)))        (vtkImageData's convention)
///   rectilinear:  (axes[0][i], axes[1][j], axes[2][k])
///   curvilinear:  anywhere; a variable has the places (FieldInfo::points)
/// Units of length are the user's own.
struct Grid
{
  enum class Kind : std::uint8_t
  {
    Uniform,
    Rectilinear,
    Curvilinear
  };
  Kind kind = Kind::Uniform;
  Int3 nodes{ 1, 1, 1 }; ///< nodes along each axis, at least 1
  Int3 first{ 0, 0, 0 }; ///< index of the corner node: the start of VTK's extent
  Vec3 origin{ 0, 0, 0 };
  Vec3 spacing{ 1, 1, 1 }; ///< may be negative, never zero
  Mat3 direction{ 1, 0, 0, 0, 1, 0, 0, 0, 1 };
  std::array<std::vector<double>, 3> axes; ///< rectilinear only: node positions, strictly monotonic

  /// Cells along each axis; an axis of one node has one (flat) cell, so that 2-D grids have cells.
  [[nodiscard]] Int3 cells() const
  {
    return { std::max(1, nodes[0] - 1), std::max(1, nodes[1] - 1), std::max(1, nodes[2] - 1) };
  }
  /// Number of value positions along each axis for the given centering.
  [[nodiscard]] Int3 lattice(Centering centering) const { return centering == Centering::Node ? nodes : cells(); }

  friend bool operator==(const Grid&, const Grid&) = default;
};

/// One named array of a field.
struct Variable
{
  std::string name;
  ScalarType type = ScalarType::Float32;
  std::int32_t components = 1; ///< 1 to 9
  Centering centering = Centering::Node;
  WholeType whole = WholeType::None; ///< type for users, if the values are whole numbers; else None

  [[nodiscard]] std::size_t tuple_bytes() const { return size_of(type) * static_cast<std::size_t>(components); }

  /// Type of interpolated values. Doubles for whole numbers: rounded to one, a value may not depend on the type that
  /// holds them in the field.
  [[nodiscard]] ScalarType interpolated_type() const { return whole == WholeType::None ? type : ScalarType::Float64; }
  [[nodiscard]] std::size_t interpolated_bytes() const
  {
    return size_of(interpolated_type()) * static_cast<std::size_t>(components);
  }
};

/// Smallest and largest finite value of each component, then of the vector magnitude, over all steps.
/// Empty where unknown.
struct ValueRanges
{
  std::vector<std::array<double, 2>> components;
  std::array<double, 2> magnitude{ 0, 0 };
};

/// A field without its values.
struct FieldInfo
{
  Grid grid;
  std::vector<Variable> variables;
  std::vector<double> times;       ///< physical time of each step, strictly increasing; never empty
  std::vector<ValueRanges> ranges; ///< one per variable; its components are empty where the range is not known

  /// Curvilinear grids: number of the variable with the places of the nodes (x, y, z), which is the last one. Else -1.
  std::int32_t points = -1;
  /// By step: the step that has its places, itself or the one of the step before. Empty: each step has its own.
  std::vector<std::int32_t> points_steps;

  /// The step at which the values of a variable at a step are stored.
  [[nodiscard]] std::int32_t stored_step(std::int32_t variable, std::int32_t step) const
  {
    return variable == points && !points_steps.empty() ? points_steps[static_cast<std::size_t>(step)] : step;
  }
  [[nodiscard]] bool is_stored(std::int32_t variable, std::int32_t step) const
  {
    return stored_step(variable, step) == step;
  }
  /// Number of steps with values of a variable of their own.
  [[nodiscard]] std::int64_t stored_steps(std::int32_t variable) const
  {
    std::int64_t count = 0;
    for (std::size_t step = 0; step < times.size(); ++step)
    {
      count += is_stored(variable, static_cast<std::int32_t>(step)) ? 1 : 0;
    }
    return count;
  }
};

} // namespace rivulet
