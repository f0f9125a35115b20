// SPDX-License-Identifier: BSD-3-Clause
#include "Catalyst/CurrentContext.h"

#include <dlfcn.h>

namespace rivulet::insitu
{

namespace
{

constexpr int kEglDraw = 0x3059;
constexpr int kEglRead = 0x305A;

/// A function of a library that VTK or the simulation has loaded, null where neither has.
template <class Function>
Function loaded(const char* library, const char* name)
{
  void* const handle = ::dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
  if (handle == nullptr)
  {
    return nullptr;
  }
  void* const found = ::dlsym(handle, name);
  ::dlclose(handle); // the others keep it
  return reinterpret_cast<Function>(found);
}

template <class Function>
Function glx(const char* name)
{
  const auto found = loaded<Function>("libGLX.so.0", name);
  return found != nullptr ? found : loaded<Function>("libGL.so.1", name);
}

template <class Function>
Function egl(const char* name)
{
  return loaded<Function>("libEGL.so.1", name);
}

} // namespace

KeptContext::KeptContext()
  : glx_(current_glx())
  , egl_(current_egl())
{
}

KeptContext::~KeptContext()
{
  if (const Glx now = current_glx(); now.context != glx_.context)
  {
    using MakeCurrent = int (*)(void*, unsigned long, unsigned long, void*);
    const auto make_current = glx<MakeCurrent>("glXMakeContextCurrent");
    make_current(glx_.context != nullptr ? glx_.display : now.display, glx_.draw, glx_.read, glx_.context);
  }
  if (const Egl now = current_egl(); now.context != egl_.context)
  {
    using MakeCurrent = unsigned (*)(void*, void*, void*, void*);
    const auto make_current = egl<MakeCurrent>("eglMakeCurrent");
    make_current(egl_.context != nullptr ? egl_.display : now.display, egl_.draw, egl_.read, egl_.context);
  }
}

KeptContext::Glx KeptContext::current_glx()
{
  const auto context = glx<void* (*)()>("glXGetCurrentContext");
  if (context == nullptr || context() == nullptr)
  {
    return {};
  }
  return { glx<void* (*)()>("glXGetCurrentDisplay")(), glx<unsigned long (*)()>("glXGetCurrentDrawable")(),
    glx<unsigned long (*)()>("glXGetCurrentReadDrawable")(), context() };
}

KeptContext::Egl KeptContext::current_egl()
{
  const auto context = egl<void* (*)()>("eglGetCurrentContext");
  if (context == nullptr || context() == nullptr)
  {
    return {};
  }
  const auto surface = egl<void* (*)(int)>("eglGetCurrentSurface");
  return { egl<void* (*)()>("eglGetCurrentDisplay")(), surface(kEglDraw), surface(kEglRead), context() };
}

} // namespace rivulet::insitu
