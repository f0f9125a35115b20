// SPDX-License-Identifier: BSD-3-Clause
// Values of boxes through ways to fetch bytes. TestBlockPlan has which bytes these are.
#include "Io/Blocks/BlockAssembly.h"
#include "Support/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace rivulet::test
{

namespace
{

using testing::Each;
using testing::HasSubstr;
using testing::Le;

constexpr Int3 kLattice{ 6, 4, 3 };
constexpr Int3 kBlock{ 3, 2, 3 };
constexpr Box kAll{ { 0, 0, 0 }, kLattice };

/// Two components of big-endian shorts in four files, 5 bytes behind their starts.
BlockVariable variable_in(const std::string& folder)
{
  BlockVariable variable;
  variable.variable = { "v", ScalarType::Float32, 2, Centering::Node };
  variable.format = { StoredType::Int16, true, std::nullopt };
  variable.lattice = kLattice;
  variable.block = kBlock;
  variable.steps = { { { { FilePattern::parse("block%d")->under(folder), 5 } } } };
  return variable;
}

std::int16_t value_at(const Int3& at, int component)
{
  return static_cast<std::int16_t>(300 * row_major(at, kLattice) - 5000 + component);
}

std::string bytes_of_block(const BlockVariable& variable, std::int64_t block)
{
  std::string bytes(5, '#');
  const Box box = variable.block_box(block);
  for (std::int64_t i = 0; i < box.count(); ++i)
  {
    const Int3 in = from_row_major(i, box.size());
    for (const int component : { 0, 1 })
    {
      const std::int16_t value =
          value_at({ in[0] + box.begin[0], in[1] + box.begin[1], in[2] + box.begin[2] }, component);
      bytes += { static_cast<char>(value >> 8), static_cast<char>(value & 0xff) };
    }
  }
  return bytes;
}

std::vector<float> expected_of(const Box& box)
{
  std::vector<float> values;
  for (std::int64_t i = 0; i < box.count(); ++i)
  {
    const Int3 in = from_row_major(i, box.size());
    for (const int component : { 0, 1 })
    {
      values.push_back(value_at({ in[0] + box.begin[0], in[1] + box.begin[1], in[2] + box.begin[2] }, component));
    }
  }
  return values;
}

/// Gives the bytes of blocks from memory, until it is told to fail.
class MemoryAccess final : public BlockAccess
{
public:
  MemoryAccess(std::int64_t gap, std::int64_t most)
    : BlockAccess(gap, most)
  {
  }
  Result<const std::byte*> fetch(const BlockSpan& span) override
  {
    sizes.push_back(span.bytes);
    if (static_cast<int>(sizes.size()) == fail_at)
    {
      return fail(ErrorCode::CannotRead, "no such luck");
    }
    bytes_ = bytes_of_block(*span.variable, span.block);
    count(span.bytes);
    return reinterpret_cast<const std::byte*>(bytes_.data()) + span.offset;
  }
  Result<void> finish() override
  {
    ++finished;
    return sound ? Result<void>() : fail(ErrorCode::Truncated, "some bytes were not there");
  }

  std::vector<std::int64_t> sizes; ///< of the spans that were asked for
  int fail_at = 0;                 ///< number of the call that fails; none is 0
  bool sound = true;
  int finished = 0;

private:
  std::string bytes_;
};

class FilesOfBlocks : public testing::Test
{
protected:
  FilesOfBlocks()
  {
    for (std::int64_t block = 0; block < 4; ++block)
    {
      std::ofstream(path(block), std::ios::binary) << bytes_of_block(variable_, block);
    }
  }
  [[nodiscard]] std::string path(std::int64_t block) const { return folder_.file("block" + std::to_string(block)); }
  [[nodiscard]] Result<std::vector<float>> read(const Box& box, BlockAccess& access) const
  {
    std::vector<float> values(static_cast<std::size_t>(2 * box.count()), -1);
    Result<void> done = assemble(variable_, 0, box, access, values.data());
    return done ? Result<std::vector<float>>(values) : forward_error(done);
  }

  TemporaryFolder folder_;
  BlockVariable variable_ = variable_in(folder_.path().string());
};

} // namespace

TEST(BlockAssembly, KeepsToTheLimitsOfItsAccess)
{
  std::vector<float> values(2 * 6 * 4 * 3);
  MemoryAccess small(0, 10);
  ASSERT_TRUE(assemble(variable_in(""), 0, kAll, small, values.data()));
  EXPECT_THAT(small.sizes, Each(Le(10)));
  MemoryAccess tiny(0, 1);
  ASSERT_TRUE(assemble(variable_in(""), 0, kAll, tiny, values.data()));
  EXPECT_THAT(tiny.sizes, Each(4)) << "one point at least";
  EXPECT_EQ(values, expected_of(kAll));
  MemoryAccess large(0, kMiB);
  ASSERT_TRUE(assemble(variable_in(""), 0, kAll, large, values.data()));
  EXPECT_EQ(large.sizes, std::vector<std::int64_t>(4, 3 * 2 * 3 * 4)) << "a block each";
  EXPECT_EQ(large.bytes_read(), 6 * 4 * 3 * 4);
}

TEST(BlockAssembly, StopsAtTheFirstFailureAndFinishesAllTheSame)
{
  std::vector<float> values(2 * 6 * 4 * 3);
  MemoryAccess access(0, kMiB);
  access.fail_at = 2;
  access.sound = false;
  const Result<void> done = assemble(variable_in(""), 0, kAll, access, values.data());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what, "no such luck") << "rather than what follows from it";
  EXPECT_EQ(access.sizes.size(), 2U);
  EXPECT_EQ(access.finished, 1);
  access.fail_at = 0;
  access.sound = true;
  EXPECT_TRUE(assemble(variable_in(""), 0, kAll, access, values.data())) << "it begins anew";
  EXPECT_EQ(access.finished, 2);
  EXPECT_EQ(values, expected_of(kAll));
}

TEST(BlockAssembly, FailsIfItsAccessFindsOutLate)
{
  std::vector<float> values(2 * 6 * 4 * 3);
  MemoryAccess access(0, kMiB);
  access.sound = false;
  const Result<void> done = assemble(variable_in(""), 0, kAll, access, values.data());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::Truncated);
}

/// Native values go straight to their places, by the way that every access has.
TEST(BlockAccess, FetchesIntoMemoryOfTheCaller)
{
  BlockVariable variable = variable_in("");
  MemoryAccess access(0, kMiB);
  const BlockSpan span{ &variable, &variable.steps[0].parts[0], 1, 9, 20 };
  std::string out(20, ' ');
  ASSERT_TRUE(access.fetch_into(span, out.data()));
  EXPECT_EQ(out, bytes_of_block(variable, 1).substr(9, 20));
  access.fail_at = 2;
  EXPECT_EQ(access.fetch_into(span, out.data()).error().what, "no such luck");
}

TEST_F(FilesOfBlocks, AreReadWithAnyAmountOfMemory)
{
  for (const std::int64_t most : { std::int64_t{ 1 }, std::int64_t{ 16 }, std::int64_t{ 50 }, kMiB })
  {
    DataFiles files;
    PositionedAccess access(files, most);
    for (const Box& box : { Box{ { 2, 1, 1 }, { 3, 2, 2 } }, Box{ { 0, 1, 0 }, { 6, 3, 3 } }, kAll })
    {
      const Result<std::vector<float>> values = read(box, access);
      ASSERT_TRUE(values) << values.error().describe();
      EXPECT_EQ(*values, expected_of(box)) << most;
    }
  }
}

TEST_F(FilesOfBlocks, AreReadOncePerByte)
{
  DataFiles files;
  PositionedAccess access(files);
  ASSERT_TRUE(read(kAll, access));
  EXPECT_EQ(access.bytes_read(), 6 * 4 * 3 * 4);
  ASSERT_TRUE(read({ { 5, 3, 2 }, { 6, 4, 3 } }, access));
  EXPECT_EQ(access.bytes_read(), 6 * 4 * 3 * 4 + 4);
}

TEST_F(FilesOfBlocks, AreNamedWhereTheyAreMissingOrTooShort)
{
  DataFiles files;
  PositionedAccess access(files);
  std::filesystem::resize_file(path(2), 76);
  const Error shorter = read(kAll, access).error();
  EXPECT_EQ(shorter.code, ErrorCode::Truncated);
  EXPECT_EQ(shorter.path, path(2));
  EXPECT_EQ(shorter.offset, 76);
  EXPECT_THAT(shorter.what, HasSubstr("has 76 bytes, 77 are needed"));
  EXPECT_TRUE(read({ { 0, 0, 0 }, { 6, 2, 3 } }, access)) << "of other blocks";
  std::filesystem::remove(path(3));
  const Error missing = read({ { 3, 2, 0 }, { 6, 4, 3 } }, access).error();
  EXPECT_EQ(missing.code, ErrorCode::NotFound);
  EXPECT_EQ(missing.path, path(3));
}

TEST_F(FilesOfBlocks, AreMissedWhereTheyWereCutShortBetweenTwoReads)
{
  DataFiles files;
  PositionedAccess access(files);
  ASSERT_TRUE(read(kAll, access));
  std::filesystem::resize_file(path(1), 40);
  const Result<std::vector<float>> values = read(kAll, access);
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().code, ErrorCode::Truncated);
  EXPECT_EQ(values.error().path, path(1));
  EXPECT_EQ(values.error().offset, 40);
}

} // namespace rivulet::test
