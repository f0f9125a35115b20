// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Source with one variable of another source, or with all of its variables and some scalars joined to a vector.
///
///     Result<std::unique_ptr<LatticeReader>> speed = choose_variable(std::move(source), "speed");
///     Result<std::unique_ptr<LatticeReader>> flow = join_vector(std::move(source), { "u", "v", "w" }, "velocity");
///
/// Both fail with NotFound on an unknown name. The remedy lists the valid names.
#pragma once

#include "Io/Blocks/LatticeReader.h"

#include <memory>

namespace rivulet
{

[[nodiscard]] Result<std::unique_ptr<LatticeReader>> choose_variable(
    std::unique_ptr<LatticeReader> source, const std::string& name);

/// Joins 2 to 9 scalars to a vector in the place of the first of them. Other variables stay. Fails with BadArgument on
/// equal names, a variable that is no scalar, and scalars of different types or centrings.
[[nodiscard]] Result<std::unique_ptr<LatticeReader>> join_vector(
    std::unique_ptr<LatticeReader> source, const std::vector<std::string>& components, const std::string& name);

} // namespace rivulet
