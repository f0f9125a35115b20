// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/FaultSignals.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <deque>
#include <mutex>
#include <sys/syscall.h>
#include <unistd.h>

namespace rivulet
{

namespace
{

static_assert(std::atomic<FaultMender>::is_always_lock_free && std::atomic<long>::is_always_lock_free,
    "the signal handler must not wait for a lock");

/// A handler from before ours. Never freed: a signal may still be on its way to it.
struct Previous
{
  struct sigaction action
  {
  };
  const Previous* before = nullptr;
};

/// Data of one signal for the handler.
struct Chain
{
  int signal;
  int code; ///< si_code of faults that can be repaired
  std::atomic<FaultMender> mend{ nullptr };
  std::atomic<const Previous*> last_previous{ nullptr };
  /// The thread that passes a signal on, and the handler it passes it to: that handler may call ours, which must not
  /// loop.
  std::atomic<long> passing_thread{ 0 };
  std::atomic<const Previous*> passing_to{ nullptr };
  std::atomic<std::uintptr_t> passing_frame{ 0 }; ///< on the stack of that thread
};

Chain missing_pages{ SIGBUS, BUS_ADRERR };
Chain refused_pages{ SIGSEGV, SEGV_ACCERR };

void die_of(int signal)
{
  ::signal(signal, SIG_DFL);
  ::raise(signal); // delivered when the handler returns
}

void call(const struct sigaction& action, int signal, siginfo_t* info, void* context)
{
  if ((action.sa_flags & SA_SIGINFO) != 0)
  {
    action.sa_sigaction(signal, info, context);
  }
  else if (action.sa_handler == SIG_DFL || (action.sa_handler == SIG_IGN && info->si_code > 0))
  {
    die_of(signal); // a fault cannot be ignored: it would repeat for ever
  }
  else if (action.sa_handler != SIG_IGN)
  {
    action.sa_handler(signal);
  }
}

void pass_on(Chain& chain, int signal, siginfo_t* info, void* context)
{
  const long me = ::syscall(SYS_gettid);
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  // A call from within that handler is deeper on the stack. A handler that jumped out of a fault never returned: it
  // gets the next one, too, unless that is deeper, where it cannot be told from a fault in the handler itself.
  const bool came_back = chain.passing_thread.exchange(me) == me && frame < chain.passing_frame.load();
  const Previous* target = came_back ? chain.passing_to.load()->before : chain.last_previous.load();
  if (target == nullptr)
  {
    die_of(signal);
    return;
  }
  chain.passing_to.store(target);
  chain.passing_frame.store(frame);
  call(target->action, signal, info, context);
  chain.passing_thread.store(0);
}

void on_fault(int signal, siginfo_t* info, void* context)
{
  const int saved = errno;
  Chain& chain = signal == missing_pages.signal ? missing_pages : refused_pages;
  if (info->si_code != chain.code || !chain.mend.load()(reinterpret_cast<std::uintptr_t>(info->si_addr)))
  {
    pass_on(chain, signal, info, context);
  }
  errno = saved;
}

} // namespace

bool ensure_fault_handler(Fault fault, FaultMender mend)
{
  static std::mutex mutex;
  static std::deque<Previous> previous;
  const std::lock_guard lock(mutex);
  Chain& chain = fault == Fault::Missing ? missing_pages : refused_pages;
  chain.mend.store(mend);
  struct sigaction now
  {
  };
  ::sigaction(chain.signal, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_fault)
  {
    return true;
  }
  chain.last_previous.store(&previous.emplace_back(Previous{ now, chain.last_previous.load() }));
  struct sigaction ours
  {
  };
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigemptyset(&ours.sa_mask);
  return ::sigaction(chain.signal, &ours, nullptr) == 0;
}

} // namespace rivulet
