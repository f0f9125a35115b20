// SPDX-License-Identifier: BSD-3-Clause
#include <Python.h>

#include "Catalyst/SharedPython.h"

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

} // namespace rivulet::insitu
