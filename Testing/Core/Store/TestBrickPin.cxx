// SPDX-License-Identifier: BSD-3-Clause
// A pin returns its brick exactly once, however it is handed about; and the smallest of all sources.
#include "Store/Source/ArrayBricks.h"
#include "Store/Source/WholeArray.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace rivulet::test
{

namespace
{

/// Counts what is returned to it.
class Owner final : public BrickSource
{
public:
  BrickPin pin(int& brick)
  {
    BrickView view;
    view.data = &brick;
    return { this, &brick, view };
  }
  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return grid_; }
  [[nodiscard]] Lookup try_get(const BrickKey&) override { return {}; }
  [[nodiscard]] std::int64_t working_minimum(int) const override { return 0; }
  [[nodiscard]] SourceStatistics statistics() const override { return {}; }

private:
  void unpin(void* token) override { ++*static_cast<int*>(token); }

  FieldInfo info_;
  BrickGrid grid_;
};

class Pins : public testing::Test
{
protected:
  Owner owner;
  int first = 0; ///< how often each was returned
  int second = 0;
};

} // namespace

TEST_F(Pins, OfNothingReturnNothing)
{
  BrickPin none;
  EXPECT_FALSE(none);
  none.release();
  const BrickPin moved = std::move(none);
  EXPECT_FALSE(moved);
}

TEST_F(Pins, ReturnTheirBrickAtTheirEnd)
{
  {
    const BrickPin pin = owner.pin(first);
    EXPECT_TRUE(pin);
    EXPECT_EQ(pin.view().data, &first);
    EXPECT_EQ(first, 0);
  }
  EXPECT_EQ(first, 1);
}

TEST_F(Pins, ReturnTheirBrickOnceThoughReleasedTwice)
{
  {
    BrickPin pin = owner.pin(first);
    pin.release();
    EXPECT_FALSE(pin);
    EXPECT_EQ(first, 1);
    pin.release();
  }
  EXPECT_EQ(first, 1);
}

TEST_F(Pins, HandTheirBrickOn)
{
  {
    BrickPin pin = owner.pin(first);
    BrickPin next = std::move(pin);
    EXPECT_FALSE(pin); // NOLINT(bugprone-use-after-move): that is what is tested
    EXPECT_EQ(next.view().data, &first);
    pin.release();
    EXPECT_EQ(first, 0);
  }
  EXPECT_EQ(first, 1);
}

TEST_F(Pins, ReturnWhatTheyHeldWhenTheyTakeAnother)
{
  BrickPin pin = owner.pin(first);
  pin = owner.pin(second);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 0);
  EXPECT_EQ(pin.view().data, &second);
  pin = BrickPin();
  EXPECT_EQ(second, 1);
}

TEST_F(Pins, MayBeGivenToThemselves)
{
  BrickPin pin = owner.pin(first);
  BrickPin& same = pin;
  pin = std::move(same);
  EXPECT_TRUE(pin);
  EXPECT_EQ(first, 0);
}

TEST_F(Pins, OfOneBrickAreReturnedEach)
{
  std::vector<BrickPin> pins;
  for (int i = 0; i < 5; ++i)
  {
    pins.push_back(owner.pin(first)); // moves those before when it grows
  }
  pins.erase(pins.begin() + 1, pins.begin() + 3);
  EXPECT_EQ(first, 2);
  pins.clear();
  EXPECT_EQ(first, 5);
}

TEST(SourceDefaults, AreThoseOfASourceInMemory)
{
  Owner source;
  EXPECT_EQ(source.own_cut(), nullptr);
  EXPECT_EQ(source.storage_order({ 0, 0, 42 }), 42);
  EXPECT_TRUE(source.health());
  EXPECT_GT(source.bricks_at_once(), 1 << 30);
}

TEST(ArrayBricks, ShowArraysOfBothCentringsWhereTheyLie)
{
  Grid grid;
  grid.nodes = { 5, 4, 1 }; // flat: one layer of cells
  std::vector<float> nodes(5 * 4 * 3);
  std::vector<double> cells(4 * 3);
  std::iota(nodes.begin(), nodes.end(), 0.0F);
  std::iota(cells.begin(), cells.end(), 0.0);
  ArrayBricks source(grid, { { { "v", ScalarType::Float32, 3, Centering::Node }, nodes.data() },
                               { { "p", ScalarType::Float64, 1, Centering::Cell }, cells.data() } });
  const BrickView v = source.try_get({ 0, 0, 0 }).pin.view();
  EXPECT_EQ(v.data, nodes.data()); // no copy
  EXPECT_EQ(v.lattice, (Box{ { 0, 0, 0 }, { 5, 4, 1 } }));
  EXPECT_EQ(v.components, 3);
  EXPECT_EQ(static_cast<const float*>(v.data)[2 * v.stride[0] + 3 * v.stride[1] + 1], 3.0F * (3 * 5 + 2) + 1);
  const BrickView p = source.try_get({ 1, 0, 0 }).pin.view();
  EXPECT_EQ(p.type, ScalarType::Float64);
  EXPECT_EQ(p.lattice, (Box{ { 0, 0, 0 }, { 4, 3, 1 } }));
  EXPECT_EQ(static_cast<const double*>(p.data)[3 * p.stride[0] + 2 * p.stride[1]], 11.0);
  EXPECT_EQ(source.info().variables.size(), 2U);
  EXPECT_EQ(source.info().times, std::vector<double>{ 0.0 });
  EXPECT_EQ(source.bricks(0).size(), 1);
  EXPECT_EQ(source.bricks(0).index_of_cell({ 3, 2, 0 }), 0); // every cell is in the one brick
  EXPECT_EQ(source.working_minimum(8), 0);
}

TEST(CopiedArray, IsMemoryToFill)
{
  const auto array = CopiedArray::of_bytes(10000);
  ASSERT_NE(array, nullptr);
  EXPECT_EQ(array->bytes(), 10000);
  EXPECT_EQ(array->values(), array->room());
  std::fill_n(array->room(), 10000, std::byte{ 5 });
  EXPECT_FALSE(array->written()); // it is not sealed yet
}

TEST(CopiedArray, NoticesWritesOnceItIsSealedAndLetsThemHappen)
{
  const auto array = CopiedArray::of_bytes(3 * 4096);
  const auto other = CopiedArray::of_bytes(4096);
  std::fill_n(array->room(), 3 * 4096, std::byte{ 5 });
  array->seal();
  other->seal();
  auto* values = static_cast<volatile unsigned char*>(array->values());
  EXPECT_EQ(values[4096], 5); // to read is no write
  EXPECT_FALSE(array->written());
  values[4096] = 6;
  EXPECT_TRUE(array->written());
  EXPECT_EQ(values[4096], 6);
  EXPECT_EQ(values[4095], 5);
  values[0] = 7;
  EXPECT_EQ(values[0], 7);
  EXPECT_FALSE(other->written());
}

TEST(CopiedArray, MayBeEmptyButNotWithoutEnd)
{
  EXPECT_NE(CopiedArray::of_bytes(0), nullptr);
  EXPECT_EQ(CopiedArray::of_bytes(std::int64_t{ 1 } << 60), nullptr);
}

} // namespace rivulet::test
