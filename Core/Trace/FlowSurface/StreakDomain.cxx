// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowSurface/StreakDomain.h"

#include "Base/Times.h"
#include "Base/Vector.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rivulet
{

namespace
{

constexpr int kBits = 32; ///< of the lattice between two points of a curve, and in a release interval
constexpr std::int64_t kUnit = std::int64_t{ 1 } << kBits;
constexpr std::int32_t kMostBaseLevel = 10;
constexpr double kMostIntervals = 1 << 28; ///< keeps sums of two lattice numbers below 2^63

Vec3 between(const Vec3& a, const Vec3& b, double share)
{
  return { a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]) };
}

double distance_to_chord(const Vec3& point, const Vec3& a, const Vec3& b)
{
  double along = 0.0;
  double squared = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    along += (point[axis] - a[axis]) * (b[axis] - a[axis]);
    squared += (b[axis] - a[axis]) * (b[axis] - a[axis]);
  }
  return distance(point, between(a, b, squared > 0.0 ? std::clamp(along / squared, 0.0, 1.0) : 0.0));
}

bool is_finite(const Vec3& point)
{
  return std::isfinite(point[0]) && std::isfinite(point[1]) && std::isfinite(point[2]);
}

/// Without points that repeat the one before.
std::vector<Vec3> without_repeats(const std::vector<Vec3>& curve)
{
  std::vector<Vec3> points;
  std::unique_copy(curve.begin(), curve.end(), std::back_inserter(points));
  return points;
}

Result<void> check(const StreakRelease& release)
{
  if (!std::isfinite(release.start) || !(release.interval > 0.0) || !std::isfinite(release.interval))
  {
    return fail(ErrorCode::BadArgument,
        "the particles of the surface start at " + format_time(release.start) + " and then every " +
            std::to_string(release.interval),
        "give a start and a positive interval between releases");
  }
  if (std::abs(release.base_level) > kMostBaseLevel || !(release.curve_tolerance >= 0.0))
  {
    return fail(ErrorCode::BadArgument,
        "the surface's base has the level " + std::to_string(release.base_level) + " and the tolerance " +
            std::to_string(release.curve_tolerance),
        "give a level between -10 and 10 and a tolerance of 0 or more");
  }
  return {};
}

tl::unexpected<Error> too_many(std::int64_t most)
{
  return fail(ErrorCode::BadArgument,
      "the surface begins with more than the " + std::to_string(most) + " vertices that it may have",
      "give longer intervals between releases, fewer points of curves, or a lower base level");
}

} // namespace

Result<std::unique_ptr<StreakDomain>> StreakDomain::create(
    const std::vector<std::vector<Vec3>>& curves, const StreakRelease& release)
{
  if (Result<void> good = check(release); !good)
  {
    return forward_error(good);
  }
  std::unique_ptr<StreakDomain> domain(new StreakDomain());
  domain->release_ = release;
  domain->release_.interval = std::ldexp(release.interval, -std::max(0, release.base_level)); // of rows
  for (std::size_t number = 0; number < curves.size(); ++number)
  {
    const std::vector<Vec3> points = without_repeats(curves[number]);
    if (points.size() < 2 || !std::all_of(points.begin(), points.end(), is_finite))
    {
      return fail(ErrorCode::BadArgument,
          "seed curve " + std::to_string(number) +
              (points.size() < 2 ? " has fewer than two different points" : " has a point that is not a number"),
          "give curves of two different points or more");
    }
    domain->add_curve(points);
  }
  if (domain->points_.empty())
  {
    return fail(
        ErrorCode::BadArgument, "the surface has no seed curve", "give a curve of two different points or more");
  }
  return domain;
}

void StreakDomain::add_curve(const std::vector<Vec3>& points)
{
  Curve curve;
  curve.first = points_.size();
  curve.last = curve.first + points.size() - 1;
  curve.closed = points.size() > 3 && points.front() == points.back(); // three sides, none of which is half of it
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    curve.length += i > 0 ? distance(points[i - 1], points[i]) : 0.0;
    lengths_.push_back(curve.length);
  }
  points_.insert(points_.end(), points.begin(), points.end());
  curve_of_.resize(points_.size(), curves_.size());
  curves_.push_back(curve);
}

/// Number of whole intervals between rows up to a time.
std::int64_t StreakDomain::whole_intervals(double time) const
{
  auto count = static_cast<std::int64_t>((time - release_.start) / release_.interval);
  while (row_time(count * kUnit) > time)
  {
    --count;
  }
  while (row_time((count + 1) * kUnit) <= time)
  {
    ++count;
  }
  return count;
}

/// Whether the last row before a time is the last of all, and no row at the time itself follows it: they differ by
/// rounding, and the cells between them would be without area.
bool StreakDomain::ends_with_row(double time, std::int64_t row) const
{
  static constexpr double kShare = 1e-9; // of an interval
  static constexpr double kRoundings = 4.0;
  const double least = std::nextafter(std::fabs(time), std::numeric_limits<double>::infinity()) - std::fabs(time);
  return time - row_time(row * kUnit) <= std::max(kShare * release_.interval, kRoundings * least);
}

double StreakDomain::row_time(std::int64_t number) const
{
  return release_.start + release_.interval * std::ldexp(static_cast<double>(number), -kBits);
}

SurfaceSeed StreakDomain::seed(const std::array<std::int64_t, 2>& at, double time) const
{
  const std::int64_t last = whole_intervals(time) * kUnit;
  const auto point = static_cast<std::size_t>(at[0] / kUnit);
  const double share = std::ldexp(static_cast<double>(at[0] % kUnit), -kBits);
  const std::size_t next = std::min(point + 1, points_.size() - 1);
  SurfaceSeed made;
  made.lasting = at[1] <= last;
  made.key = { at[0], made.lasting ? at[1] : -at[1] }; // at a later time the row of this number is another one
  made.point = share == 0.0 ? points_[point] : between(points_[point], points_[next], share);
  const double rest = std::ldexp(static_cast<double>(at[1] - last), -kBits);
  made.time = made.lasting ? row_time(at[1]) : rest == 1.0 ? time : row_time(last) + rest * (time - row_time(last));
  made.s = lengths_[point] + (share == 0.0 ? 0.0 : share * (lengths_[next] - lengths_[point]));
  made.texture[0] = made.s / curve_with(at[0]).length;
  return made;
}

bool StreakDomain::straight(std::size_t first, std::size_t last) const
{
  for (std::size_t i = first + 1; i < last; ++i)
  {
    if (distance_to_chord(points_[i], points_[first], points_[last]) > release_.curve_tolerance)
    {
      return false;
    }
  }
  return true;
}

const StreakDomain::Curve& StreakDomain::curve_with(std::int64_t place) const
{
  return curves_[curve_of_[static_cast<std::size_t>(place / kUnit)]];
}

/// Number of points by which the next column is away, a power of two. Less than half of a closed curve, so that the two
/// ways between neighbours can be told apart.
std::size_t StreakDomain::step_along(const Curve& curve, std::size_t at) const
{
  std::size_t step = std::size_t{ 1 } << std::max(0, -release_.base_level);
  while (step > 1 && ((at - curve.first) % step != 0 || at + step > curve.last ||
                         (curve.closed && 2 * step >= curve.last - curve.first) || !straight(at, at + step)))
  {
    step /= 2;
  }
  return step;
}

std::vector<StreakDomain::Place> StreakDomain::columns(const Curve& curve) const
{
  const std::int32_t finer = std::max(0, release_.base_level);
  std::vector<Place> places;
  for (std::size_t at = curve.first; at < curve.last;)
  {
    const std::size_t step = step_along(curve, at);
    std::int32_t level = finer;
    for (std::size_t size = step; size > 1; size /= 2)
    {
      --level;
    }
    for (std::int64_t i = 0; i < std::int64_t{ 1 } << finer; ++i)
    {
      places.push_back({ static_cast<std::int64_t>(at) * kUnit + i * (kUnit >> finer), level });
    }
    at += step;
  }
  places.push_back({ static_cast<std::int64_t>(curve.last) * kUnit, 0 });
  return places;
}

std::vector<StreakDomain::Place> StreakDomain::rows(double time) const
{
  const std::int32_t finer = std::max(0, release_.base_level);
  const std::int64_t count = whole_intervals(time);
  const bool at_row = ends_with_row(time, count);
  std::vector<Place> places;
  for (std::int64_t at = 0; at < count + (at_row ? 0 : 1);)
  {
    std::int32_t level = std::min(0, release_.base_level);
    while (level < 0 && (at % (std::int64_t{ 1 } << -level) != 0 || at + (std::int64_t{ 1 } << -level) > count))
    {
      ++level;
    }
    places.push_back({ at * kUnit, level + finer });
    at += std::int64_t{ 1 } << -level;
  }
  places.push_back({ (count + (at_row ? 0 : 1)) * kUnit, 0 });
  return places;
}

Result<SurfaceBase> StreakDomain::base(double time, std::int64_t most) const
{
  SurfaceBase base;
  if (!(time > release_.start))
  {
    return base;
  }
  const double intervals = (time - release_.start) / release_.interval;
  if (!(intervals < kMostIntervals))
  {
    return too_many(most);
  }
  const std::vector<Place> across = rows(time);
  for (const Curve& curve : curves_)
  {
    const std::vector<Place> along = columns(curve);
    if (static_cast<std::int64_t>(base.seeds.size() + along.size() * across.size()) > most)
    {
      return too_many(most);
    }
    add_columns(curve, along, across, time, base);
  }
  return base;
}

void StreakDomain::add_columns(const Curve& curve, const std::vector<Place>& along, const std::vector<Place>& across,
    double time, SurfaceBase& base) const
{
  const std::size_t before = base.seeds.size();
  const std::size_t columns = along.size() - (curve.closed ? 1 : 0);
  for (std::size_t i = 0; i < columns; ++i)
  {
    for (const Place& row : across)
    {
      base.seeds.push_back(seed({ along[i].at, row.at }, time));
    }
  }
  for (std::size_t i = 0; i + 1 < along.size(); ++i)
  {
    auto here = static_cast<std::int32_t>(before + i * across.size());
    auto next = static_cast<std::int32_t>(before + (i + 1) % columns * across.size());
    for (std::size_t j = 0; j + 1 < across.size(); ++j, ++here, ++next)
    {
      base.cells.push_back({ { here, next, next + 1, here + 1 }, { along[i].level, across[j].level } });
    }
  }
}

SurfaceSeed StreakDomain::middle(
    const SurfaceSeed& a, const SurfaceSeed& b, const std::array<std::int64_t, 2>&, double time) const
{
  const Curve& curve = curve_with(a.key[0]);
  const auto around = static_cast<std::int64_t>(curve.last - curve.first) * kUnit;
  const bool over_seam = curve.closed && 2 * std::abs(a.key[0] - b.key[0]) > around;
  std::int64_t along = (a.key[0] + b.key[0] + (over_seam ? around : 0)) / 2;
  along -= over_seam && along >= static_cast<std::int64_t>(curve.last) * kUnit ? around : 0;
  return seed({ along, (std::abs(a.key[1]) + std::abs(b.key[1])) / 2 }, time);
}

std::optional<SurfaceSeed> StreakDomain::across_seam(const SurfaceSeed& of, const SurfaceSeed& neighbour) const
{
  const Curve& curve = curve_with(of.key[0]);
  const auto first = static_cast<std::int64_t>(curve.first) * kUnit;
  const auto around = static_cast<std::int64_t>(curve.last - curve.first) * kUnit;
  if (!curve.closed || of.key[0] != first || 2 * (neighbour.key[0] - first) <= around)
  {
    return {};
  }
  SurfaceSeed other = of;
  other.s = curve.length;
  other.texture[0] = 1.0;
  return other;
}

} // namespace rivulet
