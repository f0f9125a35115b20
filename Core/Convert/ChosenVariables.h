// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A source that offers some variables of another: one of them, or all with scalars joined to a vector.
///
///     Result<std::unique_ptr<LatticeReader>> speed = choose_variable(std::move(source), "speed");
///     Result<std::unique_ptr<LatticeReader>> flow = join_vector(std::move(source), { "u", "v", "w" }, "velocity");
///
/// Both fail with NotFound, listing the names there are.
#pragma once

#include "Io/LatticeReader.h"

#include <memory>

namespace rivulet
{

[[nodiscard]] Result<std::unique_ptr<LatticeReader>> choose_variable(
    std::unique_ptr<LatticeReader> source, const std::string& name);

/// Scalars as the components of one vector, in the place of the first of them; the other variables stay. 2 to 9
/// different names. Fails with BadArgument, too, where one is no scalar, or they differ in type or centring.
[[nodiscard]] Result<std::unique_ptr<LatticeReader>> join_vector(
    std::unique_ptr<LatticeReader> source, const std::vector<std::string>& components, const std::string& name);

} // namespace rivulet
