// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Python's symbols for Python's own modules, which are not linked with its library: they expect a program that shows
/// them. A plugin's libraries are not shown to others.
#pragma once

namespace rivulet::insitu
{

/// Shows the symbols of the Python library to what is loaded from now on.
void share_python();

/// Python on the calling thread, which for tasks is another one each time, until the end of the scope.
///
/// From Python 3.12 on a thread has a Python of its own, and a VTK that is built for one thread (ParaView 5.13 in
/// Debian) neither makes it nor gives the interpreter's lock back. Where VTK does both, or Python does not need it,
/// this does nothing. Scopes do not nest.
class PythonOfThread
{
public:
  PythonOfThread();
  PythonOfThread(const PythonOfThread&) = delete;
  PythonOfThread& operator=(const PythonOfThread&) = delete;
  ~PythonOfThread();

private:
  bool entered_ = false; ///< there was a Python at the beginning
  int state_ = 0;        ///< of the lock before; PyGILState_STATE
};

/// Lets Python end on the calling thread. Up to 3.12 it waits, at its end, for the thread that has imported the module
/// `threading` if that is another one; tasks have no thread of their own.
void let_python_end_here();

} // namespace rivulet::insitu
