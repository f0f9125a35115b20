// SPDX-License-Identifier: BSD-3-Clause
#include "Io/BusErrors.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <deque>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace rivulet
{

namespace
{

static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uintptr_t>::is_always_lock_free,
    "the signal handler must not wait for a lock");

/// A quiet NaN as a float, and, twice in a row, as a double, in either byte order of the two halves.
constexpr std::uint32_t kNanWord = 0x7ff80000U;
constexpr int kBitsPerWord = 64;

std::int64_t page_bytes()
{
  static const std::int64_t bytes = ::sysconf(_SC_PAGESIZE);
  return bytes;
}

/// A handler that was in place before ours. Never freed: a signal may be on its way to it.
struct Previous
{
  struct sigaction action
  {
  };
  const Previous* before = nullptr;
};

std::atomic<BusErrorRegion*> all_regions{ nullptr };
std::atomic<int> nan_page{ -1 }; ///< a memory file of one page of NaN
std::atomic<const Previous*> last_previous{ nullptr };

/// Who passes a signal on, and to whom: a handler that calls ours back must not go round in circles.
std::atomic<long> passing_thread{ 0 };
std::atomic<const Previous*> passing_to{ nullptr };

std::size_t note_bytes(std::int64_t mapped)
{
  const std::int64_t pages = (mapped + page_bytes() - 1) / page_bytes();
  return static_cast<std::size_t>((pages + kBitsPerWord - 1) / kBitsPerWord) * sizeof(std::uint64_t);
}

void die_of(int signal)
{
  ::signal(signal, SIG_DFL);
  ::raise(signal); // is delivered when the handler returns
}

void call(const struct sigaction& action, int signal, siginfo_t* info, void* context)
{
  if ((action.sa_flags & SA_SIGINFO) != 0)
  {
    action.sa_sigaction(signal, info, context);
  }
  else if (action.sa_handler == SIG_DFL || (action.sa_handler == SIG_IGN && info->si_code > 0))
  {
    die_of(signal); // a fault cannot be ignored: it would happen again for ever
  }
  else if (action.sa_handler != SIG_IGN)
  {
    action.sa_handler(signal);
  }
}

void pass_on(int signal, siginfo_t* info, void* context)
{
  const long me = ::syscall(SYS_gettid);
  const bool came_back = passing_thread.exchange(me) == me;
  const Previous* target = came_back ? passing_to.load()->before : last_previous.load();
  if (target == nullptr)
  {
    die_of(signal);
    return;
  }
  passing_to.store(target);
  call(target->action, signal, info, context);
  passing_thread.store(0);
}

void on_bus_error(int signal, siginfo_t* info, void* context)
{
  const int saved = errno;
  if (info->si_code != BUS_ADRERR || !repair_bus_error(reinterpret_cast<std::uintptr_t>(info->si_addr)))
  {
    pass_on(signal, info, context);
  }
  errno = saved;
}

bool make_nan_page()
{
  const int descriptor = ::memfd_create("rivulet-nan", MFD_CLOEXEC);
  if (descriptor < 0)
  {
    return false;
  }
  const std::vector<std::uint32_t> words(static_cast<std::size_t>(page_bytes()) / sizeof(kNanWord), kNanWord);
  if (::write(descriptor, words.data(), static_cast<std::size_t>(page_bytes())) != page_bytes())
  {
    ::close(descriptor);
    return false;
  }
  nan_page.store(descriptor);
  return true;
}

} // namespace

bool ensure_bus_error_handler()
{
  static std::mutex mutex;
  static std::deque<Previous> previous;
  const std::lock_guard lock(mutex);
  if (nan_page.load() < 0 && !make_nan_page())
  {
    return false;
  }
  struct sigaction now
  {
  };
  ::sigaction(SIGBUS, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_bus_error)
  {
    return true;
  }
  last_previous.store(&previous.emplace_back(Previous{ now, last_previous.load() }));
  struct sigaction ours
  {
  };
  ours.sa_sigaction = on_bus_error;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigemptyset(&ours.sa_mask);
  return ::sigaction(SIGBUS, &ours, nullptr) == 0;
}

BusErrorRegion* watch_for_bus_errors(const void* begin, std::int64_t bytes, int descriptor)
{
  void* notes =
      ::mmap(nullptr, note_bytes(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (notes == MAP_FAILED)
  {
    return nullptr;
  }
  BusErrorRegion* region = all_regions.load();
  while (region != nullptr && region->in_use_.exchange(true))
  {
    region = region->next_;
  }
  if (region == nullptr)
  {
    region = new BusErrorRegion;
    region->in_use_.store(true);
    region->next_ = all_regions.load();
    while (!all_regions.compare_exchange_weak(region->next_, region))
    {
    }
  }
  region->bytes_.store(bytes);
  region->descriptor_.store(descriptor);
  region->any_damage_.store(false);
  region->first_fault_.store(-1);
  region->end_.store(bytes);
  region->faults_ = static_cast<std::atomic<std::uint64_t>*>(notes);
  region->begin_.store(reinterpret_cast<std::uintptr_t>(begin)); // last: now the handler sees it
  return region;
}

void stop_watching(BusErrorRegion* region)
{
  region->begin_.store(0);
  ::munmap(static_cast<void*>(region->faults_), note_bytes(region->bytes_.load()));
  region->in_use_.store(false);
}

bool BusErrorRegion::damaged(std::int64_t offset, std::int64_t bytes) const
{
  if (!any_damage_.load())
  {
    return false;
  }
  bool found = offset + bytes > end_.load();
  for (std::int64_t page = offset / page_bytes(); !found && page * page_bytes() < offset + bytes; ++page)
  {
    found = ((faults_[page / kBitsPerWord].load() >> (page % kBitsPerWord)) & 1U) != 0;
  }
  return found;
}

void BusErrorRegion::note_end(std::int64_t end)
{
  std::int64_t known = end_.load();
  while (end < known && !end_.compare_exchange_weak(known, end))
  {
  }
  any_damage_.store(true);
}

void BusErrorRegion::note_fault(std::int64_t page)
{
  faults_[page / kBitsPerWord].fetch_or(std::uint64_t{ 1 } << (page % kBitsPerWord));
  std::int64_t none = -1;
  first_fault_.compare_exchange_strong(none, page * page_bytes());
  struct stat status
  {
  };
  // Where the file ends now tells readers of other pages not to try: every repaired page costs a mapping of its own.
  note_end(::fstat(descriptor_.load(), &status) == 0 ? std::int64_t{ status.st_size } : end_.load());
}

bool repair_bus_error(std::uintptr_t address)
{
  for (BusErrorRegion* region = all_regions.load(); region != nullptr; region = region->next_)
  {
    const std::uintptr_t begin = region->begin_.load();
    if (begin == 0 || address < begin || address - begin >= static_cast<std::uintptr_t>(region->bytes_.load()))
    {
      continue;
    }
    const std::int64_t page = static_cast<std::int64_t>(address - begin) / page_bytes();
    // Noted first: whoever reads a NaN from the page must find the note.
    region->note_fault(page);
    void* target = reinterpret_cast<void*>(begin + static_cast<std::uintptr_t>(page * page_bytes()));
#ifdef __SANITIZE_THREAD__
    // Others may be reading the page: the kernel swaps it as a whole. The sanitizer would take mmap() for a write to
    // it.
    return ::syscall(SYS_mmap, target, page_bytes(), PROT_READ, MAP_SHARED | MAP_FIXED, nan_page.load(), 0) != -1;
#else
    return ::mmap(target, static_cast<std::size_t>(page_bytes()), PROT_READ, MAP_SHARED | MAP_FIXED, nan_page.load(),
               0) != MAP_FAILED;
#endif
  }
  return false;
}

} // namespace rivulet
