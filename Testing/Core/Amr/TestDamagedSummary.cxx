// SPDX-License-Identifier: BSD-3-Clause
// Summaries that no program writes: numbers out of all bounds are refused, or cost nothing.
#include "Amr/SamraiSummary.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>

namespace rivulet::test
{
namespace
{

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Two patches beside one another on the first level, and a third on the second.
class Tables final : public TableSource
{
public:
  std::map<std::string, std::vector<double>> stored{
    { "VDR_version_number", { 2 } },
    { "number_dimensions_of_problem", { 3 } },
    { "time", { 1.5 } },
    { "time_step_number", { 7 } },
    { "XLO", { 0, 0, 0 } },
    { "number_levels", { 2 } },
    { "number_global_patches", { 3 } },
    { "number_patches_at_level", { 2, 1 } },
    { "ratios_to_coarser_levels", { -1, -1, -1, 2, 2, 2 } },
    { "dx", { 1, 1, 1, 0.5, 0.5, 0.5 } },
    { "number_file_clusters", { 2 } },
    { "number_visit_variables", { 0 } },
    { "/extents/patch_extents.lower", { 0, 0, 0, 4, 0, 0, 0, 0, 0 } },
    { "/extents/patch_extents.upper", { 3, 3, 3, 7, 3, 3, 7, 7, 7 } },
    { "/extents/patch_map.processor_number", { 0, 1, 0 } },
    { "/extents/patch_map.file_cluster_number", { 0, 1, 0 } },
    { "/extents/patch_map.level_number", { 0, 0, 1 } },
    { "/extents/patch_map.patch_number", { 0, 1, 0 } },
  };
  std::vector<std::string> variables;

  void set_variables(std::size_t count, double components)
  {
    variables.assign(count, "v");
    stored["number_visit_variables"] = { static_cast<double>(count) };
    stored["var_cell_centered"].assign(count, 1);
    stored["var_number_components"].assign(count, components);
  }
  void set_children(
      const std::vector<double>& children, const std::vector<double>& offset, const std::vector<double>& number)
  {
    stored["child_array"] = children;
    stored["child_pointer_array"] = {};
    stored["/BASIC_INFO/child_pointer_array.offset"] = offset;
    stored["/BASIC_INFO/child_pointer_array.number_children"] = number;
  }
  [[nodiscard]] Result<AmrDump> read() const { return read_samrai_summary(*this, built_in_names().front()); }
  [[nodiscard]] ErrorCode refusal() const
  {
    const Result<AmrDump> dump = read();
    EXPECT_FALSE(dump.has_value());
    return dump ? ErrorCode::BadArgument : dump.error().code;
  }

  [[nodiscard]] const std::string& path() const override { return path_; }
  [[nodiscard]] bool has(const std::string& name) const override { return stored.count(known_as(name)) > 0; }
  [[nodiscard]] Result<std::vector<double>> numbers(const std::string& name) const override
  {
    const auto found = stored.find(known_as(name));
    return found == stored.end() ? Result<std::vector<double>>(fail(ErrorCode::NotFound, name))
                                 : Result<std::vector<double>>(found->second);
  }
  [[nodiscard]] Result<std::vector<std::int64_t>> integers(const std::string& name) const override
  {
    const Result<std::vector<double>> found = numbers(name);
    return found ? Result<std::vector<std::int64_t>>(std::vector<std::int64_t>(found->begin(), found->end()))
                 : Result<std::vector<std::int64_t>>(fail(ErrorCode::NotFound, name));
  }
  [[nodiscard]] Result<std::vector<std::string>> texts(const std::string& name) const override
  {
    return name.ends_with("grid_type") ? std::vector<std::string>{ "CARTESIAN" } : variables;
  }
  [[nodiscard]] Result<std::vector<double>> member(const std::string& name, const std::string& member) const override
  {
    return numbers(name + "." + member);
  }

private:
  [[nodiscard]] std::string known_as(const std::string& name) const
  {
    const std::string info = "/BASIC_INFO/";
    return name.starts_with(info) && stored.count(name) == 0 ? name.substr(info.size()) : name;
  }

  std::string path_ = "run/visit_dump.00000/summary.samrai";
};

TEST(DamagedSummary, ASoundOneIsRead)
{
  Tables tables;
  tables.set_variables(3, 2);
  tables.set_children({ 2 }, { 0, -1, -1 }, { 1, 0, 0 });
  const Result<AmrDump> dump = tables.read();
  ASSERT_TRUE(dump.has_value()) << dump.error().describe();
  EXPECT_EQ(dump->files.size(), 2U);
  EXPECT_EQ(dump->children[0], std::vector<std::int32_t>{ 2 });
}

TEST(DamagedSummary, NumbersThatAreNoneAreRefused)
{
  for (const char* table : { "time", "/extents/patch_map.file_cluster_number", "/extents/patch_map.processor_number",
           "/extents/patch_map.level_number", "/extents/patch_extents.lower", "/extents/patch_extents.upper" })
  {
    Tables tables;
    tables.stored[table][0] = kNaN;
    EXPECT_EQ(tables.refusal(), ErrorCode::Corrupt) << table;
  }
  Tables tables;
  tables.stored["time"] = { kNaN };
  EXPECT_EQ(read_samrai_time(tables).error().code, ErrorCode::Corrupt);
}

TEST(DamagedSummary, CountsBeyondAllBoundsAreRefused)
{
  for (const char* table : { "number_levels", "number_global_patches", "number_dimensions_of_problem",
           "number_file_clusters", "number_visit_variables" })
  {
    for (const double count : { 0x1p62, 0x1p32 + 3, -1.0 })
    {
      Tables tables;
      tables.stored[table] = { count };
      EXPECT_EQ(tables.refusal(), ErrorCode::Corrupt) << table << " " << count;
    }
  }
}

TEST(DamagedSummary, OnlyFilesWithPatchesAreListed)
{
  Tables tables;
  tables.stored["number_file_clusters"] = { 1000000 };
  tables.stored["/extents/patch_map.file_cluster_number"] = { 999999, 5, 999999 };
  const Result<AmrDump> dump = tables.read();
  ASSERT_TRUE(dump.has_value());
  ASSERT_EQ(dump->files.size(), 2U);
  EXPECT_EQ(dump->patches[0].file, 1);
  EXPECT_EQ(dump->files[1], "run/visit_dump.00000/processor_cluster.999999.samrai");
}

TEST(DamagedSummary, APatchIsNotLongerThanIndicesCanSay)
{
  Tables tables;
  tables.stored["/extents/patch_extents.lower"][0] = -2147482000.0;
  tables.stored["/extents/patch_extents.upper"] = { 2147482000, 0, 0, 7, 3, 3, 7, 7, 7 };
  EXPECT_EQ(tables.refusal(), ErrorCode::Corrupt);
}

TEST(DamagedSummary, EachEntryOfTheTableOfChildrenIsOfOnePatch)
{
  Tables twice;
  twice.set_children({ 2 }, { 0, 0, 0 }, { 1, 1, 0 });
  EXPECT_EQ(twice.refusal(), ErrorCode::Corrupt);
  for (const double odd : { 0x1p63, -1.0, kNaN })
  {
    Tables tables;
    tables.set_children({ 2, 2 }, { odd, 1, 0 }, { 1, 1, 0 });
    EXPECT_EQ(tables.refusal(), ErrorCode::Corrupt) << odd;
  }
}

TEST(DamagedSummary, BoxesSayWhichPatchesLieOverWhich)
{
  Tables tables;
  tables.set_children({ 2 }, { 0, 0, 0 }, { 0, 1, 0 }); // of the wrong patch
  const Result<AmrDump> dump = tables.read();
  ASSERT_TRUE(dump.has_value()) << dump.error().describe();
  EXPECT_EQ(dump->children, (std::vector<std::vector<std::int32_t>>{ { 2 }, {}, {} }));
  EXPECT_TRUE(dump->notes.empty());
  tables.stored["/extents/patch_extents.upper"] = { 3, 3, 3, 7, 3, 3, 7, 9, 7 };
  const Result<AmrDump> beyond = tables.read();
  ASSERT_TRUE(beyond.has_value()) << beyond.error().describe();
  ASSERT_EQ(beyond->notes.size(), 1U);
  EXPECT_NE(beyond->notes[0].find("patch 0 of level 1 does not lie over"), std::string::npos) << beyond->notes[0];
}

TEST(DamagedSummary, ComponentsOfAllVariablesAreLimited)
{
  Tables tables;
  tables.set_variables(200, 1000);
  EXPECT_EQ(tables.refusal(), ErrorCode::Corrupt);
  tables.set_variables(1, 1000);
  EXPECT_TRUE(tables.read().has_value());
  tables.variables = { std::string(5000, 'n') };
  EXPECT_EQ(tables.refusal(), ErrorCode::Corrupt);
}

} // namespace
} // namespace rivulet::test
