// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Python on the calling thread, which for tasks is another one each time, until the end of the scope.
///
/// From Python 3.12 on a thread has a Python of its own, and a VTK that is built for one thread (ParaView 5.13 in
/// Debian) neither makes it nor gives the interpreter's lock back. Where VTK does both, or Python does not need it,
/// this does nothing. Scopes do not nest.
#pragma once

namespace rivulet::insitu
{

class PythonOfThread
{
public:
  PythonOfThread();
  PythonOfThread(const PythonOfThread&) = delete;
  PythonOfThread& operator=(const PythonOfThread&) = delete;
  ~PythonOfThread(); // NOLINT(performance-trivially-destructible): where there is nothing to do

private:
  [[maybe_unused]] bool entered_ = false; ///< there was a Python at the beginning
  [[maybe_unused]] int state_ = 0;        ///< of the lock before; PyGILState_STATE
};

} // namespace rivulet::insitu
