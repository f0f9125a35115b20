// SPDX-License-Identifier: BSD-3-Clause
// Surfaces of random flows, criteria and options: a march that is led to random times in random parts has the bytes of
// surfaces that were made at once. Every third case has steps, releases and ends of particles at the same times.
#include "Core/Trace/SomeSteps.h"
#include "Core/Trace/SurfaceFlow.h"

#include <gtest/gtest.h>

#include <random>

namespace rivulet::test
{
namespace
{

class RandomSurface
{
public:
  explicit RandomSurface(unsigned seed)
    : random_(seed)
    , coinciding_(seed % 3 == 0)
    , times_(some_times())
    , flow_(cube_grid(9, 1.0), times_, some_velocity(), { 3, 4, 5 })
    , options_(some_options())
    , criteria_(some_criteria())
    , mesh_(whole(4) == 0)
  {
    release_ = { .start = coinciding_ ? 0.25 * whole(2) : real(0, 0.3),
      .interval = coinciding_ ? 0.125 : real(0.07, 0.5),
      .base_level = whole(4) - 2,
      .curve_tolerance = real(0, 0.05) };
    for (int i = 0; i <= whole(2); ++i)
    {
      curves_.push_back(straight_curve({ real(-1.2, 0.5), real(-1.1, 0), real(-0.5, 0.5) },
          { real(-1, 0.5), real(0, 1.1), real(-0.5, 0.5) }, 2 + whole(6)));
      curves_.back().push_back({ real(-1, 1), real(-1, 1), 0 });
      if (whole(2) > 0)
      {
        curves_.back().push_back(Vec3(curves_.back().front())); // closed
      }
    }
    wanted_ = times_;
    for (int i = 0; i < 5; ++i)
    {
      wanted_.push_back(
          coinciding_ ? 0.0625 * whole(4 * (static_cast<int>(times_.size()) - 1)) : real(0, times_.back()));
    }
    for (const double time : wanted_)
    {
      const FlowSurface surface = surface_of(flow_, domain(), time, criteria_, options_);
      expected_.push_back(bytes_of(surface));
      EXPECT_EQ(shape_of(surface.triangles).overcrowded, 0);
    }
  }

  /// Leads one march to random times; now and then it turns to another one half way.
  void march(double reserve)
  {
    SomeSteps some(flow_.source());
    FlowSurfaceMarch march(domain(), times_, criteria_);
    march.set_reserve(reserve);
    for (int i = 0; i < 20; ++i)
    {
      const auto at = static_cast<std::size_t>(whole(static_cast<int>(wanted_.size())));
      ASSERT_TRUE(march.begin(wanted_[at]).has_value());
      for (auto range = march.next(); range && whole(40) > 0; range = march.next())
      {
        const IntervalRange held{ whole(range->first + 1), range->first + whole(range->last - range->first + 1) };
        ASSERT_TRUE(go_on(march, some, held).has_value());
      }
      if (!march.next())
      {
        ASSERT_TRUE(bytes_of(march.surface()) == expected_[at]) << "time " << wanted_[at] << " in turn " << i;
      }
    }
  }

  [[nodiscard]] double real(double from, double to)
  {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }
  [[nodiscard]] int whole(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

private:
  Result<void> go_on(FlowSurfaceMarch& march, SomeSteps& some, const IntervalRange& held)
  {
    some.hold(steps_for(options_.time_interpolation, held, times_.size()));
    TraceField field = flow_.field();
    field.velocity = { &some, 0, 0 };
    AdvectionContext context = *flow_surface_context(field, times_, options_);
    context.set_intervals(held.first, held.last);
    return march.go_on(context, { 1 + whole(3), {} });
  }

  std::vector<double> some_times()
  {
    std::vector<double> times{ 0.0 };
    for (int i = 0; i < 3 + whole(5); ++i)
    {
      times.push_back(times.back() + (coinciding_ ? 0.25 : real(0.1, 0.6)));
    }
    times.push_back(times.back() + 0.25);
    return times;
  }

  VelocityInTime some_velocity()
  {
    if (coinciding_)
    {
      return [](const Vec3& x, double)
      {
        return Vec3{ 2.0, x[1] > 0 ? 1.0 : 0.5, 0.0 };
      };
    }
    return [a = real(0.3, 1.5), b = real(0, 2), c = real(-1, 1)](const Vec3& x, double t)
    {
      return Vec3{ a * std::sin(2 * x[1] + b * t) + 0.3, a * std::sin(2 * x[2] + t), a * std::cos(2 * x[0]) + c * t };
    };
  }

  PathlineOptions some_options()
  {
    PathlineOptions options = timed_steps(
        whole(2) > 0 ? Integrator::RungeKutta4 : Integrator::RungeKutta45, coinciding_ ? 0.125 : real(0.05, 0.3));
    options.maximum_error = 1e-4;
    options.maximum_time = whole(3) > 0 ? 0.0 : coinciding_ ? 0.5 : real(0.2, 1);
    options.maximum_length = whole(4) > 0 ? options.maximum_length : coinciding_ ? 1.0 : real(0.3, 2);
    options.maximum_steps = whole(4) > 0 ? options.maximum_steps : 3 + whole(5);
    options.time_interpolation = whole(2) > 0 ? TimeInterpolation::Cubic : TimeInterpolation::Linear;
    return options;
  }

  SurfaceCriteria some_criteria()
  {
    SurfaceCriteria criteria = edges_up_to(real(0.2, 0.5));
    criteria.most_levels = 1 + whole(4);
    criteria.boundary_levels = whole(4);
    criteria.largest_angle = real(0.3, 4);
    criteria.tear_length = whole(2) > 0 ? 0.6 : criteria.tear_length;
    criteria.most_vertices = whole(5) > 0 ? criteria.most_vertices : 1500;
    return criteria;
  }

  [[nodiscard]] std::unique_ptr<const SurfaceDomain> domain() const
  {
    if (!mesh_)
    {
      return streak(curves_, release_);
    }
    return std::move(
        *MeshDomain::create({ { -0.5, -0.5, 0 }, { 0.5, -0.5, 0.1 }, { 0.4, 0.6, 0 }, { -0.6, 0.5, 0 }, { 0, 0, 0.5 } },
            { { 0, 1, 4 }, { 1, 2, 4 }, { 2, 3, 4 }, { 3, 0, 4 } }, release_.start));
  }

  std::mt19937 random_;
  bool coinciding_;
  std::vector<double> times_;
  FlowInTime flow_;
  PathlineOptions options_;
  SurfaceCriteria criteria_;
  bool mesh_;
  StreakRelease release_;
  std::vector<SeedCurve> curves_;
  std::vector<double> wanted_;
  std::vector<std::string> expected_;
};

TEST(RandomSurfaces, AreTheSameForAnyWayOfAMarch)
{
  for (unsigned seed = 0; seed < 9; ++seed)
  {
    SCOPED_TRACE(seed);
    RandomSurface surface(seed);
    for (const double reserve : { 0.0, 0.4 })
    {
      surface.march(reserve);
      ASSERT_FALSE(::testing::Test::HasFatalFailure());
    }
  }
}

} // namespace
} // namespace rivulet::test
