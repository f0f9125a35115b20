// SPDX-License-Identifier: BSD-3-Clause
// Address ranges that read as NaN or 0 and take almost no memory.
#include "Base/Bytes.h"
#include "Pipeline/MissingRegion.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace rivulet::test
{
namespace
{

/// Bytes of memory that this process has for itself.
std::int64_t own_memory()
{
  std::ifstream file("/proc/self/statm");
  std::int64_t size = 0;
  std::int64_t resident = 0;
  std::int64_t shared = 0;
  file >> size >> resident >> shared;
  return (resident - shared) * ::sysconf(_SC_PAGESIZE);
}

TEST(MissingRegion, ReadsAsNanInEitherPrecision)
{
  for (const std::int64_t bytes : { std::int64_t{ 8 }, 4096 - std::int64_t{ 8 }, kMiB, 3 * kMiB + 24 })
  {
    const MissingRegion region(bytes, MissingRegion::NaN);
    ASSERT_NE(region.data(), nullptr);
    const auto* const floats = static_cast<const float*>(region.data());
    const auto* const doubles = static_cast<const double*>(region.data());
    EXPECT_TRUE(std::all_of(floats, floats + bytes / 4, [](float value) { return std::isnan(value); }));
    EXPECT_TRUE(std::all_of(doubles, doubles + bytes / 8, [](double value) { return std::isnan(value); }));
  }
}

TEST(MissingRegion, ReadsAs0ForWholeNumbers)
{
  const MissingRegion region(2 * kMiB, MissingRegion::Zero);
  const auto* const numbers = static_cast<const std::int32_t*>(region.data());
  EXPECT_TRUE(std::all_of(numbers, numbers + kMiB / 2, [](std::int32_t value) { return value == 0; }));
}

TEST(MissingRegion, OfNothingIsThere)
{
  EXPECT_NE(MissingRegion(0, MissingRegion::NaN).data(), nullptr);
}

/// 64 GiB, more than the machine may have; a look at each 16th MiB.
TEST(MissingRegion, TakesAlmostNoMemory)
{
  const std::int64_t before = own_memory();
  const MissingRegion region(64 * kGiB, MissingRegion::NaN);
  ASSERT_NE(region.data(), nullptr);
  const auto* const bytes = static_cast<const std::byte*>(region.data());
  for (std::int64_t at = 0; at < 64 * kGiB; at += 16 * kMiB)
  {
    EXPECT_TRUE(std::isnan(*reinterpret_cast<const double*>(bytes + at)));
  }
  EXPECT_LT(own_memory() - before, 8 * kMiB);
}

/// The pages behind it are shared by all regions: a written value may not show in another one.
TEST(MissingRegion, KeepsWrittenValuesToItself)
{
  const MissingRegion written(kMiB, MissingRegion::NaN);
  const MissingRegion other(kMiB, MissingRegion::NaN);
  auto* const values = static_cast<double*>(written.data());
  std::fill_n(values, 512, 1.5);
  EXPECT_EQ(values[7], 1.5);
  EXPECT_TRUE(std::isnan(values[512]));
  EXPECT_TRUE(std::isnan(static_cast<const double*>(other.data())[7]));
  const MissingRegion later(kMiB, MissingRegion::NaN);
  EXPECT_TRUE(std::isnan(static_cast<const double*>(later.data())[7]));
  const pid_t child = ::fork(); // nor in another process
  if (child == 0)
  {
    values[8] = 3.0;
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(values[8], 1.5);
}

/// The kernel allows about 65000 mappings: many patches, each with a region.
TEST(MissingRegion, MayBeThereManyTimes)
{
  std::vector<std::unique_ptr<MissingRegion>> regions;
  for (int i = 0; i < 5000; ++i)
  {
    regions.push_back(std::make_unique<MissingRegion>(32 * kKiB, MissingRegion::NaN));
    ASSERT_NE(regions.back()->data(), nullptr);
  }
  EXPECT_TRUE(std::isnan(*static_cast<const float*>(regions.back()->data())));
}

} // namespace
} // namespace rivulet::test
