// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/BovSeries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rivulet
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

BovHeader header(const std::string& path, std::optional<double> time = std::nullopt, const std::string& name = "u")
{
  BovHeader made;
  made.path = path;
  made.data = FilePattern::plain(path + ".raw");
  made.time = time;
  made.size = made.block = { 4, 4, 4 };
  made.variable = name;
  return made;
}

BlockField joined(std::vector<BovHeader> headers)
{
  Result<BlockField> field = bov_field(std::move(headers));
  EXPECT_TRUE(field) << field.error().describe();
  return field.value_or(BlockField{});
}

std::vector<std::string> files(const BlockVariable& variable)
{
  std::vector<std::string> names;
  for (const BlockStep& step : variable.steps)
  {
    names.push_back(step.parts[0].files.path(0));
  }
  return names;
}

TEST(BovSeries, IsInOrderOfTime)
{
  const BlockField field = joined({ header("b.bov", 2.5), header("a.bov", 7), header("c.bov", -1) });
  EXPECT_THAT(field.info.times, ElementsAre(-1, 2.5, 7));
  EXPECT_THAT(files(field.variables[0]), ElementsAre("c.bov.raw", "b.bov.raw", "a.bov.raw"));
  EXPECT_THAT(field.notes, IsEmpty());
}

TEST(BovSeries, TakesNumbersInNamesWhereTimesAreMissing)
{
  const BlockField field = joined({ header("/x1/u10_.bov"), header("/x2/u9_.bov", 3), header("/x3/u0100_.bov") });
  EXPECT_THAT(field.info.times, ElementsAre(9, 10, 100));
  EXPECT_THAT(field.notes, ElementsAre(HasSubstr("numbers in the file names")));
}

TEST(BovSeries, TakesNumbersInNamesWhereTimesAreTheSame)
{
  EXPECT_THAT(joined({ header("u2.bov", 0), header("u1.bov", 0) }).info.times, ElementsAre(1, 2));
}

TEST(BovSeries, KeepsTheTimesWhereSomeAreTheSame)
{
  const BlockField field = joined(
      { header("b0.bov", 0), header("b1.bov", 10), header("b2.bov", 20), header("b3.bov", 20), header("b4.bov", 30) });
  EXPECT_THAT(field.info.times, ElementsAre(0, 10, 20, 30));
  EXPECT_THAT(files(field.variables[0]), ElementsAre("b0.bov.raw", "b1.bov.raw", "b3.bov.raw", "b4.bov.raw"));
  EXPECT_THAT(field.warnings, ElementsAre("b2.bov has the TIME 20 of b3.bov, which is named later, and is left out"));
  EXPECT_EQ(field.notes, field.warnings);
}

TEST(BovSeries, TakesTheLaterStepsOfARunThatWasRestarted)
{
  std::vector<BovHeader> headers;
  for (const double time : { 0, 1, 2, 3, 1, 2, 3, 4, 2, 3 })
  {
    headers.push_back(header("s" + std::to_string(headers.size()) + ".bov", time));
  }
  const BlockField field = joined(headers);
  EXPECT_THAT(field.info.times, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(
      files(field.variables[0]), ElementsAre("s0.bov.raw", "s4.bov.raw", "s8.bov.raw", "s9.bov.raw", "s7.bov.raw"));
  EXPECT_EQ(field.warnings.size(), 5U);
}

TEST(BovSeries, WarnsWhereTimesThatHeadersTellAreNotUsed)
{
  EXPECT_EQ(joined({ header("u1.bov", 5), header("u2.bov", 5) }).warnings.size(), 1U);
  EXPECT_EQ(joined({ header("u1.bov", 5), header("u2.bov") }).warnings.size(), 1U);
  EXPECT_THAT(joined({ header("u1.bov", 0), header("u2.bov", 0) }).warnings, IsEmpty());
  EXPECT_THAT(joined({ header("u1.bov"), header("u2.bov") }).warnings, IsEmpty());
  EXPECT_THAT(joined({ header("u1.bov", 2), header("u2.bov", 1) }).warnings, IsEmpty());
}

TEST(BovSeries, KeepsTheGivenOrderWhereNothingTells)
{
  const BlockField field = joined({ header("b.bov"), header("a.bov"), header("c.bov") });
  EXPECT_THAT(field.info.times, ElementsAre(0, 1, 2));
  EXPECT_THAT(files(field.variables[0]), ElementsAre("b.bov.raw", "a.bov.raw", "c.bov.raw"));
  EXPECT_THAT(field.notes, ElementsAre(HasSubstr("the order of the files")));
}

TEST(BovSeries, KeepsTheTimeOfASingleHeader)
{
  EXPECT_THAT(joined({ header("u7.bov", 2.5) }).info.times, ElementsAre(2.5));
  EXPECT_THAT(joined({ header("u7.bov") }).info.times, ElementsAre(0));
}

TEST(BovSeries, GathersVariablesOfTheSameTimes)
{
  const BlockField field =
      joined({ header("u0.bov", 0), header("p1.bov", 1, "p"), header("u1.bov", 1), header("p0.bov", 0, "p") });
  ASSERT_EQ(field.variables.size(), 2U);
  EXPECT_EQ(field.info.variables[1].name, "p");
  EXPECT_THAT(files(field.variables[1]), ElementsAre("p0.bov.raw", "p1.bov.raw"));
  EXPECT_EQ(field.info.ranges.size(), 2U);
}

TEST(BovSeries, AllowsVariablesOfBothCenteringsOnOneGrid)
{
  BovHeader zonal = header("p.bov", 0, "p");
  zonal.size = zonal.block = { 3, 3, 3 };
  zonal.centering = Centering::Cell;
  EXPECT_EQ(joined({ header("u.bov", 0), zonal }).variables[1].lattice, (Int3{ 3, 3, 3 }));
}

void expect_refused(std::vector<BovHeader> headers, const std::string& words)
{
  const Result<BlockField> field = bov_field(std::move(headers));
  ASSERT_FALSE(field);
  EXPECT_EQ(field.error().code, ErrorCode::BadArgument);
  EXPECT_THAT(field.error().what, HasSubstr(words));
}

TEST(BovSeries, RefusesNothing)
{
  expect_refused({}, "no BOV header");
}

TEST(BovSeries, RefusesStepsThatDiffer)
{
  BovHeader other = header("b.bov", 1);
  other.size = other.block = { 4, 4, 5 };
  expect_refused({ header("a.bov", 0), other }, "the grid");
  other = header("b.bov", 1);
  other.format.type = StoredType::Int16;
  expect_refused({ header("a.bov", 0), other }, "DATA_FORMAT");
  other = header("b.bov", 1);
  other.components = 3;
  expect_refused({ header("a.bov", 0), other }, "DATA_COMPONENTS");
}

TEST(BovSeries, RefusesVariablesOfOtherTimes)
{
  expect_refused({ header("u0.bov", 0), header("u1.bov", 1), header("p0.bov", 0, "p") }, "other times");
}

} // namespace
} // namespace rivulet
