// SPDX-License-Identifier: BSD-3-Clause
#include "Catalyst/Display.h"

#include "vtkPVVersion.h"

#include <cstdlib>
#include <dlfcn.h>

namespace rivulet::insitu
{

std::string why_no_display()
{
#if PARAVIEW_VERSION_MAJOR >= 6
  return {};
#else
  const char* const remedy = "; start the simulation with xvfb-run, or set \"renders\": false if no script renders";
  const char* const name = std::getenv("DISPLAY");
  if (name == nullptr || *name == '\0')
  {
    return std::string("there is no X display for ParaView to render on") + remedy;
  }
  // ParaView has loaded the library before.
  void* const library = ::dlopen("libX11.so.6", RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr)
  {
    return {};
  }
  const auto open = reinterpret_cast<void* (*)(const char*)>(::dlsym(library, "XOpenDisplay"));
  // Never closed: a server that resets when its last client leaves would refuse ParaView meanwhile.
  static void* const display = open != nullptr ? open(name) : nullptr;
  return display != nullptr || open == nullptr ? std::string()
                                               : std::string("the X display ") + name + " does not answer" + remedy;
#endif
}

} // namespace rivulet::insitu
