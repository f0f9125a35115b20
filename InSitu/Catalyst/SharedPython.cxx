// SPDX-License-Identifier: BSD-3-Clause
#include <Python.h>

#include "Catalyst/SharedPython.h"
#include "vtkPython.h"
#include "vtkPythonInterpreter.h"

#include <dlfcn.h>

namespace rivulet::insitu
{

void share_python()
{
  Dl_info python{};
  if (::dladdr(reinterpret_cast<void*>(&Py_IsInitialized), &python) != 0)
  {
    (void)::dlopen(python.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  }
}

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

void let_python_end_here()
{
  if (vtkPythonInterpreter::IsInitialized())
  {
    vtkPythonInterpreter::RunSimpleString(
        "import threading\n"
        "locks = getattr(threading, '_shutdown_locks', None)\n"
        "lock = getattr(threading.main_thread(), '_tstate_lock', None)\n"
        "if locks is not None and threading.main_thread() is not threading.current_thread():\n"
        "    locks.discard(lock)\n"
        "del locks, lock\n");
  }
}

} // namespace rivulet::insitu
