// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Checks of published data. An error names the set, field, mesh or object, and the wrong member.
#pragma once

#include "Base/Result.h"

#include "rivulet_insitu_data.h"

namespace rivulet::insitu
{

[[nodiscard]] Result<void> check_particles(const rivulet_particles& particles);
[[nodiscard]] Result<void> check_field(const rivulet_field& field);
[[nodiscard]] Result<void> check_mesh(const rivulet_mesh& mesh);
[[nodiscard]] Result<void> check_object(const rivulet_object& object);

/// Pointers of a variable in the `data` of a block.
[[nodiscard]] inline std::int32_t pointers_of(const rivulet_variable& variable)
{
  return variable.separate != 0 ? variable.components : 1;
}

/// Bytes of a value, or 0 for a number that is no type.
[[nodiscard]] std::int64_t bytes_of_type(std::int32_t type);

/// Values of one component of a block, ghost layers included; -1 if a 64-bit number cannot hold their bytes.
[[nodiscard]] std::int64_t values_of_block(std::int32_t centring, const rivulet_block& block);

} // namespace rivulet::insitu
