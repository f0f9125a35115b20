// SPDX-License-Identifier: BSD-3-Clause
// Fields of 16-bit values, read by every strategy.
#include "Core/Store/BrickReader.h"
#include "Support/TemporaryFolder.h"

#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <map>
#include <thread>

namespace rivulet::test
{

namespace
{

class Fixed16Sources : public testing::TestWithParam<AccessStrategy>
{
protected:
  Fixed16Sources() { write_field(path_, small_field({ 0.0, 0.5 }), 0, Encoding::Fixed16); }

  std::shared_ptr<FileBricks> open(AccessStrategy strategy, std::int64_t budget = 64 << 20)
  {
    auto field = open_field({ path_ }, { .strategy = strategy, .memory_budget = budget });
    EXPECT_TRUE(field) << field.error().describe();
    return *field;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("field.rvf");
};

/// Calls with each value that a brick holds: the number read and the one that was written.
template <class Visit>
void for_each_value(const BrickView& view, const BrickKey& key, const Visit& visit)
{
  for (std::int64_t n = 0; n < view.lattice.count(); ++n)
  {
    const Int3 in = from_row_major(n, view.lattice.size());
    const std::int64_t at = in[0] * view.stride[0] + in[1] * view.stride[1] + in[2] * view.stride[2];
    const Int3& begin = view.lattice.begin;
    for (std::int32_t c = 0; c < view.components; ++c)
    {
      const double read = view.type == ScalarType::Float32 ? static_cast<const float*>(view.data)[at + c]
                                                           : static_cast<const double*>(view.data)[at + c];
      visit(read, value_at(key, c, { begin[0] + in[0], begin[1] + in[1], begin[2] + in[2] }));
    }
  }
}

/// The largest error of each variable; infinite where a brick cannot be read.
std::vector<double> errors_in_all(BrickSource& source)
{
  std::vector<double> errors(3, 0.0);
  BrickReader reader(source);
  for (const BrickKey& key : all_keys(source))
  {
    double& error = errors[static_cast<std::size_t>(key.variable)];
    const Lookup found = reader.get(key);
    if (found.state != Lookup::State::Ready)
    {
      error = HUGE_VAL;
      continue;
    }
    for_each_value(
        found.pin.view(), key, [&](double read, double written) { error = std::max(error, std::abs(read - written)); });
  }
  return errors;
}

std::vector<double> stated_errors(const std::string& path)
{
  std::vector<double> errors;
  const Result<FieldFile> file = FieldFile::open(path);
  for (const BrickLayout& layout : file->layouts)
  {
    errors.push_back(layout.largest_error);
  }
  return errors;
}

} // namespace

TEST_P(Fixed16Sources, HaveTheErrorThatTheFileStatesAndNoLarger)
{
  EXPECT_EQ(errors_in_all(*open(GetParam())), stated_errors(path_));
  EXPECT_THAT(stated_errors(path_), testing::Each(testing::AllOf(testing::Gt(0.0), testing::Lt(0.1))));
}

TEST_P(Fixed16Sources, ServeThreadsAtTheirWorkingMinimum)
{
  const std::int64_t minimum = open(GetParam())->working_minimum(3);
  const auto source = open(GetParam(), minimum);
  std::vector<std::vector<double>> errors(3);
  {
    std::vector<std::jthread> team;
    for (std::vector<double>& mine : errors)
    {
      team.emplace_back([&] { mine = errors_in_all(*source); });
    }
  }
  EXPECT_THAT(errors, testing::Each(stated_errors(path_)));
  EXPECT_LE(source->statistics().peak_bytes, minimum);
}

TEST_P(Fixed16Sources, KeepABrickThatIsReadAgainAfterTheBudgetShrank)
{
  const auto source = open(GetParam());
  for (const std::int64_t budget : { source->working_minimum(1), std::int64_t{ 64 } << 20, source->working_minimum(4) })
  {
    source->set_memory_budget(budget);
    EXPECT_EQ(errors_in_all(*source), stated_errors(path_));
  }
}

TEST_P(Fixed16Sources, GiveTheSameValuesAsEachOther)
{
  const auto source = open(GetParam());
  const auto other = open(AccessStrategy::BufferedCache);
  for (const BrickKey& key : all_keys(*source))
  {
    const Lookup a = BrickReader(*source).get(key);
    const Lookup b = BrickReader(*other).get(key);
    ASSERT_EQ(a.state, Lookup::State::Ready);
    const BrickView& view = a.pin.view();
    const auto bytes = static_cast<std::size_t>(view.stride[2] * view.lattice.size()[2]) * size_of(view.type);
    EXPECT_EQ(std::memcmp(view.data, b.pin.view().data, bytes), 0);
  }
}

TEST_P(Fixed16Sources, FailABrickThatIsDamagedAndNoOther)
{
  const BrickKey bad{ 0, 1, 9 };
  damage_byte(path_, offset_of(path_, bad) + 200);
  const auto source = open(GetParam());
  std::map<int, int> states;
  for (const BrickKey& key : all_keys(*source))
  {
    ++states[static_cast<int>(BrickReader(*source).get(key).state)];
  }
  EXPECT_EQ(states[static_cast<int>(Lookup::State::Failed)], 1);
  const Lookup found = source->try_get(bad);
  ASSERT_EQ(found.state, Lookup::State::Failed);
  EXPECT_EQ(found.error->code, ErrorCode::Corrupt);
  EXPECT_EQ(found.error->offset, offset_of(path_, bad));
}

TEST_P(Fixed16Sources, StateRangesThatHoldWhatIsRead)
{
  const auto source = open(GetParam());
  const auto ranges = source->brick_ranges(1, 0);
  ASSERT_TRUE(ranges);
  for (std::int64_t index = 0; index < source->bricks(1).size(); ++index)
  {
    const std::array<float, 2>& range = (*ranges)[static_cast<std::size_t>(index)];
    const Lookup found = BrickReader(*source).get({ 1, 0, index });
    for_each_value(found.pin.view(), { 1, 0, index },
        [&](double read, double)
        {
          EXPECT_GE(read, range[0]);
          EXPECT_LE(read, range[1]);
        });
  }
}

INSTANTIATE_TEST_SUITE_P(Strategies, Fixed16Sources, testing::ValuesIn(kStrategies),
    [](const auto& strategy)
    {
      std::string name = name_of(strategy.param);
      std::erase(name, ' ');
      return name;
    });

TEST(Fixed16Source, IsReadIntoACacheWhereAMappingWasAskedFor)
{
  const TemporaryFolder folder;
  write_field(folder.file("field.rvf"), small_field(), 0, Encoding::Fixed16);
  const auto source = open_field({ folder.file("field.rvf") }, { .strategy = AccessStrategy::MemoryMap });
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->strategy(), AccessStrategy::BufferedCache);
  EXPECT_THAT((*source)->strategy_reason(), testing::HasSubstr("encoded"));
}

TEST(Fixed16Source, IsNotMappedWhereNothingWasAskedFor)
{
  const TemporaryFolder folder;
  write_field(folder.file("field.rvf"), small_field(), 0, Encoding::Fixed16);
  const auto source = open_field({ folder.file("field.rvf") }, {});
  ASSERT_TRUE(source);
  (*source)->prepare({ .at_once = 100 });
  EXPECT_NE((*source)->strategy(), AccessStrategy::MemoryMap);
  EXPECT_THAT((*source)->strategy_reason(), testing::Not(testing::HasSubstr("mapped, because")));
  EXPECT_EQ(errors_in_all(**source), stated_errors(folder.file("field.rvf")));
}

TEST(Fixed16Source, IsNoStepOfAPlainSeries)
{
  const TemporaryFolder folder;
  write_field(folder.file("a.rvf"), small_field({ 0.0 }));
  write_field(folder.file("b.rvf"), small_field({ 1.0 }), 0, Encoding::Fixed16);
  EXPECT_FALSE(open_field({ folder.file("a.rvf"), folder.file("b.rvf") }));
}

} // namespace rivulet::test
