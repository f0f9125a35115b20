// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A channel of Catalyst: a name, a type and data. Meshes of parts have the channel's name, and of a multimesh that of
/// the mesh behind it: "channel/mesh".
#pragma once

#include "Domain.h"
#include "Teller.h"

namespace rivulet::catalyst2
{

/// `channel`: catalyst/channels/NAME.
[[nodiscard]] Result<std::vector<Part>> parts_of(const Place& channel, Teller& teller);

} // namespace rivulet::catalyst2
