// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Rules for Catalyst's scripts, so that they touch nothing of the simulation:
///
/// - the folder of extracts begins at `output`, without a change of the working folder, which is the simulation's;
/// - sys.exit() is an error of the script, and does not end the process;
/// - so is a channel that is not published, which ParaView would take for one without data;
/// - so is a particle filter of ParaView's own on a simulation's field: it ends the process at its second step.
#pragma once

#include <string>

namespace rivulet::insitu
{

/// For scripts that are imported from now on. Python must have begun.
void rule_scripts(const std::string& output);

/// Whether no script has failed where ParaView imported it, at its first step. Such a script is left out without a word
/// later.
[[nodiscard]] bool all_scripts_have_begun();

} // namespace rivulet::insitu
