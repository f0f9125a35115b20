// SPDX-License-Identifier: BSD-3-Clause
// Flow maps of which most particles are interpolated: the rule on maps in closed form, and with particles.
#include "Core/Trace/FlowInTime.h"
#include "Trace/FlowMap/AdaptiveMap.h"
#include "Trace/FlowMap/ExponentChunks.h"

#include <cmath>
#include <cstring>

namespace rivulet::test
{
namespace
{

/// A flow map in closed form; empty where the particle leaves.
using ClosedForm = std::function<std::optional<Vec3>(const Vec3&)>;

Grid unit_lattice(const Int3& nodes)
{
  Grid lattice;
  lattice.nodes = nodes;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    lattice.spacing[axis] = nodes[axis] == 1 ? 1.0 : 1.0 / (nodes[axis] - 1);
  }
  return lattice;
}

Box all_of(const Grid& lattice)
{
  return { { 0, 0, 0 }, lattice.nodes };
}

std::optional<Vec3> affine(const Vec3& x)
{
  return Vec3{ 4 * x[0] + x[1] + 2, 0.5 * x[1] - x[2], 0.25 * x[0] + 0.5 * x[2] - 1 };
}

struct Sampled
{
  FlowMap map;
  std::vector<std::int64_t> chosen; ///< number of nodes for each pass
};

Sampled sample(const Grid& lattice, const Box& box, const SamplingRule& rule, const ClosedForm& form, int threads = 1)
{
  AdaptiveMap map(lattice, box, { 0, 1 }, rule);
  const GridGeometry nodes = *GridGeometry::create(map.lattice());
  Sampled sampled;
  for (int pass = 0; pass < rule.passes(); ++pass)
  {
    const std::vector<std::int64_t> chosen = map.choose(threads);
    std::vector<EndState> ends;
    for (const std::int64_t node : chosen)
    {
      const Vec3 place = nodes.world_of_node(from_row_major(node, map.lattice().nodes));
      const std::optional<Vec3> end = form(place);
      ends.push_back({ .point = end ? *end : *affine(place), // no jump tells of a particle that was lost
          .time = 1.0,
          .reason = end ? Termination::OutOfTime : Termination::OutOfDomain });
    }
    map.add(chosen, ends);
    sampled.chosen.push_back(static_cast<std::int64_t>(chosen.size()));
  }
  sampled.map = map.take();
  return sampled;
}

/// Calls `check` with each node's place and end.
template <class Check>
void for_each_node(const FlowMap& map, const Check& check)
{
  const GridGeometry nodes = *GridGeometry::create(map.lattice);
  for (std::size_t i = 0; i < map.ends.size(); ++i)
  {
    check(nodes.world_of_node(from_row_major(static_cast<std::int64_t>(i), map.lattice.nodes)), map.ends[i]);
  }
}

double error_of(const EndState& end, const Vec3& expected)
{
  double error = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    error = std::max(error, std::fabs(end.point[axis] - expected[axis]));
  }
  return error;
}

std::optional<Vec3> folds(const Vec3& x)
{
  return Vec3{ std::sin(9 * x[0] * x[0] + x[1]), std::cos(7 * x[1] * x[0] + x[2]), std::exp(3 * x[2] * x[0]) };
}

TEST(AxisLevels, AreNestedAndEndWithTheAxis)
{
  for (const std::int32_t nodes : { 1, 2, 3, 8, 9, 10, 33, 100 })
  {
    constexpr int kFinest = 3;
    const AxisLevels axis(nodes, kFinest);
    ASSERT_EQ(axis.count(kFinest), nodes);
    for (int level = -1; level <= kFinest; ++level)
    {
      ASSERT_EQ(axis.node(level, 0), 0);
      ASSERT_EQ(axis.node(level, axis.count(level) - 1), nodes - 1);
      for (std::int32_t i = 0; i < axis.count(level); ++i)
      {
        ASSERT_TRUE(axis.has(level, axis.node(level, i)));
        ASSERT_TRUE(level == kFinest || axis.has(level + 1, axis.node(level, i)));
        ASSERT_EQ(axis.below(level, axis.node(level, i)), i);
        ASSERT_TRUE(i == 0 || axis.node(level, i) > axis.node(level, i - 1));
      }
    }
  }
}

TEST(AxisLevels, InterpolateCubicPolynomials)
{
  const auto cubic = [](double x)
  {
    return 2.0 - x + 0.5 * x * x - 0.01 * x * x * x;
  };
  for (const std::int32_t nodes : { 25, 28, 31, 33 }) // the last cell of a level has many lengths
  {
    const AxisLevels axis(nodes, 3);
    for (std::int32_t at = 0; at < nodes; ++at)
    {
      const AxisStencil stencil = axis.stencil(0, at);
      double value = 0.0;
      for (std::size_t a = 0; a < static_cast<std::size_t>(stencil.count); ++a)
      {
        value += stencil.weights[a] * cubic(stencil.nodes[a]);
      }
      ASSERT_NEAR(value, cubic(at), 1e-10) << at << " of " << nodes;
    }
  }
}

TEST(AdaptiveMap, AnAffineMapNeedsTheCoarsestNodesAlone)
{
  for (const Int3& nodes : { Int3{ 33, 49, 17 }, Int3{ 65, 33, 1 } })
  {
    const Grid lattice = unit_lattice(nodes);
    const Sampled sampled = sample(lattice, all_of(lattice), { .tolerance = 1e-9, .levels = 3 }, affine);
    const Int3 coarse{ (nodes[0] - 1) / 8 + 1, (nodes[1] - 1) / 8 + 1, (nodes[2] - 1) / 8 + 1 };
    EXPECT_EQ(sampled.chosen, (std::vector<std::int64_t>{ volume(coarse), 0, 0, 0 }));
    for_each_node(sampled.map, [](const Vec3& x, const EndState& end) { ASSERT_LT(error_of(end, *affine(x)), 1e-14); });
    Sampled traced = sample(lattice, all_of(lattice), { .tolerance = 0.0, .levels = 1 }, affine);
    const Buffer<double> exponents = lyapunov_exponent(sampled.map);
    const Buffer<double> expected = lyapunov_exponent(traced.map);
    for (std::size_t i = 0; i < exponents.size(); ++i)
    {
      ASSERT_NEAR(exponents[i], expected[i], 1e-11);
    }
  }
}

TEST(AdaptiveMap, CellsThatWereNotHalvedAreTraced)
{
  // 0, 8, 16, 24 and 29 on the coarsest level, of which the one before lacks 8 and 24. The last cell begins at 24.
  const Grid lattice = unit_lattice({ 30, 1, 1 });
  const Sampled sampled = sample(lattice, all_of(lattice), { .tolerance = 1e-9, .levels = 3 }, affine);
  EXPECT_EQ(sampled.chosen, (std::vector<std::int64_t>{ 5, 0, 0, 0 }));
  // 17 nodes: 0, 8, 16; with 25 the last cell is 16 to 24, which the level before has, too.
  const Grid longer = unit_lattice({ 25, 1, 1 });
  const Sampled more = sample(longer, all_of(longer), { .tolerance = 1e-9, .levels = 3 }, affine);
  EXPECT_EQ(more.chosen, (std::vector<std::int64_t>{ 4, 1, 0, 0 }));
  EXPECT_FALSE(more.map.ends[20].estimated);
  EXPECT_TRUE(more.map.ends[18].estimated);
}

TEST(AdaptiveMap, NodesAlongATearAreTraced)
{
  const Grid lattice = unit_lattice({ 65, 129, 1 });
  const double spacing = lattice.spacing[1];
  const auto tear = [](const Vec3& x)
  {
    return 0.3 + 0.2 * x[0] - x[1];
  };
  const ClosedForm torn = [&](const Vec3& x) -> std::optional<Vec3>
  {
    return tear(x) > 0 ? Vec3{ x[0] + 2, x[1], 0 } : Vec3{ x[0] - 2, x[1], 0 };
  };
  const Sampled sampled = sample(lattice, all_of(lattice), { .tolerance = 0.2, .levels = 3 }, torn);
  std::int64_t traced = 0;
  for_each_node(sampled.map,
      [&](const Vec3& x, const EndState& end)
      {
        traced += end.estimated ? 0 : 1;
        ASSERT_TRUE(!end.estimated || std::fabs(tear(x)) > 2 * spacing) << x[0] << ' ' << x[1];
        ASSERT_LT(error_of(end, *torn(x)), 1e-13) << x[0] << ' ' << x[1];
      });
  EXPECT_LT(traced, volume(lattice.nodes) / 3);
}

/// Indices along an axis of the nodes on the level before that a decision about a node is made of.
std::vector<std::int32_t> asked_along(const AxisLevels& axis, int before, std::int32_t at, bool polynomial)
{
  if (polynomial)
  {
    const AxisStencil stencil = axis.stencil(before, at);
    return { stencil.nodes.begin(), stencil.nodes.begin() + stencil.count };
  }
  std::vector<std::int32_t> nodes;
  for (std::int32_t i = axis.beside(before, at).first; i <= axis.beside(before, at).last; ++i)
  {
    nodes.push_back(axis.node(before, i));
  }
  return nodes;
}

/// Whether the particles beside a node, and those of its polynomial, reached the end.
bool all_asked_arrived(const FlowMap& map, const Int3& node, const SamplingRule& rule)
{
  std::array<AxisLevels, 3> axes;
  int level = 0;
  for (std::size_t a = 0; a < 3; ++a)
  {
    axes[a] = AxisLevels(map.lattice.nodes[a], rule.levels);
    while (!axes[a].has(level, node[a]))
    {
      ++level;
    }
  }
  bool all = true;
  for (const bool polynomial : { false, true })
  {
    for (const std::int32_t k : asked_along(axes[2], level - 1, node[2], polynomial))
    {
      for (const std::int32_t j : asked_along(axes[1], level - 1, node[1], polynomial))
      {
        for (const std::int32_t i : asked_along(axes[0], level - 1, node[0], polynomial))
        {
          const auto number = static_cast<std::size_t>(row_major({ i, j, k }, map.lattice.nodes));
          all = all && map.ends[number].reason == Termination::OutOfTime;
        }
      }
    }
  }
  return all;
}

TEST(AdaptiveMap, NothingIsInterpolatedBesideParticlesThatLeft)
{
  const Grid lattice = unit_lattice({ 65, 49, 33 });
  const ClosedForm hole = [](const Vec3& x) -> std::optional<Vec3>
  {
    const double r = std::hypot(x[0] - 0.4, x[1] - 0.5, x[2] - 0.5);
    const double at_a_node = std::hypot(x[0] - 52.0 / 64, x[1] - 20.0 / 48, x[2] - 20.0 / 32);
    return r < 0.2 || at_a_node < 1e-3 ? std::nullopt : affine(x);
  };
  const SamplingRule rule{ .tolerance = 0.2, .levels = 2 };
  const Sampled sampled = sample(lattice, all_of(lattice), rule, hole);
  for (std::int64_t i = 0; i < volume(lattice.nodes); ++i)
  {
    ASSERT_TRUE(!sampled.map.ends[static_cast<std::size_t>(i)].estimated ||
                all_asked_arrived(sampled.map, from_row_major(i, lattice.nodes), rule))
        << i;
  }
  std::int64_t estimated = 0;
  for_each_node(sampled.map,
      [&](const Vec3& x, const EndState& end)
      {
        estimated += end.estimated ? 1 : 0;
        ASSERT_EQ(end.reason == Termination::OutOfTime, hole(x).has_value());
        ASSERT_TRUE(!end.estimated || std::hypot(x[0] - 0.4, x[1] - 0.5, x[2] - 0.5) > 0.2 + lattice.spacing[0]);
        ASSERT_TRUE(!end.estimated || std::isnan(end.length));
      });
  EXPECT_GT(estimated, volume(lattice.nodes) / 2);
}

TEST(AdaptiveMap, ErrorsOfInterpolationAreWithinTheTolerance)
{
  const Grid lattice = unit_lattice({ 129, 97, 1 });
  std::int64_t before = 0;
  for (const double tolerance : { 0.3, 0.03, 0.003 })
  {
    const Sampled sampled = sample(lattice, all_of(lattice), { .tolerance = tolerance, .levels = 3 }, folds);
    const Sampled all = sample(lattice, all_of(lattice), { .tolerance = 0.0, .levels = 1 }, folds);
    const Buffer<double> exponents = lyapunov_exponent(sampled.map);
    const Buffer<double> exact = lyapunov_exponent(all.map);
    std::int64_t traced = 0;
    for (std::size_t i = 0; i < exponents.size(); ++i)
    {
      ASSERT_NEAR(exponents[i], exact[i], tolerance) << i;
      traced += sampled.map.ends[i].estimated ? 0 : 1;
    }
    EXPECT_GT(traced, before);
    EXPECT_LT(traced, volume(lattice.nodes));
    before = traced;
  }
}

// Lattices whose last cells are not those of the levels, and boxes at their ends and inside.
TEST(AdaptiveMap, AnyBoxAndThreadsHaveTheEndsOfTheLattice)
{
  const ClosedForm form = [](const Vec3& x)
  {
    return std::hypot(x[0] - 0.9, x[1] - 0.1) < 0.07 ? std::nullopt : folds(x);
  };
  for (const int levels : { 1, 3, 4 })
  {
    for (const Int3& nodes : { Int3{ 301, 154, 1 }, Int3{ 61, 33, 28 } })
    {
      const Grid lattice = unit_lattice(nodes);
      const SamplingRule rule{ .tolerance = 0.1, .levels = levels };
      const Sampled whole = sample(lattice, all_of(lattice), rule, form);
      const std::int32_t top = nodes[2];
      for (const Box& box :
          { all_of(lattice), Box{ { 0, 0, 0 }, { 7, 9, top } }, Box{ { 37, 20, top / 2 }, { 52, 21, top } },
              Box{ { nodes[0] - 3, nodes[1] - 1, 0 }, { nodes[0], nodes[1], 1 } } })
      {
        for (const int threads : { 1, 3 })
        {
          const Sampled part = sample(lattice, box, rule, form, threads);
          ASSERT_EQ(static_cast<std::int64_t>(part.map.ends.size()), box.count());
          for (std::int64_t i = 0; i < box.count(); ++i)
          {
            const Int3 at = from_row_major(i, box.size());
            const Int3 node{ at[0] + box.begin[0], at[1] + box.begin[1], at[2] + box.begin[2] };
            const EndState& here = part.map.ends[static_cast<std::size_t>(i)];
            const EndState& there = whole.map.ends[static_cast<std::size_t>(row_major(node, nodes))];
            ASSERT_EQ(here.point, there.point) << node[0] << ' ' << node[1] << ' ' << node[2];
            ASSERT_EQ(here.reason, there.reason);
            ASSERT_EQ(here.estimated, there.estimated);
          }
        }
      }
    }
  }
}

TEST(AdaptiveMap, ItsWindowIsTheHaloAndTilesFitIntoMemory)
{
  const Grid lattice = unit_lattice({ 500, 450, 20 });
  const SamplingRule rule{ .tolerance = 0.1, .levels = 3 };
  const Box box{ { 200, 150, 7 }, { 300, 271, 9 } };
  const AdaptiveMap map(lattice, box, { 0, 1 }, rule);
  for (std::size_t axis = 0; axis < 2; ++axis)
  {
    EXPECT_LE(box.begin[axis] - map.window().begin[axis], rule.halo());
    EXPECT_LE(map.window().end[axis] - box.end[axis], rule.halo());
    EXPECT_GT(map.window().end[axis] - box.end[axis], rule.halo() / 2);
  }
  constexpr std::int64_t kBytes = 60 << 20;
  const std::vector<Box> tiles = adaptive_tiles(lattice, all_of(lattice), rule, kBytes, 264);
  EXPECT_GT(tiles.size(), 1U);
  std::int64_t nodes = 0;
  for (std::size_t i = 0; i < tiles.size(); ++i)
  {
    nodes += tiles[i].count();
    for (std::size_t j = 0; j < i; ++j)
    {
      EXPECT_TRUE(intersect(tiles[i], tiles[j]).empty());
    }
    const AdaptiveMap of_tile(lattice, tiles[i], { 0, 1 }, rule);
    EXPECT_LE(of_tile.window().count() * 57 + tiles[i].count() * (64 + 264), kBytes);
  }
  EXPECT_EQ(nodes, volume(lattice.nodes));
  EXPECT_EQ(adaptive_tiles(lattice, all_of(lattice), rule, 1 << 20, 0).size(), 0U);
}

struct OfRun
{
  std::vector<double> exponents;
  std::vector<unsigned char> traced;
  std::vector<unsigned char> estimated;
};

/// Exponents of a flow from tiles within some bytes; `at_once`: all intervals in one call, else one after the other.
OfRun adaptive_exponents(
    FlowInTime& flow, const Grid& lattice, const SamplingRule& rule, std::int64_t bytes, bool at_once, int threads)
{
  const FlowMapTimes when{ 0.1, 0.9 };
  AdvectionContext context = *flow_map_context(flow.field(), {}, when, PathlineOptions());
  const std::vector<Box> tiles = adaptive_tiles(lattice, all_of(lattice), rule, bytes, 264);
  EXPECT_FALSE(tiles.empty());
  ExponentChunks chunks(lattice, all_of(lattice), tiles, { .ends = false, .estimates = true });
  for (int i = 0; i < chunks.count(); ++i)
  {
    AdaptiveMap map(lattice, chunks.nodes(i), when, rule);
    for (int pass = 0; pass < rule.passes(); ++pass)
    {
      const std::vector<std::int64_t> nodes = map.choose(threads);
      FlowMapMarch march(map.lattice(), when, nodes);
      const std::int32_t last = context.interval_of(when.end, 1.0);
      const std::int32_t first = context.interval_of(when.start, 1.0);
      const std::int32_t many = at_once ? last - first + 1 : 1;
      for (std::int32_t interval = first; interval <= last; interval += many)
      {
        context.set_intervals(interval, interval + many - 1);
        EXPECT_TRUE(march.go_on(context, { threads, {} }));
      }
      map.add(nodes, march.take().ends);
    }
    chunks.add(map.take(), threads);
  }
  return { { chunks.exponents().begin(), chunks.exponents().end() }, { chunks.traced().begin(), chunks.traced().end() },
    { chunks.estimated().begin(), chunks.estimated().end() } };
}

TEST(AdaptiveMap, TilesIntervalsAndThreadsChangeNoByte)
{
  FlowInTime flow(cube_grid(17, 2.0), { 0, 0.5, 1.0 },
      [](const Vec3& x, double t) {
        return Vec3{ std::sin(2 * x[1] + t), (1 + t) * std::cos(x[0]), 0.3 * std::sin(x[2] + t) };
      });
  Grid lattice;
  lattice.nodes = { 150, 131, 1 };
  lattice.origin = { -1.9, -1.9, 0.1 };
  lattice.spacing = { 3.8 / 149, 3.8 / 130, 1.0 };
  const SamplingRule rule{ .tolerance = 0.02, .levels = 2 };
  const FlowMapTimes when{ 0.1, 0.9 };
  const Result<FlowMap> plain = flow_map(flow.field(), {}, lattice, when, PathlineOptions(), {});
  ASSERT_TRUE(plain.has_value());
  const Buffer<double> expected = lyapunov_exponent(*plain);
  const OfRun whole = adaptive_exponents(flow, lattice, rule, 1 << 30, true, 1);
  std::array<std::int64_t, 2> count{ 0, 0 };
  for (std::size_t i = 0; i < expected.size(); ++i)
  {
    const bool same = std::memcmp(&whole.exponents[i], &expected[i], sizeof(double)) == 0;
    ASSERT_TRUE(same || whole.estimated[i] == 1) << i;
    ASSERT_TRUE(whole.traced[i] == 1 || whole.estimated[i] == 1) << i;
    ASSERT_TRUE(!(std::fabs(whole.exponents[i] - expected[i]) > rule.tolerance / 0.8)) << i;
    count[0] += whole.traced[i];
    count[1] += whole.estimated[i];
  }
  EXPECT_GT(count[0], 1000);
  EXPECT_GT(count[1], 1000);
  for (const std::int64_t bytes : { std::int64_t{ 1 } << 30, std::int64_t{ 900 } << 10 })
  {
    for (const int threads : { 1, 3 })
    {
      const OfRun other = adaptive_exponents(flow, lattice, rule, bytes, false, threads);
      EXPECT_EQ(std::memcmp(other.exponents.data(), whole.exponents.data(), 8 * whole.exponents.size()), 0) << bytes;
      EXPECT_EQ(other.traced, whole.traced) << bytes;
      EXPECT_EQ(other.estimated, whole.estimated) << bytes;
    }
  }
}

} // namespace
} // namespace rivulet::test
