// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Finds analytics in plugin folders, and loads them.
///
///     const auto radial = load_plugin({ "/opt/analytics" }, "radial", true); // /opt/analytics/radial.so
///
/// A plugin can do all that the simulation may do. So its folder and its file must belong to root or to the user, and
/// others must not be able to write to them, unless it lies beside the library or `checks_owners` is false. Folders
/// above are not looked at.
///
/// A plugin stays loaded until the process ends: threads may be in its code.
#pragma once

#include "Base/Result.h"

#include "rivulet_analytics.h"

#include <string>
#include <vector>

namespace rivulet::insitu
{

/// Folder of the analytics that come with the runtime: "analytics" beside its library.
[[nodiscard]] std::string own_folder();

/// Functions of the plugin NAME.so in the first folder that has such a file.
[[nodiscard]] Result<const rivulet_analytics*> load_plugin(
    const std::vector<std::string>& folders, const std::string& name, bool checks_owners);

} // namespace rivulet::insitu
