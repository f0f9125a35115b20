// SPDX-License-Identifier: BSD-3-Clause
#include "InSitu/Runtime/CheckData.h"
#include "InSitu/Runtime/SnapshotBuffer.h"
#include "TestSimulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace rivulet::insitu
{
namespace
{

using testing::HasSubstr;

rivulet_snapshot snapshot_of(const test::TestSimulation& simulation)
{
  return { 7, 3.5, 1, &simulation.particles(), 1, &simulation.field() };
}

/// `data` is aligned, and not `original`, but equal.
void expect_copy(const void* data, const void* original, std::size_t bytes)
{
  ASSERT_NE(data, nullptr);
  EXPECT_NE(data, original);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 64, 0U);
  EXPECT_EQ(std::memcmp(data, original, bytes), 0);
}

TEST(SnapshotBuffer, CopiesEverything)
{
  test::TestSimulation simulation(100'000); // several parts for each array
  simulation.fill(1);
  const rivulet_snapshot published = snapshot_of(simulation);
  SnapshotBuffer buffer;
  const std::int64_t bytes = SnapshotBuffer::bytes_for(published);
  ASSERT_TRUE(buffer.reserve(bytes));
  EXPECT_TRUE(buffer.untouched());
  buffer.touch();
  EXPECT_FALSE(buffer.untouched());
  EXPECT_EQ(buffer.copy(published), bytes);

  const rivulet_snapshot& copy = buffer.snapshot();
  EXPECT_EQ(copy.step, 7);
  EXPECT_EQ(copy.time, 3.5);
  ASSERT_EQ(copy.particle_sets, 1);
  const rivulet_particles& from = simulation.particles();
  const rivulet_particles& to = copy.particles[0];
  const auto count = static_cast<std::size_t>(from.count);
  EXPECT_STREQ(to.name, "atoms");
  EXPECT_NE(to.name, from.name);
  expect_copy(to.id, from.id, 8 * count);
  expect_copy(to.type, from.type, 4 * count);
  expect_copy(to.x, from.x, 8 * count);
  expect_copy(to.vy, from.vy, 8 * count);
  EXPECT_EQ(to.vz, nullptr); // which the simulation has not published
  ASSERT_EQ(to.arrays, 2);
  EXPECT_STREQ(to.array[0].name, "stress");
  expect_copy(to.array[0].data, from.array[0].data, 24 * count);
  expect_copy(to.array[1].data, from.array[1].data, count);
  EXPECT_EQ(std::memcmp(to.low, from.low, sizeof(to.low)), 0);
  EXPECT_EQ(std::memcmp(to.periodic, from.periodic, sizeof(to.periodic)), 0);

  const rivulet_field& flow = copy.field[0];
  EXPECT_STREQ(flow.name, "flow");
  EXPECT_STREQ(flow.variable[1].name, "pressure");
  expect_copy(flow.ratio, simulation.field().ratio, 12);
  const std::array<std::size_t, 3> nodes{ 7 * 11 * 2, 9 * 9 * 2, 6 * 4 * 2 }; // (cells + 2 ghosts + 1) each
  for (std::size_t b = 0; b < nodes.size(); ++b)
  {
    const rivulet_block& block = simulation.field().block[b];
    EXPECT_EQ(flow.block[b].level, block.level);
    EXPECT_EQ(flow.block[b].ghosts[0], block.ghosts[0]);
    EXPECT_EQ(values_of_block(RIVULET_NODES, block), static_cast<std::int64_t>(nodes[b]));
    expect_copy(flow.block[b].data[0], block.data[0], 12 * nodes[b]);
    expect_copy(flow.block[b].data[1], block.data[1], 8 * nodes[b]);
  }
}

TEST(SnapshotBuffer, ServesAgainAndGrows)
{
  SnapshotBuffer buffer;
  test::TestSimulation small(100);
  test::TestSimulation large(1000);
  const std::int64_t little = SnapshotBuffer::bytes_for(snapshot_of(small));
  const std::int64_t much = SnapshotBuffer::bytes_for(snapshot_of(large));
  ASSERT_TRUE(buffer.reserve(little));
  EXPECT_EQ(buffer.capacity(), little);
  ASSERT_TRUE(buffer.reserve(much));
  EXPECT_EQ(buffer.capacity(), much + much / 4); // the next step may be larger
  buffer.touch();
  ASSERT_TRUE(buffer.reserve(little));
  EXPECT_EQ(buffer.capacity(), much + much / 4);
  EXPECT_FALSE(buffer.untouched());
  buffer.copy(snapshot_of(large));
  const void* const place = buffer.snapshot().particles;
  buffer.copy(snapshot_of(small));
  EXPECT_EQ(buffer.snapshot().particles, place);
  EXPECT_EQ(buffer.snapshot().particles[0].count, 100);
}

TEST(SnapshotBuffer, TakesNothing)
{
  SnapshotBuffer buffer;
  const rivulet_snapshot nothing{ 1, 0, 0, nullptr, 0, nullptr };
  EXPECT_EQ(SnapshotBuffer::bytes_for(nothing), 0);
  ASSERT_TRUE(buffer.reserve(0));
  buffer.touch();
  EXPECT_EQ(buffer.copy(nothing), 0);
  EXPECT_EQ(buffer.snapshot().step, 1);
}

TEST(SnapshotBuffer, ReportsMemoryThatThereIsNot)
{
  SnapshotBuffer buffer;
  const Result<void> room = buffer.reserve(std::int64_t{ 1 } << 55);
  ASSERT_FALSE(room);
  EXPECT_THAT(room.error().describe(), HasSubstr("no memory for a copy of"));
  EXPECT_EQ(buffer.capacity(), 0);
  EXPECT_FALSE(buffer.reserve(std::numeric_limits<std::int64_t>::max()));
  EXPECT_TRUE(buffer.reserve(1000));
}

TEST(CheckData, NamesWhatIsNotWhole)
{
  test::TestSimulation simulation(10);
  EXPECT_TRUE(check_particles(simulation.particles()));
  EXPECT_TRUE(check_field(simulation.field()));
  const auto particles = [&](auto&& change)
  {
    rivulet_particles changed = simulation.particles();
    change(changed);
    const Result<void> checked = check_particles(changed);
    return checked ? "" : checked.error().describe();
  };
  EXPECT_THAT(particles([](auto& p) { p.name = nullptr; }), HasSubstr("particles: the name is missing"));
  EXPECT_THAT(particles([](auto& p) { p.count = -1; }), HasSubstr("particles \"atoms\": the count is -1"));
  EXPECT_THAT(particles([](auto& p) { p.count = std::int64_t{ 1 } << 60; }), HasSubstr("the count is"));
  EXPECT_THAT(particles([](auto& p) { p.z = nullptr; }), HasSubstr("x, y or z is missing"));
  EXPECT_THAT(particles([](auto& p) { p.array = nullptr; }), HasSubstr("the list of arrays is missing"));
  EXPECT_THAT(particles([](auto& p) { p.high[1] = -1; }), HasSubstr("corners of the domain"));
  rivulet_array bad = simulation.particles().array[0];
  bad.type = 17;
  EXPECT_THAT(particles([&](auto& p) { p.arrays = 1, p.array = &bad; }), HasSubstr("array 0 lacks"));
  EXPECT_EQ(particles([](auto& p) { p.count = 0, p.x = p.y = p.z = nullptr, p.arrays = 0; }), "");

  const auto field = [&](auto&& change)
  {
    rivulet_field changed = simulation.field();
    change(changed);
    const Result<void> checked = check_field(changed);
    return checked ? "" : checked.error().describe();
  };
  EXPECT_THAT(field([](auto& f) { f.centring = 0; }), HasSubstr("field \"flow\": the centring 0 is unknown"));
  EXPECT_THAT(field([](auto& f) { f.spacing[2] = 0; }), HasSubstr("the spacing positive"));
  EXPECT_THAT(field([](auto& f) { f.ratio = nullptr; }), HasSubstr("levels without ratios"));
  EXPECT_THAT(field([](auto& f) { f.variables = 0; }), HasSubstr("there are no variables"));
  EXPECT_THAT(field([](auto& f) { f.levels = 1; }), HasSubstr("block 2: there is no level 1"));
  EXPECT_THAT(field([](auto& f) { f.block = nullptr; }), HasSubstr("the list of blocks is missing"));
  const auto block = [&](auto&& change)
  {
    rivulet_block changed = simulation.field().block[0];
    change(changed);
    return field([&](auto& f) { f.blocks = 1, f.block = &changed; });
  };
  EXPECT_THAT(block([](auto& b) { b.begin[0] = 5; }), HasSubstr("block 0: its cells are not all in the domain"));
  EXPECT_THAT(block([](auto& b) { b.cells[1] = 0; }), HasSubstr("no cells along an axis"));
  EXPECT_THAT(block([](auto& b) { b.ghosts[1] = -1; }), HasSubstr("less than no ghost layers"));
  EXPECT_THAT(block([](auto& b) { b.ghosts[0] = b.ghosts[1] = b.ghosts[2] = std::numeric_limits<int>::max(); }),
      HasSubstr("too many cells"));
  const std::array<const void*, 2> half{ simulation.field().block[0].data[0], nullptr };
  EXPECT_THAT(block([&](auto& b) { b.data = half.data(); }), HasSubstr("variable \"pressure\" has no data"));
  EXPECT_EQ(block([](auto&) {}), "");
}

} // namespace
} // namespace rivulet::insitu
