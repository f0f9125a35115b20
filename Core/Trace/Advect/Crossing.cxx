// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/Crossing.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>

namespace rivulet
{

namespace
{

/// Final distance between the two ends of a search, as a share of the step.
constexpr double kSame = 1e-14;

} // namespace

Surface plane(const Vec3& point, const Vec3& normal)
{
  return { .side = [=](const Vec3& x, const CellPosition&)
           {
             return (x[0] - point[0]) * normal[0] + (x[1] - point[1]) * normal[1] + (x[2] - point[2]) * normal[2];
           } };
}

Surface box(const Vec3& lower, const Vec3& upper)
{
  return { .side = [=](const Vec3& x, const CellPosition&)
           {
             double farthest = -std::numeric_limits<double>::infinity();
             for (std::size_t axis = 0; axis < 3; ++axis)
             {
               farthest = std::max({ farthest, lower[axis] - x[axis], x[axis] - upper[axis] });
             }
             return farthest;
           } };
}

Surface border_of_label(const std::int32_t* labels, const Int3& cells, std::int32_t label)
{
  return { .side = [=](const Vec3&, const CellPosition& at)
           {
             return labels[row_major(at.cell, cells)] == label ? -1.0 : 1.0;
           } };
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

SurfaceSet CrossingLog::sides_of(const Vec3& world, const CellPosition& at) const
{
  SurfaceSet sides = 0;
  for (std::size_t s = 0; s < surfaces_.size(); ++s)
  {
    sides |= SurfaceSet{ is_positive(s, world, at) } << s;
  }
  return sides;
}

SurfaceSet CrossingLog::crossed_on_the_way(SurfaceSet sides, const Vec3& world, const CellPosition& at) const
{
  SurfaceSet crossed = 0;
  for (SurfaceSet left = kept_ == Kept::All ? all_surfaces() : sides; left != 0; left &= left - 1)
  {
    const int s = std::countr_zero(left);
    const bool was_positive = (sides >> s & 1) != 0;
    crossed |= SurfaceSet{ was_positive != is_positive(static_cast<std::size_t>(s), world, at) } << s;
  }
  return crossed;
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
