// SPDX-License-Identifier: BSD-3-Clause
// Series of dumps: what a path may stand for, and steps that are half written; plot files of other codes.
#include "Amr/ChomboFile.h"
#include "Amr/DumpSeries.h"
#include "Core/Amr/MadeDump.h"

#include <filesystem>
#include <hdf5.h>

namespace rivulet::test
{
namespace
{

namespace fs = std::filesystem;

Result<DumpIndex> find(const std::string& path, bool only_complete = true)
{
  const std::vector<std::string> paths{ path };
  return find_dumps(paths, built_in_names(), { .only_complete = only_complete });
}

void cut(const std::string& path)
{
  fs::resize_file(path, fs::file_size(path) * 2 / 3);
}

TEST(DumpSeries, AFolderAnIndexOrAPatternAreTheSameSteps)
{
  const MadeDump made("--steps 3 --first-cycle 99990 --variable name=a");
  const std::string& folder = made.folder();
  for (const std::string& path : { folder, folder + "/", folder + "/dumps.visit", folder + "/visit_dump.*",
           folder + "/visit_dump.*/summary.samrai" })
  {
    const Result<DumpIndex> index = find(path);
    ASSERT_TRUE(index.has_value()) << path << ": " << index.error().describe();
    ASSERT_EQ(index->dumps.size(), 3U) << path;
    EXPECT_EQ(index->dumps[2].cycle, 100010) << path; // by time, not by name
    EXPECT_TRUE(index->notes.empty());
  }
  EXPECT_EQ(find(folder + "/visit_dump.99990")->dumps.size(), 1U);
  EXPECT_TRUE(is_dump_folder(folder, built_in_names()));
  EXPECT_TRUE(is_dump_folder(folder + "/visit_dump.99990", built_in_names()));
  EXPECT_FALSE(is_dump_folder(fs::path(folder).parent_path().string(), built_in_names()));
  EXPECT_FALSE(is_dump_folder(folder + "/dumps.visit", built_in_names()));
}

TEST(DumpSeries, APatternForNothingIsNamed)
{
  const Result<DumpIndex> index = find("/nowhere/at/all.*");
  ASSERT_FALSE(index.has_value());
  EXPECT_NE(index.error().describe().find("/nowhere/at/all.*"), std::string::npos) << index.error().describe();
}

TEST(DumpSeries, TheNewestStepMustBeComplete)
{
  const MadeDump made("--steps 3 --variable name=a");
  const std::string last = made.folder() + "/visit_dump.00020/processor_cluster.00001.samrai";
  cut(last);
  const Result<DumpIndex> index = find(made.folder());
  ASSERT_EQ(index->dumps.size(), 2U);
  ASSERT_EQ(index->notes.size(), 1U);
  EXPECT_NE(index->notes[0].find("visit_dump.00020"), std::string::npos) << index->notes[0];
  EXPECT_NE(index->notes[0].find("Reload Files"), std::string::npos) << index->notes[0];
  fs::remove(last);
  EXPECT_EQ(find(made.folder())->dumps.size(), 2U);
  EXPECT_EQ(find(made.folder(), false)->dumps.size(), 3U);
  // An older one is an error when it is read: nobody is writing it.
  fs::remove_all(made.folder() + "/visit_dump.00020");
  fs::remove(made.folder() + "/visit_dump.00000/processor_cluster.00001.samrai");
  EXPECT_EQ(find(made.folder())->dumps.size(), 2U);
}

TEST(DumpSeries, ASingleStepIsNotLookedAt)
{
  const MadeDump made("--variable name=a --damage missing-cluster");
  EXPECT_EQ(find(made.folder())->dumps.size(), 1U);
}

TEST(DumpSeries, PlotFilesAreSortedByTimeAndTheNewestMustBeComplete)
{
  const MadeDump made("--format chombo --steps 3 --variable name=a");
  const std::vector<std::string> pattern{ made.folder() + "/plot.*.hdf5" };
  EXPECT_EQ(find_plot_files(pattern, true)->dumps[2].cycle, 20);
  cut(made.summary(2));
  const Result<DumpIndex> index = find_plot_files(pattern, true);
  ASSERT_EQ(index->dumps.size(), 2U);
  EXPECT_NE(index->notes[0].find("Reload Files"), std::string::npos) << index->notes[0];
}

TEST(DumpSeries, TheMapOfAMeshIsNoStepAndIsNoted)
{
  const MadeDump made("--format chombo --variable name=a");
  const std::string plot = made.summary();
  fs::copy_file(plot, plot.substr(0, plot.size() - 5) + ".map.hdf5");
  const Result<DumpIndex> index = find_plot_files(std::vector<std::string>{ made.folder() + "/*" }, true);
  ASSERT_EQ(index->dumps.size(), 1U);
  EXPECT_EQ(index->dumps[0].path, plot);
  const AmrDump dump = made.open();
  ASSERT_EQ(dump.notes.size(), 1U);
  EXPECT_NE(dump.notes[0].find("mapped"), std::string::npos) << dump.notes[0];
}

void set_number(hid_t object, const char* name, double value)
{
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value);
  H5Aclose(attribute);
  H5Sclose(space);
}

TEST(DumpSeries, PlutosCellsAreAsLongAsItSays)
{
  const MadeDump made("--format chombo --spacing 0.25 0.25 0.25 --levels 2 --variable name=a");
  const hid_t file = H5Fopen(made.summary().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  for (const char* level : { "level_0", "level_1" })
  {
    const hid_t group = H5Gopen2(file, level, H5P_DEFAULT);
    set_number(group, "g_x2stretch", 2.0);
    set_number(group, "g_x3stretch", 0.5);
    set_number(group, "domBeg1", -3.0);
    set_number(group, "geometry", 4); // spherical
    H5Gclose(group);
  }
  H5Fclose(file);
  const AmrDump dump = made.open();
  EXPECT_EQ(dump.levels[0].spacing, (Vec3{ 0.25, 0.5, 0.125 }));
  EXPECT_EQ(dump.levels[1].spacing, (Vec3{ 0.125, 0.25, 0.0625 }));
  EXPECT_EQ(dump.origin, (Vec3{ -3, 0, 0 }));
  ASSERT_EQ(dump.notes.size(), 1U);
  EXPECT_NE(dump.notes[0].find("not Cartesian"), std::string::npos) << dump.notes[0];
}

} // namespace
} // namespace rivulet::test
