// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/BovFixture.h"
#include "Io/Blocks/BovSeries.h"
#include "Store/Locate/BlockLocator.h"
#include "Support/TemporaryFolder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <set>

namespace rivulet::test
{

namespace
{

class EveryBlockLocator : public testing::TestWithParam<BovCase>
{
protected:
  EveryBlockLocator()
    : header(write_bov_case(folder, GetParam()))
    , field(std::make_shared<const BlockField>(*bov_field({ header })))
    , locator(field, header, BlockCutting::Bricks)
  {
  }
  std::vector<std::byte> bytes_of(const Extent& extent)
  {
    std::vector<std::byte> bytes(static_cast<std::size_t>(extent.bytes));
    std::ifstream(locator.file(extent.file).path, std::ios::binary)
        .seekg(extent.offset)
        .read(reinterpret_cast<char*>(bytes.data()), extent.bytes);
    return bytes;
  }

  TemporaryFolder folder;
  std::string header;
  std::shared_ptr<const BlockField> field;
  BlockLocator locator;
};

} // namespace

TEST_P(EveryBlockLocator, NamesTheBytesThatMakeEachBrick)
{
  for (const SpanLimits& limits : { SpanLimits{ 0, 64 }, SpanLimits{ 4096, 1 << 20 } })
  {
    for (std::int64_t index = 0; index < locator.bricks(0).size(); ++index)
    {
      const BrickKey key{ 0, 0, index };
      std::vector<std::byte> slot(static_cast<std::size_t>(locator.slot_bytes()));
      std::vector<Extent> extents;
      locator.find_extents(key, limits, extents);
      ASSERT_FALSE(extents.empty());
      for (const Extent& extent : extents)
      {
        const std::vector<std::byte> bytes = bytes_of(extent);
        ASSERT_LE(extent.bytes, std::max<std::int64_t>(limits.most, 64));
        ASSERT_LE(extent.offset + extent.bytes, locator.file(extent.file).bytes);
        extent.to == Extent::kConverted ? locator.place(key, extent, bytes.data(), slot.data())
                                        : (void)std::copy(bytes.begin(), bytes.end(), slot.begin() + extent.to);
      }
      const Result<BrickView> view = locator.finish(key, slot.data());
      ASSERT_TRUE(view);
      EXPECT_EQ(as_doubles(view->data, view->type, view->components * view->lattice.count()),
          expected_values(GetParam(), view->lattice));
    }
  }
}

TEST_P(EveryBlockLocator, NumbersEachBrickOnce)
{
  std::set<std::int64_t> numbers;
  for (std::int64_t index = 0; index < locator.bricks(0).size(); ++index)
  {
    EXPECT_TRUE(numbers.insert(locator.number({ 0, 0, index })).second);
  }
  EXPECT_EQ(std::ssize(numbers), locator.count());
  EXPECT_EQ(*numbers.begin(), 0);
  EXPECT_EQ(*numbers.rbegin(), locator.count() - 1);
}

TEST_P(EveryBlockLocator, NumbersEachFileOnce)
{
  std::set<std::string> paths;
  for (std::int64_t number = 0; number < locator.file_count(); ++number)
  {
    paths.insert(locator.file(number).path);
    const Error error = locator.too_short(number, 7);
    EXPECT_EQ(error.code, ErrorCode::Truncated);
    EXPECT_EQ(error.path, locator.file(number).path);
    EXPECT_EQ(error.offset, 7);
  }
  for (const std::string& path : paths)
  {
    EXPECT_TRUE(std::ifstream(path)) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Bov, EveryBlockLocator, testing::ValuesIn(all_bov_cases()), [](const auto& each) { return name_of(each.param); });

TEST(WholeArrays, LieAsTheyAreInTheirFiles)
{
  const TemporaryFolder folder;
  const BovCase first{ .lattice = { 9, 5, 4 }, .components = 3, .offset = 8, .time = 0, .name = "a" };
  const BovCase second{ .lattice = { 9, 5, 4 }, .components = 3, .offset = 8, .time = 1, .name = "b" };
  const auto field =
      std::make_shared<const BlockField>(*bov_field({ write_bov_case(folder, first), write_bov_case(folder, second) }));
  EXPECT_EQ(why_not_in_place(*field), "");
  const BlockLocator whole(field, "a.bov", BlockCutting::WholeArrays);
  EXPECT_EQ(whole.count(), 2);
  for (const std::int32_t step : { 0, 1 })
  {
    const BrickKey key{ 0, step, 0 };
    const BrickInPlace place = whole.in_place(key);
    EXPECT_EQ(whole.file(place.file).path, data_path(folder, step == 0 ? first : second));
    EXPECT_EQ(place.offset, 8);
    EXPECT_EQ(place.bytes, 9 * 5 * 4 * 12);
    EXPECT_EQ(place.number, step);
    EXPECT_EQ(whole.view(key, nullptr).lattice, (Box{ { 0, 0, 0 }, { 9, 5, 4 } }));
  }
}

} // namespace rivulet::test
