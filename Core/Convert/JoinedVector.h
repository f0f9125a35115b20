// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Scalars of a source as the components of one vector, in the place of the first of them; its other variables stay.
///
///     Result<std::unique_ptr<LatticeReader>> flow = join_vector(std::move(source), { "u", "v", "w" }, "velocity");
#pragma once

#include "Io/LatticeReader.h"

#include <memory>

namespace rivulet
{

/// 2 to 9 different names. Fails with NotFound, listing the names there are, and with BadArgument where one is no
/// scalar, or they differ in type or centring.
[[nodiscard]] Result<std::unique_ptr<LatticeReader>> join_vector(
    std::unique_ptr<LatticeReader> source, const std::vector<std::string>& components, const std::string& name);

} // namespace rivulet
