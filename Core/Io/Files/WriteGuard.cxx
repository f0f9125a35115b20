// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/WriteGuard.h"

#include "Io/Files/FaultSignals.h"

#include <atomic>
#include <cstddef>
#include <sys/mman.h>

namespace rivulet
{

/// Data of one guard for the handler. Never freed, only reused: the handler may look at any of them at any time.
class GuardedPages
{
public:
  std::atomic<bool> in_use{ false };
  std::atomic<std::uintptr_t> begin{ 0 }; ///< 0 while unused
  std::atomic<std::int64_t> bytes{ 0 };
  std::atomic<bool> written{ false };
  std::atomic<int> dropping{ 0 }; ///< threads that are in drop()
  GuardedPages* next = nullptr;   ///< list of all guards ever made

  static std::atomic<GuardedPages*>& all()
  {
    static std::atomic<GuardedPages*> first{ nullptr };
    return first;
  }
  static GuardedPages& unused();
};

namespace
{

bool allow_write(std::uintptr_t address)
{
  for (GuardedPages* pages = GuardedPages::all().load(); pages != nullptr; pages = pages->next)
  {
    const std::uintptr_t begin = pages->begin.load();
    const auto bytes = static_cast<std::uintptr_t>(pages->bytes.load());
    if (begin == 0 || address < begin || address - begin >= bytes)
    {
      continue;
    }
    // Set before waiting for threads in drop(), so that a drop() that begins now finds it.
    pages->written.store(true);
    while (pages->dropping.load() > 0)
    {
    }
    return ::mprotect(reinterpret_cast<void*>(begin), bytes, PROT_READ | PROT_WRITE) == 0;
  }
  return false;
}

} // namespace

GuardedPages& GuardedPages::unused()
{
  GuardedPages* pages = all().load();
  while (pages != nullptr && pages->in_use.exchange(true))
  {
    pages = pages->next;
  }
  if (pages == nullptr)
  {
    pages = new GuardedPages;
    pages->in_use.store(true);
    pages->next = all().load();
    while (!all().compare_exchange_weak(pages->next, pages))
    {
    }
  }
  return *pages;
}

std::unique_ptr<WriteGuard> WriteGuard::over(void* begin, std::int64_t bytes)
{
  GuardedPages& pages = GuardedPages::unused(); // first: all() must not be constructed inside the handler
  std::unique_ptr<WriteGuard> guard(new WriteGuard(pages));
  if (!ensure_fault_handler(Fault::Refused, allow_write))
  {
    return nullptr;
  }
  pages.written.store(false);
  pages.bytes.store(bytes);
  pages.begin.store(reinterpret_cast<std::uintptr_t>(begin)); // last: now the handler finds the guard
  return guard;
}

WriteGuard::~WriteGuard()
{
  pages_.begin.store(0);
  pages_.in_use.store(false);
}

bool WriteGuard::written() const
{
  return pages_.written.load();
}

void WriteGuard::drop(void* begin, std::int64_t bytes) const
{
  pages_.dropping.fetch_add(1);
  if (!pages_.written.load())
  {
    ::madvise(begin, static_cast<std::size_t>(bytes), MADV_DONTNEED);
  }
  pages_.dropping.fetch_sub(1);
}

} // namespace rivulet
