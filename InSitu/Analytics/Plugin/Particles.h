// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The particles that an analytics works on, and their values by name.
///
///     Result<const rivulet_particles*> atoms = choose_particles(snapshot, "");      // the only set
///     Result<Column> speed = column_of(**atoms, { "vx" });
///     visit(*speed, [&](const auto* values, std::int64_t stride) { ... values[i * stride] ... });
///
/// Names of values: x, y, z, vx, vy, vz, id, type, and names of further arrays. Errors name set and value, and are
/// BadArgument. Nothing is owned.
#pragma once

#include "Base/Result.h"
#include "rivulet_insitu_data.h"

#include <string>
#include <vector>

namespace rivulet
{

/// The set of this name; with an empty name the only one.
[[nodiscard]] Result<const rivulet_particles*> choose_particles(
    const rivulet_snapshot& snapshot, const std::string& name);

struct ColumnName
{
  std::string name;
  std::int64_t component = 0; ///< of a further array
};

/// One number of each particle.
struct Column
{
  const void* values = nullptr; ///< may be null where there is no particle
  std::int32_t type = RIVULET_FLOAT64;
  std::int64_t stride = 1; ///< in values
  std::int64_t count = 0;
};

/// Refuses values that the simulation does not have, unless this rank has no particles.
[[nodiscard]] Result<Column> column_of(const rivulet_particles& particles, const ColumnName& wanted);

/// Calls function(pointer, stride) with a pointer to the column's type.
template <class Function>
void visit(const Column& column, const Function& function)
{
  switch (column.type)
  {
  case RIVULET_FLOAT32:
    return function(static_cast<const float*>(column.values), column.stride);
  case RIVULET_INT32:
    return function(static_cast<const std::int32_t*>(column.values), column.stride);
  case RIVULET_INT64:
    return function(static_cast<const std::int64_t*>(column.values), column.stride);
  case RIVULET_UINT8:
    return function(static_cast<const std::uint8_t*>(column.values), column.stride);
  default:
    return function(static_cast<const double*>(column.values), column.stride);
  }
}

/// A sentence on `count` values that were left out because they are not finite.
[[nodiscard]] std::string not_finite_note(std::int64_t count, const std::string& what, const std::string& set);

} // namespace rivulet
