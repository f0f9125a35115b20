// SPDX-License-Identifier: BSD-3-Clause
// Boxes out of blocks: each value is planned once, from its place, and lands in its own.
#include "Io/Blocks/BlockPlan.h"

#include <cstring>
#include <gmock/gmock.h>
#include <limits>
#include <map>
#include <random>

namespace rivulet::test
{
namespace
{

constexpr Int3 kBlock{ 4, 3, 2 };
constexpr Int3 kLattice{ 12, 6, 4 };

/// A variable in blocks, of components side by side or each in a file of its own, behind some bytes.
BlockVariable in_blocks(std::int32_t components, bool apart, const Int3& block = kBlock)
{
  BlockVariable variable;
  variable.variable = { "v", ScalarType::Float32, components, Centering::Node };
  variable.lattice = kLattice;
  variable.block = block;
  BlockStep step;
  for (std::int32_t part = 0; part < (apart ? components : 1); ++part)
  {
    step.parts.push_back({ *FilePattern::parse("part" + std::to_string(part) + "_%d"), 12 + 4 * part });
  }
  variable.steps = { step };
  return variable;
}

/// The value of a component at a lattice point.
float value_at(const Int3& at, std::int32_t component)
{
  return static_cast<float>(10 * row_major(at, kLattice) + component);
}

/// The file of a block: its header, and its values.
std::vector<std::byte> file_of(const BlockVariable& variable, std::size_t part, std::int64_t block)
{
  const auto adjacent = static_cast<std::int32_t>(variable.adjacent());
  const Box box = variable.block_box(block);
  std::vector<float> values;
  for (Int3 at = box.begin; at[2] < box.end[2]; ++at[2])
  {
    for (at[1] = box.begin[1]; at[1] < box.end[1]; ++at[1])
    {
      for (at[0] = box.begin[0]; at[0] < box.end[0]; ++at[0])
      {
        for (std::int32_t c = 0; c < adjacent; ++c)
        {
          values.push_back(value_at(at, adjacent > 1 ? c : static_cast<std::int32_t>(part)));
        }
      }
    }
  }
  const auto offset = static_cast<std::size_t>(variable.steps[0].parts[part].offset);
  std::vector<std::byte> bytes(offset + values.size() * sizeof(float), std::byte{ 0xee });
  std::memcpy(bytes.data() + offset, values.data(), values.size() * sizeof(float));
  return bytes;
}

struct Planned
{
  std::vector<float> values;
  std::int64_t spans = 0;
  std::int64_t bytes = 0;
};

/// Reads a box by its plan, out of files made here.
Planned read(const BlockVariable& variable, const Box& box, const SpanLimits& limits)
{
  Planned planned;
  planned.values.assign(static_cast<std::size_t>(box.count() * variable.variable.components), -1.0F);
  const Result<void> done = for_each_span(variable, 0, box, limits,
      [&](PlannedSpan&& each) -> Result<void>
      {
        const auto part = static_cast<std::size_t>(each.span.part - variable.steps[0].parts.data());
        const std::vector<std::byte> file = file_of(variable, part, each.span.block);
        EXPECT_EQ(each.span.needed(), static_cast<std::int64_t>(file.size()));
        EXPECT_EQ(each.span.path(), "part" + std::to_string(part) + "_" + std::to_string(each.span.block));
        EXPECT_GE(each.span.offset, each.span.part->offset);
        EXPECT_LE(each.span.offset + each.span.bytes, each.span.needed());
        ++planned.spans;
        planned.bytes += each.span.bytes;
        place(variable, each.runs, each.span.offset, file.data() + each.span.offset, planned.values.data());
        return {};
      });
  EXPECT_TRUE(done.has_value());
  return planned;
}

std::vector<float> expected_of(const BlockVariable& variable, const Box& box)
{
  std::vector<float> values;
  for (Int3 at = box.begin; at[2] < box.end[2]; ++at[2])
  {
    for (at[1] = box.begin[1]; at[1] < box.end[1]; ++at[1])
    {
      for (at[0] = box.begin[0]; at[0] < box.end[0]; ++at[0])
      {
        for (std::int32_t c = 0; c < variable.variable.components; ++c)
        {
          values.push_back(value_at(at, c));
        }
      }
    }
  }
  return values;
}

TEST(BlockPlan, OfAnyBoxHasEachValueOnce)
{
  std::mt19937 random(3);
  for (const std::int32_t components : { 1, 3 })
  {
    for (const bool apart : { false, true })
    {
      for (const Int3& block : { kBlock, kLattice })
      {
        const BlockVariable variable = in_blocks(components, apart, block);
        for (int trial = 0; trial < 60; ++trial)
        {
          Box box;
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            box.begin[axis] = static_cast<std::int32_t>(random() % static_cast<unsigned>(kLattice[axis]));
            box.end[axis] =
                box.begin[axis] + 1 +
                static_cast<std::int32_t>(random() % static_cast<unsigned>(kLattice[axis] - box.begin[axis]));
          }
          const SpanLimits limits{ static_cast<std::int64_t>(random() % 64),
            static_cast<std::int64_t>(4 + random() % 300) };
          EXPECT_EQ(read(variable, box, limits).values, expected_of(variable, box));
        }
      }
    }
  }
}

/// Wider gaps make fewer and larger spans, up to the limit.
TEST(BlockPlan, JoinsPiecesThatLieCloseTogether)
{
  const BlockVariable variable = in_blocks(1, false, kLattice);
  const Box box{ { 2, 0, 0 }, { 10, 6, 4 } };
  const Planned apart = read(variable, box, { 0, 1 << 20 });
  EXPECT_EQ(apart.spans, 6 * 4) << "a row each";
  EXPECT_EQ(apart.bytes, box.count() * 4);
  const Planned together = read(variable, box, { 16, 1 << 20 });
  EXPECT_EQ(together.spans, 1);
  EXPECT_EQ(together.bytes, (kLattice[0] * 6 * 4 - 4) * 4);
  EXPECT_GT(read(variable, box, { 16, 256 }).spans, 1);
}

TEST(BlockPlan, OfAWholeBlockIsAPlainCopy)
{
  const BlockVariable variable = in_blocks(3, false);
  int plain = 0;
  EXPECT_TRUE(for_each_span(variable, 0, variable.block_box(4), { 0, 1 << 20 },
      [&](PlannedSpan&& each) -> Result<void>
      {
        plain += is_plain_copy(each) ? 1 : 0;
        EXPECT_EQ(each.span.block, 4);
        return {};
      }));
  EXPECT_EQ(plain, 1);
}

TEST(BlockPlan, StopsAtTheFirstFailure)
{
  int visits = 0;
  const Result<void> done = for_each_span(in_blocks(1, false), 0, { { 0, 0, 0 }, kLattice }, { 0, 16 },
      [&](PlannedSpan&&) -> Result<void>
      {
        ++visits;
        return fail(ErrorCode::CannotRead, "no", "none");
      });
  EXPECT_FALSE(done.has_value());
  EXPECT_EQ(visits, 1);
}

TEST(BlockVariable, SharesTheLatticeOutToItsBlocks)
{
  const BlockVariable variable = in_blocks(1, false);
  EXPECT_EQ(variable.blocks(), (Int3{ 3, 2, 2 }));
  std::int64_t points = 0;
  for (std::int64_t block = 0; block < volume(variable.blocks()); ++block)
  {
    points += variable.block_box(block).count();
  }
  EXPECT_EQ(points, volume(kLattice));
  EXPECT_EQ(variable.block_box(1).begin, (Int3{ 4, 0, 0 })) << "x is fastest";
  EXPECT_EQ(variable.part_bytes(), 4 * 3 * 2 * 4);
}

TEST(CheckedProduct, TellsOverflow)
{
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(checked_product({ 3, 4, 5 }), 60);
  EXPECT_EQ(checked_product({ kMost, 1 }), kMost);
  EXPECT_EQ(checked_product({ kMost, 2 }), std::nullopt);
  EXPECT_EQ(checked_product({ std::int64_t{ 1 } << 32, std::int64_t{ 1 } << 31 }), std::nullopt);
  EXPECT_EQ(checked_product({ kMost, 0 }), 0);
  EXPECT_EQ(checked_product({}), 1);
  EXPECT_EQ(checked_bytes({ 2, 3, 4 }, 3, StoredType::Float64, 100), 100 + 24 * 3 * 8);
  EXPECT_EQ(checked_bytes({ 2000000000, 2000000000, 1 }, 1, StoredType::Float64, 0), std::nullopt);
  EXPECT_EQ(checked_bytes({ 1, 1, 1 }, 1, StoredType::Int8, kMost), std::nullopt);
}

} // namespace
} // namespace rivulet::test
