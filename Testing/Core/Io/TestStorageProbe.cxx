// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Io/File.h"
#include "Io/StorageProbe.h"
#include "Support/NoMoreThreads.h"
#include "Support/SlowDisk/SlowDisk.h"
#include "Support/TemporaryFolder.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

constexpr std::int64_t kBytes = 8 * kMiB;

class StorageProbes : public testing::Test
{
protected:
  StorageProbes()
  {
    const std::vector<char> values(static_cast<std::size_t>(kBytes), 'x');
    File file = *File::create(path_);
    EXPECT_TRUE(file.append(values.data(), kBytes));
    EXPECT_TRUE(file.sync());
  }
  [[nodiscard]] static ProbeArea area(const std::string& path)
  {
    return { .path = path, .begin = 0, .end = kBytes, .request = 12'000 };
  }
  void forget_pages() const
  {
    const File file = *File::open(path_, File::Mode::Read);
    ASSERT_EQ(::posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_DONTNEED), 0);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("values");
  const std::vector<std::int64_t> some_{ 0, 5000, 4 * kMiB, kBytes - 1 };
};

} // namespace

TEST_F(StorageProbes, MeasureWithinTheirLimits)
{
  if (!direct_limits(path_))
  {
    GTEST_SKIP() << "no direct reads here";
  }
  for (const bool io_uring : { true, false })
  {
    const ProbeLimits limits{ .bytes = kMiB, .io_uring = io_uring };
    const Result<ProbedStorage> probed = probe_storage(area(path_), limits);
    ASSERT_TRUE(probed) << probed.error().describe();
    EXPECT_GT(probed->speed.latency, 0.0);
    EXPECT_GT(probed->speed.requests_per_second, 0.0);
    EXPECT_GT(probed->bytes_read, 0);
    EXPECT_LE(probed->bytes_read, limits.bytes);
  }
}

TEST_F(StorageProbes, RecogniseADiskThatIsSlowAndServesManyAtOnce)
{
  SlowDisk disk(folder_.path(), { "--latency", "5", "--depth", "32" });
  if (!disk.mounted())
  {
    GTEST_SKIP() << disk.why_not();
  }
  const Result<ProbedStorage> probed = probe_storage(area(disk.file("values")));
  ASSERT_TRUE(probed) << probed.error().describe();
  EXPECT_GE(probed->speed.latency, 0.005);
  EXPECT_GT(probed->speed.requests_per_second, 2.0 / probed->speed.latency);
}

TEST_F(StorageProbes, FailWhereThereIsNothingToRead)
{
  EXPECT_EQ(probe_storage(area(folder_.file("none"))).error().code, ErrorCode::NotFound);
  ProbeArea small = area(path_);
  small.end = 20'000;
  EXPECT_FALSE(probe_storage(small));
  ProbeArea beyond = area(path_);
  beyond.end = 100 * kBytes;
  EXPECT_FALSE(probe_storage(beyond));
}

TEST_F(StorageProbes, FailOnADiskThatFails)
{
  SlowDisk disk(folder_.path(), {});
  if (!disk.mounted())
  {
    GTEST_SKIP() << disk.why_not();
  }
  disk.set_faults("eio 0 100000000\n");
  const Result<ProbedStorage> probed = probe_storage(area(disk.file("values")));
  ASSERT_FALSE(probed);
  EXPECT_EQ(probed.error().code, ErrorCode::CannotRead);
}

TEST_F(StorageProbes, SayThatTheyHaveNoThreads)
{
  if (!direct_limits(path_))
  {
    GTEST_SKIP() << "no direct reads here";
  }
  const NoMoreThreads refused;
  const Result<ProbedStorage> probed = probe_storage(area(path_), { .bytes = kMiB, .io_uring = false });
  ASSERT_FALSE(probed);
  EXPECT_EQ(probed.error().code, ErrorCode::CannotRead);
}

TEST_F(StorageProbes, KnowWhatThePageCacheHolds)
{
  forget_pages();
  const std::optional<double> before = cached_share(path_, some_);
  ASSERT_TRUE(before);
  std::vector<char> values(static_cast<std::size_t>(kBytes));
  ASSERT_TRUE(File::open(path_, File::Mode::Read)->pread_full(values.data(), kBytes, 0));
  EXPECT_EQ(cached_share(path_, some_), 1.0);
  EXPECT_LE(*before, 1.0);
  EXPECT_FALSE(cached_share(folder_.file("none"), some_));
  EXPECT_FALSE(cached_share(path_, { kBytes, -1 }));
}

TEST_F(StorageProbes, ReadNothingToKnowWhatThePageCacheHolds)
{
  forget_pages();
  const std::optional<double> once = cached_share(path_, some_);
  EXPECT_EQ(cached_share(path_, some_), once);
}

} // namespace rivulet::test
