// SPDX-License-Identifier: BSD-3-Clause
// write_dat, statistics and histogram, against sums and counts made here.
#include "InSitu/Analytics/Atoms.h"
#include "InSitu/Analytics/PluginHost.h"
#include "Support/LoweredLimit.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <numeric>

namespace
{

using namespace rivulet;
using namespace rivulet::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Runs an analytics once, on this rank alone.
std::string run_alone(const std::string& name, const std::string& options, const rivulet_snapshot& snapshot,
    const std::string& output, int slots = 1)
{
  PluginHost host(name, options, { .output = output, .slots = slots });
  EXPECT_EQ(host.execute(snapshot), 0) << host.said();
  return host.said();
}

TEST(WriteDat, WritesWhatReadsAsTheSameNumbers)
{
  const TemporaryFolder folder;
  const Atoms atoms = ideal_gas(1000, { -1, 0, 1e-9 }, { 1, 1e300, 2e-9 });
  AtomsSnapshot shown(atoms, 12, 0.1);
  std::vector<std::int64_t> ids(1000);
  std::vector<std::int32_t> types(1000, -3);
  std::iota(ids.begin(), ids.end(), std::int64_t{ 1 } << 60);
  shown.set().id = ids.data();
  shown.set().type = types.data();
  EXPECT_THAT(run_alone("write_dat", R"({"velocities": true})", *shown, folder.path()), IsEmpty());

  const std::string path = folder.file("write_dat.0000-00000012.dat");
  EXPECT_THAT(text_of(path), HasSubstr("# step 12 time 0.1 rank 0 particles 1000\n# id type x y z vx vy vz\n"));
  const auto rows = table_of(path, ' ');
  ASSERT_EQ(rows.size(), 1000U);
  for (std::size_t i = 0; i < rows.size(); ++i)
  {
    ASSERT_EQ(rows[i].size(), 8U);
    EXPECT_EQ(std::stoll(rows[i][0]), ids[i]);
    EXPECT_EQ(rows[i][1], "-3");
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      EXPECT_EQ(std::stod(rows[i][2 + axis]), atoms.at[i][axis]);
      EXPECT_EQ(std::stod(rows[i][5 + axis]), atoms.velocity[i][axis]);
    }
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1); // no temporary file
}

TEST(WriteDat, WritesPositionsAloneAndEmptySets)
{
  const TemporaryFolder folder;
  const AtomsSnapshot none(Atoms{}, 1);
  EXPECT_THAT(run_alone("write_dat", "{}", *none, folder.path()), IsEmpty());
  EXPECT_EQ(text_of(folder.file("write_dat.0000-00000001.dat")), "# step 1 time 0 rank 0 particles 0\n# x y z\n");

  const AtomsSnapshot one(Atoms{ { { 0.5, kNan, 1e-3 } } }, 2);
  EXPECT_THAT(run_alone("write_dat", "{}", *one, folder.path()), HasSubstr("1 positions of \"atoms\" are not finite"));
  EXPECT_THAT(text_of(folder.file("write_dat.0000-00000002.dat")), HasSubstr("\n0.5 nan 0.001\n"));
}

TEST(WriteDat, EachRankHasAFile)
{
  const SharedFolder folder;
  const AtomsSnapshot shown(slab_of(ideal_gas(100, { 0, 0, 0 }, { 1, 1, 1 }), world_rank(), world_size()));
  PluginHost host("write_dat", "{}", { .output = folder.path(), .comm = MPI_COMM_WORLD });
  EXPECT_EQ(host.execute(*shown), 0) << host.said();
  MPI_Barrier(MPI_COMM_WORLD);
  std::size_t rows = 0;
  for (int rank = 0; rank < world_size(); ++rank)
  {
    rows += table_of(folder.file("write_dat.000" + std::to_string(rank) + "-00000000.dat"), ' ').size();
  }
  EXPECT_EQ(rows, 100U);
}

TEST(WriteDat, NamesTheFileThatCannotBeWritten)
{
  const AtomsSnapshot shown(ideal_gas(100, { 0, 0, 0 }, { 1, 1, 1 }));
  const TemporaryFolder folder;
  PluginHost missing("write_dat", "{}", { .output = folder.file("missing") });
  EXPECT_NE(missing.execute(*shown), 0);
  EXPECT_THAT(missing.said(), HasSubstr("missing/write_dat.0000-00000000.dat: the file cannot be created"));
  EXPECT_THAT(missing.said(), HasSubstr("No such file or directory"));
}

/// A limit for the size of files stands for a full disk.
TEST(WriteDat, AFullDiskIsNamedAndLeavesNothing)
{
  const TemporaryFolder folder;
  const AtomsSnapshot shown(ideal_gas(10'000, { 0, 0, 0 }, { 1, 1, 1 }));
  PluginHost host("write_dat", "{}", { .output = folder.path() });
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  {
    const LoweredLimit full(RLIMIT_FSIZE, 100'000);
    EXPECT_NE(host.execute(*shown), 0);
  }
  std::signal(SIGXFSZ, before);
  EXPECT_THAT(host.said(), HasSubstr("write_dat.0000-00000000.dat: "));
  EXPECT_THAT(host.said(), HasSubstr("File too large"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

/// Row of a value in a table of statistics.
std::map<std::string, std::string> row_of(const std::string& path, const std::string& value)
{
  const auto rows = table_of(path);
  std::map<std::string, std::string> found;
  for (const auto& row : rows)
  {
    for (std::size_t i = 0; row[2] == value && i < row.size(); ++i)
    {
      found[rows[0][i]] = row[i];
    }
  }
  return found;
}

/// On one thread, and in parallel.
class Statistics : public ::testing::TestWithParam<bool>
{
protected:
  static std::string options(const std::string& more = {})
  {
    return std::string(R"({"parallel": )") + (GetParam() ? "true" : "false") + (more.empty() ? "" : ", " + more) + "}";
  }
};
INSTANTIATE_TEST_SUITE_P(Both, Statistics, ::testing::Bool());

TEST_P(Statistics, AreThoseOfLongDoubles)
{
  const TemporaryFolder folder;
  const Atoms atoms = ideal_gas(100'001, { 1e6, 0, -1 }, { 1e6 + 1, 1, 1 });
  const AtomsSnapshot shown(atoms, 7, 0.5);
  EXPECT_THAT(run_alone("statistics", options(), *shown, folder.path(), 3), IsEmpty());
  const std::string path = folder.file("statistics.0000.csv");
  const std::array<const char*, 6> names{ "x", "y", "z", "vx", "vy", "vz" };
  for (std::size_t column = 0; column < 6; ++column)
  {
    long double sum = 0;
    long double squares = 0;
    double least = kInfinity;
    double most = -kInfinity;
    const auto value = [&](std::size_t i)
    {
      return column < 3 ? atoms.at[i][column] : atoms.velocity[i][column - 3];
    };
    for (std::size_t i = 0; i < atoms.at.size(); ++i)
    {
      sum += value(i);
      least = std::min(least, value(i));
      most = std::max(most, value(i));
    }
    const long double mean = sum / static_cast<long double>(atoms.at.size());
    for (std::size_t i = 0; i < atoms.at.size(); ++i)
    {
      squares += (value(i) - mean) * (value(i) - mean);
    }
    const double deviation = static_cast<double>(std::sqrt(squares / static_cast<long double>(atoms.at.size())));
    auto row = row_of(path, names[column]);
    EXPECT_EQ(row["step"], "7");
    EXPECT_EQ(row["time"], "0.5");
    EXPECT_EQ(row["count"], "100001");
    EXPECT_EQ(row["not_finite"], "0");
    EXPECT_EQ(std::stod(row["min"]), least);
    EXPECT_EQ(std::stod(row["max"]), most);
    EXPECT_NEAR(std::stod(row["mean"]), static_cast<double>(mean), 1e-15 * std::max(1.0, std::abs(most)));
    EXPECT_NEAR(std::stod(row["standard_deviation"]), deviation, 1e-12);
  }
}

TEST_P(Statistics, LeaveOutWhatIsNotFinite)
{
  const TemporaryFolder folder;
  const AtomsSnapshot shown(Atoms{ { { 1, kNan, 0 }, { kInfinity, kNan, 0 }, { 3, kNan, 0 } } });
  const std::string said = run_alone("statistics", options(R"("of": ["x", "y"])"), *shown, folder.path());
  EXPECT_THAT(said, HasSubstr("1 values \"x\" of \"atoms\" is not finite"));
  EXPECT_THAT(said, HasSubstr("3 values \"y\" of \"atoms\" are not finite"));
  const std::string path = folder.file("statistics.0000.csv");
  EXPECT_THAT(table_of(path)[1], ElementsAre("0", "0", "x", "2", "1", "2", "1", "3", "1"));
  EXPECT_THAT(table_of(path)[2], ElementsAre("0", "0", "y", "0", "3", "nan", "nan", "nan", "nan"));
}

TEST_P(Statistics, AppendStepsAndRefuseOtherTables)
{
  const TemporaryFolder folder;
  const AtomsSnapshot shown(Atoms{ { { 1, 2, 3 } } });
  run_alone("statistics", options(R"("of": ["x"])"), *shown, folder.path());
  run_alone("statistics", options(R"("of": ["x"])"), *shown, folder.path());
  const std::string path = folder.file("statistics.0000.csv");
  EXPECT_EQ(table_of(path).size(), 2U) << "the step is written anew";
  std::ofstream(path) << "my,own,table\n";
  PluginHost host("statistics", options(R"("of": ["x"])"), { .output = folder.path() });
  EXPECT_NE(host.execute(*shown), 0);
  EXPECT_THAT(host.said(), HasSubstr(path + ": the file begins with other columns"));
  EXPECT_EQ(text_of(path), "my,own,table\n");
}

TEST_P(Statistics, RefuseValuesThatAreNotThere)
{
  const TemporaryFolder folder;
  const AtomsSnapshot still(Atoms{ { { 1, 2, 3 } } });
  PluginHost host("statistics", options(), { .output = folder.path() });
  EXPECT_NE(host.execute(*still), 0);
  EXPECT_THAT(host.said(), HasSubstr("the particles \"atoms\" have no values \"vx\""));
}

TEST_P(Statistics, OfFurtherArraysOfAnyType)
{
  const TemporaryFolder folder;
  AtomsSnapshot shown(Atoms{ { { 1, 2, 3 }, { 1, 2, 3 } } });
  const std::array<float, 2> floats{ 0.5F, 1.5F };
  const std::array<std::uint8_t, 4> pairs{ 200, 1, 202, 3 };
  const std::array<rivulet_array, 2> arrays{ { { "charge", RIVULET_FLOAT32, 1, floats.data() },
      { "flags", RIVULET_UINT8, 2, pairs.data() } } };
  shown.set().arrays = 2;
  shown.set().array = arrays.data();
  run_alone("statistics", options(R"("of": ["charge", "flags"])"), *shown, folder.path());
  const std::string path = folder.file("statistics.0000.csv");
  EXPECT_EQ(row_of(path, "charge")["mean"], "1");
  EXPECT_EQ(row_of(path, "flags")["mean"], "201"); // the first component
}

TEST(StatisticsInParallel, HaveTheBitsOfOneThread)
{
  const TemporaryFolder folder;
  const AtomsSnapshot shown(ideal_gas(1'000'003, { 0, 0, 0 }, { 1, 10, 100 }));
  run_alone("statistics", R"({"parallel": false})", *shown, folder.path());
  const std::string alone = text_of(folder.file("statistics.0000.csv"));
  for (const int slots : { 1, 2, 3, 7 })
  {
    const TemporaryFolder other;
    run_alone("statistics", "{}", *shown, other.path(), slots);
    EXPECT_EQ(text_of(other.file("statistics.0000.csv")), alone) << slots;
  }
}

TEST_P(Statistics, OfAllRanksAreThoseOfOne)
{
  const SharedFolder folder;
  const TemporaryFolder own;
  const Atoms atoms = ideal_gas(50'000, { 0, 0, 0 }, { 1, 1, 1 });
  const AtomsSnapshot whole(atoms);
  const AtomsSnapshot part(slab_of(atoms, world_rank(), world_size()));
  run_alone("statistics", options(), *whole, own.path());
  PluginHost host(
      "statistics", options(R"("global": true)"), { .output = folder.path(), .slots = 3, .comm = MPI_COMM_WORLD });
  EXPECT_EQ(host.execute(*part), 0) << host.said();
  MPI_Barrier(MPI_COMM_WORLD);
  for (const char* value : { "x", "y", "z", "vx", "vy", "vz" })
  {
    auto one = row_of(own.file("statistics.0000.csv"), value);
    auto all = row_of(folder.file("statistics.csv"), value);
    EXPECT_EQ(all["count"], one["count"]);
    EXPECT_EQ(all["min"], one["min"]);
    EXPECT_EQ(all["max"], one["max"]);
    EXPECT_NEAR(std::stod(all["mean"]), std::stod(one["mean"]), 1e-15);
    EXPECT_NEAR(std::stod(all["standard_deviation"]), std::stod(one["standard_deviation"]), 1e-14);
  }
}

TEST_P(Statistics, OfAllRanksFailTogether)
{
  const SharedFolder folder;
  const bool last = world_rank() == world_size() - 1;
  Atoms atoms = ideal_gas(10, { 0, 0, 0 }, { 1, 1, 1 });
  if (last)
  {
    atoms.velocity.clear();
  }
  const AtomsSnapshot shown(atoms);
  PluginHost host("statistics", options(R"("global": true)"), { .output = folder.path(), .comm = MPI_COMM_WORLD });
  const int code = host.execute(*shown);
  EXPECT_TRUE(code != 0 || (world_rank() != 0 && !last));
  EXPECT_THAT(host.said(), HasSubstr(last ? "have no values \"vx\"" : world_rank() == 0 ? "another rank" : ""));
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_FALSE(std::filesystem::exists(folder.file("statistics.csv")));
}

/// Counts by the documented formula.
std::vector<std::int64_t> counted(const std::vector<double>& values, double low, double high, std::int64_t bins)
{
  std::vector<std::int64_t> counts(static_cast<std::size_t>(bins), 0);
  for (const double value : values)
  {
    const auto bin = static_cast<std::int64_t>((value - low) / (high - low) * static_cast<double>(bins));
    ++counts[static_cast<std::size_t>(std::min(bins - 1, bin))];
  }
  return counts;
}

std::vector<std::int64_t> counts_in(const std::string& path)
{
  std::vector<std::int64_t> counts;
  const auto rows = table_of(path);
  for (std::size_t i = 1; i < rows.size(); ++i)
  {
    counts.push_back(std::stoll(rows[i][2]));
  }
  return counts;
}

std::vector<double> axis_of(const Atoms& atoms, std::size_t axis)
{
  std::vector<double> values;
  for (const Vec3& at : atoms.at)
  {
    values.push_back(at[axis]);
  }
  return values;
}

TEST(Histogram, OfAllRanksAndAnyThreadsIsThatOfOne)
{
  const Atoms atoms = ideal_gas(200'000, { -3, 0, 0 }, { 5, 1, 1 });
  const AtomsSnapshot part(slab_of(atoms, world_rank(), world_size()), 3);
  std::vector<double> values = axis_of(atoms, 0);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const auto expected = counted(values, *low, *high, 1000);
  for (const int slots : { 1, 2, 3, 7 })
  {
    const SharedFolder folder;
    PluginHost host("histogram", "{}", { .output = folder.path(), .slots = slots, .comm = MPI_COMM_WORLD });
    EXPECT_EQ(host.execute(*part), 0) << host.said();
    MPI_Barrier(MPI_COMM_WORLD);
    const auto rows = table_of(folder.file("histogram-00000003.csv"));
    EXPECT_EQ(std::stod(rows.at(1)[0]), *low);
    EXPECT_EQ(std::stod(rows.back()[1]), *high);
    EXPECT_EQ(counts_in(folder.file("histogram-00000003.csv")), expected) << slots;
  }
}

TEST(Histogram, OfManyIntervalsSharesOneArray)
{
  const TemporaryFolder folder;
  const Atoms atoms = ideal_gas(100'000, { 0, 0, 0 }, { 1, 1, 1 });
  const AtomsSnapshot shown(atoms);
  run_alone(
      "histogram", R"({"bins": 3000000, "skip_empty": true, "of": "z", "range": [0, 1]})", *shown, folder.path(), 3);
  const auto all = counted(axis_of(atoms, 2), 0.0, 1.0, 3'000'000);
  std::vector<std::int64_t> expected;
  std::copy_if(all.begin(), all.end(), std::back_inserter(expected), [](std::int64_t count) { return count > 0; });
  EXPECT_EQ(counts_in(folder.file("histogram-00000000.csv")), expected);
}

TEST(Histogram, CountsWhatLiesOutsideAndWhatIsNoNumber)
{
  const TemporaryFolder folder;
  const AtomsSnapshot shown(Atoms{
      { { -1, 0, 0 }, { 0, 0, 0 }, { 0.5, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 }, { kNan, 0, 0 }, { -kInfinity, 0, 0 } } });
  const std::string said = run_alone("histogram", R"({"bins": 2, "range": [0, 1]})", *shown, folder.path());
  EXPECT_THAT(said, HasSubstr("2 values \"x\" of \"atoms\" are not finite"));
  EXPECT_EQ(text_of(folder.file("histogram-00000000.csv")),
      "# step 0 time 0 of x below 1 above 1 not_finite 2\nlow,high,count\n0,0.5,1\n0.5,1,2\n");
}

TEST(Histogram, OfEqualValuesAndOfNone)
{
  const TemporaryFolder folder;
  run_alone("histogram", R"({"bins": 2})", *AtomsSnapshot(Atoms{ { { 4, 0, 0 }, { 4, 1, 0 } } }), folder.path());
  EXPECT_THAT(text_of(folder.file("histogram-00000000.csv")), HasSubstr("count\n4,4,2\n4,4,0\n"));
  run_alone("histogram", R"({"bins": 2})", *AtomsSnapshot(Atoms{}, 1), folder.path());
  EXPECT_THAT(text_of(folder.file("histogram-00000001.csv")), HasSubstr("count\nnan,nan,0\nnan,nan,0\n"));
}

TEST(Histogram, OfARankWithoutParticles)
{
  const SharedFolder folder;
  const Atoms atoms = world_rank() == 0 ? ideal_gas(1000, { 0, 0, 0 }, { 1, 1, 1 }) : Atoms{};
  const AtomsSnapshot shown(atoms);
  PluginHost host("histogram", R"({"bins": 10})", { .output = folder.path(), .comm = MPI_COMM_WORLD });
  EXPECT_EQ(host.execute(*shown), 0) << host.said();
  MPI_Barrier(MPI_COMM_WORLD);
  const auto counts = counts_in(folder.file("histogram-00000000.csv"));
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{ 0 }), 1000);
}

TEST(Histogram, FailsOnAllRanksIfOneHasNoSuchValues)
{
  const SharedFolder folder;
  const bool last = world_rank() == world_size() - 1;
  Atoms atoms = ideal_gas(10, { 0, 0, 0 }, { 1, 1, 1 });
  if (last)
  {
    atoms.velocity.clear();
  }
  const AtomsSnapshot shown(atoms);
  PluginHost host("histogram", R"({"of": "vy"})", { .output = folder.path(), .comm = MPI_COMM_WORLD });
  EXPECT_NE(host.execute(*shown), 0);
  EXPECT_THAT(host.said(), HasSubstr(last ? "\"atoms\" have no values \"vy\"" : "failed on another rank"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("histogram-00000000.csv")));
}

TEST(Histogram, RefusesValuesTooFarApart)
{
  const TemporaryFolder folder;
  const AtomsSnapshot shown(Atoms{ { { -1.5e308, 0, 0 }, { 1.5e308, 0, 0 } } });
  PluginHost host("histogram", "{}", { .output = folder.path() });
  EXPECT_NE(host.execute(*shown), 0);
  EXPECT_THAT(host.said(), HasSubstr("\"x\" are too far apart"));
}

TEST(ParticleSets, AreChosenByName)
{
  const TemporaryFolder folder;
  AtomsSnapshot atoms(Atoms{ { { 1, 2, 3 } } });
  std::array<rivulet_particles, 2> sets{ atoms.set(), atoms.set() };
  sets[1].name = "ions";
  atoms.snapshot().particles = sets.data();
  atoms.snapshot().particle_sets = 2;
  run_alone("write_dat", R"({"set": "ions"})", *atoms, folder.path());

  PluginHost several("write_dat", "{}", { .output = folder.path() });
  EXPECT_NE(several.execute(*atoms), 0);
  EXPECT_THAT(several.said(), HasSubstr("several particles. Set the option \"set\" to one of \"atoms\", \"ions\""));
  PluginHost unknown("write_dat", R"({"set": "dust"})", { .output = folder.path() });
  EXPECT_NE(unknown.execute(*atoms), 0);
  EXPECT_THAT(unknown.said(), HasSubstr("no particles \"dust\""));
  atoms.snapshot().particle_sets = 0;
  PluginHost none("write_dat", "{}", { .output = folder.path() });
  EXPECT_NE(none.execute(*atoms), 0);
  EXPECT_THAT(none.said(), HasSubstr("publishes no particles"));
}

} // namespace
