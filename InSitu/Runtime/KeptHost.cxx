// SPDX-License-Identifier: BSD-3-Clause
#include "KeptHost.h"

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <dlfcn.h>
#include <iterator>
#include <link.h>
#include <new>
#include <stdio_ext.h>
#include <unistd.h>
#include <vector>

namespace rivulet::insitu
{

namespace
{

/// Libraries that came with analytics. They stay.
std::vector<const void*>& guests()
{
  static std::vector<const void*> all;
  return all;
}

/// An address in a library; null: it has none.
const void* address_in(const dl_phdr_info& library)
{
  for (int i = 0; i < library.dlpi_phnum; ++i)
  {
    if (library.dlpi_phdr[i].p_type == PT_LOAD)
    {
      return reinterpret_cast<const void*>(library.dlpi_addr + library.dlpi_phdr[i].p_vaddr);
    }
  }
  return nullptr;
}

const void* handler_of(const struct sigaction& action)
{
  return (action.sa_flags & SA_SIGINFO) != 0 ? reinterpret_cast<const void*>(action.sa_sigaction)
                                             : reinterpret_cast<const void*>(action.sa_handler);
}

/// Where libraries begin. dladdr() waits while they are listed: its lock is the one of a thread that closes a library,
/// and that thread waits for the list's.
std::vector<const void*> loaded_libraries()
{
  std::vector<const void*> all;
  ::dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* to)
      {
        static_cast<std::vector<const void*>*>(to)->push_back(address_in(*library));
        return 0;
      },
      &all);
  for (const void*& address : all)
  {
    Dl_info about{};
    address = address != nullptr && ::dladdr(address, &about) != 0 ? about.dli_fbase : nullptr;
  }
  return all;
}

bool contains(const std::vector<const void*>& all, const void* one)
{
  return std::find(all.begin(), all.end(), one) != all.end();
}

bool is_of_simulation(const struct sigaction& action)
{
  Dl_info about{};
  return ::dladdr(handler_of(action), &about) != 0 && !contains(guests(), about.dli_fbase);
}

} // namespace

KeptHost::KeptHost(Simulation simulation)
  : simulation_(simulation)
  , libraries_(simulation == Simulation::Waits ? loaded_libraries() : std::vector<const void*>())
{
  for (int number = 1; number < kSignals; ++number)
  {
    (void)::sigaction(number, nullptr, &actions_[static_cast<std::size_t>(number)]); // two belong to the C library
  }
  try
  {
    const char* const locale = std::setlocale(LC_ALL, nullptr);
    locale_ = locale != nullptr ? locale : "";
  }
  catch (const std::bad_alloc&) // then it is not given back
  {
  }
  const std::array<std::FILE*, 2> streams{ stdout, stderr };
  for (std::size_t i = 0; i < streams.size(); ++i)
  {
    buffers_[i] = { streams[i], ::__fbufsize(streams[i]), ::__flbf(streams[i]) != 0 };
  }
}

/// Streams without buffers have one of a byte. A simulation that runs beside may choose its own.
void KeptHost::give_buffers_back() const
{
  constexpr std::size_t kNone = 1;
  for (const Buffering& before : buffers_)
  {
    if (simulation_ == Simulation::Waits && before.bytes != kNone && ::__fbufsize(before.stream) == kNone)
    {
      const bool by_lines = before.bytes == 0 ? ::isatty(::fileno(before.stream)) != 0 : before.by_lines;
      const std::size_t bytes = before.bytes == 0 ? BUFSIZ : before.bytes;
      // The stream's own, as long as the process lives: the C library makes none where there was one of a byte.
      auto* const buffer = static_cast<char*>(std::malloc(bytes));
      if (buffer != nullptr)
      {
        (void)std::fflush(before.stream);
        (void)std::setvbuf(before.stream, buffer, by_lines ? _IOLBF : _IOFBF, bytes);
      }
    }
  }
}

void KeptHost::note_guests() const
{
  try
  {
    const std::vector<const void*> now = simulation_ == Simulation::Waits ? loaded_libraries() : libraries_;
    std::copy_if(now.begin(), now.end(), std::back_inserter(guests()),
        [this](const void* library) { return !contains(libraries_, library) && !contains(guests(), library); });
  }
  catch (const std::bad_alloc&) // their handlers pass for the simulation's while it runs
  {
  }
}

KeptHost::~KeptHost()
{
  note_guests();
  give_buffers_back();
  for (int number = 1; number < kSignals; ++number)
  {
    const struct sigaction& before = actions_[static_cast<std::size_t>(number)];
    struct sigaction now = {};
    if (::sigaction(number, nullptr, &now) != 0 || handler_of(now) == handler_of(before))
    {
      continue;
    }
    if (simulation_ == Simulation::Waits || !is_of_simulation(now))
    {
      (void)::sigaction(number, &before, nullptr);
    }
  }
  const char* const locale = std::setlocale(LC_ALL, nullptr);
  if (locale != nullptr && locale_ && *locale_ != locale)
  {
    (void)std::setlocale(LC_ALL, locale_->c_str());
  }
}

} // namespace rivulet::insitu
