// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into a program: counts its calls that make, rename or remove files, and ends or stops it right before one.
//
//     LD_PRELOAD=librivulet_stop_at_call.so STOP_AT_CALL=7 STOP_SIGNAL=9 program
//
// What lies on the disk then is what a kill, or another program, would meet at that moment. Only paths within the
// working folder count: libraries make files of their own elsewhere when they are loaded.
#include <array>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace
{

std::atomic<int> calls{ 0 };

int number_of(const char* variable)
{
  const char* text = std::getenv(variable);
  return text == nullptr ? 0 : std::atoi(text);
}

bool is_here(const char* path)
{
  std::array<char, PATH_MAX> here{};
  const std::string_view text(path);
  return !text.starts_with('/') || (::getcwd(here.data(), here.size()) != nullptr && text.starts_with(here.data()));
}

void count_call(const char* path)
{
  if (is_here(path) && ++calls == number_of("STOP_AT_CALL"))
  {
    ::kill(::getpid(), number_of("STOP_SIGNAL"));
  }
}

template <class Function>
Function* next(const char* name)
{
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

using Open = int(const char*, int, ...);

int open_with(Open* open, const char* path, int flags, mode_t mode)
{
  if ((flags & O_CREAT) != 0)
  {
    count_call(path);
  }
  return open(path, flags, mode);
}

} // namespace

extern "C"
{

  int open(const char* path, int flags, ...)
  {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    static Open* const real = next<Open>("open");
    return open_with(real, path, flags, mode);
  }

  int open64(const char* path, int flags, ...)
  {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    static Open* const real = next<Open>("open64");
    return open_with(real, path, flags, mode);
  }

  int rename(const char* from, const char* to) noexcept
  {
    static auto* const real = next<int(const char*, const char*)>("rename");
    count_call(from);
    return real(from, to);
  }

  int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) noexcept
  {
    static auto* const real = next<int(int, const char*, int, const char*, unsigned)>("renameat2");
    count_call(from);
    return real(from_folder, from, to_folder, to, flags);
  }

  int unlink(const char* path) noexcept
  {
    static auto* const real = next<int(const char*)>("unlink");
    count_call(path);
    return real(path);
  }

  int unlinkat(int folder, const char* path, int flags) noexcept
  {
    static auto* const real = next<int(int, const char*, int)>("unlinkat");
    count_call(path);
    return real(folder, path, flags);
  }

  int mkdir(const char* path, mode_t mode) noexcept
  {
    static auto* const real = next<int(const char*, mode_t)>("mkdir");
    count_call(path);
    return real(path, mode);
  }
}
