// SPDX-License-Identifier: BSD-3-Clause
#include "BovWriter.h"
#include "Support/TemporaryFolder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace
{

using namespace lattice_boltzmann;
using ::testing::HasSubstr;

std::string contents(const std::string& file)
{
  std::ifstream stream(file, std::ios::binary);
  return { std::istreambuf_iterator<char>(stream), {} };
}

BovStep small_step(const std::string& name)
{
  BovStep step;
  step.name = name;
  step.variable = "density";
  step.size = { 3, 2, 2 };
  step.origin = { -1, 0, 2 };
  step.spacing = 0.5;
  step.time = 0.25;
  return step;
}

TEST(BovWriter, HeaderGivesGeometryAndTime)
{
  const rivulet::test::TemporaryFolder folder;
  ASSERT_EQ(write_bov(small_step(folder.file("rho")), [](std::int32_t, std::span<float>) {}), "");
  const std::string header = contents(folder.file("rho.bov"));
  for (const char* line : { "TIME: 0.25\n", "DATA_FILE: rho.raw\n", "DATA_SIZE: 3 2 2\n", "DATA_FORMAT: FLOAT\n",
           "VARIABLE: density\n", "BRICK_ORIGIN: -1 0 2\n", "BRICK_SIZE: 1 0.5 0.5\n" })
  {
    EXPECT_THAT(header, HasSubstr(line));
  }
}

TEST(BovWriter, RawFileHoldsThePlanesInOrder)
{
  const rivulet::test::TemporaryFolder folder;
  const auto plane = [](std::int32_t z, std::span<float> out)
  {
    std::fill(out.begin(), out.end(), static_cast<float>(z));
  };
  ASSERT_EQ(write_bov(small_step(folder.file("rho")), plane), "");
  const std::string raw = contents(folder.file("rho.raw"));
  ASSERT_EQ(raw.size(), 12 * sizeof(float));
  const float expected[12] = { 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1 };
  EXPECT_EQ(raw, std::string(reinterpret_cast<const char*>(expected), sizeof expected));
}

TEST(BovWriter, NamesTheFileThatItCannotWrite)
{
  const rivulet::test::TemporaryFolder folder;
  const std::string trouble = write_bov(small_step(folder.file("missing/rho")), [](std::int32_t, std::span<float>) {});
  EXPECT_THAT(trouble, HasSubstr("missing/rho.raw: cannot be written: No such file"));
}

TEST(BovWriter, NoticesThatTheDiskIsFull)
{
  const rivulet::test::TemporaryFolder folder;
  std::filesystem::create_symlink("/dev/full", folder.path() / "rho.raw");
  const std::string trouble = write_bov(small_step(folder.file("rho")), [](std::int32_t, std::span<float>) {});
  EXPECT_THAT(trouble, HasSubstr("No space left"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "rho.bov"));
}

} // namespace
