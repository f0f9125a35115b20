// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/DumpBytes.h"
#include "Amr/SamraiSummary.h"
#include "Core/Amr/MadeDump.h"

#include <gtest/gtest.h>

#include <random>

namespace rivulet::test
{
namespace
{

TEST(DumpBytes, ADumpArrivesAsItWas)
{
  const MadeDump made("--levels 3 --cells 24 24 24 --variable name=a --variable name=v,shape=vector,ghosts=1");
  AmrDump dump = made.open();
  ASSERT_TRUE(read_samrai_ranges(dump, 1));
  dump.notes = { "one", "" };
  const std::vector<std::byte> bytes = to_bytes(dump);
  const Result<AmrDump> arrived = dump_from_bytes(bytes);
  ASSERT_TRUE(arrived);
  EXPECT_EQ(to_bytes(*arrived), bytes);
  EXPECT_EQ(arrived->path, dump.path);
  EXPECT_EQ(arrived->files, dump.files);
  EXPECT_EQ(arrived->patches.size(), dump.patches.size());
  EXPECT_EQ(arrived->patches.back().group, dump.patches.back().group);
  EXPECT_EQ(arrived->patches.back().cells, dump.patches.back().cells);
  EXPECT_EQ(arrived->children, dump.children);
  EXPECT_EQ(arrived->notes, dump.notes);
  EXPECT_EQ(arrived->variables[1].components[2].ranges.size(), dump.patches.size());
}

TEST(DumpBytes, AnIndexArrivesAsItWas)
{
  const DumpIndex index{ { { "a/summary.samrai", 0.5, 10 }, { "b/summary.samrai", 1.5, 20 } }, { "a note" } };
  const Result<DumpIndex> arrived = index_from_bytes(to_bytes(index));
  ASSERT_TRUE(arrived);
  ASSERT_EQ(arrived->dumps.size(), 2U);
  EXPECT_EQ(arrived->dumps[1].path, "b/summary.samrai");
  EXPECT_EQ(arrived->dumps[1].time, 1.5);
  EXPECT_EQ(arrived->notes, index.notes);
}

TEST(DumpBytes, RangesGoIntoTheVariable)
{
  const MadeDump made("--levels 2 --variable name=v,shape=vector");
  AmrDump there = made.open();
  AmrDump here = made.open();
  ASSERT_TRUE(read_samrai_ranges(there, 0));
  ASSERT_TRUE(ranges_from_bytes(ranges_to_bytes(there.variables[0]), here.variables[0]));
  EXPECT_EQ(to_bytes(here), to_bytes(there));
}

TEST(DumpBytes, BytesThatAreCutOffAreRefused)
{
  const MadeDump made("--levels 2 --variable name=a");
  const std::vector<std::byte> bytes = to_bytes(made.open());
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 7)
  {
    const Result<AmrDump> arrived = dump_from_bytes(std::span(bytes).first(size));
    ASSERT_FALSE(arrived);
    EXPECT_EQ(arrived.error().code, ErrorCode::Corrupt);
  }
}

TEST(DumpBytes, BytesBehindTheEndAreRefused)
{
  std::vector<std::byte> bytes = to_bytes(DumpIndex{ { { "a", 0.5, 10 } }, {} });
  ASSERT_TRUE(index_from_bytes(bytes));
  bytes.push_back(std::byte{ 0 });
  ASSERT_FALSE(index_from_bytes(bytes));
  EXPECT_EQ(index_from_bytes(bytes).error().code, ErrorCode::Corrupt);
}

/// A dump whose members all differ from what they are by default.
AmrDump small_dump()
{
  AmrDump dump;
  dump.path = "summary";
  dump.files = { "a", "b" };
  dump.dimensions = 2;
  dump.shared = true;
  dump.deformed = true;
  dump.coordinates = 1;
  dump.time = 0.25;
  dump.cycle = 7;
  dump.origin = { 1, 2, 3 };
  dump.levels = { { 0, 1, { 1, 1, 1 }, { 1, 1, 1 } }, { 1, 1, { 2, 2, 1 }, { 0.5, 0.5, 1 } } };
  dump.patches.resize(2);
  dump.patches[1] = { 1, 3, 1, "group", 99, { { -1, -2, -3 }, { 4, 5, 6 } }, { 1, 0, 0 }, { 0, 1, 0 }, { 0.5, 1, 2 },
    { 3, 4, 5 } };
  AmrComponent component{ "x.00", 2, { { true, -1.5, 2.5 }, {} } };
  dump.variables = { { "x", Centering::Node, { 1, 2, 3 }, { component } } };
  dump.children = { { 1 }, {} };
  dump.notes = { "a note" };
  return dump;
}

/// A copy with one bit inverted is either refused, or a dump whose own bytes are that copy: no byte is ignored, and
/// no value is taken that its type does not have.
TEST(DumpBytes, EveryBitCounts)
{
  const std::vector<std::byte> sound = to_bytes(small_dump());
  ASSERT_EQ(to_bytes(*dump_from_bytes(sound)), sound);
  int refused = 0;
  for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit)
  {
    std::vector<std::byte> bytes = sound;
    bytes[bit / 8] ^= std::byte{ 1 } << (bit % 8);
    const Result<AmrDump> arrived = dump_from_bytes(bytes);
    refused += arrived ? 0 : 1;
    ASSERT_TRUE(!arrived || to_bytes(*arrived) == bytes) << bit;
  }
  EXPECT_GT(refused, 100);
}

/// A length that claims more than there is costs no memory.
TEST(DumpBytes, RandomBytesAreRefused)
{
  std::mt19937 random(11);
  for (int turn = 0; turn < 2000; ++turn)
  {
    std::vector<std::byte> bytes(random() % 400);
    for (std::byte& byte : bytes)
    {
      byte = static_cast<std::byte>(random() % 4 == 0 ? random() % 256 : 0);
    }
    const Result<AmrDump> arrived = dump_from_bytes(bytes);
    ASSERT_TRUE(!arrived || to_bytes(*arrived) == bytes);
    EXPECT_FALSE(arrived && bytes.size() < 100);
  }
}

} // namespace
} // namespace rivulet::test
