// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One component of a variable in an own patch, without ghosts, as files of dumps have it.
///
///     Buffer<std::byte> values(bytes_of_component(chosen, what));
///     const AmrRange range = copy_component(host, chosen, what, values.data());
///
/// Rows are copied in the loops of the host. Threads: the one that calls the analytics.
#pragma once

#include "Amr/Dump.h"
#include "Fields/FieldChoice.h"
#include "Plugin/Host.h"

#include <cstddef>

namespace rivulet
{

struct OwnComponent
{
  std::int32_t block = 0;   ///< of this rank
  std::size_t variable = 0; ///< among the chosen ones
  std::size_t component = 0;
};

[[nodiscard]] std::size_t bytes_of_component(const ChosenField& chosen, const OwnComponent& what);

/// Values in the type of the chosen variable, x fastest. Returns the range of the finite values; 0 to 0 if there is
/// none.
AmrRange copy_component(const Host& host, const ChosenField& chosen, const OwnComponent& what, std::byte* values);

} // namespace rivulet
