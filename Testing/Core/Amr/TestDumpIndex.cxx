// SPDX-License-Identifier: BSD-3-Clause
// Index files as they should not be.
#include "Amr/DumpIndex.h"
#include "Core/Amr/MadeDump.h"

#include <filesystem>
#include <fstream>
#include <sys/resource.h>

namespace rivulet::test
{
namespace
{

namespace fs = std::filesystem;

std::int64_t memory_used()
{
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{ usage.ru_maxrss } << 10;
}

TEST(DumpIndex, AFileWithoutLinesIsNoIndexAndNotRead)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("zeros");
  std::ofstream(path).put('\0');
  fs::resize_file(path, std::uintmax_t{ 1 } << 29);
  const std::int64_t before = memory_used();
  EXPECT_FALSE(is_dump_index(path, built_in_names()));
  EXPECT_LT(memory_used() - before, std::int64_t{ 128 } << 20);
}

TEST(DumpIndex, LinesThatCannotBePathsAreLeftOut)
{
  const MadeDump made("--steps 2");
  const std::string index = made.folder() + "/dumps.visit";
  std::string lines;
  {
    std::ifstream file(index);
    lines.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  std::ofstream(index, std::ios::binary) << "\n \n# a comment\n"
                                         << lines << "\n"
                                         << std::string("..\0/summary.samrai\n", 19) << std::string(1 << 20, 'x')
                                         << "\n"
                                         << lines;
  const std::vector<std::string> paths{ index };
  ASSERT_TRUE(is_dump_index(index, built_in_names()));
  const Result<DumpIndex> found = find_dumps(paths, built_in_names(), {});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->dumps.size(), 2U);
  ASSERT_EQ(found->notes.size(), 2U);
  EXPECT_NE(found->notes[0].find("leads out"), std::string::npos) << found->notes[0];
  EXPECT_NE(found->notes[1].find("too long"), std::string::npos) << found->notes[1].substr(0, 200);
}

TEST(DumpNames, WhereNoneAreKnownTheyAreSamrais)
{
  EXPECT_EQ(names_of({}, "a/summary.samrai").name, "SAMRAI");
}

} // namespace
} // namespace rivulet::test
