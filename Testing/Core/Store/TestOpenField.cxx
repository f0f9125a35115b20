// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Core/Store/BrickReader.h"
#include "Store/Memory/MemoryAccount.h"
#include "Support/TemporaryFolder.h"

#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace rivulet::test
{

namespace
{

class OpenField : public testing::Test
{
protected:
  std::string part(const std::string& name, const std::vector<double>& times, std::int32_t first_step)
  {
    write_field(folder.file(name), small_field(times), first_step);
    return folder.file(name);
  }
  static Error error_of(const std::vector<std::string>& paths, const OpenOptions& options = {})
  {
    const auto field = open_field(paths, options);
    return field ? Error{} : field.error();
  }

  TemporaryFolder folder;
};

} // namespace

TEST_F(OpenField, DescribesWithoutReadingABrick)
{
  const auto field = *open_field({ part("a.rvf", { 0.5, 1.5 }, 0) });
  EXPECT_EQ(field->info().variables.size(), 3U);
  EXPECT_EQ(field->info().times, (std::vector<double>{ 0.5, 1.5 }));
  EXPECT_EQ(field->path(), folder.file("a.rvf"));
  EXPECT_EQ(field->statistics().bytes_read, 0);
  EXPECT_EQ(field->whole_array(0, 0), nullptr);
}

TEST_F(OpenField, ChoosesAStrategyAndSaysWhy)
{
  const auto field = *open_field({ part("a.rvf", { 0.0 }, 0) });
  EXPECT_NE(field->strategy(), AccessStrategy::Automatic);
  EXPECT_TRUE(field->strategy_reason().ends_with("."));
}

TEST_F(OpenField, SaysWhatIsWrongWithAPath)
{
  EXPECT_EQ(error_of({}).code, ErrorCode::BadArgument);
  EXPECT_EQ(error_of({ folder.file("none.rvf") }).code, ErrorCode::NotFound);
  std::ofstream(folder.file("text.rvf")) << "not a field\n";
  EXPECT_EQ(error_of({ folder.file("text.rvf") }).code, ErrorCode::NotThisFormat);
}

TEST_F(OpenField, RefusesABudgetBelowOneBrickAndNamesTheMinimum)
{
  const std::string path = part("a.rvf", { 0.0 }, 0);
  const std::int64_t minimum = (*open_field({ path }))->working_minimum(1);
  EXPECT_TRUE(open_field({ path }, { .memory_budget = minimum }));
  const Error error = error_of({ path }, { .memory_budget = minimum - 1 });
  EXPECT_EQ(error.code, ErrorCode::BudgetTooSmall);
  EXPECT_NE(error.describe().find(format_bytes(minimum)), std::string::npos) << error.describe();
}

TEST_F(OpenField, TakesTheDefaultBudgetForNone)
{
  const auto field = *open_field({ part("a.rvf", { 0.0 }, 0) });
  EXPECT_GE(field->memory_budget(), 16 * kMiB);
  field->set_memory_budget(kMiB);
  EXPECT_EQ(field->memory_budget(), kMiB);
  field->set_memory_budget(0);
  EXPECT_GE(field->memory_budget(), 16 * kMiB);
}

TEST_F(OpenField, JoinsTheStepsOfASeriesByTime)
{
  const std::string late = part("late.rvf", { 2.0, 3.0 }, 2);
  const std::string early = part("early.rvf", { 0.0, 1.0 }, 0);
  for (const AccessStrategy strategy : kStrategies)
  {
    const auto field = *open_field({ late, early }, { .strategy = strategy });
    EXPECT_EQ(field->info().times, (std::vector<double>{ 0.0, 1.0, 2.0, 3.0 }));
    EXPECT_EQ(wrong_in_all(*field), 0);
    EXPECT_EQ(field->brick_ranges(1, 3)->front()[0], static_cast<float>(value_at({ 1, 3, 0 }, 0, { 0, 0, 0 })));
  }
}

TEST_F(OpenField, KeepsTheBudgetOverAllFilesOfASeries)
{
  const std::string a = part("a.rvf", { 0.0 }, 0);
  const std::string b = part("b.rvf", { 1.0 }, 1);
  for (const AccessStrategy strategy : kStrategies)
  {
    const std::int64_t budget = 40 * kKiB;
    const auto field = *open_field({ a, b }, { .strategy = strategy, .memory_budget = budget });
    EXPECT_EQ(wrong_in_all(*field), 0);
    EXPECT_LE(field->statistics().peak_bytes, budget);
  }
}

/// As where a copy was made of the pieces of two.
TEST_F(OpenField, RefusesABrickOfAnotherFileOfTheSameField)
{
  const std::string path = part("a.rvf", { 0.0 }, 0);
  const std::string other = part("b.rvf", { 0.0 }, 0);
  const BrickKey key{ 0, 0, 1 };
  std::vector<char> record(static_cast<std::size_t>(FieldFile::open(path)->layouts[0].stride));
  std::ifstream(other, std::ios::binary)
      .seekg(offset_of(other, key))
      .read(record.data(), static_cast<std::streamsize>(record.size()));
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out)
      .seekp(offset_of(path, key))
      .write(record.data(), static_cast<std::streamsize>(record.size()));
  for (const AccessStrategy strategy : kStrategies)
  {
    const auto field = *open_field({ path }, { .strategy = strategy });
    EXPECT_EQ(BrickReader(*field).get({ 0, 0, 0 }).state, Lookup::State::Ready);
    const Lookup foreign = BrickReader(*field).get(key);
    ASSERT_EQ(foreign.state, Lookup::State::Failed);
    EXPECT_EQ(foreign.error->code, ErrorCode::Corrupt);
  }
}

TEST_F(OpenField, RefusesFilesThatAreNoSeries)
{
  const std::string a = part("a.rvf", { 0.0 }, 0);
  EXPECT_EQ(error_of({ a, part("same.rvf", { 0.0 }, 0) }).code, ErrorCode::BadArgument);
  FieldInfo other = small_field({ 1.0 });
  other.grid.spacing[1] = 2.0;
  write_field(folder.file("other.rvf"), other);
  const Error error = error_of({ a, folder.file("other.rvf") });
  EXPECT_EQ(error.code, ErrorCode::BadArgument);
  EXPECT_EQ(error.path, folder.file("other.rvf"));
  EXPECT_NE(error.what.find("grid"), std::string::npos);
}

TEST_F(OpenField, ReturnsAllMemoryToTheProcess)
{
  const std::string path = part("a.rvf", { 0.0 }, 0);
  const std::int64_t before = MemoryAccount::process().used();
  for (const AccessStrategy strategy : kStrategies)
  {
    EXPECT_EQ(wrong_in_all(**open_field({ path }, { .strategy = strategy })), 0);
    EXPECT_EQ(MemoryAccount::process().used(), before);
  }
}

} // namespace rivulet::test
