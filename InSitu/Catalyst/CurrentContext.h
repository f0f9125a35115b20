// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The OpenGL context that is current on a thread.
#pragma once

namespace rivulet::insitu
{

/// Keeps the OpenGL context that is current on the calling thread, of GLX and of EGL: the same one, or none, is current
/// again at the end. A context that stays current on a thread cannot be taken by another one: X ends the program
/// (BadAccess), and EGL draws nothing. A task draws on another thread than the task before, and a simulation may have
/// contexts of its own. Made and ended on one thread.
class KeptContext
{
public:
  KeptContext();
  ~KeptContext();
  KeptContext(const KeptContext&) = delete;
  KeptContext& operator=(const KeptContext&) = delete;

private:
  /// A context with its surfaces for drawing and for reading; all 0 where no context is current.
  struct Glx
  {
    void* display = nullptr;
    unsigned long draw = 0;
    unsigned long read = 0;
    void* context = nullptr;
  };
  struct Egl
  {
    void* display = nullptr;
    void* draw = nullptr;
    void* read = nullptr;
    void* context = nullptr;
  };
  static Glx current_glx();
  static Egl current_egl();

  Glx glx_;
  Egl egl_;
};

} // namespace rivulet::insitu
