// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/DumpBytes.h"
#include "Amr/SamraiSummary.h"
#include "Core/Amr/MadeDump.h"

#include <gtest/gtest.h>

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

} // namespace
} // namespace rivulet::test
