// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What is published: in any layout of memory, as far as it is wanted, and the same step on all ranks.
#include "TestSimulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

namespace rivulet::test
{
namespace
{

using Json = nlohmann::json;
using testing::HasSubstr;

const std::vector<std::string> kPolicies{ "synchronous", "asynchronous", "static", "dynamic", "task" };
constexpr std::size_t kCells = 6 * 5 * 4;

double value_of(std::size_t at, int step)
{
  return std::sin(static_cast<double>(at) + 0.1 * step);
}

/// Cells and atoms of a simulation: packed, or as structures and separate components.
class Layouts
{
public:
  explicit Layouts(bool packed)
    : packed_(packed)
  {
  }

  /// Publishes a step and executes it as `number`. Returns the code of execute.
  int advance(rivulet_insitu* insitu, int step, int number)
  {
    for (std::size_t i = 0; i < kCells; ++i)
    {
      cells_[i] = { value_of(i, step), static_cast<float>(value_of(i, step + 1)), 0, { 1, 2, 3 } };
      scalar_[i] = cells_[i].pressure;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        const double component = value_of(i + axis, step + 2);
        components_[axis][i] = component;
        vector_[3 * i + axis] = component;
        places_[3 * i + axis] = static_cast<float>(component);
        axes_[axis][i] = places_[3 * i + axis];
      }
    }
    const std::array<rivulet_variable, 2> variables{
      { { "pressure", RIVULET_FLOAT64, 1, 0, packed_ ? 0 : std::int64_t{ sizeof(Cell) } },
          { "velocity", RIVULET_FLOAT64, 3, packed_ ? 0 : 1 } }
    };
    const std::array<const void*, 4> data{ packed_ ? scalar_.data() : &cells_[0].pressure,
      packed_ ? vector_.data() : components_[0].data(), components_[1].data(), components_[2].data() };
    const rivulet_block block{ 0, { 0, 0, 0 }, { 6, 5, 4 }, { 0, 0, 0 }, data.data() };
    const rivulet_field field{ "flow", RIVULET_CELLS, {}, { 1, 1, 1 }, { 6, 5, 4 }, 1, nullptr, 2, variables.data(), 1,
      &block };
    EXPECT_EQ(rivulet_insitu_publish_field(insitu, &field), RIVULET_OK) << rivulet_insitu_message(insitu);
    rivulet_particles atoms{};
    atoms.name = "atoms";
    atoms.count = kCells;
    const auto place = [&](std::size_t axis)
    {
      return packed_ ? axes_[axis].data() : reinterpret_cast<const double*>(places_.data() + axis);
    };
    atoms.x = place(0);
    atoms.y = place(1);
    atoms.z = place(2);
    atoms.real = packed_ ? RIVULET_FLOAT64 : RIVULET_FLOAT32;
    atoms.stride = packed_ ? 0 : 12;
    EXPECT_EQ(rivulet_insitu_publish_particles(insitu, &atoms), RIVULET_OK) << rivulet_insitu_message(insitu);
    return rivulet_insitu_execute(insitu, number, step);
  }

private:
  struct Cell
  {
    double pressure;
    float heat;
    std::int32_t material;
    std::array<double, 3> unused;
  };

  bool packed_;
  std::array<Cell, kCells> cells_{};
  std::array<double, kCells> scalar_{};
  std::array<std::array<double, kCells>, 3> components_{};
  std::array<double, 3 * kCells> vector_{};
  std::array<float, 3 * kCells> places_{};
  std::array<std::array<double, kCells>, 3> axes_{};
};

/// Hashes of what analytics have got at each step.
std::vector<std::string> hashes(const std::string& policy, bool packed)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "policy", policy }, { "analytics", { { { "name", "recorder" } } } } });
  EXPECT_NE(insitu, nullptr);
  Layouts simulation(packed);
  for (int step = 0; step < 4; ++step)
  {
    EXPECT_EQ(simulation.advance(insitu, step, step), RIVULET_OK);
  }
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
  std::vector<std::string> lines = place.lines_of("recorder");
  for (std::string& line : lines)
  {
    line.resize(line.find(" thread "));
  }
  return lines;
}

} // namespace

TEST(Published, HasTheSameBytesHoweverTheSimulationHoldsIt)
{
  const std::vector<std::string> wanted = hashes("synchronous", true);
  ASSERT_EQ(wanted.size(), 4U);
  for (const std::string& policy : kPolicies)
  {
    EXPECT_EQ(hashes(policy, false), wanted) << policy;
  }
}

TEST(Published, IsCopiedAsFarAsItIsWanted)
{
  constexpr std::size_t kVariables = 20;
  constexpr std::int64_t kNodes = 42 * 42 * 43;
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "policy", "dynamic" },
      { "analytics", { { { "name", "recorder" }, { "every", 2 }, { "options", { { "wants", { "u7" } } } } } } } });
  ASSERT_NE(insitu, nullptr);
  EXPECT_EQ(rivulet_insitu_wants_data(insitu, 0, "flow", "u7"), 1);
  EXPECT_EQ(rivulet_insitu_wants_data(insitu, 0, "flow", "u8"), 0);
  EXPECT_EQ(rivulet_insitu_wants_data(insitu, 0, "flow", nullptr), 1);
  EXPECT_EQ(rivulet_insitu_wants_data(insitu, 1, "flow", "u7"), 0) << "no analytics is due";
  EXPECT_EQ(rivulet_insitu_wants_data(nullptr, 0, "flow", "u7"), 0);
  const std::vector<double> values(kNodes, 1.0);
  std::vector<std::string> names;
  std::vector<rivulet_variable> variables;
  for (std::size_t i = 0; i < kVariables; ++i)
  {
    names.push_back("u" + std::to_string(i));
  }
  for (const std::string& name : names)
  {
    variables.push_back({ name.c_str(), RIVULET_FLOAT64, 1 });
  }
  const std::vector<const void*> data(kVariables, values.data());
  const rivulet_block block{ 0, { 0, 0, 0 }, { 41, 41, 42 }, { 0, 0, 0 }, data.data() };
  const rivulet_field field{ "flow", RIVULET_NODES, {}, { 1, 1, 1 }, { 41, 41, 42 }, 1, nullptr, kVariables,
    variables.data(), 1, &block };
  EXPECT_EQ(rivulet_insitu_publish_field(insitu, &field), RIVULET_OK) << rivulet_insitu_message(insitu);
  EXPECT_EQ(rivulet_insitu_execute(insitu, 0, 0), RIVULET_OK);
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
  const auto copied = place.summary()["session"]["copied_bytes"]["max"].get<std::int64_t>();
  EXPECT_GE(copied, 8 * kNodes);
  EXPECT_LT(copied, 8 * kNodes + 4096) << "one of twenty variables";
}

TEST(Published, TellsTheFirstStepOfTheRun)
{
  for (const std::string& policy : kPolicies)
  {
    Workplace place;
    rivulet_insitu* insitu = place.open({ { "policy", policy },
        { "analytics", { { { "name", "recorder" }, { "every", 4 }, { "options", { { "first", true } } } } } } });
    ASSERT_NE(insitu, nullptr);
    Layouts simulation(true);
    for (int step = 6; step < 13; ++step)
    {
      EXPECT_EQ(simulation.advance(insitu, step, step), RIVULET_OK);
    }
    EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
    const std::vector<std::string> lines = place.lines_of("recorder");
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_THAT(lines[1], testing::StartsWith("step 12 "));
    EXPECT_THAT(lines[1], testing::EndsWith(" first 6"));
  }
}

TEST(Published, StepsThatDifferBetweenRanksAreLeftOut)
{
  for (const std::string& policy : kPolicies)
  {
    Workplace place;
    rivulet_insitu* insitu = place.open({ { "policy", policy }, { "analytics", { { { "name", "recorder_mpi" } } } } });
    ASSERT_NE(insitu, nullptr);
    Layouts simulation(true);
    for (int step = 0; step < 3; ++step)
    {
      const int wrong = step == 1 ? rank() : 0;
      EXPECT_EQ(simulation.advance(insitu, step, step + 10 * wrong), RIVULET_OK);
    }
    EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
    EXPECT_EQ(place.steps_of("recorder_mpi"), ranks() == 1 ? (std::vector<int>{ 0, 1, 2 }) : (std::vector<int>{ 0, 2 }))
        << policy;
    EXPECT_EQ(place.summary()["analytics"]["recorder_mpi"]["failures"]["max"], ranks() == 1 ? 0 : 1);
  }
}

/// Publishes a field with structures that end here, and whose block is used twice.
void publish_and_forget(rivulet_insitu* insitu, const std::vector<double>& a, const std::vector<double>& b)
{
  std::string name = "first";
  rivulet_variable variable{ "u", RIVULET_FLOAT64, 1 };
  const void* data = a.data();
  rivulet_block block{ 0, { 0, 0, 0 }, { 5, 4, 3 }, { 0, 0, 0 }, &data };
  rivulet_field field{ name.c_str(), RIVULET_CELLS, {}, { 1, 1, 1 }, { 5, 4, 3 }, 1, nullptr, 1, &variable, 1, &block };
  EXPECT_EQ(rivulet_insitu_publish_field(insitu, &field), RIVULET_OK);
  name = "other";
  variable.name = "v";
  data = b.data();
  EXPECT_EQ(rivulet_insitu_publish_field(insitu, &field), RIVULET_OK);
  name = "ended";
  data = nullptr;
}

TEST(Published, StructuresMayEndAndServeAgain)
{
  const std::vector<double> a(60, 1.0);
  const std::vector<double> b(60, 2.0);
  for (const char* policy : { "synchronous", "dynamic" })
  {
    Workplace place;
    rivulet_insitu* insitu = place.open({ { "policy", policy }, { "analytics", { { { "name", "recorder" } } } } });
    ASSERT_NE(insitu, nullptr);
    publish_and_forget(insitu, a, b);
    EXPECT_EQ(rivulet_insitu_execute(insitu, 0, 0), RIVULET_OK);
    publish_and_forget(insitu, b, a);
    EXPECT_EQ(rivulet_insitu_execute(insitu, 1, 1), RIVULET_OK);
    publish_and_forget(insitu, a, b);
    EXPECT_EQ(rivulet_insitu_execute(insitu, 2, 2), RIVULET_OK);
    EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
    std::vector<std::string> lines = place.lines_of("recorder");
    ASSERT_EQ(lines.size(), 3U);
    for (std::string& line : lines)
    {
      line = line.substr(line.find("hash"));
    }
    EXPECT_THAT(lines[0], HasSubstr("fields 2"));
    EXPECT_EQ(lines[0], lines[2]);
    EXPECT_NE(lines[0], lines[1]) << "each field has its own values";
  }
}

/// Particles of one name, all at a place.
int publish_atom(rivulet_insitu* insitu, const char* name, const double& place)
{
  rivulet_particles atoms{};
  atoms.name = name;
  atoms.count = 1;
  atoms.x = atoms.y = atoms.z = &place;
  return rivulet_insitu_publish_particles(insitu, &atoms);
}

TEST(Published, ANameThatComesTwiceInAStepLeavesItOut)
{
  for (const std::string& policy : kPolicies)
  {
    Workplace place;
    rivulet_insitu* insitu = place.open({ { "policy", policy }, { "analytics", { { { "name", "recorder_mpi" } } } } });
    ASSERT_NE(insitu, nullptr);
    const std::array<double, 3> at{ 1, 2, 3 };
    EXPECT_EQ(publish_atom(insitu, "atoms", at[0]), RIVULET_OK) << "of a step that is not executed";
    EXPECT_EQ(publish_atom(insitu, "atoms", at[1]), RIVULET_ERROR_DATA);
    EXPECT_THAT(rivulet_insitu_message(insitu), HasSubstr("particles \"atoms\": this name was published before"));
    EXPECT_EQ(publish_atom(insitu, "others", at[1]), RIVULET_OK);
    const double value = 0;
    const void* data = &value;
    const rivulet_variable variable{ "u", RIVULET_FLOAT64, 1 };
    const rivulet_block block{ 0, { 0, 0, 0 }, { 1, 1, 1 }, { 0, 0, 0 }, &data };
    const rivulet_field field{ "others", RIVULET_CELLS, {}, { 1, 1, 1 }, { 1, 1, 1 }, 1, nullptr, 1, &variable, 1,
      &block };
    EXPECT_EQ(rivulet_insitu_publish_field(insitu, &field), RIVULET_ERROR_DATA) << "one name is one channel";
    EXPECT_EQ(rivulet_insitu_execute(insitu, 0, 0), RIVULET_ERROR_DATA);
    EXPECT_EQ(publish_atom(insitu, "atoms", at[2]), RIVULET_OK) << "the next step begins anew";
    EXPECT_EQ(rivulet_insitu_execute(insitu, 1, 1), RIVULET_OK);
    EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
    EXPECT_EQ(place.steps_of("recorder_mpi"), std::vector{ 1 }) << policy;
  }
}

TEST(Published, CanBeDiscarded)
{
  for (const std::string& policy : kPolicies)
  {
    Workplace place;
    rivulet_insitu* insitu = place.open({ { "policy", policy }, { "analytics", { { { "name", "recorder" } } } } });
    ASSERT_NE(insitu, nullptr);
    const std::array<double, 2> at{ 1, 2 };
    EXPECT_EQ(rivulet_insitu_discard(insitu), RIVULET_OK) << "of nothing";
    EXPECT_EQ(publish_atom(insitu, "atoms", at[1]), RIVULET_OK);
    EXPECT_EQ(rivulet_insitu_execute(insitu, 0, 0), RIVULET_OK);
    EXPECT_EQ(publish_atom(insitu, "atoms", at[0]), RIVULET_OK);
    EXPECT_EQ(publish_atom(insitu, "", at[0]), RIVULET_ERROR_DATA);
    EXPECT_EQ(rivulet_insitu_discard(insitu), RIVULET_OK);
    EXPECT_EQ(publish_atom(insitu, "atoms", at[1]), RIVULET_OK);
    EXPECT_EQ(rivulet_insitu_execute(insitu, 1, 1), RIVULET_OK);
    int code = 0;
    std::thread([&] { code = rivulet_insitu_discard(insitu); }).join();
    EXPECT_EQ(code, RIVULET_ERROR_ORDER);
    EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
    EXPECT_EQ(rivulet_insitu_discard(nullptr), RIVULET_OK);
    std::vector<std::string> lines = place.lines_of("recorder");
    ASSERT_EQ(lines.size(), 2U) << policy;
    EXPECT_EQ(lines[0].substr(lines[0].find("hash"), 30), lines[1].substr(lines[1].find("hash"), 30));
  }
}

TEST(Published, NothingLeavesTheStepOut)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "analytics", { { { "name", "recorder" } } } } });
  ASSERT_NE(insitu, nullptr);
  EXPECT_EQ(rivulet_insitu_publish_field(insitu, nullptr), RIVULET_ERROR_DATA);
  EXPECT_THAT(rivulet_insitu_message(insitu), HasSubstr("rivulet_insitu_publish_field got a null pointer"));
  EXPECT_EQ(rivulet_insitu_execute(insitu, 0, 0), RIVULET_ERROR_DATA);
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
  EXPECT_EQ(place.lines_of("recorder").size(), 0U);
}

TEST(Published, BeyondTheEndOfAnArrayIsRefused)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "analytics", { { { "name", "recorder" } } } } });
  ASSERT_NE(insitu, nullptr);
  const std::vector<double> values(59);
  const std::array<const void*, 1> data{ values.data() };
  const std::int64_t size = 59;
  const rivulet_variable variable{ "u", RIVULET_FLOAT64, 1 };
  const rivulet_block block{ 0, { 0, 0, 0 }, { 5, 4, 3 }, { 0, 0, 0 }, data.data(), {}, &size };
  const rivulet_field field{ "flow", RIVULET_CELLS, {}, { 1, 1, 1 }, { 5, 4, 3 }, 1, nullptr, 1, &variable, 1, &block };
  EXPECT_EQ(rivulet_insitu_publish_field(insitu, &field), RIVULET_ERROR_DATA);
  EXPECT_THAT(rivulet_insitu_message(insitu), HasSubstr("variable \"u\" has 59 values, and 60 would be read"));
  EXPECT_EQ(rivulet_insitu_execute(insitu, 0, 0), RIVULET_ERROR_DATA);
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
}

} // namespace rivulet::test
