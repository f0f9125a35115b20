// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/Converter.h"
#include "Generate/GeneratedField.h"
#include "MessageLog.h"
#include "Parallel/Team.h"
#include "Pipeline/LazyField.h"
#include "Store/Memory/MemoryAccount.h"
#include "Store/Source/ArrayBricks.h"
#include "Support/AnalyticBricks.h"
#include "Support/FaultyBricks.h"
#include "Support/TemporaryFolder.h"
#include "vtkDataSetAttributes.h"
#include "vtkFloatArray.h"
#include "vtkIdList.h"
#include "vtkNew.h"
#include "vtkRivuletArray.h"
#include "WrappedField.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <random>
#include <thread>

namespace rivulet::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

constexpr Int3 kNodes{ 21, 18, 11 };
constexpr std::int64_t kBytes = 21 * 18 * 11 * 3 * 4;

struct LazyArray : testing::Test
{
  std::shared_ptr<const AnalyticField> flow = analytic_field("abc");
  Grid grid = uniform_grid(kNodes, flow->domain());
  std::vector<float> expected = sample_floats(*flow, grid);
  AnalyticBricks bricks{ flow, grid };
  MessageLog log;

  [[nodiscard]] static vtkSmartPointer<vtkRivuletArray<float>> array_of(
      const std::shared_ptr<LazyField>& field, const Box& box = { { 0, 0, 0 }, kNodes })
  {
    auto array = vtkSmartPointer<vtkRivuletArray<float>>::New();
    array->SetBlock(field, { 0, 0, box });
    return array;
  }
  [[nodiscard]] static std::shared_ptr<LazyField> open(BrickSource& source, std::int64_t budget = kAmple)
  {
    return std::make_shared<LazyField>(std::make_shared<WrappedField>(source, budget));
  }
  [[nodiscard]] std::vector<float> values_of(vtkRivuletArray<float>& array) const
  {
    std::vector<float> values;
    for (vtkIdType at = 0; at < array.GetNumberOfValues(); ++at)
    {
      values.push_back(array.GetValue(at));
    }
    return values;
  }

  static constexpr std::int64_t kAmple = std::int64_t{ 1 } << 30;
};

TEST_F(LazyArray, KnowsItsShapeWithoutReading)
{
  const auto array = array_of(open(bricks));
  EXPECT_STREQ(array->GetName(), "velocity");
  EXPECT_EQ(array->GetNumberOfTuples(), volume(kNodes));
  EXPECT_EQ(array->GetNumberOfComponents(), 3);
  EXPECT_EQ(bricks.statistics().bricks_read, 0);
}

TEST_F(LazyArray, GivesEveryValueByNumber)
{
  EXPECT_EQ(values_of(*array_of(open(bricks))), expected);
}

TEST_F(LazyArray, GivesTuplesAndComponentsAlike)
{
  const auto array = array_of(open(bricks));
  for (vtkIdType at = array->GetNumberOfTuples() - 1; at >= 0; at -= 7)
  {
    float typed[3];
    double wide[3];
    array->GetTypedTuple(at, typed);
    array->GetTuple(at, wide);
    const auto first = static_cast<std::size_t>(3 * at);
    EXPECT_THAT(typed, ElementsAre(expected[first], expected[first + 1], expected[first + 2]));
    EXPECT_EQ(wide[1], expected[first + 1]);
    EXPECT_EQ(array->GetTypedComponent(at, 2), expected[first + 2]);
    EXPECT_EQ(array->GetComponent(at, 0), expected[first]);
  }
}

TEST_F(LazyArray, CopiesIntoOrdinaryArrays)
{
  const auto array = array_of(open(bricks));
  vtkNew<vtkFloatArray> copy;
  copy->DeepCopy(array);
  EXPECT_EQ(std::vector<float>(copy->GetPointer(0), copy->GetPointer(0) + copy->GetNumberOfValues()), expected);
  vtkNew<vtkIdList> wanted;
  wanted->InsertNextId(4000);
  wanted->InsertNextId(3);
  vtkNew<vtkFloatArray> some;
  some->SetNumberOfComponents(3);
  some->SetNumberOfTuples(2);
  array->GetTuples(wanted, some);
  EXPECT_THAT(std::vector<float>(some->GetPointer(0), some->GetPointer(0) + 6),
      ElementsAre(expected[12000], expected[12001], expected[12002], expected[9], expected[10], expected[11]));
}

TEST_F(LazyArray, CoversAPartOfTheField)
{
  const Box box{ { 7, 3, 8 }, { 18, 17, 11 } };
  const auto array = array_of(open(bricks), box);
  EXPECT_THAT(array->GetLatticeOffset(), ElementsAre(7, 3, 8));
  ASSERT_EQ(array->GetNumberOfTuples(), box.count());
  for (vtkIdType at = 0; at < array->GetNumberOfTuples(); ++at)
  {
    Int3 place = from_row_major(at, box.size());
    place = { place[0] + 7, place[1] + 3, place[2] + 8 };
    EXPECT_EQ(array->GetTypedComponent(at, 1), expected[static_cast<std::size_t>(3 * row_major(place, kNodes) + 1)]);
  }
}

TEST_F(LazyArray, CoversCellsAndDoubles)
{
  AnalyticBricks cells(flow, grid, { .brick_cells = { 5, 40, 3 }, .centering = Centering::Cell });
  const auto array = array_of(open(cells), { { 0, 0, 0 }, grid.cells() });
  EXPECT_EQ(values_of(*array), sample_floats(*flow, grid, Centering::Cell));
  AnalyticBricks doubles(flow, grid, { .type = ScalarType::Float64 });
  vtkNew<vtkRivuletArray<double>> wide;
  wide->SetBlock(open(doubles), { 1, 0, { { 0, 0, 0 }, kNodes } });
  EXPECT_FLOAT_EQ(static_cast<float>(wide->GetValue(77)), std::hypot(expected[231], expected[232], expected[233]));
}

TEST_F(LazyArray, ThreadsReadTheSameValuesAtOnce)
{
  FaultyBricks slow(bricks, { .answer = FaultyBricks::Answer::LaterInRandomOrder, .seed = 3, .hits = 2 });
  const auto array = array_of(open(slow));
  std::atomic<int> wrong{ 0 };
  const auto read = [&](unsigned seed)
  {
    std::mt19937 random(seed);
    for (int count = 0; count < 300; ++count)
    {
      const vtkIdType at = random() % expected.size();
      wrong += array->GetValue(at) != expected[static_cast<std::size_t>(at)];
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 4; ++seed)
  {
    threads.emplace_back(read, seed);
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
  EXPECT_EQ(wrong, 0);
}

TEST_F(LazyArray, HoldsNoBrickBetweenAccesses)
{
  const auto array = array_of(open(bricks));
  EXPECT_EQ(array->GetValue(100), expected[100]);
  std::thread([&] { EXPECT_EQ(array->GetValue(9000), expected[9000]); }).join();
  EXPECT_EQ(bricks.pinned(), 0);
  EXPECT_GT(bricks.most_pinned(), 0);
}

TEST_F(LazyArray, ArraysMayGoInAnyOrder)
{
  auto field = open(bricks);
  auto first = array_of(field);
  EXPECT_EQ(first->GetValue(5), expected[5]);
  first = nullptr;
  const auto second = array_of(field, { { 0, 1, 0 }, kNodes });
  field.reset();
  EXPECT_EQ(second->GetValue(5), expected[3 * 21 + 5]);
  EXPECT_NE(second->GetSource(), nullptr);
}

TEST_F(LazyArray, RangesComeFromTheFile)
{
  AnalyticBricks ranged(flow, grid);
  const_cast<FieldInfo&>(ranged.info()).ranges[0] = { { { -1, 2 }, { -3, 4 }, { -5, 6 } }, { 0, 7 } };
  const auto array = array_of(open(ranged));
  EXPECT_THAT(std::vector<double>(array->GetRange(1), array->GetRange(1) + 2), ElementsAre(-3, 4));
  EXPECT_THAT(std::vector<double>(array->GetFiniteRange(-1), array->GetFiniteRange(-1) + 2), ElementsAre(0, 7));
  EXPECT_EQ(ranged.statistics().bricks_read, 0);
}

TEST_F(LazyArray, RangesThatTheFileOfALargeArrayLacksAreEstimatedFromAFewBricks)
{
  const Int3 nodes{ 300, 300, 300 };
  AnalyticBricks many(flow, uniform_grid(nodes, flow->domain()), { .brick_cells = { 20, 20, 20 } });
  const auto field = open(many);
  const auto array = array_of(field, { { 0, 0, 0 }, nodes });
  const double* range = array->GetRange(0);
  EXPECT_LT(range[0], range[1]);
  EXPECT_LE(many.statistics().bricks_read, 64);
  EXPECT_EQ(field->estimated_ranges(), "velocity");
}

namespace
{

/// With ghosts, VTK 9.2 writes the ranges of all components where it was asked for one.
using Range = std::array<double, 6>;

/// All that an array says of its ranges, without ghosts and with every seventh tuple one.
std::vector<Range> ranges_of(vtkDataArray& array)
{
  std::vector<unsigned char> ghosts(static_cast<std::size_t>(array.GetNumberOfTuples()));
  for (std::size_t at = 0; at < ghosts.size(); at += 7)
  {
    ghosts[at] = vtkDataSetAttributes::DUPLICATEPOINT;
  }
  std::vector<Range> ranges;
  for (int component = -1; component < array.GetNumberOfComponents(); ++component)
  {
    const auto add = [&](auto&& get)
    {
      Range range{};
      get(range.data());
      ranges.push_back(range);
    };
    add([&](double* to) { array.GetRange(to, component); });
    add([&](double* to) { array.GetFiniteRange(to, component); });
    add([&](double* to) { array.GetRange(to, component, ghosts.data(), 1); });
    add([&](double* to) { array.GetFiniteRange(to, component, ghosts.data(), 1); });
  }
  return ranges;
}

} // namespace

TEST_F(LazyArray, RangesThatTheFileLacksAreThoseOfTheValues)
{
  const auto field = open(bricks);
  const auto array = array_of(field);
  vtkNew<vtkFloatArray> plain;
  plain->DeepCopy(array);
  EXPECT_EQ(ranges_of(*array), ranges_of(*plain));
  const Box part{ { 3, 2, 1 }, { 9, 12, 7 } };
  const auto smaller = array_of(field, part);
  plain->DeepCopy(smaller);
  EXPECT_EQ(ranges_of(*smaller), ranges_of(*plain));
  EXPECT_EQ(field->estimated_ranges(), "");
}

TEST_F(LazyArray, RangesLeaveOutWhatIsNotFinite)
{
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  vtkNew<vtkFloatArray> values;
  values->SetName("velocity");
  values->SetNumberOfComponents(3);
  values->SetNumberOfTuples(volume(kNodes));
  std::copy(expected.begin(), expected.end(), values->GetPointer(0));
  values->SetValue(100, std::numeric_limits<float>::quiet_NaN());
  values->SetValue(301, kInfinity);
  values->SetValue(5000, -kInfinity);
  ArrayBricks holes(grid, { { bricks.info().variables[0], values->GetPointer(0) } });
  const auto array = array_of(open(holes));
  const std::vector<Range> ranges = ranges_of(*array);
  const std::vector<Range> stock = ranges_of(*values);
  ASSERT_EQ(ranges.size(), stock.size());
  for (std::size_t at = 0; at < ranges.size(); ++at)
  {
    EXPECT_EQ(ranges[at], stock[at]) << at;
  }
}

TEST_F(LazyArray, RangesOfALargeArrayAreExactWhereThatIsWanted)
{
  const Int3 nodes{ 300, 300, 300 };
  const Grid large = uniform_grid(nodes, flow->domain());
  AnalyticBricks many(flow, large, { .brick_cells = { 20, 20, 20 } });
  const auto field = open(many);
  field->want_exact_ranges(true);
  const auto array = array_of(field, { { 0, 0, 0 }, nodes });
  const auto values = sample_floats(*flow, large);
  double low = values[1];
  double high = low;
  for (std::size_t at = 1; at < values.size(); at += 3)
  {
    low = std::min<double>(low, values[at]);
    high = std::max<double>(high, values[at]);
  }
  EXPECT_EQ(array->GetRange(1)[0], low);
  EXPECT_EQ(array->GetRange(1)[1], high);
  EXPECT_EQ(field->estimated_ranges(), "");
}

TEST_F(LazyArray, CannotBeWritten)
{
  const auto array = array_of(open(bricks));
  array->SetValue(0, 1e6F);
  array->SetTuple3(1, 1, 2, 3);
  array->FillComponent(0, 1.0);
  array->SetNumberOfTuples(1);
  array->Resize(5);
  EXPECT_EQ(array->GetNumberOfTuples(), volume(kNodes));
  EXPECT_EQ(array->GetValue(0), expected[0]);
  ASSERT_EQ(log.messages().size(), 1U);
  EXPECT_THAT(log.messages()[0], HasSubstr("cannot be written"));
}

TEST_F(LazyArray, MakesOrdinaryArraysOfItsKind)
{
  const auto array = array_of(open(bricks));
  const auto made = vtkSmartPointer<vtkDataArray>::Take(array->vtkDataArray::NewInstance());
  EXPECT_NE(vtkFloatArray::SafeDownCast(made), nullptr);
}

TEST_F(LazyArray, PointerIsTheMappingWhereTheFileHoldsTheArrayAsItIs)
{
  auto file = std::make_shared<WrappedField>(bricks, 1);
  file->mapping = CopiedArray::of_bytes(kBytes);
  const auto field = std::make_shared<LazyField>(file);
  EXPECT_EQ(array_of(field)->GetVoidPointer(3), static_cast<float*>(file->mapping->values()) + 3);
  const auto part = array_of(field, { { 0, 0, 0 }, { 21, 18, 10 } });
  EXPECT_NE(part->GetVoidPointer(0), file->mapping->values());
}

TEST_F(LazyArray, WhatAFilterWritesThroughThePointerIsSeenByNobodyElse)
{
  const auto field = open(bricks, 4 * kBytes);
  const auto array = array_of(field);
  const auto other = array_of(field);
  auto* mine = static_cast<float*>(array->GetVoidPointer(0));
  EXPECT_EQ(array->GetValue(0), expected[0]);
  EXPECT_TRUE(log.messages().empty());
  mine[0] = 77;
  mine[kBytes / 4 - 1] = 78;
  EXPECT_EQ(mine[0], 77);
  EXPECT_EQ(array->GetValue(0), expected[0]);
  EXPECT_EQ(*static_cast<float*>(other->GetVoidPointer(0)), expected[0]);
  EXPECT_EQ(*static_cast<float*>(array->GetVoidPointer(0)), expected[0]);
  EXPECT_EQ(*static_cast<float*>(array_of(field)->GetVoidPointer(0)), expected[0]);
  EXPECT_EQ(mine[0], 77);
  ASSERT_EQ(log.messages().size(), 1U);
  for (const char* part : { "wrapped.rvf", "\"velocity\"", "copy" })
  {
    EXPECT_THAT(log.messages()[0], HasSubstr(part));
  }
}

TEST_F(LazyArray, AFileThatChangedIsOneErrorOfWhoeverReadsNext)
{
  auto file = std::make_shared<WrappedField>(bricks, kAmple);
  const auto field = std::make_shared<LazyField>(file);
  const auto array = array_of(field);
  EXPECT_EQ(values_of(*array), expected);
  file->changed = Error{ ErrorCode::CannotRead, "it was written to", "", "wrapped.rvf" };
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_EQ(values_of(*array), expected);
  EXPECT_NE(array->GetVoidPointer(0), nullptr);
  EXPECT_EQ(values_of(*array_of(field)), expected);
  ASSERT_EQ(log.messages().size(), 1U);
  for (const char* part : { "wrapped.rvf", "written to", "Reload Files" })
  {
    EXPECT_THAT(log.messages()[0], HasSubstr(part));
  }
}

TEST_F(LazyArray, AFileThatNobodyReadMayChange)
{
  auto file = std::make_shared<WrappedField>(bricks, kAmple);
  const auto field = std::make_shared<LazyField>(file);
  file->changed = Error{ ErrorCode::CannotRead, "it was written to", "", "wrapped.rvf" };
  field->look_at_files();
  EXPECT_FALSE(field->has_error());
}

TEST_F(LazyArray, PointerIsACopyThatCountsAndGoesWithTheArray)
{
  const auto field = open(bricks, 2 * kBytes);
  const std::int64_t before = MemoryAccount::process().used();
  auto array = array_of(field);
  const auto* values = static_cast<const float*>(array->GetVoidPointer(0));
  EXPECT_EQ(std::vector<float>(values, values + expected.size()), expected);
  EXPECT_EQ(MemoryAccount::process().used() - before, kBytes);
  EXPECT_EQ(field->source()->memory_budget(), kBytes); // what is left for bricks
  EXPECT_GE(array->GetActualMemorySize(), kBytes / 1024);
  EXPECT_EQ(array->GetValue(17), expected[17]);
  array = nullptr;
  EXPECT_EQ(MemoryAccount::process().used(), before);
  EXPECT_EQ(field->source()->memory_budget(), 2 * kBytes);
}

TEST_F(LazyArray, ArraysOfTheSameValuesShareOneCopy)
{
  const auto field = open(bricks, kBytes);
  const auto first = array_of(field);
  const auto second = array_of(field);
  EXPECT_EQ(first->GetVoidPointer(0), second->GetVoidPointer(0));
}

TEST_F(LazyArray, PointerIsNaNAndOneErrorWhereTheBudgetHasNoRoom)
{
  const auto field = open(bricks, kBytes - 1);
  const auto array = array_of(field);
  const auto* values = static_cast<const float*>(array->GetVoidPointer(0));
  EXPECT_TRUE(std::isnan(values[0]) && std::isnan(values[expected.size() - 1]));
  EXPECT_EQ(array->GetVoidPointer(1), values + 1);
  EXPECT_EQ(bricks.statistics().bricks_read, 0);
  ASSERT_EQ(log.messages().size(), 1U);
  EXPECT_THAT(log.messages()[0], HasSubstr("wrapped.rvf"));
  EXPECT_THAT(log.messages()[0], HasSubstr("\"velocity\""));
  EXPECT_THAT(log.messages()[0], HasSubstr("Memory Budget to 1 or more"));
}

TEST_F(LazyArray, ARaisedBudgetTurnsNaNIntoValues)
{
  const auto field = open(bricks, kBytes - 1);
  const auto array = array_of(field);
  EXPECT_TRUE(std::isnan(*static_cast<const float*>(array->GetVoidPointer(0))));
  field->set_memory_budget(kBytes);
  EXPECT_EQ(*static_cast<const float*>(array->GetVoidPointer(0)), expected[0]);
}

TEST_F(LazyArray, BricksThatCannotBeReadAreNaNAndOneError)
{
  FaultyBricks broken(bricks, {});
  broken.fail({ 0, 0, 0 });
  broken.fail({ 0, 0, 1 });
  const auto array = array_of(open(broken));
  EXPECT_TRUE(std::isnan(array->GetValue(0)));
  EXPECT_TRUE(std::isnan(array->GetValue(3 * 9)));
  EXPECT_EQ(array->GetValue(3 * 17), expected[3 * 17]);
  EXPECT_EQ(log.messages().size(), 1U);
}

TEST_F(LazyArray, AnErrorThatAThreadMetIsShownByTheArraysOwn)
{
  FaultyBricks broken(bricks, {});
  broken.fail({ 0, 0, 0 });
  auto array = array_of(open(broken));
  std::thread([&] { EXPECT_TRUE(std::isnan(array->GetValue(0))); }).join();
  EXPECT_TRUE(log.messages().empty());
  array = nullptr;
  EXPECT_EQ(log.messages().size(), 1U);
}

class LazyFile : public testing::TestWithParam<AccessStrategy>
{
protected:
  [[nodiscard]] std::string write_field() const
  {
    const std::string path = folder.file("flow.rvf");
    auto flow = make_analytic_field("abc", {});
    auto reader = GeneratedField::create(std::move(*flow), { .nodes = kNodes });
    EXPECT_TRUE(convert(**reader, path, {}));
    return path;
  }

  TemporaryFolder folder;
};

TEST_P(LazyFile, ServesManyThreadsFromTheSmallestBudget)
{
  const std::string path = write_field();
  const auto ample = open_field({ path });
  ASSERT_TRUE(ample);
  const auto file =
      open_field({ path }, { .strategy = GetParam(), .memory_budget = (*ample)->working_minimum(1), .verify = true });
  ASSERT_TRUE(file) << file.error().describe();
  const auto flow = analytic_field("abc");
  const auto expected = sample_floats(*flow, (*file)->info().grid);
  vtkNew<vtkRivuletArray<float>> array;
  array->SetBlock(std::make_shared<LazyField>(*file), { 0, 0, { { 0, 0, 0 }, kNodes } });
  std::atomic<int> wrong{ 0 };
  run_team(4,
      [&](int worker)
      {
        for (vtkIdType at = worker; at < array->GetNumberOfValues(); at += 4)
        {
          wrong += array->GetValue(at) != expected[static_cast<std::size_t>(at)];
        }
      });
  EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(Strategies, LazyFile,
    testing::Values(AccessStrategy::MemoryMap, AccessStrategy::BufferedCache, AccessStrategy::DirectCache,
        AccessStrategy::Asynchronous));

TEST(MissingValues, CostNoMemory)
{
  const auto flow = analytic_field("uniform");
  AnalyticBricks huge(
      flow, uniform_grid({ 4001, 4001, 4001 }, flow->domain()), { .brick_cells = { 1000, 1000, 1000 } });
  const MessageLog log;
  vtkNew<vtkRivuletArray<float>> array;
  array->SetBlock(std::make_shared<LazyField>(std::make_shared<WrappedField>(huge, 1)),
      { 0, 0, { { 0, 0, 0 }, { 4001, 4001, 4001 } } });
  const auto* values = static_cast<const float*>(array->GetVoidPointer(0)); // 716 GiB of them
  ASSERT_NE(values, nullptr);
  EXPECT_TRUE(std::isnan(values[array->GetNumberOfValues() - 1]));
  EXPECT_TRUE(std::isnan(values[array->GetNumberOfValues() / 2]));
}

} // namespace
} // namespace rivulet::test
