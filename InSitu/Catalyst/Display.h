// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Whether ParaView can render in this process. Before version 6 it ends the whole program where there is no X display.
#pragma once

#include <string>

namespace rivulet::insitu
{

/// Why rendering would end the program, and the remedy; empty if it would not.
[[nodiscard]] std::string why_no_display();

} // namespace rivulet::insitu
