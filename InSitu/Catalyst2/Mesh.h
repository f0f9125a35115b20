// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Domains of a mesh of Mesh Blueprint. Domains with the same topology make a part. A node that is empty, or has a
/// state alone, is no domain.
#pragma once

#include "Domain.h"
#include "Teller.h"

namespace rivulet::catalyst2
{

/// A node of a mesh with one domain (it has coordsets), or with a domain in each child. Adds to the parts. `levels`:
/// the domains say which level of an AMR mesh they belong to (state/level).
[[nodiscard]] Result<void> add_mesh(
    const Place& mesh, const std::string& name, bool levels, std::vector<Part>& parts, Teller& teller);

} // namespace rivulet::catalyst2
