// SPDX-License-Identifier: BSD-3-Clause
// Arrays that are put together from components and boxes of other sources.
#include "Core/Store/BrickReader.h"
#include "Store/Derived/JoinedBricks.h"
#include "Store/Source/ArrayBricks.h"
#include "Support/AnalyticBricks.h"
#include "Support/FaultyBricks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rivulet::test
{
namespace
{

double value_at(const Int3& at, std::int32_t component)
{
  return 0.25 * at[0] + 8.0 * at[1] + 512.0 * at[2] + 0.5 * component;
}

/// One array over a box of a lattice, as a source of its own.
template <class Scalar>
struct Memory
{
  std::vector<Scalar> values;
  std::shared_ptr<BrickSource> source;

  Memory(const Box& box, const std::vector<std::int32_t>& components, Centering centering)
  {
    const Int3 size = box.size();
    for (std::int64_t i = 0; i < box.count(); ++i)
    {
      const Int3 at = from_row_major(i, size);
      for (const std::int32_t component : components)
      {
        const Int3 place{ at[0] + box.begin[0], at[1] + box.begin[1], at[2] + box.begin[2] };
        values.push_back(static_cast<Scalar>(value_at(place, component)));
      }
    }
    Grid grid;
    const std::int32_t more = centering == Centering::Node ? 0 : 1;
    grid.nodes = { size[0] + more, size[1] + more, size[2] + more };
    const Variable variable{ .name = "part",
      .type = sizeof(Scalar) == 4 ? ScalarType::Float32 : ScalarType::Float64,
      .components = static_cast<std::int32_t>(components.size()),
      .centering = centering };
    source = std::make_shared<ArrayBricks>(grid, std::vector<MemoryArray>{ { variable, values.data() } });
  }
};

JoinedLayout layout_of(const Int3& lattice, ScalarType type, Centering centering)
{
  JoinedLayout layout;
  const std::int32_t more = centering == Centering::Node ? 0 : 1;
  layout.grid.nodes = { lattice[0] + more, lattice[1] + more, lattice[2] + more };
  layout.variable = { .name = "joined", .type = type, .components = 3, .centering = centering };
  layout.held = { { 0, 0, 0 }, lattice };
  return layout;
}

double read(const BrickView& view, const Int3& at, std::int32_t component)
{
  std::int64_t place = component;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    place += (at[axis] - view.lattice.begin[axis]) * view.stride[axis];
  }
  return view.type == ScalarType::Float32 ? static_cast<const float*>(view.data)[place]
                                          : static_cast<const double*>(view.data)[place];
}

/// Values that are not what they should be, over all bricks; how many there were, too. A component that nobody has is
/// 0.
std::pair<std::int64_t, std::int64_t> wrong_and_all(BrickSource& source, std::int32_t known_components = 3)
{
  std::int64_t wrong = 0;
  std::int64_t all = 0;
  BrickReader reader(source);
  for (std::int64_t brick = 0; brick < source.bricks(0).size(); ++brick)
  {
    const Lookup found = reader.get({ 0, 0, brick });
    const Box& box = found.pin.view().lattice;
    for (std::int64_t i = 0; i < box.count(); ++i)
    {
      const Int3 local = from_row_major(i, box.size());
      const Int3 at{ local[0] + box.begin[0], local[1] + box.begin[1], local[2] + box.begin[2] };
      for (std::int32_t c = 0; c < 3; ++c, ++all)
      {
        wrong += read(found.pin.view(), at, c) == (c < known_components ? value_at(at, c) : 0.0) ? 0 : 1;
      }
    }
  }
  return { wrong, all };
}

TEST(JoinedBricks, ThreeScalarsAreAVector)
{
  for (const Centering centering : { Centering::Node, Centering::Cell })
  {
    const Box all{ { 0, 0, 0 }, { 37, 20, 5 } };
    const Memory<float> u(all, { 0 }, centering);
    const Memory<float> v(all, { 1 }, centering);
    const Memory<double> w(all, { 2 }, centering);
    JoinedBricks joined(layout_of(all.end, ScalarType::Float64, centering),
        { { u.source, 0, 0, 0, all, {} }, { v.source, 0, 0, 1, all, {} }, { w.source, 0, 0, 2, all, {} } });
    const auto [wrong, values] = wrong_and_all(joined);
    EXPECT_EQ(wrong, 0);
    EXPECT_GE(values, 3 * all.count());
  }
}

TEST(JoinedBricks, AComponentThatNobodyHasIsZero)
{
  const Box all{ { 0, 0, 0 }, { 18, 17, 16 } };
  const Memory<float> both(all, { 0, 1 }, Centering::Node);
  JoinedBricks joined(layout_of(all.end, ScalarType::Float32, Centering::Node), { { both.source, 0, 0, 0, all, {} } });
  EXPECT_EQ(wrong_and_all(joined, 2).first, 0);
}

TEST(JoinedBricks, BoxesThatShareALayerAreOneLattice)
{
  const Int3 lattice{ 40, 19, 7 };
  const Box low{ { 0, 0, 0 }, { 22, 19, 7 } };
  const Box high{ { 21, 0, 0 }, { 40, 19, 7 } };
  const Memory<float> left(low, { 0, 1, 2 }, Centering::Node);
  const Memory<float> right(high, { 0, 1, 2 }, Centering::Node);
  JoinedBricks joined(layout_of(lattice, ScalarType::Float32, Centering::Node),
      { { left.source, 0, 0, 0, low, {} }, { right.source, 0, 0, 0, high, {} } });
  EXPECT_EQ(joined.bricks(0).count, (Int3{ 3, 2, 1 }));
  EXPECT_EQ(wrong_and_all(joined).first, 0);
}

TEST(JoinedBricks, APartMayBeginAnywhereInItsSource)
{
  const Box all{ { 0, 0, 0 }, { 30, 12, 9 } };
  const Memory<double> large(all, { 0, 1, 2 }, Centering::Node);
  const Box held{ { 0, 0, 0 }, { 20, 6, 5 } };
  JoinedBricks joined(
      layout_of(held.end, ScalarType::Float64, Centering::Node), { { large.source, 0, 0, 0, held, { 3, 2, 1 } } });
  const Lookup found = joined.try_get({ 0, 0, 0 });
  ASSERT_EQ(found.state, Lookup::State::Ready);
  EXPECT_EQ(read(found.pin.view(), { 2, 1, 0 }, 1), value_at({ 5, 3, 1 }, 1));
}

TEST(JoinedBricks, BricksOfItsPartsAreKept)
{
  const auto field = analytic_field("rotation");
  const Grid grid = uniform_grid({ 20, 20, 20 }, field->domain());
  const auto part = std::make_shared<AnalyticBricks>(field, grid, AnalyticBricksOptions{ .brick_cells = { 8, 8, 8 } });
  const Box all{ { 0, 0, 0 }, grid.nodes };
  JoinedLayout layout = layout_of(grid.nodes, ScalarType::Float32, Centering::Node);
  layout.may_wait = true;
  JoinedBricks joined(layout, { { part, 1, 0, 0, all, {} }, { part, 1, 0, 2, all, {} } });
  EXPECT_EQ(joined.bricks(0).count, part->bricks(0).count);
  BrickReader reader(joined);
  for (std::int64_t brick = 0; brick < joined.bricks(0).size(); ++brick)
  {
    const Lookup speed = part->try_get({ 1, 0, brick });
    const Lookup found = reader.get({ 0, 0, brick });
    ASSERT_EQ(found.pin.view().lattice, speed.pin.view().lattice);
    const Int3& at = speed.pin.view().lattice.begin;
    EXPECT_EQ(read(found.pin.view(), at, 0), read(speed.pin.view(), at, 0));
    EXPECT_EQ(read(found.pin.view(), at, 1), 0.0);
    EXPECT_EQ(read(found.pin.view(), at, 2), read(speed.pin.view(), at, 0));
  }
  EXPECT_EQ(part->pinned(), 0);
}

TEST(JoinedBricks, ABrickThatCannotBeReadFailsAndNoOther)
{
  const auto field = analytic_field("rotation");
  const Grid grid = uniform_grid({ 20, 20, 20 }, field->domain());
  AnalyticBricks inner(field, grid, { .brick_cells = { 8, 8, 8 } });
  const auto faulty = std::make_shared<FaultyBricks>(
      inner, FaultyBricks::Options{ .answer = FaultyBricks::Answer::LaterInRandomOrder, .hits = 1 });
  faulty->fail({ 1, 0, 5 });
  const Box all{ { 0, 0, 0 }, grid.nodes };
  for (const bool may_wait : { false, true })
  {
    JoinedLayout layout = layout_of(grid.nodes, ScalarType::Float32, Centering::Node);
    layout.may_wait = may_wait;
    JoinedBricks joined(layout, { { faulty, 1, 0, 0, all, {} }, { faulty, 1, 0, 1, all, {} } });
    BrickReader reader(joined);
    for (std::int64_t brick = 0; brick < joined.bricks(0).size(); ++brick)
    {
      EXPECT_EQ(reader.get({ 0, 0, brick }).state, brick == 5 ? Lookup::State::Failed : Lookup::State::Ready);
    }
    EXPECT_EQ(reader.get({ 0, 0, 27 }).state, Lookup::State::Failed);
    EXPECT_EQ(reader.get({ 0, 0, -1 }).state, Lookup::State::Failed);
  }
}

TEST(JoinedBricks, StaysWithinItsBudget)
{
  const Box all{ { 0, 0, 0 }, { 100, 100, 100 } };
  const Memory<float> values(all, { 0, 1, 2 }, Centering::Node);
  JoinedBricks joined(
      layout_of(all.end, ScalarType::Float32, Centering::Node), { { values.source, 0, 0, 0, all, {} } });
  const std::int64_t budget = 4 * joined.working_minimum(1);
  joined.set_memory_budget(budget);
  EXPECT_EQ(wrong_and_all(joined).first, 0);
  EXPECT_LE(joined.statistics().peak_bytes, budget);
  EXPECT_GT(joined.statistics().cache_misses, 100);
}

} // namespace
} // namespace rivulet::test
