// SPDX-License-Identifier: BSD-3-Clause
#include <Python.h>

#include "Catalyst/SharedPython.h"
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

bool python_runs()
{
  return Py_IsInitialized() != 0;
}

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
