// SPDX-License-Identifier: BSD-3-Clause
// Dumps that are read, written and read again.
#include "Amr/DumpNames.h"
#include "Amr/SamraiWriter.h"
#include "Core/Amr/MadeDump.h"
#include "Support/LoweredLimit.h"

#include <cstring>
#include <filesystem>
#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

/// Values of one component, as a file has them.
std::vector<std::byte> component_of(const PatchVariable& values, std::size_t component)
{
  const std::size_t value = values.type == StoredType::Float64 ? 8 : 4;
  const auto components = static_cast<std::size_t>(values.components);
  std::vector<std::byte> bytes;
  for (std::int64_t i = 0; i < volume(values.size); ++i)
  {
    const auto* const from = reinterpret_cast<const std::byte*>(values.values.data()) +
                             (static_cast<std::size_t>(i) * components + component) * value;
    bytes.insert(bytes.end(), from, from + value);
  }
  return bytes;
}

void write_again(AmrDump& dump, PatchData& data, const std::string& folder)
{
  std::vector<ScalarType> types;
  for (std::size_t variable = 0; variable < dump.variables.size(); ++variable)
  {
    ASSERT_TRUE(read_samrai_ranges(dump, static_cast<int>(variable)));
    types.push_back(data.at(0, variable).type == StoredType::Float64 ? ScalarType::Float64 : ScalarType::Float32);
  }
  for (std::int32_t file = 0; file < static_cast<std::int32_t>(dump.files.size()); ++file)
  {
    Result<SamraiValues> values = SamraiValues::create(folder, dump, types, file);
    ASSERT_TRUE(values) << values.error().describe();
    for (std::int32_t patch = 0; patch < static_cast<std::int32_t>(dump.patches.size()); ++patch)
    {
      for (std::size_t variable = 0; variable < types.size(); ++variable)
      {
        for (std::size_t component = 0; component < dump.variables[variable].components.size(); ++component)
        {
          if (dump.patches[static_cast<std::size_t>(patch)].file == file)
          {
            ASSERT_TRUE(values->write({ patch, variable, component },
                component_of(data.at(static_cast<std::size_t>(patch), variable), component)));
          }
        }
      }
    }
    ASSERT_TRUE(values->finish(file == 0));
  }
  ASSERT_TRUE(write_samrai_summary(folder, dump, true));
}

class SamraiWriters : public ::testing::TestWithParam<const char*>
{
};
INSTANTIATE_TEST_SUITE_P(All, SamraiWriters,
    ::testing::Values("--dimensions 3 --levels 3 --processors 3 --variable name=density,function=linear --variable "
                      "name=velocity,shape=vector,function=rotation,type=f8",
        "--dimensions 2 --levels 2 --processors 2 --variable name=p,centre=node,function=linear,ghosts=1x2x0"));

TEST_P(SamraiWriters, GiveBackWhatWasRead)
{
  const MadeDump made(GetParam());
  AmrDump dump = made.open();
  PatchData data = MadeDump::read(dump, { .keep_ghosts = true });
  const TemporaryFolder folder;
  write_again(dump, data, folder.path());
  Result<AmrDump> again = open_dump(folder.file("summary.samrai"));
  ASSERT_TRUE(again) << again.error().describe();
  EXPECT_EQ(again->dimensions, dump.dimensions);
  EXPECT_EQ(again->time, dump.time);
  EXPECT_EQ(again->cycle, dump.cycle);
  EXPECT_EQ(again->origin, dump.origin);
  EXPECT_EQ(again->children, dump.children);
  EXPECT_EQ(again->files.size(), dump.files.size());
  ASSERT_EQ(again->levels.size(), dump.levels.size());
  for (std::size_t level = 0; level < dump.levels.size(); ++level)
  {
    EXPECT_EQ(again->levels[level].ratio, dump.levels[level].ratio);
    EXPECT_EQ(again->levels[level].spacing, dump.levels[level].spacing);
  }
  ASSERT_EQ(again->patches.size(), dump.patches.size());
  for (std::size_t patch = 0; patch < dump.patches.size(); ++patch)
  {
    EXPECT_EQ(again->patches[patch].cells, dump.patches[patch].cells);
    EXPECT_EQ(again->patches[patch].file, dump.patches[patch].file);
    EXPECT_EQ(again->patches[patch].group, dump.patches[patch].group);
    EXPECT_EQ(again->patches[patch].lower, dump.patches[patch].lower);
  }
  for (std::size_t variable = 0; variable < dump.variables.size(); ++variable)
  {
    ASSERT_TRUE(read_samrai_ranges(*again, static_cast<int>(variable)));
    EXPECT_EQ(again->variables[variable].centering, dump.variables[variable].centering);
    EXPECT_EQ(again->variables[variable].ghosts, dump.variables[variable].ghosts);
    EXPECT_EQ(again->variables[variable].components[0].ranges.at(0).maximum,
        dump.variables[variable].components[0].ranges.at(0).maximum);
  }
  expect_same_values(MadeDump::read(*again, { .keep_ghosts = true }), data);
}

TEST(SamraiWriter, SaysBeforeItWritesThatThereIsNoRoom)
{
  const MadeDump made("--levels 2 --variable name=density,function=linear");
  AmrDump dump = made.open();
  const TemporaryFolder folder;
  const std::array types{ ScalarType::Float32 };
  const LoweredLimit limit(RLIMIT_FSIZE, 8192);
  const Result<SamraiValues> values = SamraiValues::create(folder.path(), dump, types, 0);
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(values.error().path, samrai_values_path(folder.path(), 0));
  EXPECT_FALSE(write_samrai_summary(folder.path(), dump, true));
}

} // namespace
} // namespace rivulet::test
