// SPDX-License-Identifier: BSD-3-Clause
// Lines through AMR meshes.
#include "AmrMesh/AmrBricks.h"
#include "Core/AmrMesh/AmrInMemory.h"
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInMemory.h"
#include "Trace/Mesh/CellPosition.h"

#include <gmock/gmock.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmath>
#include <numbers>
#include <random>

namespace rivulet::test
{
namespace
{

std::vector<double> turning(const Vec3& x)
{
  return { -x[1], x[0], 0.0 };
}

std::vector<double> helical(const Vec3& x)
{
  return { -x[1] + 0.3 * std::sin(6.0 * x[2]), x[0] + 0.2 * std::cos(5.0 * x[1]), 0.3 + 0.2 * std::sin(4.0 * x[0]) };
}

/// Of the bytes that the tracer gave when these tests began to keep them.
constexpr std::array<std::uint64_t, 6> kKeptHashes{ 0x8773fbb7fc7e299a, 0xead1c865f589ccae, 0x51ad124a0129fc88,
  0xe43c180fa131af79, 0x7bb9327fb71292ad, 0x33e395c45718d22b };

class FlowOnLevels
{
public:
  FlowOnLevels(AmrMesh&& grid, Centering centering, const Components& velocity,
      std::int64_t cache_bytes = std::int64_t{ 64 } << 20)
    : grid_(std::make_shared<const AmrMesh>(std::move(grid)))
    , patches_(std::make_shared<FunctionPatches>(*grid_, centering, 3, velocity))
    , source_(grid_, patches_, cache_bytes)
    , height_(grid_,
          std::make_shared<FunctionPatches>(
              *grid_, centering, 1, [](const Vec3& x) { return std::vector<double>{ 3.0 * x[0] - x[2] }; }, "height"),
          cache_bytes)
  {
    field_.velocity = { &source_, 0, 0 };
    field_.grid = grid_->level(0).grid;
    field_.attributes = { { "velocity", { &source_, 0, 0 } }, { "height", { &height_, 0, 0 } } };
  }

  [[nodiscard]] const AmrMesh& grid() const { return *grid_; }
  [[nodiscard]] FunctionPatches& patches() { return *patches_; }

  [[nodiscard]] TracedLines trace(const std::vector<Vec3>& seeds, const StreamlineOptions& options, int threads = 1)
  {
    Result<TracedLines> lines = trace_streamlines(field_, seeds, options, { threads, {} });
    EXPECT_TRUE(lines.has_value()) << (lines ? "" : lines.error().describe());
    return std::move(*lines);
  }

private:
  std::shared_ptr<const AmrMesh> grid_;
  std::shared_ptr<FunctionPatches> patches_;
  AmrBricks source_;
  AmrBricks height_;
  TraceField field_;
};

/// A flow of exact operations only, whose values have the same bits on every machine.
std::vector<double> bent(const Vec3& x)
{
  return { 0.5 - x[1] + x[2] * x[2], x[0] * (1.0 - x[1]), 0.25 * x[0] - 0.5 * x[2] };
}

TEST(AmrLines, AreTheBytesThatAreKept)
{
  std::vector<Vec3> seeds;
  for (int i = 0; i < 30; ++i)
  {
    seeds.push_back({ -0.9 + i / 16.0, 0.8 - i / 20.0, 0.5 - i / 32.0 });
  }
  StreamlineOptions options;
  options.maximum_length = 5.0;
  std::vector<std::uint64_t> hashes;
  for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    options.integrator = integrator;
    for (const Centering centering : { Centering::Cell, Centering::Node })
    {
      const std::string bytes = bytes_of(FlowOnLevels(three_levels(), centering, bent).trace(seeds, options));
      hashes.push_back(XXH3_64bits(bytes.data(), bytes.size()));
    }
  }
  EXPECT_THAT(hashes, testing::ElementsAreArray(kKeptHashes));
}

TEST(AmrLines, LocationsGoToOtherLevelsAndBack)
{
  std::mt19937 random(3);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  for (const Int3& ratio : { Int3{ 2, 2, 2 }, Int3{ 4, 2, 1 }, Int3{ 3, 5, 3 } })
  {
    for (int i = 0; i < 100; ++i)
    {
      CellPosition at;
      at.cell = { i - 50, 2 * i, 7 };
      at.fraction = { share(random), share(random), i == 0 ? 1.0 : share(random) };
      const CellPosition fine = to_finer(at, ratio);
      const CellPosition back = to_coarser(fine, ratio);
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        const double place = (at.cell[axis] + at.fraction[axis]) * ratio[axis];
        EXPECT_NEAR(fine.cell[axis] + fine.fraction[axis], place, 1e-12);
        EXPECT_LE(fine.fraction[axis], 1.0);
        EXPECT_GE(fine.fraction[axis], 0.0);
        EXPECT_EQ(back.cell[axis], at.cell[axis]);
        EXPECT_NEAR(back.fraction[axis], at.fraction[axis], 1e-14);
      }
    }
  }
}

TEST(AmrLines, CirclesAcrossLevelsAreThoseOfOneFineGrid)
{
  const double round = 2 * std::numbers::pi * 0.7;
  for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    const StreamlineOptions options = fixed_steps(integrator, 0.01, round);
    FlowInMemory plain(cube_grid(21, 1.0), rotation(1.0));
    const TracedLines expected = plain.trace({ { 0.7, 0, 0.1 } }, options);
    for (const Centering centering : { Centering::Cell, Centering::Node })
    {
      FlowOnLevels flow(three_levels(), centering, turning);
      const TracedLines lines = flow.trace({ { 0.7, 0, 0.1 } }, options);
      ASSERT_EQ(lines.points.size(), expected.points.size());
      for (std::size_t i = 0; i < lines.points.size(); ++i)
      {
        ASSERT_NEAR(lines.points[i], expected.points[i], 2e-7) << i;
      }
      EXPECT_EQ(lines.lines[0].reason, Termination::OutOfLength);
      EXPECT_NEAR(lines.time[lines.time.size() - 1], expected.time[expected.time.size() - 1], 1e-12);
    }
  }
}

TEST(AmrLines, LinesInThePlaneCloseToo)
{
  FlowOnLevels flow(flat_levels(), Centering::Cell, turning);
  const TracedLines lines =
      flow.trace({ { 0.5, 0, 0.5 } }, fixed_steps(Integrator::RungeKutta4, 0.01, std::numbers::pi));
  const Vec3 end = end_of(lines, 0);
  EXPECT_NEAR(end[0], 0.5, 1e-6);
  EXPECT_NEAR(end[1], 0.0, 1e-6);
  EXPECT_NEAR(end[2], 0.5, 1e-6);
}

TEST(AmrLines, StepsInCellsAreThoseOfTheLevelAtHand)
{
  FlowOnLevels flow(three_levels(), Centering::Node, [](const Vec3&) { return std::vector<double>{ 1.0, 0.0, 0.0 }; });
  StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.5, 10.0);
  options.step_unit = StepUnit::CellLength;
  const TracedLines lines = flow.trace({ { -0.99, 0.1, -0.1 } }, options);
  std::set<int> levels;
  for (std::size_t i = 3; i < lines.points.size() - 3; i += 3)
  {
    // In cells of the coarsest level: half a diagonal of the level's.
    const double step = (lines.points[i] - lines.points[i - 3]) * 10.0 / (0.5 * std::sqrt(3.0));
    const double finer = step > 0.75 ? 1.0 : step > 0.3 ? 2.0 : 8.0;
    ASSERT_NEAR(step, 1.0 / finer, 1e-3) << i;
    levels.insert(static_cast<int>(finer));
  }
  EXPECT_THAT(levels, testing::ElementsAre(1, 2, 8));
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfDomain);
}

TEST(AmrLines, ArraysAndVorticityAreExactWhereTheyAreLinear)
{
  FlowOnLevels flow(three_levels(), Centering::Cell, turning);
  StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.01, 3.0);
  options.compute_vorticity = true;
  const TracedLines lines = flow.trace({ { 0.6, 0, 0.1 }, { 0.2, 0.1, -0.15 } }, options);
  ASSERT_EQ(lines.lines.size(), 2U);
  const auto* height = reinterpret_cast<const double*>(lines.attributes[1].values.data());
  for (std::size_t i = 0; i < lines.time.size(); ++i)
  {
    ASSERT_NEAR(height[i], 3.0 * lines.points[3 * i] - lines.points[3 * i + 2], 1e-6);
    ASSERT_NEAR(lines.vorticity[3 * i + 2], 2.0, 1e-10);
  }
}

TEST(AmrLines, TheErrorFallsWithTheSquareOfTheCells)
{
  // The same levels with twice the cells: linear interpolation of a smooth flow.
  const auto levels = [](int factor)
  {
    const auto box = [&](std::int32_t low, std::int32_t high)
    {
      return Box{ { low * factor, low * factor, low * factor }, { high * factor, high * factor, high * factor } };
    };
    return *AmrMesh::create(levels_of(16 * factor, { { 1, 1, 1 }, { 2, 2, 2 } }, { { box(0, 16) }, { box(8, 22) } }));
  };
  const auto end = [&](int factor)
  {
    FlowOnLevels flow(levels(factor), Centering::Cell, helical);
    return end_of(flow.trace({ { -0.4, -0.3, -0.6 } }, fixed_steps(Integrator::RungeKutta4, 0.005, 1.2)), 0);
  };
  const Vec3 coarse = end(1);
  const Vec3 middle = end(2);
  const Vec3 fine = end(4);
  const auto apart = [](const Vec3& a, const Vec3& b)
  {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  };
  const double order = std::log2(apart(coarse, middle) / apart(middle, fine));
  EXPECT_GT(order, 1.7);
  EXPECT_LT(order, 2.5);
}

std::vector<Vec3> many_seeds()
{
  std::mt19937 random(11);
  std::uniform_real_distribution<double> place(-1.05, 1.05); // a few outside
  std::vector<Vec3> seeds;
  for (int i = 0; i < 300; ++i)
  {
    seeds.push_back({ place(random), place(random), place(random) });
  }
  return seeds;
}

TEST(AmrLines, TheSameBytesForThreadsCachesAndInstructionSets)
{
  StreamlineOptions options;
  options.maximum_length = 6.0;
  for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    options.integrator = integrator;
    const auto bytes = [&](int threads, std::int64_t cache)
    {
      FlowOnLevels flow(three_levels(), Centering::Cell, helical, cache);
      return bytes_of(flow.trace(many_seeds(), options, threads));
    };
    const std::string expected = bytes(1, std::int64_t{ 64 } << 20);
    for (const int threads : { 2, 5 })
    {
      EXPECT_TRUE(bytes(threads, std::int64_t{ 64 } << 20) == expected) << threads;
    }
    EXPECT_TRUE(bytes(2, 1) == expected) << "smallest cache";
    expect_same_on_every_target("AMR mesh", [&] { return bytes(2, std::int64_t{ 64 } << 20); });
  }
}

TEST(AmrLines, LinesEndInHolesOfTheDomainAndWhereABoxCannotBeRead)
{
  const std::vector<Box> around{ { { 0, 0, 0 }, { 8, 20, 20 } }, { { 12, 0, 0 }, { 20, 20, 20 } },
    { { 8, 0, 0 }, { 12, 8, 20 } }, { { 8, 12, 0 }, { 12, 20, 20 } } };
  const Components along = [](const Vec3&)
  {
    return std::vector<double>{ 1.0, 0.0, 0.0 };
  };
  FlowOnLevels holed(*AmrMesh::create(levels_of(20, { { 1, 1, 1 } }, { around })), Centering::Cell, along);
  const StreamlineOptions options = fixed_steps(Integrator::RungeKutta4, 0.03, 10.0);
  const TracedLines lines = holed.trace({ { -0.9, 0.01, 0 }, { -0.9, 0.5, 0 }, { 0, 0, 0 } }, options);
  EXPECT_EQ(lines.statistics.seeds_outside, 1);
  ASSERT_EQ(lines.lines.size(), 2U);
  EXPECT_EQ(lines.lines[0].reason, Termination::OutOfDomain);
  EXPECT_NEAR(end_of(lines, 0)[0], -0.2, 0.031);
  EXPECT_NEAR(end_of(lines, 1)[0], 1.0, 0.031);

  FlowOnLevels broken(three_levels(), Centering::Cell, along);
  broken.patches().break_box(2, 0);
  const TracedLines cut = broken.trace({ { -0.99, 0.1, -0.1 } }, options);
  EXPECT_EQ(cut.lines[0].reason, Termination::DataMissing);
  ASSERT_NE(cut.data_error, nullptr);
  EXPECT_THAT(cut.data_error->describe(), testing::HasSubstr("broken"));
}

} // namespace
} // namespace rivulet::test
