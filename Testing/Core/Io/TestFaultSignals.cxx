// SPDX-License-Identifier: BSD-3-Clause
// Faults that are not ours, in processes of their own. TestWriteGuard and TestBusErrors have those that are.
#include "Base/Bytes.h"
#include "Io/Files/FaultSignals.h"
#include "Io/Files/MappedFile.h"
#include "Support/TemporaryFolder.h"

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mman.h>

namespace rivulet::test
{

namespace
{

constexpr int kPassedOn = 42; ///< exit status of a process whose own handler got the signal
constexpr int kWentOn = 43;
constexpr int kAsked = 44; ///< of one in which the mender was asked

void leave(int)
{
  std::_Exit(kPassedOn);
}

bool mend_nothing(std::uintptr_t)
{
  return false;
}

bool tell_that_it_was_asked(std::uintptr_t)
{
  std::_Exit(kAsked);
}

/// A page that may only be read.
char* read_only_page()
{
  return static_cast<char*>(::mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

void write_to(char* page)
{
  *static_cast<volatile char*>(page) = 1;
}

/// Where a handler with more arguments expects the fault.
char* volatile expected_fault = nullptr;

void leave_if_told_where(int, siginfo_t* info, void* context)
{
  std::_Exit(info->si_addr == expected_fault && context != nullptr ? kPassedOn : 1);
}

sigjmp_buf before_fault;
volatile std::sig_atomic_t jumps = 0;

void jump_back(int)
{
  jumps = jumps + 1;
  siglongjmp(before_fault, 1);
}

} // namespace

TEST(FaultSignals, ThatCannotBeMendedGoToTheHandlerThatWasThereBefore)
{
  const auto fault = []
  {
    std::signal(SIGSEGV, leave);
    static_cast<void>(ensure_fault_handler(Fault::Refused, mend_nothing));
    write_to(read_only_page());
  };
  EXPECT_EXIT(fault(), testing::ExitedWithCode(kPassedOn), "");
}

TEST(FaultSignals, TellTheHandlerBeforeWhereTheFaultIs)
{
  const auto fault = []
  {
    struct sigaction theirs
    {
    };
    theirs.sa_sigaction = leave_if_told_where;
    theirs.sa_flags = SA_SIGINFO;
    ::sigaction(SIGSEGV, &theirs, nullptr);
    static_cast<void>(ensure_fault_handler(Fault::Refused, mend_nothing));
    expected_fault = read_only_page() + 100;
    write_to(expected_fault);
  };
  EXPECT_EXIT(fault(), testing::ExitedWithCode(kPassedOn), "");
}

TEST(FaultSignals, AreInstalledAgainWhereOthersReplacedThem)
{
  const auto fault = []
  {
    static_cast<void>(ensure_fault_handler(Fault::Refused, tell_that_it_was_asked));
    std::signal(SIGSEGV, leave);
    static_cast<void>(ensure_fault_handler(Fault::Refused, tell_that_it_was_asked));
    write_to(read_only_page());
  };
  EXPECT_EXIT(fault(), testing::ExitedWithCode(kAsked), "");
}

/// Only an access that is refused, to a page that is there, can be one of ours.
TEST(FaultSignals, WhereNothingIsMappedAreNotLookedAt)
{
  const auto fault = []
  {
    std::signal(SIGSEGV, leave);
    static_cast<void>(ensure_fault_handler(Fault::Refused, tell_that_it_was_asked));
    char* page = read_only_page();
    ::munmap(page, kPage);
    write_to(page);
  };
  EXPECT_EXIT(fault(), testing::ExitedWithCode(kPassedOn), "");
}

TEST(FaultSignals, ThatWereIgnoredStillAreUnlessTheyAreFaults)
{
  const auto sent = []
  {
    std::signal(SIGSEGV, SIG_IGN);
    static_cast<void>(ensure_fault_handler(Fault::Refused, mend_nothing));
    std::raise(SIGSEGV);
    std::_Exit(kWentOn);
  };
  EXPECT_EXIT(sent(), testing::ExitedWithCode(kWentOn), "");
  const auto fault = []
  {
    std::signal(SIGSEGV, SIG_IGN);
    static_cast<void>(ensure_fault_handler(Fault::Refused, mend_nothing));
    write_to(read_only_page()); // ignored, it would come again for ever
  };
  EXPECT_EXIT(fault(), testing::KilledBySignal(SIGSEGV), "");
}

/// A program may recover from a fault by a jump, and try again.
TEST(FaultSignals, GoToAHandlerThatJumpedOutTheLastTime)
{
  const auto fault = []
  {
    std::signal(SIGSEGV, jump_back);
    static_cast<void>(ensure_fault_handler(Fault::Refused, mend_nothing));
    char* const page = read_only_page();
    while (jumps < 3)
    {
      if (sigsetjmp(before_fault, 1) == 0)
      {
        write_to(page);
      }
    }
    std::_Exit(kWentOn);
  };
  EXPECT_EXIT(fault(), testing::ExitedWithCode(kWentOn), "");
}

/// The code that was interrupted may be about to look at errno.
TEST(FaultSignals, LeaveErrnoAsItWas)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("values");
  std::ofstream(path, std::ios::binary) << std::string(2 * kPage, '\1');
  const auto file = std::move(*MappedFile::open(path));
  std::filesystem::resize_file(path, kPage);
  std::filesystem::remove(path); // the handler looks for it in vain
  errno = ENOTTY;
  static_cast<void>(*static_cast<const volatile std::byte*>(file->data() + kPage));
  std::atomic_signal_fence(std::memory_order_seq_cst); // the compiler knows nothing of the handler
  EXPECT_EQ(errno, ENOTTY);
  EXPECT_TRUE(file->damaged(kPage, 1));
}

} // namespace rivulet::test
