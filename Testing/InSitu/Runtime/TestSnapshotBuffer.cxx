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
  return { 7, 3.5, 1, &simulation.particles(), 1, &simulation.field(), 0, nullptr };
}

const SnapshotBuffer::Choice kAll{ [](const char*, const char*)
  {
    return true;
  } };

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
  const std::int64_t bytes = SnapshotBuffer::bytes_for(published, kAll);
  ASSERT_TRUE(buffer.reserve(bytes));
  EXPECT_TRUE(buffer.untouched());
  buffer.touch();
  EXPECT_FALSE(buffer.untouched());
  EXPECT_EQ(buffer.copy(published, kAll), bytes);

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
  const std::int64_t little = SnapshotBuffer::bytes_for(snapshot_of(small), kAll);
  const std::int64_t much = SnapshotBuffer::bytes_for(snapshot_of(large), kAll);
  ASSERT_TRUE(buffer.reserve(little));
  EXPECT_EQ(buffer.capacity(), little);
  ASSERT_TRUE(buffer.reserve(much));
  EXPECT_EQ(buffer.capacity(), much + much / 4); // the next step may be larger
  buffer.touch();
  ASSERT_TRUE(buffer.reserve(little));
  EXPECT_EQ(buffer.capacity(), much + much / 4);
  EXPECT_FALSE(buffer.untouched());
  buffer.copy(snapshot_of(large), kAll);
  const void* const place = buffer.snapshot().particles;
  buffer.copy(snapshot_of(small), kAll);
  EXPECT_EQ(buffer.snapshot().particles, place);
  EXPECT_EQ(buffer.snapshot().particles[0].count, 100);
}

TEST(SnapshotBuffer, HasObjectsClonedAndReleased)
{
  static int alive = 0;
  static bool refuses = false;
  const auto clone = [](const void* data) -> void*
  {
    return refuses ? nullptr : (++alive, new int(*static_cast<const int*>(data)));
  };
  const auto release = [](void* copy)
  {
    --alive;
    delete static_cast<int*>(copy);
  };
  int values[] = { 7, 8 };
  const rivulet_object objects[] = { { "one", "number", &values[0], clone, release },
    { "two", "number", &values[1], clone, release } };
  rivulet_snapshot published{};
  published.objects = 2;
  published.object = objects;
  {
    SnapshotBuffer buffer;
    ASSERT_TRUE(buffer.reserve(SnapshotBuffer::bytes_for(published, kAll)));
    for (int step = 0; step < 3; ++step)
    {
      values[1] = 100 + step;
      (void)buffer.copy(published, kAll);
      values[1] = 0;
      ASSERT_EQ(buffer.snapshot().objects, 2);
      EXPECT_STREQ(buffer.snapshot().object[1].name, "two");
      EXPECT_EQ(*static_cast<int*>(buffer.snapshot().object[0].data), 7);
      EXPECT_EQ(*static_cast<int*>(buffer.snapshot().object[1].data), 100 + step);
      EXPECT_EQ(alive, 2);
    }
    refuses = true;
    EXPECT_THROW((void)buffer.copy(published, kAll), std::bad_alloc);
    refuses = false;
    EXPECT_EQ(alive, 0);
  }
  EXPECT_EQ(alive, 0);
}

TEST(SnapshotBuffer, TakesNothing)
{
  SnapshotBuffer buffer;
  const rivulet_snapshot nothing{ 1, 0, 0, nullptr, 0, nullptr, 0, nullptr };
  EXPECT_EQ(SnapshotBuffer::bytes_for(nothing, kAll), 0);
  ASSERT_TRUE(buffer.reserve(0));
  buffer.touch();
  EXPECT_EQ(buffer.copy(nothing, kAll), 0);
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

/// The values of a copied variable of the only block of the only field.
std::vector<double> values_of(const rivulet_snapshot& snapshot, std::size_t variable, std::size_t count)
{
  const auto* const values = static_cast<const double*>(snapshot.field[0].block[0].data[variable]);
  return { values, values + count };
}

TEST(SnapshotBuffer, PacksWhatASimulationHasInAnyOtherWay)
{
  struct Cell
  {
    double density;
    std::array<float, 3> velocity;
    float unused;
  };
  std::vector<Cell> cells(12);
  std::array<std::vector<double>, 3> b; // of two values for each cell
  std::vector<double> packed(12);
  for (std::size_t i = 0; i < cells.size(); ++i)
  {
    const auto value = static_cast<double>(i);
    cells[i] = { value, { static_cast<float>(value), static_cast<float>(value + 100), static_cast<float>(-value) }, 0 };
    packed[i] = 7 * value;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      b[axis].insert(b[axis].end(), { value + 0.25 * static_cast<double>(axis), -1 });
    }
  }
  const std::array<rivulet_variable, 4> variables{ { { "density", RIVULET_FLOAT64, 1, 0, sizeof(Cell) },
      { "velocity", RIVULET_FLOAT32, 3, 0, sizeof(Cell) }, { "b", RIVULET_FLOAT64, 3, 1, 16 },
      { "packed", RIVULET_FLOAT64, 1 } } };
  const std::array<const void*, 6> data{ &cells[0].density, cells[0].velocity.data(), b[0].data(), b[1].data(),
    b[2].data(), packed.data() };
  const std::array<std::int64_t, 6> size{ 36, 0, 23, 23, 23, 12 };
  const rivulet_block block{ 0, { 0, 0, 0 }, { 3, 1, 2 }, { 0, 1, 0 }, data.data(), { 0, RIVULET_NO_GHOSTS, 0 },
    size.data() };
  const rivulet_field field{ "flow", RIVULET_CELLS, {}, { 1, 1, 1 }, { 3, 1, 2 }, 1, nullptr, 4, variables.data(), 1,
    &block };
  ASSERT_TRUE(check_field(field)) << check_field(field).error().describe();
  std::vector<float> places{ 0, 1, 2, 3, 4, 5 };
  const auto* const place = reinterpret_cast<const double*>(places.data());
  rivulet_particles particles{ "atoms", 2, nullptr, nullptr, place, reinterpret_cast<const double*>(places.data() + 1),
    reinterpret_cast<const double*>(places.data() + 2), nullptr, nullptr, nullptr, 0, nullptr, {}, {}, {} };
  particles.real = RIVULET_FLOAT32;
  particles.stride = 12;
  ASSERT_TRUE(check_particles(particles));
  const rivulet_snapshot published{ 3, 1.5, 1, &particles, 1, &field, 0, nullptr };
  EXPECT_FALSE(SnapshotBuffer::is_packed(published));
  for (const Copies copies : { Copies::All, Copies::Unpacked })
  {
    SnapshotBuffer buffer;
    const SnapshotBuffer::Choice choice{ kAll.wants, copies };
    ASSERT_TRUE(buffer.reserve(SnapshotBuffer::bytes_for(published, choice)));
    buffer.copy(published, choice);
    const rivulet_snapshot& copy = buffer.snapshot();
    EXPECT_TRUE(SnapshotBuffer::is_packed(copy));
    ASSERT_EQ(copy.field[0].variables, 4);
    EXPECT_TRUE(check_field(copy.field[0]));
    EXPECT_EQ(rivulet_ghosts_above(copy.field[0].block, 1), 0);
    const std::vector<double> density = values_of(copy, 0, 12);
    const std::vector<double> vectors = values_of(copy, 2, 36);
    const auto* const velocity = static_cast<const float*>(copy.field[0].block[0].data[1]);
    for (std::size_t i = 0; i < 12; ++i)
    {
      const auto value = static_cast<double>(i);
      EXPECT_EQ(density[i], value);
      EXPECT_EQ(velocity[3 * i + 1], static_cast<float>(value + 100));
      EXPECT_EQ(vectors[3 * i + 2], value + 0.5);
    }
    EXPECT_EQ(values_of(copy, 3, 12), packed);
    EXPECT_EQ(copy.field[0].block[0].data[3] == packed.data(), copies == Copies::Unpacked);
    EXPECT_EQ(copy.particles[0].real, RIVULET_FLOAT64);
    EXPECT_EQ(copy.particles[0].y[1], 4.0);
    EXPECT_EQ(copy.particles[0].z[0], 2.0);
  }
}

TEST(SnapshotBuffer, CopiesOnlyWhatIsWanted)
{
  test::TestSimulation simulation(100'000);
  const rivulet_snapshot published = snapshot_of(simulation);
  const SnapshotBuffer::Choice one{ [](const char* name, const char* variable)
    {
      return std::string(name) == "flow" && std::string(variable) == "pressure";
    } };
  SnapshotBuffer buffer;
  ASSERT_TRUE(buffer.reserve(SnapshotBuffer::bytes_for(published, one)));
  const std::int64_t bytes = buffer.copy(published, one);
  EXPECT_LT(bytes, 8 * (7 * 11 * 2 + 9 * 9 * 2 + 6 * 4 * 2) + 4096) << "the values of one variable, and names";
  const rivulet_snapshot& copy = buffer.snapshot();
  ASSERT_EQ(copy.particle_sets, 1) << "the set is there, without values";
  EXPECT_EQ(copy.particles[0].x, nullptr);
  EXPECT_EQ(copy.particles[0].arrays, 0);
  ASSERT_EQ(copy.field[0].variables, 1);
  EXPECT_STREQ(copy.field[0].variable[0].name, "pressure");
  expect_copy(copy.field[0].block[1].data[0], simulation.field().block[1].data[1], std::size_t{ 8 } * 9 * 9 * 2);
}

/// Two tetrahedra that share a face.
struct TwoTetrahedra
{
  std::vector<float> points{ 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1 };
  std::vector<std::uint8_t> types{ 10, 10 };
  std::vector<std::int32_t> offsets{ 0, 4, 8 };
  std::vector<std::int32_t> connectivity{ 0, 1, 2, 3, 1, 2, 3, 4 };
  std::vector<double> heat{ 1, 2, 3, 4, 5 };
  rivulet_array array{ "heat", RIVULET_FLOAT64, 1, heat.data() };
  rivulet_mesh mesh{ "fuel", RIVULET_FLOAT32, RIVULET_INT32, 5, points.data(), 2, types.data(), offsets.data(),
    connectivity.data(), 1, &array, 0, nullptr, nullptr };
};

TEST(SnapshotBuffer, CopiesMeshes)
{
  const TwoTetrahedra two;
  ASSERT_TRUE(check_mesh(two.mesh));
  const rivulet_snapshot published{ 0, 0, 0, nullptr, 0, nullptr, 0, nullptr, 1, &two.mesh };
  SnapshotBuffer buffer;
  ASSERT_TRUE(buffer.reserve(SnapshotBuffer::bytes_for(published, kAll)));
  buffer.copy(published, kAll);
  const rivulet_mesh& copy = buffer.snapshot().mesh[0];
  expect_copy(copy.point, two.points.data(), two.points.size() * 4);
  expect_copy(copy.connectivity, two.connectivity.data(), 32);
  expect_copy(copy.at_point[0].data, two.heat.data(), 40);
  const SnapshotBuffer::Choice none{ [](const char*, const char*)
    {
      return false;
    } };
  buffer.copy(published, none);
  EXPECT_EQ(buffer.snapshot().mesh[0].cells, 0);
}

TEST(CheckData, LooksAtMeshes)
{
  const TwoTetrahedra two;
  const auto refused = [&](auto&& change)
  {
    TwoTetrahedra changed;
    change(changed);
    const Result<void> checked = check_mesh(changed.mesh);
    return checked ? "" : checked.error().describe();
  };
  EXPECT_EQ(refused([](auto&) {}), "");
  EXPECT_THAT(refused([](auto& t) { t.mesh.name = ""; }), HasSubstr("name is missing"));
  EXPECT_THAT(refused([](auto& t) { t.mesh.index = 7; }), HasSubstr("\"fuel\": a type is unknown"));
  EXPECT_THAT(refused([](auto& t) { t.mesh.offset = nullptr; }), HasSubstr("offsets or connectivity are missing"));
  EXPECT_THAT(refused([](auto& t) { t.connectivity[5] = 5; }), HasSubstr("cell 1 has a point that is not there, 5"));
  EXPECT_THAT(refused([](auto& t) { t.offsets[1] = -1; }), HasSubstr("the offsets of cell 0"));
  EXPECT_THAT(refused([](auto& t) { t.offsets[2] = 3; }), HasSubstr("cell 0 ends at 4, beyond the last offset, 3"));
  EXPECT_THAT(refused([](auto& t) { t.types[0] = 12; }), HasSubstr("cell 0 is of type 12, and has not 8 points"));
  EXPECT_THAT(refused([](auto& t) { t.types[0] = 42; }), HasSubstr("type 42, which cannot be published"));
  EXPECT_THAT(refused([](auto& t) { t.array.size = 4; }), HasSubstr("\"heat\" has 4 values, and 5 would be read"));
}

TEST(CheckData, LooksAtShapesAndLengths)
{
  const std::vector<double> values(3 * 4 * 5 * 4, 1.0);
  const std::array<const void*, 3> data{ values.data(), values.data(), values.data() };
  rivulet_variable variable{ "u", RIVULET_FLOAT64, 1 };
  rivulet_block block{ 0, { 0, 0, 0 }, { 2, 3, 0 }, { 0, 0, 0 }, data.data() };
  rivulet_field field{ "flow", RIVULET_NODES, {}, { 1, 1, 1 }, { 2, 3, 0 }, 1, nullptr, 1, &variable, 1, &block };
  const auto told = [&]
  {
    const Result<void> checked = check_field(field);
    return checked ? std::string() : checked.error().describe();
  };
  EXPECT_EQ(told(), "") << "a plane of nodes";
  EXPECT_EQ(values_of_block(RIVULET_NODES, block), 12);
  block.ghosts[2] = 1;
  EXPECT_THAT(told(), HasSubstr("of a flat axis"));
  block.ghosts[2] = 0;
  field.centring = RIVULET_CELLS;
  EXPECT_THAT(told(), HasSubstr("no cells along an axis"));
  field.centring = RIVULET_NODES;

  std::int64_t size = 11;
  block.size = &size;
  EXPECT_THAT(told(), HasSubstr("variable \"u\" has 11 values, and 12 would be read"));
  variable.stride = 24;
  size = 33;
  EXPECT_THAT(told(), HasSubstr("has 33 values, and 34 would be read"));
  size = 34;
  EXPECT_EQ(told(), "");
  for (const std::int64_t wrong : { -8, 4, 12 })
  {
    variable.stride = wrong;
    EXPECT_THAT(told(), HasSubstr("stride of")) << wrong;
  }
  variable.stride = 0;
  block.size = nullptr;

  const std::array<double, 3> x{ 0, 1, 4 };
  const std::array<double, 3> falls{ 0, 1, 1 };
  field.coordinates[0] = x.data();
  EXPECT_EQ(told(), "");
  field.coordinates[0] = falls.data();
  EXPECT_THAT(told(), HasSubstr("along x are not finite, or do not increase at 2"));
  const rivulet_variable points{ nullptr, RIVULET_FLOAT64, 3, 1 };
  field.points = &points;
  EXPECT_THAT(told(), HasSubstr("a curvilinear field has one level, and no coordinates"));
  field.coordinates[0] = nullptr;
  EXPECT_THAT(told(), HasSubstr("lacks its points"));
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
  EXPECT_THAT(particles([](auto& p) { p.tag_stride = 4; }), HasSubstr("a stride of 4 bytes")) << "an id has 8";
  EXPECT_EQ(particles([](auto& p) { p.tag_stride = 12; }), "") << "packed structures of id and type";
  EXPECT_EQ(particles([](auto& p) { p.tag_stride = 4, p.id = nullptr; }), "");
  rivulet_array bad = simulation.particles().array[0];
  const std::array<rivulet_array, 2> twice{ bad, bad };
  EXPECT_THAT(particles([&](auto& p) { p.array = twice.data(); }), HasSubstr("\" is listed twice"));
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
  const std::array<rivulet_variable, 2> same{ simulation.field().variable[0], simulation.field().variable[0] };
  EXPECT_THAT(field([&](auto& f) { f.variable = same.data(); }), HasSubstr("\" is listed twice"));
  EXPECT_THAT(field([](auto& f) { f.block = nullptr; }), HasSubstr("the list of blocks is missing"));
  const auto block = [&](auto&& change)
  {
    rivulet_block changed = simulation.field().block[0];
    change(changed);
    return field([&](auto& f) { f.blocks = 1, f.block = &changed; });
  };
  EXPECT_THAT(block([](auto& b) { b.begin[0] = 5; }), HasSubstr("block 0: its cells are not all in the domain"));
  EXPECT_THAT(block([](auto& b) { b.cells[1] = 0; }), HasSubstr("no cells along an axis"));
  rivulet_block fine = simulation.field().block[2];
  fine.begin[0] = fine.cells[0] = 0;
  EXPECT_THAT(field(
                  [&](auto& f)
                  {
                    f.cells[0] = std::numeric_limits<std::int64_t>::max();
                    f.blocks = 1;
                    f.block = &fine;
                  }),
      HasSubstr("no cells along an axis"))
      << "a level with more cells than can be counted is not flat";
  EXPECT_THAT(block([](auto& b) { b.ghosts[1] = -1; }), HasSubstr("less than no ghost layers"));
  EXPECT_THAT(block([](auto& b) { b.ghosts[0] = b.ghosts[1] = b.ghosts[2] = std::numeric_limits<int>::max(); }),
      HasSubstr("too many cells"));
  const std::array<const void*, 2> half{ simulation.field().block[0].data[0], nullptr };
  EXPECT_THAT(block([&](auto& b) { b.data = half.data(); }), HasSubstr("variable \"pressure\" has no data"));
  EXPECT_EQ(block([](auto&) {}), "");
}

} // namespace
} // namespace rivulet::insitu
