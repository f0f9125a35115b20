// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Trace/BytesOfLines.h"
#include "Core/Trace/FlowInTime.h"
#include "Trace/Advect/FixedSeeds.h"
#include "Trace/Advect/ParticleMarch.h"
#include "Trace/Advect/SavedMarch.h"
#include "Trace/Lines/TraceLines.h"
#include "Trace/Mesh/CellPosition.h"

#include <cstring>
#include <gmock/gmock.h>
#include <limits>

namespace rivulet::test
{
namespace
{

const std::vector<PathSeed> kSeeds{ { { 0.3, 0.2, 0.1 }, 0.0 }, { { 1.1, 0, 0.3 }, 0.0 }, { { 1.9, 0.1, 0 }, 0.0 },
  { { 0, 0, 0.7 }, 0.0 } };

TracedLines trace(const AdvectionContext& context, const AdvectPaths& advect)
{
  Result<TracedLines> lines =
      trace_lines(context, { .releases = 2 * kSeeds.size(), .advect = advect, .least_points = 1 }, { 1, {} });
  EXPECT_TRUE(lines) << lines.error().describe();
  return std::move(*lines);
}

std::string bytes_of_march_on(const AdvectionContext& context, ParticleMarch& march)
{
  return bytes_of(trace(
      context, [&](PathRecorder& recorder, const RunOptions& run) { return march.go_on(context, recorder, run); }));
}

SavedMarch a_march()
{
  SavedMarch march{ 7, 3, 0.5, true, std::vector<SavedParticle>(3) };
  for (std::int32_t i = 0; i < 2; ++i)
  {
    march.particles[static_cast<std::size_t>(i)].place = CellPosition{ { 0.5, 0, 1 }, { i, 2, 3 }, 0 };
    march.particles[static_cast<std::size_t>(i)].way = 1;
  }
  return march;
}

ErrorCode code_of(const std::vector<std::byte>& bytes)
{
  const Result<SavedMarch> read = unpack_march(bytes);
  EXPECT_FALSE(read);
  return read ? ErrorCode::Cancelled : read.error().code;
}

} // namespace

TEST(SavedMarch, GoesOnToTheLastBit)
{
  FlowInTime flow(cube_grid(9, 2.0), { 0, 0.4, 1, 1.3 }, turning(1.0, 0.5));
  for (const Integrator integrator : { Integrator::RungeKutta2, Integrator::RungeKutta4, Integrator::RungeKutta45 })
  {
    for (const StepUnit unit : { StepUnit::CellCrossing, StepUnit::Time })
    {
      PathlineOptions options;
      options.integrator = integrator;
      options.step_unit = unit;
      options.maximum_length = 1.2; // ends some
      AdvectionContext context = *AdvectionContext::unsteady(flow.field(), flow.source().info().times,
          { -std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity() }, options);
      ParticleMarch march(2 * kSeeds.size());
      context.set_intervals(0, 0);
      trace(context,
          [&](PathRecorder& recorder, const RunOptions& run)
          {
            FixedSeeds seeds(context, kSeeds);
            return march.begin(context, seeds, recorder, run);
          });
      for (std::int32_t interval = 1; interval < 3; ++interval)
      {
        SavedMarch saved{ 1, interval, 0.4, true, {} };
        for (std::size_t i = 0; i < 2 * kSeeds.size(); ++i)
        {
          saved.particles.push_back(SavedParticle::of(march.state(i)));
        }
        const Result<SavedMarch> read = unpack_march(pack_march(saved));
        ASSERT_TRUE(read) << read.error().describe();
        EXPECT_TRUE(check_march(*read, flow.field().grid.cells()));
        std::vector<ParticleState> states;
        for (std::size_t i = 0; i < read->particles.size(); ++i)
        {
          states.push_back(read->particles[i].state(static_cast<std::int64_t>(i)));
        }
        ParticleMarch other(std::move(states));
        context.set_intervals(interval, interval);
        EXPECT_GT(march.going(), 0);
        EXPECT_EQ(other.going(), march.going());
        EXPECT_TRUE(bytes_of_march_on(context, other) == bytes_of_march_on(context, march)) << interval;
      }
    }
  }
}

TEST(SavedMarch, ComesBackFromBytes)
{
  const SavedMarch march = a_march();
  const std::vector<std::byte> bytes = pack_march(march);
  EXPECT_EQ(static_cast<std::int64_t>(bytes.size()), bytes_of_march(3));
  const Result<SavedMarch> read = unpack_march(bytes);
  ASSERT_TRUE(read) << read.error().describe();
  EXPECT_EQ(pack_march(*read), bytes);
  EXPECT_TRUE(unpack_march(pack_march({})));
}

TEST(SavedMarch, RefusesOtherBytes)
{
  const std::vector<std::byte> sound = pack_march(a_march());
  for (std::size_t size = 0; size < sound.size(); ++size)
  {
    EXPECT_EQ(code_of({ sound.begin(), sound.begin() + static_cast<std::ptrdiff_t>(size) }), ErrorCode::Truncated);
  }
  for (std::size_t at = 0; at < sound.size(); ++at)
  {
    std::vector<std::byte> damaged = sound;
    damaged[at] ^= std::byte{ 4 };
    const ErrorCode code = code_of(damaged);
    EXPECT_EQ(code, at < 7                ? ErrorCode::NotThisFormat
                    : at == 7             ? ErrorCode::OtherVersion
                    : at >= 32 && at < 40 ? ErrorCode::Truncated
                                          : ErrorCode::Corrupt)
        << at;
  }
  std::vector<std::byte> longer = sound;
  longer.push_back(std::byte{ 0 });
  EXPECT_EQ(code_of(longer), ErrorCode::Truncated);
}

TEST(SavedMarch, RefusesPlacesThatAreNone)
{
  const Int3 cells{ 2, 3, 4 };
  EXPECT_TRUE(check_march(a_march(), cells));
  EXPECT_FALSE(check_march(a_march(), { 1, 3, 4 }));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const CellPosition& place : { CellPosition{ { nan, 0, 0 }, { 0, 0, 0 }, 0 }, { { 0, 1.5, 0 }, { 0, 0, 0 }, 0 },
           { { 0, 0, -0.1 }, { 0, 0, 0 }, 0 }, { { 0, 0, 0 }, { -1, 0, 0 }, 0 }, { { 0, 0, 0 }, { 0, 0, 4 }, 0 },
           { { 0, 0, 0 }, { 0, 0, 0 }, 1 } })
  {
    SavedMarch march = a_march();
    march.particles[1].place = place;
    EXPECT_FALSE(check_march(march, cells));
    march.particles[1].way = 0;
    EXPECT_TRUE(check_march(march, cells));
  }
  const auto refuses = [&](const auto& change)
  {
    SavedMarch march = a_march();
    change(march);
    return !check_march(march, cells);
  };
  EXPECT_TRUE(refuses([](SavedMarch& march) { march.particles[0].way = 2; }));
  EXPECT_TRUE(refuses([](SavedMarch& march) { march.particles[0].steps = -1; }));
  EXPECT_TRUE(refuses([&](SavedMarch& march) { march.particles[0].time = nan; }));
  EXPECT_TRUE(refuses([&](SavedMarch& march) { march.particles[0].next_step = nan; }));
  EXPECT_TRUE(refuses([](SavedMarch& march) { march.released = false; }));
}

} // namespace rivulet::test
