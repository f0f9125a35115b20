// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Python's symbols for Python's own modules, which are not linked with its library: they expect a program that shows
/// them. A plugin's libraries are not shown to others.
#pragma once

namespace rivulet::insitu
{

/// Shows the symbols of the Python library to libraries that are loaded from now on.
void share_python();

/// Whether Python runs in this process.
[[nodiscard]] bool python_runs();

/// Lets Python end on the calling thread. Up to 3.12 it waits, at its end, for the thread that has imported the module
/// `threading` if that is another one; tasks have no thread of their own.
void let_python_end_here();

} // namespace rivulet::insitu
