// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Core/Io/BovFixture.h"
#include "Core/Store/BrickReader.h"
#include "Store/Field/OpenField.h"
#include "Store/Locate/BlockCut.h"
#include "Store/Memory/MappedPages.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>

namespace rivulet::test
{
namespace
{

using testing::HasSubstr;

constexpr AccessStrategy kWays[] = { AccessStrategy::Automatic, AccessStrategy::MemoryMap,
  AccessStrategy::BufferedCache, AccessStrategy::DirectCache, AccessStrategy::Asynchronous };
constexpr std::int64_t kRoom = 64 * kMiB;

std::shared_ptr<FileBricks> open(
    const std::vector<std::string>& headers, AccessStrategy strategy, std::int64_t budget = kRoom)
{
  Result<std::shared_ptr<FileBricks>> field = open_field(headers, { .strategy = strategy, .memory_budget = budget });
  EXPECT_TRUE(field) << field.error().describe();
  return field.value_or(nullptr);
}

Lookup get(BrickSource& source, const BrickKey& key)
{
  return BrickReader(source).get(key);
}

std::vector<double> values_of(const BrickView& view)
{
  std::vector<double> values;
  for (std::int64_t i = 0; i < view.lattice.count(); ++i)
  {
    const Int3 at = from_row_major(i, view.lattice.size());
    const std::int64_t first = at[0] * view.stride[0] + at[1] * view.stride[1] + at[2] * view.stride[2];
    for (std::int64_t c = first; c < first + view.components; ++c)
    {
      values.push_back(view.type == ScalarType::Float32 ? static_cast<const float*>(view.data)[c]
                                                        : static_cast<const double*>(view.data)[c]);
    }
  }
  return values;
}

// Bricks that do not hold what they must.
int wrong_bricks(BrickSource& source, const BovCase& what)
{
  const BrickGrid& grid = source.bricks(0);
  int wrong = 0;
  for (std::int64_t index = 0; index < grid.size(); ++index)
  {
    const Lookup found = get(source, { 0, 0, index });
    const Box needed = brick_values(grid, source.info().variables[0].centering, index);
    wrong += found.state == Lookup::State::Ready && found.pin.view().lattice == needed &&
                     values_of(found.pin.view()) == expected_values(what, needed)
                 ? 0
                 : 1;
  }
  return wrong;
}

// Of many blocks, and more than one brick along each axis even in one.
BovCase large_case()
{
  return { .lattice = { 74, 28, 26 }, .block = { 37, 14, 13 }, .format = "INT", .big = true, .components = 3 };
}

class EveryBovInPlace : public testing::TestWithParam<BovCase>
{
};

TEST_P(EveryBovInPlace, GivesTheValuesOfItsFilesByEveryStrategy)
{
  const TemporaryFolder folder;
  const std::string header = write_bov_case(folder, GetParam());
  for (const AccessStrategy strategy : kWays)
  {
    EXPECT_EQ(wrong_bricks(*open({ header }, strategy), GetParam()), 0) << name_of(strategy);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Bov, EveryBovInPlace, testing::ValuesIn(all_bov_cases()), [](const auto& each) { return name_of(each.param); });

TEST(BovBricks, AreCutFromOneLargeFileByEveryStrategy)
{
  const TemporaryFolder folder;
  BovCase what = large_case();
  what.block = { 0, 0, 0 };
  const std::string header = write_bov_case(folder, what);
  for (const AccessStrategy strategy : kWays)
  {
    const auto field = open({ header }, strategy);
    EXPECT_GT(field->bricks(0).size(), 4);
    EXPECT_EQ(wrong_bricks(*field, what), 0) << name_of(strategy);
  }
}

TEST(BovBricks, AreTheSameWithTheSmallestBudgetAndManyThreads)
{
  const TemporaryFolder folder;
  const BovCase what = large_case();
  const std::string header = write_bov_case(folder, what);
  for (const AccessStrategy strategy : kWays)
  {
    const std::int64_t budget = open({ header }, strategy)->working_minimum(2);
    const auto field = open({ header }, strategy, budget);
    std::thread other([&] { EXPECT_EQ(wrong_bricks(*field, what), 0); });
    EXPECT_EQ(wrong_bricks(*field, what), 0) << name_of(strategy);
    other.join();
    EXPECT_LE(field->statistics().peak_bytes, budget) << name_of(strategy);
  }
}

TEST(BovBricks, GoOnWhileTheBudgetChanges)
{
  const TemporaryFolder folder;
  const BovCase what = large_case();
  const std::string header = write_bov_case(folder, what);
  for (const AccessStrategy strategy : kWays)
  {
    const auto field = open({ header }, strategy);
    std::thread other([&] { EXPECT_EQ(wrong_bricks(*field, what), 0); });
    field->set_memory_budget(field->working_minimum(1));
    EXPECT_EQ(wrong_bricks(*field, what), 0) << name_of(strategy);
    other.join();
    EXPECT_EQ(field->memory_budget(), field->working_minimum(1));
  }
}

TEST(BovBricks, OfNativeFloatsInOneFileAreTheMapping)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 70, 30, 30 }, .components = 3, .offset = 8 };
  const auto field = open({ write_bov_case(folder, what) }, AccessStrategy::Automatic);
  EXPECT_EQ(field->strategy(), AccessStrategy::MemoryMap);
  EXPECT_EQ(field->bricks(0).size(), 1);
  const Lookup found = get(*field, { 0, 0, 0 });
  ASSERT_EQ(found.state, Lookup::State::Ready);
  const auto whole = field->whole_array(0, 0);
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(whole->bytes(), 0) << "a mapping too";
  EXPECT_EQ(std::memcmp(found.pin.view().data, whole->values(), 70 * 30 * 30 * 3 * sizeof(float)), 0);
  EXPECT_EQ(wrong_bricks(*field, what), 0);
  EXPECT_EQ(field->whole_array(0, 1), nullptr);
  EXPECT_EQ(field->whole_array(1, 0), nullptr);
}

TEST(BovBricks, ThatCannotBeTheMappingSayWhy)
{
  const TemporaryFolder folder;
  const std::vector<std::pair<BovCase, std::string>> cases{ { { .offset = 7 }, "multiple of their size" },
    { { .big = true }, "this machine" }, { { .format = "SHORT" }, "floats or doubles" },
    { { .lattice = { 4, 4, 4 }, .block = { 2, 4, 4 } }, "several places" } };
  for (const auto& [what, reason] : cases)
  {
    const std::string header = write_bov_case(folder, what);
    const auto mapped = open({ header }, AccessStrategy::MemoryMap);
    EXPECT_EQ(mapped->strategy(), AccessStrategy::BufferedCache);
    EXPECT_THAT(mapped->strategy_reason(), HasSubstr(reason));
    EXPECT_EQ(mapped->whole_array(0, 0), nullptr);
    EXPECT_EQ(open({ header }, AccessStrategy::Automatic)->strategy(), AccessStrategy::BufferedCache);
  }
}

TEST(BovBricks, CountWhatTheyDo)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 8, 8, 8 }, .block = { 4, 4, 4 } };
  const auto field = open({ write_bov_case(folder, what) }, AccessStrategy::BufferedCache);
  EXPECT_EQ(field->statistics().bytes_read, 0);
  EXPECT_EQ(wrong_bricks(*field, what), 0);
  EXPECT_EQ(wrong_bricks(*field, what), 0);
  const SourceStatistics statistics = field->statistics();
  EXPECT_EQ(statistics.bricks_read, 8);
  EXPECT_EQ(statistics.cache_misses, 8);
  EXPECT_EQ(statistics.cache_hits, 8);
  EXPECT_GE(statistics.bytes_read, 8 * 8 * 8 * 4);
}

TEST(BovBricks, AreNumberedAsTheyLieInTheFiles)
{
  const TemporaryFolder folder;
  const auto field =
      open({ write_bov_case(folder, { .lattice = { 8, 8, 8 }, .block = { 4, 4, 4 } }) }, AccessStrategy::BufferedCache);
  for (std::int64_t index = 1; index < field->bricks(0).size(); ++index)
  {
    EXPECT_GT(field->storage_order({ 0, 0, index }), field->storage_order({ 0, 0, index - 1 }));
  }
}

TEST(BovBricks, ThatDoNotExistFail)
{
  const TemporaryFolder folder;
  const std::string header = write_bov_case(folder, {});
  for (const AccessStrategy strategy : kWays)
  {
    const auto field = open({ header }, strategy);
    for (const BrickKey& key : { BrickKey{ 0, 0, -1 }, BrickKey{ 0, 0, 99 }, BrickKey{ 1, 0, 0 }, BrickKey{ 0, 1, 0 } })
    {
      EXPECT_EQ(field->try_get(key).state, Lookup::State::Failed);
    }
  }
}

// Which bricks of 8 blocks fail, as bits.
unsigned failed_bricks(BrickSource& source, ErrorCode code, const std::string& path)
{
  unsigned failed = 0;
  for (std::int64_t index = 0; index < 8; ++index)
  {
    const Lookup found = get(source, { 0, 0, index });
    if (found.state == Lookup::State::Failed)
    {
      EXPECT_EQ(found.error->code, code);
      EXPECT_EQ(found.error->path, path);
      failed |= 1U << index;
    }
  }
  return failed;
}

TEST(BovBricks, OfAMissingBlockFailAndNoOthers)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 8, 8, 8 }, .block = { 4, 4, 4 } };
  const std::string header = write_bov_case(folder, what);
  std::filesystem::remove(data_path(folder, what, 7));
  for (const AccessStrategy strategy : kWays)
  {
    const auto field = open({ header }, strategy); // all bricks share a layer with the last block
    EXPECT_EQ(failed_bricks(*field, ErrorCode::NotFound, data_path(folder, what, 7)), 0xFFU);
  }
  EXPECT_EQ(write_bov_case(folder, what), header);
  std::filesystem::remove(data_path(folder, what, 1));
  for (const AccessStrategy strategy : kWays)
  {
    EXPECT_EQ(failed_bricks(*open({ header }, strategy), ErrorCode::NotFound, data_path(folder, what, 1)), 0x03U);
  }
}

TEST(BovBricks, OfAShortBlockFailAndNoOthers)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 8, 8, 8 }, .block = { 4, 4, 4 }, .zonal = true };
  const std::string header = write_bov_case(folder, what);
  std::filesystem::resize_file(data_path(folder, what, 5), 255);
  for (const AccessStrategy strategy : kWays)
  {
    const auto field = open({ header }, strategy);
    EXPECT_EQ(failed_bricks(*field, ErrorCode::Truncated, data_path(folder, what, 5)), 0x20U);
    EXPECT_THAT(get(*field, { 0, 0, 5 }).error->what, HasSubstr("has 255 bytes, 256 are needed"));
  }
}

TEST(BovBricks, OfAFileCutShortWhileMappedReadNanThenFail)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 64, 64, 8 } };
  const auto field = open({ write_bov_case(folder, what) }, AccessStrategy::MemoryMap);
  const Lookup found = get(*field, { 0, 0, 0 });
  ASSERT_EQ(found.state, Lookup::State::Ready);
  EXPECT_TRUE(field->health());
  std::filesystem::resize_file(data_path(folder, what), 64 * 1024);
  EXPECT_TRUE(std::isnan(static_cast<const float*>(found.pin.view().data)[64 * 64 * 8 - 1]));
  EXPECT_EQ(get(*field, { 0, 0, 0 }).state, Lookup::State::Failed);
  const Result<void> health = field->health();
  ASSERT_FALSE(health);
  EXPECT_EQ(health.error().code, ErrorCode::Truncated);
}

TEST(BovBricks, OfABlockCutShortWhileOpenFail)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 64, 64, 64 }, .block = { 64, 64, 32 }, .big = true };
  for (const AccessStrategy strategy : kWays)
  {
    const auto field = open({ write_bov_case(folder, what) }, strategy);
    const std::int64_t last = field->bricks(0).size() - 1;
    EXPECT_EQ(get(*field, { 0, 0, last }).state, Lookup::State::Ready);
    std::filesystem::resize_file(data_path(folder, what, 1), 4096);
    EXPECT_EQ(get(*field, { 0, 0, last - 1 }).state, Lookup::State::Failed) << name_of(strategy);
    EXPECT_EQ(get(*field, { 0, 0, 0 }).state, Lookup::State::Ready);
    EXPECT_EQ(field->health().error().code, ErrorCode::Truncated);
  }
}

TEST(BovBricks, OfAStepWithoutItsFileFailAndNoOtherStep)
{
  const TemporaryFolder folder;
  const BovCase first{ .time = 0, .name = "a" };
  const BovCase second{ .time = 1, .name = "b" };
  const std::vector<std::string> headers{ write_bov_case(folder, first), write_bov_case(folder, second) };
  std::filesystem::remove(data_path(folder, second));
  for (const AccessStrategy strategy : kWays)
  {
    const auto field = open(headers, strategy);
    EXPECT_EQ(get(*field, { 0, 0, 0 }).state, Lookup::State::Ready);
    const Lookup missing = get(*field, { 0, 1, 0 });
    ASSERT_EQ(missing.state, Lookup::State::Failed);
    EXPECT_EQ(missing.error->code, ErrorCode::NotFound);
    EXPECT_EQ(field->whole_array(0, 1), nullptr);
  }
}

TEST(BovBricks, AreRefusedWithoutTheirOnlyFile)
{
  const TemporaryFolder folder;
  const std::string header = write_bov_case(folder, {});
  std::filesystem::resize_file(data_path(folder, {}), 239);
  EXPECT_EQ(open_field({ header }, {}).error().code, ErrorCode::Truncated);
  std::filesystem::remove(data_path(folder, {}));
  EXPECT_EQ(open_field({ header }, {}).error().code, ErrorCode::NotFound);
  EXPECT_EQ(open_field({ folder.file("none.bov") }, {}).error().code, ErrorCode::NotFound);
}

TEST(BovBricks, AreRefusedInTheWrongByteOrder)
{
  const TemporaryFolder folder;
  const std::string header = write_bov_case(folder, { .lattice = { 8, 8, 8 }, .big = true });
  std::string bytes;
  for (int i = 0; i < 512; ++i)
  {
    bytes += bytes_of(std::sin(0.1 * i), "FLOAT", false);
  }
  write_text(data_path(folder, {}), bytes);
  EXPECT_EQ(open_field({ header }, {}).error().code, ErrorCode::Corrupt);
}

TEST(BovBricks, KeepWhatIsMappedUnderTheBudget)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 4, 4, 4 } };
  const std::string header = write_bov_case(folder, what);
  write_text(header, "DATA_FILE: case.raw\nDATA_SIZE: 512 512 64\nDATA_FORMAT: FLOAT\nDATA_ENDIAN: LITTLE\n");
  std::filesystem::resize_file(data_path(folder, what), 64 * kMiB);
  const auto field = open({ header }, AccessStrategy::MemoryMap, 4 * kMiB);
  const auto whole = field->whole_array(0, 0);
  const auto* values = static_cast<const float*>(whole->values());
  float sum = 0;
  for (std::int64_t i = 0; i < 16 * kMiB; i += 1024)
  {
    sum += values[i];
  }
  EXPECT_LT(sum, 60 * 60);
  EXPECT_GT(field->statistics().bytes_read, 0);
  EXPECT_LE(resident_memory(values, 64 * kMiB), 4 * kMiB);
}

TEST(BovBricks, ThatAreWrittenToStayAsTheyAreInTheFileAndForOthers)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 60, 60, 60 }, .components = 3 };
  const std::string header = write_bov_case(folder, what);
  const auto field = open({ header }, AccessStrategy::MemoryMap);
  const auto mine = field->whole_array(0, 0);
  const auto other = field->whole_array(0, 0);
  auto* values = static_cast<float*>(mine->values());
  const float before = values[100000];
  EXPECT_FALSE(mine->written());
  values[100000] = 77;
  values[0] = 78;
  EXPECT_TRUE(mine->written());
  EXPECT_FALSE(other->written());
  EXPECT_EQ(values[100000], 77);
  EXPECT_EQ(static_cast<const float*>(other->values())[100000], before);
  EXPECT_EQ(static_cast<const float*>(field->whole_array(0, 0)->values())[100000], before);
  EXPECT_EQ(wrong_bricks(*field, what), 0);
}

TEST(BovBricks, KeepWhatWasWrittenWhenTheBudgetDropsOthers)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 4, 4, 4 } };
  const std::string header = write_bov_case(folder, what);
  write_text(header, "DATA_FILE: case.raw\nDATA_SIZE: 512 512 64\nDATA_FORMAT: FLOAT\nDATA_ENDIAN: LITTLE\n");
  std::filesystem::resize_file(data_path(folder, what), 64 * kMiB);
  const auto field = open({ header }, AccessStrategy::MemoryMap, 4 * kMiB);
  const auto mine = field->whole_array(0, 0);
  const auto other = field->whole_array(0, 0);
  auto* values = static_cast<float*>(mine->values());
  float sum = 0;
  for (std::int64_t i = 0; i < 16 * kMiB; i += 1024)
  {
    values[i] = static_cast<float>(i);
    sum += static_cast<const float*>(other->values())[i];
  }
  EXPECT_LT(sum, 60 * 60) << "the file's zeros, and a case";
  static_cast<void>(field->statistics());
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < 16 * kMiB; i += 1024)
  {
    wrong += values[i] != static_cast<float>(i);
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(resident_memory(values, 64 * kMiB), 16384 * 4096);
  EXPECT_LE(resident_memory(other->values(), 64 * kMiB), 4 * kMiB);
}

TEST(BlockCut, HasEdgesThatDivideBlocks)
{
  const auto edges = [](const Int3& lattice, const Int3& block)
  {
    BlockVariable variable;
    variable.lattice = lattice;
    variable.block = block;
    Grid grid;
    grid.nodes = lattice;
    return cut_blocks(variable, grid).cells;
  };
  EXPECT_EQ(edges({ 256, 256, 256 }, { 128, 128, 128 }), (Int3{ 64, 16, 16 }));
  EXPECT_EQ(edges({ 100, 60, 40 }, { 50, 30, 20 }), (Int3{ 50, 15, 20 }));
  EXPECT_EQ(edges({ 134, 46, 46 }, { 67, 23, 23 }), (Int3{ 45, 15, 15 })) << "primes";
  EXPECT_EQ(edges({ 129, 45, 1 }, { 129, 45, 1 }), (Int3{ 64, 22, 1 }));
  EXPECT_EQ(edges({ 2, 1, 1 }, { 1, 1, 1 }), (Int3{ 1, 1, 1 }));
}

TEST(BlockCut, CoversEveryCellOnce)
{
  BlockVariable variable;
  variable.lattice = { 131, 50, 7 };
  variable.block = variable.lattice;
  Grid grid;
  grid.nodes = variable.lattice;
  const BrickGrid bricks = cut_blocks(variable, grid);
  std::int64_t cells = 0;
  for (std::int64_t index = 0; index < bricks.size(); ++index)
  {
    const Int3 size = brick_values(bricks, Centering::Node, index).size();
    cells += std::int64_t{ size[0] - 1 } * (size[1] - 1) * (size[2] - 1);
  }
  EXPECT_EQ(cells, 130 * 49 * 6);
}

} // namespace
} // namespace rivulet::test
