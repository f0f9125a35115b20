// SPDX-License-Identifier: BSD-3-Clause
// Kernels that refuse io_uring, or some of it: fields are read all the same, and the reason says how. What is refused
// is refused to one thread, which opens the field.
#include "Core/Io/BovFixture.h"
#include "Core/Store/BrickReader.h"
#include "Io/Reads/ReadEngine.h"
#include "Store/Locate/BlockCut.h"
#include "Support/TemporaryFolder.h"

#include <cerrno>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace rivulet::test
{

namespace
{

/// From here on a system call fails for the calling thread.
bool refuse(long number)
{
  const auto refused = static_cast<std::uint32_t>(number);
  sock_filter program[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
  const sock_fprog filter{ static_cast<unsigned short>(std::size(program)), program };
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

/// From here on the calling thread cannot map files.
bool refuse_to_map_files()
{
  sock_filter program[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 3),
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[3])), // of the flags the lower half
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_SHARED, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
  const sock_fprog filter{ static_cast<unsigned short>(std::size(program)), program };
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

/// From here on the calling thread may not lock more memory than its limit says, be it root's.
bool give_up_locking()
{
  __user_cap_header_struct header{ _LINUX_CAPABILITY_VERSION_3, 0 };
  __user_cap_data_struct data[2] = {};
  if (::syscall(SYS_capget, &header, data) != 0)
  {
    return false;
  }
  data[CAP_IPC_LOCK / 32].effective &= ~(1U << (CAP_IPC_LOCK % 32));
  return ::syscall(SYS_capset, &header, data) == 0;
}

bool has_io_uring()
{
  return open_read_engine(EngineChoice::Best)->name() == "io_uring";
}

class RefusingKernels : public testing::Test
{
protected:
  RefusingKernels()
  {
    write_field(rvf_, small_field());
    bov_ = write_bov_case(folder_, blocks_);
    whole_bov_ = write_bov_case(folder_, whole_);
  }
  /// Opens both fields on a thread that cannot map files, and reads them before a run and in one; how.
  std::vector<std::string> read_all_unmapped()
  {
    std::vector<std::string> reasons;
    std::thread(
        [&]
        {
          ASSERT_TRUE(refuse_to_map_files());
          for (const std::string& path : { rvf_, whole_bov_ })
          {
            const auto field = open_field({ path }, { .memory_budget = 64 << 20 });
            ASSERT_TRUE(field) << field.error().describe();
            EXPECT_NE((*field)->strategy(), AccessStrategy::MemoryMap);
            reasons.push_back((*field)->strategy_reason());
            for (int run = 0; run < 2; ++run)
            {
              EXPECT_EQ(path == rvf_ ? wrong_in_all(**field) : wrong_in_blocks(**field, whole_), 0);
              (*field)->prepare({ .threads = 1, .at_once = 1 });
              EXPECT_NE((*field)->strategy(), AccessStrategy::MemoryMap);
            }
            const auto later =
                open_field({ path }, { .strategy = AccessStrategy::DirectCache, .memory_budget = 64 << 20 });
            ASSERT_TRUE(later);
            EXPECT_TRUE((*later)->set_strategy(AccessStrategy::Automatic));
            EXPECT_NE((*later)->strategy(), AccessStrategy::MemoryMap);
            EXPECT_EQ(path == rvf_ ? wrong_in_all(**later) : wrong_in_blocks(**later, whole_), 0);
          }
        })
        .join();
    return reasons;
  }
  /// Opens both fields on a thread that is refused something, and reads them; what is said about how.
  std::vector<std::string> read_all(const std::function<bool()>& restrict)
  {
    std::vector<std::string> reasons;
    std::thread(
        [&]
        {
          ASSERT_TRUE(restrict());
          for (const std::string& path : { rvf_, bov_ })
          {
            const auto field =
                open_field({ path }, { .strategy = AccessStrategy::Asynchronous, .memory_budget = 64 << 20 });
            ASSERT_TRUE(field) << field.error().describe();
            EXPECT_EQ((*field)->strategy(), AccessStrategy::Asynchronous);
            EXPECT_EQ(path == rvf_ ? wrong_in_all(**field) : wrong_in_blocks(**field, blocks_), 0);
            reasons.push_back((*field)->strategy_reason());
          }
        })
        .join();
    return reasons;
  }

private:
  static std::int64_t wrong_in_blocks(BrickSource& source, const BovCase& blocks)
  {
    std::int64_t wrong = 0;
    for (std::int64_t index = 0; index < source.bricks(0).size(); ++index)
    {
      const Lookup found = BrickReader(source).get({ 0, 0, index });
      const Box box = brick_values(source.bricks(0), Centering::Node, index);
      wrong += found.state == Lookup::State::Ready && as_doubles(found.pin.view().data, found.pin.view().type,
                                                          3 * box.count()) == expected_values(blocks, box)
                   ? 0
                   : 1;
    }
    return wrong;
  }

  TemporaryFolder folder_;
  BovCase blocks_{
    .lattice = { 36, 28, 26 }, .block = { 18, 14, 13 }, .format = "FLOAT", .big = true, .components = 3
  };
  std::string rvf_ = folder_.file("field.rvf");
  std::string bov_;
  BovCase whole_{ .lattice = { 19, 14, 13 }, .components = 3, .name = "whole" };
  std::string whole_bov_;
};

} // namespace

TEST_F(RefusingKernels, MakeThreadsRead)
{
  for (const std::string& reason : read_all([] { return refuse(SYS_io_uring_setup); }))
  {
    EXPECT_NE(reason.find("They are read by threads"), std::string::npos) << reason;
  }
}

TEST_F(RefusingKernels, MakeThreadsReadWhereARingCanBeMadeButNotUsed)
{
  for (const std::string& reason : read_all([] { return refuse(SYS_io_uring_enter); }))
  {
    EXPECT_NE(reason.find("They are read by threads"), std::string::npos) << reason;
  }
}

TEST_F(RefusingKernels, ThatRegisterNothingLetTheRingReadAllTheSame)
{
  const bool ring = has_io_uring();
  for (const std::string& reason : read_all([] { return refuse(SYS_io_uring_register); }))
  {
    EXPECT_EQ(reason.find("They are read by io_uring") != std::string::npos, ring) << reason;
  }
}

TEST_F(RefusingKernels, ThatMapNoFilesAreReadThroughAllTheSame)
{
  const std::vector<std::string> reasons = read_all_unmapped();
  ASSERT_EQ(reasons.size(), 2U);
  for (const std::string& reason : reasons)
  {
    EXPECT_NE(reason.find("refused to map"), std::string::npos) << reason;
  }
}

TEST_F(RefusingKernels, ThatLockLittleMemoryAreReadThroughAllTheSame)
{
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_MEMLOCK, &before), 0);
  // None; less than a ring takes where the kernel counts rings, too; a ring and some slots. Who reads then also depends
  // on what else the user has locked.
  for (const rlim_t bytes : { rlim_t{ 0 }, rlim_t{ 4096 }, rlim_t{ 64 * 1024 }, rlim_t{ 256 * 1024 } })
  {
    const rlimit little{ bytes, before.rlim_max };
    ASSERT_EQ(::setrlimit(RLIMIT_MEMLOCK, &little), 0);
    EXPECT_EQ(read_all(give_up_locking).size(), 2U);
  }
  ASSERT_EQ(::setrlimit(RLIMIT_MEMLOCK, &before), 0);
}

} // namespace rivulet::test
