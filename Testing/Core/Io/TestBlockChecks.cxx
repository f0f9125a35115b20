// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/BovFixture.h"
#include "Io/Blocks/BlockChecks.h"

#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <limits>
#include <sys/stat.h>

namespace rivulet::test
{

namespace
{

namespace fs = std::filesystem;
using testing::HasSubstr;

enum class Order : std::uint8_t
{
  Big,
  Little
};

/// Files of numbers, and their description.
class BlocksOfNumbers : public testing::Test
{
protected:
  /// A block of four numbers in each of `blocks` files for each step, behind 3 bytes.
  [[nodiscard]] BlockField field_of(std::int32_t blocks, int steps, int parts) const
  {
    BlockVariable variable;
    variable.variable = { "v", ScalarType::Float32, parts, Centering::Node };
    variable.lattice = { 4 * blocks, 1, 1 };
    variable.block = { 4, 1, 1 };
    for (int step = 0; step < steps; ++step)
    {
      BlockStep& each = variable.steps.emplace_back();
      for (int part = 0; part < parts; ++part)
      {
        const std::string name = "s" + std::to_string(step) + "p" + std::to_string(part);
        each.parts.push_back({ FilePattern::parse(name + "b%d")->under(folder_.path().string()), 3 });
        for (std::int32_t block = 0; block < blocks; ++block)
        {
          write_text(folder_.file(name + "b" + std::to_string(block)), std::string(3 + 4 * 4, '\0'));
        }
      }
    }
    BlockField field;
    field.variables = { variable };
    return field;
  }

  /// One file of these numbers in this byte order, which is called big-endian.
  [[nodiscard]] BlockVariable numbers(const std::vector<double>& values, Order order, StoredType type) const
  {
    std::string bytes;
    for (const double value : values)
    {
      bytes += bytes_of(value, type == StoredType::Float32 ? "FLOAT" : "DOUBLE", order == Order::Big);
    }
    write_text(folder_.file("values"), bytes);
    BlockVariable variable;
    variable.variable = { "v", value_type(type), 1, Centering::Node };
    variable.format = { type, true, std::nullopt };
    variable.lattice = variable.block = { static_cast<std::int32_t>(values.size()), 1, 1 };
    variable.steps = { { { { FilePattern::plain(folder_.file("values")), 0 } } } };
    return variable;
  }
  [[nodiscard]] static bool passes(const BlockVariable& variable)
  {
    DataFiles files;
    return check_byte_order(variable, files).has_value();
  }

  TemporaryFolder folder_;
};

/// Numbers as flows have them.
std::vector<double> wave(std::size_t count)
{
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    values[i] = std::sin(0.1 * static_cast<double>(i + 1));
  }
  return values;
}

} // namespace

TEST_F(BlocksOfNumbers, ArePresentWhereEveryFileIsLongEnough)
{
  const BlockField field = field_of(3, 2, 2);
  EXPECT_TRUE(check_files(field));
  write_text(folder_.file("s0p0b0"), std::string(1000, '\0'));
  EXPECT_TRUE(check_files(field)) << "longer than needed";
  EXPECT_TRUE(check_files(BlockField()));
}

TEST_F(BlocksOfNumbers, AreMissedInAnyBlockPartOrStep)
{
  const BlockField field = field_of(3, 2, 2);
  for (const char* name : { "s0p0b0", "s0p0b2", "s0p1b1", "s1p0b0", "s1p1b2" })
  {
    const std::string path = folder_.file(name);
    fs::resize_file(path, 18);
    const Result<void> shorter = check_files(field);
    ASSERT_FALSE(shorter) << name;
    EXPECT_EQ(shorter.error().code, ErrorCode::Truncated);
    EXPECT_EQ(shorter.error().path, path);
    EXPECT_EQ(shorter.error().offset, 18);
    EXPECT_THAT(shorter.error().what, HasSubstr("has 18 bytes, 19 are needed"));
    fs::remove(path);
    const Result<void> missing = check_files(field);
    ASSERT_FALSE(missing) << name;
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    EXPECT_EQ(missing.error().path, path);
    write_text(path, std::string(19, '\0'));
    EXPECT_TRUE(check_files(field));
  }
}

TEST_F(BlocksOfNumbers, MayBeLinksButNoFoldersOrPipes)
{
  const BlockField field = field_of(2, 1, 1);
  const std::string path = folder_.file("s0p0b1");
  fs::rename(path, folder_.file("elsewhere"));
  fs::create_symlink("elsewhere", path);
  EXPECT_TRUE(check_files(field));
  fs::remove(folder_.file("elsewhere"));
  EXPECT_EQ(check_files(field).error().code, ErrorCode::NotFound);
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_EQ(check_files(field).error().code, ErrorCode::CannotRead);
  fs::remove(path);
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(check_files(field).error().code, ErrorCode::CannotRead) << "without waiting for its other end";
  EXPECT_EQ(check_files(field).error().path, path);
}

TEST_F(BlocksOfNumbers, InTheOtherByteOrderAreRefused)
{
  for (const StoredType type : { StoredType::Float32, StoredType::Float64 })
  {
    EXPECT_TRUE(passes(numbers(wave(100), Order::Big, type)));
    const BlockVariable wrong = numbers(wave(100), Order::Little, type);
    DataFiles files;
    const Result<void> other = check_byte_order(wrong, files);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::Corrupt);
    EXPECT_EQ(other.error().path, folder_.file("values"));
    EXPECT_THAT(other.error().remedy, HasSubstr("other byte order"));
  }
}

TEST_F(BlocksOfNumbers, AreJudgedBySixteenThatAreNotZeroAtLeast)
{
  EXPECT_TRUE(passes(numbers(wave(1), Order::Little, StoredType::Float64)));
  EXPECT_TRUE(passes(numbers(std::vector<double>(1000, 0.0), Order::Little, StoredType::Float64)));
}

TEST_F(BlocksOfNumbers, ThatMakeNoSenseInEitherOrderPass)
{
  EXPECT_TRUE(passes(
      numbers(std::vector<double>(100, std::numeric_limits<double>::quiet_NaN()), Order::Big, StoredType::Float64)))
      << "a step that was not computed";
  std::vector<double> half = wave(100);
  for (std::size_t i = 0; i < half.size(); i += 2)
  {
    half[i] = std::numeric_limits<float>::max(); // as some mark land
  }
  EXPECT_TRUE(passes(numbers(half, Order::Big, StoredType::Float32)));
}

TEST_F(BlocksOfNumbers, ThatAreWholeAreNotJudged)
{
  BlockVariable variable = numbers(wave(100), Order::Little, StoredType::Float32);
  ASSERT_FALSE(passes(variable));
  variable.format.type = StoredType::Int32;
  EXPECT_TRUE(passes(variable));
}

/// Missing files are for check_files() to name.
TEST_F(BlocksOfNumbers, AreJudgedByTheFilesThatThereAre)
{
  BlockVariable variable = numbers(wave(100), Order::Little, StoredType::Float32);
  fs::rename(folder_.file("values"), folder_.file("values1"));
  variable.lattice[0] = 200;
  variable.steps[0].parts[0].files = *FilePattern::parse(folder_.file("values%d"));
  EXPECT_FALSE(passes(variable)) << "the first of two blocks is missing";
  fs::remove(folder_.file("values1"));
  EXPECT_TRUE(passes(variable));
}

/// Zeros at the start of a large file say nothing of the rest.
TEST_F(BlocksOfNumbers, AreSampledOverTheWholeFile)
{
  std::vector<double> late(200000, 0.0);
  const std::vector<double> values = wave(30000);
  std::copy(values.begin(), values.end(), late.end() - 30000);
  EXPECT_FALSE(passes(numbers(late, Order::Little, StoredType::Float32)));
  EXPECT_TRUE(passes(numbers(late, Order::Big, StoredType::Float32)));
}

} // namespace rivulet::test
