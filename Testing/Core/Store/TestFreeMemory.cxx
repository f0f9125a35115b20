// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Store/Memory/FreeMemory.h"
#include "Support/TemporaryFolder.h"

#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

/// A made-up /proc and /sys.
class FreeMemory : public testing::Test
{
protected:
  FreeMemory() { write("/proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    4000 kB\n"); }

  void write(const std::string& path, const std::string& text)
  {
    const std::filesystem::path file = folder_.path().string() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  [[nodiscard]] std::int64_t free_kib() const { return free_memory(folder_.path().string()) / kKiB; }

  void second_version()
  {
    write("/proc/self/cgroup", "0::/job/step\n");
    write("/proc/self/mountinfo", "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n");
  }
  void first_version()
  {
    write("/proc/self/cgroup", "5:cpu,cpuacct:/\n4:memory:/job\n0::/\n");
    write("/proc/self/mountinfo", "29 24 0:25 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
                                  "31 24 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  }

private:
  TemporaryFolder folder_;
};

} // namespace

TEST_F(FreeMemory, IsWhatTheMachineHasWithoutAGroup)
{
  EXPECT_EQ(free_kib(), 4000);
}

TEST_F(FreeMemory, IsUnknownWithoutProc)
{
  EXPECT_EQ(free_memory("/nowhere"), 0);
}

TEST_F(FreeMemory, IsLimitedByTheGroup)
{
  second_version();
  write("/sys/fs/cgroup/job/step/memory.max", "2048000\n");
  write("/sys/fs/cgroup/job/step/memory.current", "1024000\n");
  EXPECT_EQ(free_kib(), 1000);
}

TEST_F(FreeMemory, CountsTheGroupsPageCacheAsFree)
{
  second_version();
  write("/sys/fs/cgroup/job/step/memory.max", "2048000\n");
  write("/sys/fs/cgroup/job/step/memory.current", "1024000\n");
  write("/sys/fs/cgroup/job/step/memory.stat", "anon 1\ninactive_file 102400\nactive_file 204800\n");
  EXPECT_EQ(free_kib(), 1300);
}

TEST_F(FreeMemory, IsLimitedByAGroupAbove)
{
  second_version();
  write("/sys/fs/cgroup/job/step/memory.max", "max\n");
  write("/sys/fs/cgroup/job/step/memory.current", "1024000\n");
  write("/sys/fs/cgroup/job/memory.max", "3072000\n");
  write("/sys/fs/cgroup/job/memory.current", "2048000\n");
  EXPECT_EQ(free_kib(), 1000);
}

TEST_F(FreeMemory, IsNeverNegative)
{
  second_version();
  write("/sys/fs/cgroup/job/memory.max", "1000\n");
  write("/sys/fs/cgroup/job/memory.current", "2000\n");
  EXPECT_EQ(free_kib(), 0);
}

TEST_F(FreeMemory, UnderstandsTheOlderInterface)
{
  first_version();
  write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2560000\n");
  write("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1536000\n");
  write("/sys/fs/cgroup/memory/job/memory.stat", "cache 7\ntotal_inactive_file 512000\ntotal_active_file 0\n");
  EXPECT_EQ(free_kib(), 1500);
}

TEST_F(FreeMemory, FindsTheGroupOfAContainer)
{
  // The container sees its own group as the root of the hierarchy.
  write("/proc/self/cgroup", "0::/docker/abc\n");
  write("/proc/self/mountinfo", "30 24 0:26 /docker/abc /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  write("/sys/fs/cgroup/memory.max", "1024000\n");
  write("/sys/fs/cgroup/memory.current", "0\n");
  EXPECT_EQ(free_kib(), 1000);
}

TEST_F(FreeMemory, IsLimitedByTheMachineWhereTheGroupHasMore)
{
  second_version();
  write("/sys/fs/cgroup/job/step/memory.max", "9999999999\n");
  write("/sys/fs/cgroup/job/step/memory.current", "0\n");
  EXPECT_EQ(free_kib(), 4000);
}

TEST_F(FreeMemory, IsNotLimitedByAGroupWhoseUseIsUnknown)
{
  second_version();
  write("/sys/fs/cgroup/job/step/memory.max", "1024000\n");
  EXPECT_EQ(free_kib(), 4000);
}

TEST_F(FreeMemory, CountsNoMorePageCacheThanIsInUse)
{
  second_version();
  write("/sys/fs/cgroup/job/step/memory.max", "2048000\n");
  write("/sys/fs/cgroup/job/step/memory.current", "1024000\n");
  write("/sys/fs/cgroup/job/step/memory.stat", "inactive_file 4096000\n");
  EXPECT_EQ(free_kib(), 2000);
}

TEST_F(FreeMemory, IsTheLeastOfBothVersionsWhereAMachineHasBoth)
{
  write("/proc/self/cgroup", "4:memory:/job\n0::/job\n");
  write("/proc/self/mountinfo", "30 24 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
                                "31 24 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  write("/sys/fs/cgroup/unified/job/memory.max", "3072000\n");
  write("/sys/fs/cgroup/unified/job/memory.current", "0\n");
  write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2048000\n");
  write("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "0\n");
  EXPECT_EQ(free_kib(), 2000);
}

TEST_F(FreeMemory, TakesNoOtherControllerForThatOfMemory)
{
  write("/proc/self/cgroup", "nonsense\n5:cpu,hugememory:/other\n4:pids,memory:/job\n");
  write("/proc/self/mountinfo", "31 24 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  write("/sys/fs/cgroup/memory/other/memory.limit_in_bytes", "1024\n");
  write("/sys/fs/cgroup/memory/other/memory.usage_in_bytes", "0\n");
  write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "1024000\n");
  write("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "0\n");
  EXPECT_EQ(free_kib(), 1000);
}

TEST(RanksOnNode, AreReadFromTheLauncher)
{
  EXPECT_EQ(ranks_on_node(), 1);
  ::setenv("SLURM_STEP_TASKS_PER_NODE", "8(x2),4", 1);
  EXPECT_EQ(ranks_on_node(), 8);
  ::setenv("MPI_LOCALNRANKS", "3", 1);
  EXPECT_EQ(ranks_on_node(), 3);
  ::setenv("MPI_LOCALNRANKS", "many", 1);
  EXPECT_EQ(ranks_on_node(), 8);
  ::unsetenv("MPI_LOCALNRANKS");
  ::unsetenv("SLURM_STEP_TASKS_PER_NODE");
}

} // namespace rivulet::test
