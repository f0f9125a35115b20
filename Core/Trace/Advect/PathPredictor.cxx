// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/PathPredictor.h"

#include "Base/Vector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace rivulet
{

namespace
{
/// Rays around the first one, and the tangent of the angle between. Measured
/// (Documentation/design/appendix/0022-prefetch.md).
constexpr int kRaysAround = 8;
constexpr double kTangent = 0.35;
/// With fewer bricks than this only the first ray is followed.
constexpr std::size_t kFewBricks = 4;

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Motions around the given one, all as long.
std::vector<Vec3> spread(const Vec3& motion, int count, double tangent)
{
  std::vector<Vec3> all{ motion };
  const double length = length_of(motion);
  const Vec3 unit{ motion[0] / length, motion[1] / length, motion[2] / length };
  Vec3 a = cross(unit, std::abs(unit[0]) < 0.8 ? Vec3{ 1, 0, 0 } : Vec3{ 0, 1, 0 });
  const double size = length_of(a);
  a = { a[0] / size, a[1] / size, a[2] / size };
  const Vec3 b = cross(unit, a);
  const double shorter = 1.0 / std::sqrt(1.0 + tangent * tangent);
  for (int i = 0; i < count; ++i)
  {
    const double angle = 2.0 * std::numbers::pi * i / count;
    Vec3 turned;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const double aside = tangent * (std::cos(angle) * a[axis] + std::sin(angle) * b[axis]);
      turned[axis] = length * shorter * (unit[axis] + aside);
    }
    all.push_back(turned);
  }
  return all;
}

} // namespace

PathPredictor::Motion PathPredictor::motion_of(const Particle& particle, const Mesh::WayInBricks& way) const
{
  Motion motion{ .place = way.place, .along = way.along, .interval = particle.interval };
  if (context_.is_unsteady())
  {
    const double node = context_.tableau().node[particle.stage];
    motion.time = particle.stage == 0 ? particle.trial_time : particle.time + particle.sign * node * particle.step;
    motion.duration = motion.time - particle.time;
    motion.last_time = particle.last_time;
  }
  return motion;
}

void PathPredictor::look(const Particle& particle, std::size_t most, std::vector<BrickKey>& keys)
{
  const auto way =
      particle.started ? context_.mesh().way_in_bricks(particle.base, particle.trial, particle.interval) : std::nullopt;
  if (!way)
  {
    return;
  }
  motion_ = motion_of(particle, *way);
  if (!(length_of(motion_.along) > 0.0) || (context_.is_unsteady() && motion_.duration == 0.0))
  {
    return;
  }
  rays_.clear();
  for (const Vec3& along : spread(motion_.along, most < kFewBricks ? 0 : kRaysAround, kTangent))
  {
    rays_.push_back(ray(along));
  }
  for (bool more = true; more && keys.size() < most;)
  {
    more = false;
    for (Ray& each : rays_)
    {
      if (!each.over)
      {
        go_on(each);
        add(each, most, keys);
        more = true;
      }
    }
  }
}

PathPredictor::Ray PathPredictor::ray(const Vec3& along) const
{
  Ray ray{ .interval = motion_.interval };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double at = motion_.place[axis];
    const double brick = std::floor(at);
    ray.brick[axis] = static_cast<std::int32_t>(brick);
    ray.towards[axis] = along[axis] > 0.0 ? 1 : (along[axis] < 0.0 ? -1 : 0);
    ray.across[axis] = ray.towards[axis] != 0 ? 1.0 / std::abs(along[axis]) : kNever;
    const double left = along[axis] > 0.0 ? brick + 1.0 - at : at - brick;
    ray.way[axis] = ray.towards[axis] != 0 ? left * ray.across[axis] : kNever;
  }
  set_way_in_time(ray);
  return ray;
}

void PathPredictor::set_way_in_time(Ray& ray) const
{
  ray.way_in_time = kNever;
  if (context_.is_unsteady())
  {
    const double end = context_.times()[static_cast<std::size_t>(ray.interval + (motion_.duration > 0.0 ? 1 : 0))];
    ray.way_in_time = (end - motion_.time) / motion_.duration;
  }
}

/// Moves a ray into its next brick or its next interval.
void PathPredictor::go_on(Ray& ray) const
{
  const std::size_t axis = static_cast<std::size_t>(std::min_element(ray.way.begin(), ray.way.end()) - ray.way.begin());
  const double way = std::min(ray.way[axis], ray.way_in_time);
  const double left = motion_.last_time - (motion_.time + way * motion_.duration);
  if (way == kNever || (context_.is_unsteady() && left * motion_.duration <= 0.0))
  {
    ray.over = true;
    return;
  }
  if (ray.way_in_time <= ray.way[axis])
  {
    ray.interval += motion_.duration > 0.0 ? 1 : -1;
    ray.over = !context_.holds(ray.interval);
    if (!ray.over)
    {
      set_way_in_time(ray);
    }
    return;
  }
  ray.brick[axis] += ray.towards[axis];
  ray.way[axis] += ray.across[axis];
  ray.over = ray.brick[axis] < 0 || ray.brick[axis] >= context_.bricks().count[axis];
}

void PathPredictor::add(const Ray& ray, std::size_t most, std::vector<BrickKey>& keys) const
{
  if (ray.over)
  {
    return;
  }
  const std::int64_t item = context_.item_of(row_major(ray.brick, context_.bricks().count), ray.interval);
  const StepRange steps = context_.steps_of(context_.is_unsteady() ? ray.interval : 0);
  const auto name = [&](const BrickKey& key)
  {
    if (keys.size() < most && std::find(keys.begin(), keys.end(), key) == keys.end())
    {
      keys.push_back(key);
    }
  };
  for (std::int32_t step = steps.first; step <= steps.last; ++step)
  {
    name(context_.key_of(item, step));
  }
  const SourceArray* const places = context_.mesh().places();
  if (places != nullptr && places->source == context_.field().velocity.source && !context_.mesh().moves())
  {
    name({ places->variable, places->step, context_.brick_of_item(item) });
  }
}

} // namespace rivulet
