// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/Crossing.h"

#include "Base/Vector.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <new>

namespace rivulet
{

namespace
{

/// Final distance between the two ends of a search, as a share of the step.
constexpr double kSame = 1e-14;

/// Search for a place within a step where a function is negative, which is not at both ends. Between two
/// samples it is assumed to lie above the lines through the samples on either side, as convex functions do.
class DipSearch
{
public:
  /// `value`: the function at a share of the step. `least`: above this value the step does not come near to zero.
  /// Intervals are not cut below the share `shortest`.
  DipSearch(const std::function<double(double)>& value, const std::array<double, 3>& ends_and_middle, double least,
      double shortest)
    : value_(value)
    , least_(least)
    , shortest_(shortest)
    , samples_{ { 0.0, ends_and_middle[0] }, { 0.5, ends_and_middle[1] }, { 1.0, ends_and_middle[2] } }
  {
  }

  /// A share at which the function is negative, or at most `least` and far lower than at the ends.
  [[nodiscard]] std::optional<double> find()
  {
    static constexpr std::size_t kMost = 48;
    while (samples_.size() < kMost)
    {
      const auto [bound, interval, share] = lowest();
      if (bound > least_ || samples_[interval + 1].share - samples_[interval].share <= shortest_)
      {
        break;
      }
      const double value = value_(share);
      if (value < 0.0)
      {
        return share;
      }
      samples_.insert(samples_.begin() + static_cast<std::ptrdiff_t>(interval) + 1, { share, value });
    }
    const auto lowest_sample = std::min_element(
        samples_.begin(), samples_.end(), [](const Sample& a, const Sample& b) { return a.value < b.value; });
    static constexpr double kEnd = 0.02; // of the step: nearer to an end it is not cut
    const double at_ends = std::min(samples_.front().value, samples_.back().value);
    const bool dips = lowest_sample->value <= least_ && lowest_sample->value < 0.5 * at_ends; // not: goes along it
    const bool cut = dips && std::fabs(lowest_sample->share - 0.5) < 0.5 - kEnd;
    return cut ? std::optional(lowest_sample->share) : std::nullopt;
  }

private:
  struct Sample
  {
    double share;
    double value;
  };
  struct Bound
  {
    double value;
    std::size_t interval;
    double share;
  };

  /// The line through samples i and i + 1 at a share.
  [[nodiscard]] double line(std::size_t i, double share) const
  {
    const Sample& a = samples_[i];
    const Sample& b = samples_[i + 1];
    return a.value + (b.value - a.value) * ((share - a.share) / (b.share - a.share));
  }

  /// The interval in which the function may be the lowest, and where to take the next sample in it.
  [[nodiscard]] Bound lowest() const
  {
    Bound found{ std::numeric_limits<double>::infinity(), 0, 0.5 };
    for (std::size_t i = 0; i + 1 < samples_.size(); ++i)
    {
      const Sample& a = samples_[i];
      const Sample& b = samples_[i + 1];
      const bool has_left = i > 0;
      const bool has_right = i + 2 < samples_.size();
      const double at_b = has_left ? std::min(line(i - 1, b.share), b.value) : a.value;
      const double at_a = has_right ? std::min(line(i + 1, a.share), a.value) : b.value;
      double share = 0.5 * (a.share + b.share);
      double bound = std::min(at_a, at_b);
      if (has_left && has_right)
      {
        // Lines from (a, a.value) to (b, at_b) and from (a, at_a) to (b, b.value).
        const double down = a.value - at_a;
        const double up = b.value - at_b;
        const double meet = down + up > 0.0 ? down / (down + up) : 0.5;
        bound = a.value + (at_b - a.value) * meet;
        share = a.share + std::clamp(meet, 0.1, 0.9) * (b.share - a.share);
      }
      found = bound < found.value ? Bound{ bound, i, share } : found;
    }
    return found;
  }

  const std::function<double(double)>& value_;
  double least_;
  double shortest_;
  std::vector<Sample> samples_;
};

/// A share of the step at which a function is negative that has the same value at its ends and in the middle.
std::optional<double> step_of_constants(const std::function<double(double)>& value)
{
  static constexpr int kPieces = 16;
  for (int i = 1; i < kPieces; ++i)
  {
    const double share = static_cast<double>(i) / kPieces;
    if (value(share) < 0.0)
    {
      return share;
    }
  }
  return std::nullopt;
}

/// The same of a function with these values at the ends and in the middle of a step. `length` and `sagitta`: of the
/// parabola; ways below `accuracy` are not looked at.
std::optional<double> step_of_values(const std::function<double(double)>& value, const std::array<double, 3>& values,
    double length, double sagitta, double accuracy)
{
  const double rate = 2.0 * std::max(std::fabs(values[1] - values[0]), std::fabs(values[2] - values[1]));
  if (values[1] < 0.0)
  {
    return 0.5;
  }
  if (rate == 0.0)
  {
    return step_of_constants(value);
  }
  static constexpr double kOff = 0.4; // of the sagitta: how far the parabola may be off
  static constexpr double kShortest = 1e-6;
  return std::min({ values[0], values[1], values[2] }) <= rate
             ? DipSearch(value, values, kOff * rate * sagitta / length, std::max(kShortest, accuracy / length)).find()
             : std::nullopt;
}

/// A share of the step at which a function is negative that is not more than the distance to its zeros. `rate`: of the
/// way to the share, at most. Ways up to `accuracy` are not looked at. The longest parts of the step come first.
std::optional<double> step_of_distances(
    const std::function<double(double)>& value, double at_begin, double at_end, double rate, double accuracy)
{
  struct Part
  {
    double begin;
    double end;
    double at_begin;
    double at_end;
  };
  static constexpr std::size_t kMost = 129; // of 64 values
  std::array<Part, kMost> parts;
  parts[0] = { 0.0, 1.0, at_begin, at_end };
  std::size_t count = 1;
  for (std::size_t i = 0; i < count && count + 2 <= kMost; ++i)
  {
    const Part part = parts[i];
    const double way = rate * (part.end - part.begin);
    if (way <= accuracy || part.at_begin + part.at_end > way)
    {
      continue; // the surface is nowhere on it
    }
    const double middle = 0.5 * (part.begin + part.end);
    const double at_middle = value(middle);
    if (at_middle < 0.0)
    {
      return middle;
    }
    parts[count++] = { part.begin, middle, part.at_begin, at_middle };
    parts[count++] = { middle, part.end, at_middle, part.at_end };
  }
  return std::nullopt;
}

} // namespace

Surface plane(const Vec3& point, const Vec3& normal)
{
  return { .side = [=](const Vec3& x, std::int64_t)
           {
             return (x[0] - point[0]) * normal[0] + (x[1] - point[1]) * normal[1] + (x[2] - point[2]) * normal[2];
           } };
}

Surface box(const Vec3& lower, const Vec3& upper)
{
  return { .side = [=](const Vec3& x, std::int64_t)
           {
             double farthest = -std::numeric_limits<double>::infinity();
             for (std::size_t axis = 0; axis < 3; ++axis)
             {
               farthest = std::max({ farthest, lower[axis] - x[axis], x[axis] - upper[axis] });
             }
             return farthest;
           } };
}

Surface border_of_label(const std::int32_t* labels, std::int32_t label)
{
  return { .side = [=](const Vec3&, std::int64_t cell) { return cell >= 0 && labels[cell] == label ? -1.0 : 1.0; },
    .numbers = Centering::Cell };
}

bool CrossingLog::make_room(std::size_t particles)
{
  const std::size_t wanted = crossings_.size() + particles * surfaces_.size();
  try
  {
    if (crossings_.capacity() < wanted)
    {
      crossings_.reserve(std::max(wanted, 2 * crossings_.capacity()));
    }
  }
  catch (const std::bad_alloc&)
  {
    return false;
  }
  return true;
}

SurfaceSet CrossingLog::sides_of(const WayPoint& place) const
{
  SurfaceSet sides = 0;
  for (std::size_t s = 0; s < surfaces_.size(); ++s)
  {
    sides |= SurfaceSet{ is_positive(s, place) } << s;
  }
  return sides;
}

SurfaceSet CrossingLog::crossed_on_the_way(SurfaceSet sides, const WayPoint& place) const
{
  SurfaceSet crossed = 0;
  for (SurfaceSet left = kept_ == Kept::All ? all_surfaces() : sides; left != 0; left &= left - 1)
  {
    const int s = std::countr_zero(left);
    const bool was_positive = (sides >> s & 1) != 0;
    crossed |= SurfaceSet{ was_positive != is_positive(static_cast<std::size_t>(s), place) } << s;
  }
  return crossed;
}

std::optional<double> CrossingLog::crossed_between(
    SurfaceSet sides, SurfaceSet crossed, const std::function<WayPoint(double)>& way, double accuracy) const
{
  static constexpr double kBeforeEnd = 0.98; // of the step: up to here it is not at the surface that it ends at
  const SurfaceSet looked_at = kept_ == Kept::All ? all_surfaces() : sides;
  if (looked_at == 0)
  {
    return std::nullopt;
  }
  const std::array<WayPoint, 3> places{ way(0.0), way(0.5), way(1.0) };
  const double chord = distance(places[0].world, places[2].world);
  const Vec3 middle{ 0.5 * (places[0].world[0] + places[2].world[0]), 0.5 * (places[0].world[1] + places[2].world[1]),
    0.5 * (places[0].world[2] + places[2].world[2]) };
  const double sagitta = distance(middle, places[1].world);
  const double length = chord + 2.0 * sagitta;
  if (!(length > accuracy))
  {
    return std::nullopt;
  }
  std::optional<double> first;
  for (SurfaceSet left = looked_at; left != 0; left &= left - 1)
  {
    const auto s = static_cast<std::size_t>(std::countr_zero(left));
    const double sign = (sides >> s & 1) != 0 ? 1.0 : -1.0;
    const auto value_at = [&](const WayPoint& place)
    {
      return sign * side_at(surfaces_[s], place);
    };
    const double part = (crossed >> s & 1) != 0 ? kBeforeEnd : 1.0;
    const auto at_share = [&](double share)
    {
      return value_at(way(part * share));
    };
    const std::function<double(double)> value = std::cref(at_share); // no copy, which would be on the heap
    const double at_end = part < 1.0 ? value(1.0) : value_at(places[2]);
    std::optional<double> share;
    if (part < 1.0 && at_end < 0.0)
    {
      share = 1.0;
    }
    else if (surfaces_[s].within_distance)
    {
      share = step_of_distances(value, value_at(places[0]), at_end, chord + 4.0 * sagitta, accuracy);
    }
    else
    {
      const std::array<double, 3> values{ value_at(places[0]), part < 1.0 ? value(0.5) : value_at(places[1]), at_end };
      share = step_of_values(value, values, length, sagitta, accuracy);
    }
    first = share && (!first || part * *share < *first) ? std::optional(part * *share) : first;
  }
  return first;
}

void CrossingSearch::begin(double high, double value_at_0, double value_at_high)
{
  *this = {};
  active_ = true;
  high_ = high;
  width_ = high;
  value_low_ = value_at_0;
  value_high_ = value_at_high;
}

void CrossingSearch::narrow(double step, bool crosses, double value)
{
  if (tries_ > 0 && low_moved_ == !crosses)
  {
    (crosses ? value_low_ : value_high_) *= 0.5; // so that the next secant falls on the other side
  }
  ++tries_;
  low_moved_ = !crosses;
  (crosses ? high_ : low_) = step;
  (crosses ? value_high_ : value_low_) = value;
}

bool CrossingSearch::converged() const
{
  static constexpr std::int32_t kMostTries = 200;
  return high_ - low_ <= kSame * width_ || std::nextafter(low_, high_) >= high_ || tries_ >= kMostTries;
}

double CrossingSearch::next() const
{
  if (converged())
  {
    return high_;
  }
  static constexpr std::int32_t kBisectEvery = 8;
  // Not at an end itself: if that end is the root, the next try brings the other end close to it.
  const double least = 0.9 * kSame * width_;
  const double secant = low_ + (high_ - low_) * (value_low_ / (value_low_ - value_high_));
  const double at = std::min(std::max(secant, low_ + least), high_ - least);
  const bool between = at > low_ && at < high_; // false for NaN, too
  return between && tries_ % kBisectEvery != kBisectEvery - 1 ? at : low_ + 0.5 * (high_ - low_);
}

} // namespace rivulet
