// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One variable of a source, as a source.
///
///     Result<std::unique_ptr<LatticeReader>> speed = choose_variable(std::move(source), "speed");
#pragma once

#include "Io/LatticeReader.h"

#include <memory>

namespace rivulet
{

/// Fails with NotFound, listing the names there are.
[[nodiscard]] Result<std::unique_ptr<LatticeReader>> choose_variable(
    std::unique_ptr<LatticeReader> source, const std::string& name);

} // namespace rivulet
