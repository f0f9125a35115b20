// SPDX-License-Identifier: BSD-3-Clause
#include <Python.h>

#include "Catalyst/PythonOfThread.h"
#include "vtkPythonConfigure.h" // vtkPython.h replaces the functions of the lock by nothing

namespace rivulet::insitu
{

#if defined(VTK_NO_PYTHON_THREADS) && PY_VERSION_HEX >= 0x030C0000

PythonOfThread::PythonOfThread()
  : entered_(Py_IsInitialized() != 0)
{
  if (entered_)
  {
    state_ = static_cast<int>(PyGILState_Ensure());
  }
}

PythonOfThread::~PythonOfThread()
{
  if (Py_IsInitialized() == 0)
  {
    return; // it has ended here
  }
  if (entered_)
  {
    PyGILState_Release(static_cast<PyGILState_STATE>(state_));
  }
  else if (PyGILState_Check() != 0) // it was begun here, and VTK has kept the lock
  {
    (void)PyEval_SaveThread();
  }
}

#else

PythonOfThread::PythonOfThread() = default;
PythonOfThread::~PythonOfThread() = default;

#endif

} // namespace rivulet::insitu
