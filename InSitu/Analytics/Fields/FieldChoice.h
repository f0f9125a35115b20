// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The field and the variables that an analytics works on, checked, as a field of Rivulet.
///
///     const Result<ChosenField> chosen = choose_field(snapshot, { .variables = { "velocity" } });
///
/// Values in the middle of cells stay values of cells, or become values of nodes. The new grid has its nodes in the
/// middles of the cells.
///
///     +---+---+---+        o---o---o        its origin is half a cell further, it has as many nodes as the field had
///     | o | o | o |  -->   |   |   |        cells, and half a cell on each side of the domain is not covered
///     +---+---+---+        o---o---o
///
/// Curvilinear fields are chosen where the wish allows it. The places of the nodes are their last variable.
///
/// Fields with levels are chosen where the wish allows it. Their values stay values of cells, each level with its own.
///
/// Errors name field and variable, and are BadArgument.
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"
#include "rivulet_insitu_data.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace rivulet
{

struct FieldSelection
{
  std::string field{};                  ///< empty: the only one
  std::vector<std::string> variables{}; ///< empty: all
  std::optional<ScalarType> type{};     ///< of the values; by default as published, which must be floating-point
  bool cells_as_nodes = false;          ///< values in the middle of cells become values of nodes; not with levels
  bool says_cells = false;              ///< the option for such values is set
  bool levels = false;                  ///< the field may have levels
  bool curvilinear = false;             ///< the field may be curvilinear

  /// Whether it may be this variable of a field of this name.
  [[nodiscard]] bool wants(const std::string& of, const std::string& variable) const
  {
    return (field.empty() || field == of) &&
           (variables.empty() || std::find(variables.begin(), variables.end(), variable) != variables.end());
  }
};

struct ChosenField
{
  static constexpr int kPoints = -1; ///< in place of a number: the places of the nodes

  const rivulet_field* field = nullptr;
  std::vector<int> numbers; ///< of the variables in the field; the last of a curvilinear one is kPoints
  FieldInfo info;           ///< of the whole domain, on the coarsest level; without times

  [[nodiscard]] Int3 lattice() const { return info.grid.lattice(info.variables.front().centering); }
  [[nodiscard]] bool is_points(std::size_t variable) const { return numbers[variable] == kPoints; }
  [[nodiscard]] bool has_levels() const { return field->levels > 1; }
};

/// Cells of a level along an axis: number along the whole domain, and number along one cell of the coarsest level.
[[nodiscard]] std::int64_t cells_of_level(const rivulet_field& field, std::int32_t level, std::size_t axis);
[[nodiscard]] std::int64_t cells_per_coarsest(const rivulet_field& field, std::int32_t level, std::size_t axis);

/// Refuses fields with levels unless the wish allows them, too large ones, blocks outside of the domain, and variables
/// without values.
[[nodiscard]] Result<ChosenField> choose_field(const rivulet_snapshot& snapshot, const FieldSelection& wish);

} // namespace rivulet
