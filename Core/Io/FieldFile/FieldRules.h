// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Rules of a valid field, the same for writers and readers: about grids, variables and times, and about the cut of a
/// variable into bricks. Pure functions on plain values; any thread.
///
///     if (std::string defect = defect_of(info); !defect.empty()) return fail(ErrorCode::BadArgument, defect, ...);
///     Result<BrickLayout> layout = make_layout(info.grid, info.variables[0], { 9, 9, 9 });
#pragma once

#include "Io/FieldFile/FieldFile.h"

namespace rivulet
{

inline constexpr std::int32_t kMostNodes = 1 << 30; ///< along an axis, so that indices do not overflow
inline constexpr std::size_t kMostNameBytes = 255;
inline constexpr std::size_t kMostSteps = 1 << 24;
inline constexpr std::int64_t kMostBrickBytes = std::int64_t{ 1 } << 30;

/// The rule that is broken, in words; empty if none is.
[[nodiscard]] std::string defect_of(const Grid& grid);
[[nodiscard]] std::string defect_of(const std::vector<double>& times);
[[nodiscard]] std::string defect_of(const std::vector<Variable>& variables);
[[nodiscard]] std::string defect_of(const FieldInfo& info);

/// Makes the grid curvilinear, and adds the places of its nodes as the last variable, "points" or another free name.
/// They stay as they are at the first step.
void add_points(FieldInfo& info, ScalarType type);

/// Whether the numbers from index `from` on are finite and strictly monotonic, in the direction of the first two.
[[nodiscard]] bool go_one_way(const std::vector<double>& values, std::size_t from = 0);

/// a * b, or -1 if either is negative or the product reaches 2^62.
[[nodiscard]] std::int64_t checked_product(std::int64_t a, std::int64_t b);

/// Layout of a variable in bricks of `wanted` cells (kUsualBrick: the usual ones), limited to the grid, without steps.
/// Fails with BadArgument if sizes make no sense or overflow. The grid and the variable must have no defect.
[[nodiscard]] Result<BrickLayout> make_layout(
    const Grid& grid, const Variable& variable, const Int3& wanted, Encoding encoding = Encoding::Plain);

/// Name of a variable's group in a field file: '/' separates groups and a leading '.' means the group itself, so these
/// and '%' become %2F, %2E and %25.
[[nodiscard]] std::string link_name(const std::string& variable_name);

} // namespace rivulet
