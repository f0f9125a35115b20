// SPDX-License-Identifier: BSD-3-Clause
#include "Particles/PairSpace.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace rivulet
{

namespace
{

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kGrain = 65536; ///< particles in a slice: about 200 us
constexpr double kWhole = 0.75;        ///< share of the domain beyond which a rank holds it whole

struct alignas(64) Sums
{
  Vec3 low{ kInfinity, kInfinity, kInfinity };
  Vec3 high{ -kInfinity, -kInfinity, -kInfinity };
  Vec3 sum{};
  Vec3 squares{};
  std::int64_t count = 0;

  void add(const Vec3& at)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      low[axis] = std::min(low[axis], at[axis]);
      high[axis] = std::max(high[axis], at[axis]);
      sum[axis] += at[axis];
      squares[axis] += at[axis] * at[axis];
    }
    ++count;
  }
};

} // namespace

Positions positions_of(const Host& host, const rivulet_particles& particles)
{
  std::vector<Sums> slots(static_cast<std::size_t>(host.slots()));
  host.for_ranges(particles.count, kGrain,
      [&](std::int64_t begin, std::int64_t end, int slot) noexcept
      {
        Sums& sums = slots[static_cast<std::size_t>(slot)];
        for (std::int64_t i = begin; i < end; ++i)
        {
          const Vec3 at{ particles.x[i], particles.y[i], particles.z[i] };
          if (std::isfinite(at[0]) && std::isfinite(at[1]) && std::isfinite(at[2]))
          {
            sums.add(at);
          }
        }
      });
  Positions all;
  all.low.fill(kInfinity);
  all.high.fill(-kInfinity);
  Vec3 squares{};
  for (const Sums& sums : slots)
  {
    all.count += sums.count;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      all.low[axis] = std::min(all.low[axis], sums.low[axis]);
      all.high[axis] = std::max(all.high[axis], sums.high[axis]);
      all.mean[axis] += sums.sum[axis];
      squares[axis] += sums.squares[axis];
    }
  }
  all.not_finite = particles.count - all.count;
  for (std::size_t axis = 0; axis < 3 && all.count > 0; ++axis)
  {
    const auto count = static_cast<double>(all.count);
    all.mean[axis] /= count;
    all.deviation[axis] = std::sqrt(std::max(0.0, squares[axis] / count - all.mean[axis] * all.mean[axis]));
  }
  return all;
}

Result<PairSpace> PairSpace::around(const Positions& positions, const rivulet_particles& particles, int ranks)
{
  PairSpace space;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double domain = particles.high[axis] - particles.low[axis];
    const bool bounded = std::isfinite(domain) && domain > 0.0;
    if (particles.periodic[axis] != 0 && !bounded)
    {
      return fail(ErrorCode::BadArgument,
          "the particles \"" + std::string(particles.name) + "\" are periodic along " + "xyz"[axis] +
              ", but have no bounds there",
          "publish the domain's corners");
    }
    const double span = positions.count > 0 ? positions.high[axis] - positions.low[axis] : 0.0;
    const bool whole = bounded && (ranks == 1 || span > kWhole * domain);
    space.wraps[axis] = whole && particles.periodic[axis] != 0;
    space.low[axis] = whole ? particles.low[axis] : (positions.count > 0 ? positions.low[axis] : 0.0);
    space.extent[axis] = whole ? domain : span;
  }
  return space;
}

double PairSpace::diameter() const
{
  Vec3 most{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    most[axis] = wraps[axis] ? extent[axis] / 2 : extent[axis];
  }
  return std::hypot(most[0], most[1], most[2]);
}

double PairSpace::reach() const
{
  double least = kInfinity;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    least = std::min(least, wraps[axis] ? extent[axis] / 2 : extent[axis]);
  }
  return least;
}

double PairSpace::ideal_share(double from, double to) const
{
  if (!(volume() > 0.0) || to > reach() * (1.0 + 1e-9))
  {
    return std::nan("");
  }
  Vec3 inverse{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    inverse[axis] = wraps[axis] ? 0.0 : 1.0 / extent[axis];
  }
  constexpr double kPi = std::numbers::pi;
  const double one = (inverse[0] + inverse[1] + inverse[2]) / 2;
  const double two = (inverse[0] * inverse[1] + inverse[1] * inverse[2] + inverse[2] * inverse[0]) * 2 / (3 * kPi);
  const double three = inverse[0] * inverse[1] * inverse[2] / (4 * kPi);
  const auto integral = [&](double r)
  {
    return 4 * kPi * r * r * r * (1.0 / 3 - r * (one / 4 - r * (two / 5 - r * three / 6)));
  };
  return (integral(to) - integral(from)) / volume();
}

} // namespace rivulet
