// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Output/LineNormals.h"

#include "Base/Vector.h"

#include <cmath>
#include <optional>

namespace rivulet
{

namespace
{

constexpr double kParallel = 1e-3; ///< sine of an angle; segments with a smaller angle count as parallel

/// `a` with length 1; zero stays zero.
Vec3 unit(const Vec3& a)
{
  const double length = length_of(a);
  const double scale = length > 0.0 ? 1.0 / length : 0.0;
  return { scale * a[0], scale * a[1], scale * a[2] };
}

/// Iterates over the segments of a line. Skips segments without length.
template <class T>
class Segments
{
public:
  explicit Segments(std::span<const T> points)
    : points_(points)
    , count_(points.size() / 3)
  {
  }

  /// Unit direction of the next segment with a length, if there is one; start() is then its first point.
  std::optional<Vec3> next()
  {
    for (; next_ + 1 < count_; ++next_)
    {
      const Vec3 step = difference(next_);
      if (step[0] != 0.0 || step[1] != 0.0 || step[2] != 0.0)
      {
        start_ = next_++;
        return unit(step);
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::size_t start() const { return start_; }

private:
  [[nodiscard]] Vec3 difference(std::size_t at) const
  {
    const T* from = points_.data() + 3 * at;
    return { double{ from[3] } - from[0], double{ from[4] } - from[1], double{ from[5] } - from[2] };
  }

  std::span<const T> points_;
  std::size_t count_;
  std::size_t next_ = 0;
  std::size_t start_ = 0;
};

/// Any vector perpendicular to `direction`.
Vec3 any_normal(const Vec3& direction)
{
  Vec3 normal{ 0, 0, 1 };
  for (std::size_t i = 0; i < 3; ++i)
  {
    if (direction[i] != 0.0)
    {
      normal[(i + 2) % 3] = 0.0;
      normal[(i + 1) % 3] = 1.0;
      normal[i] = -direction[(i + 1) % 3] / direction[i];
      break;
    }
  }
  return unit(normal);
}

/// `normal` after the rotation of `before` into `after`; nothing if they are parallel.
std::optional<Vec3> carry(const Vec3& normal, const Vec3& before, const Vec3& after)
{
  const Vec3 axis = unit(cross(after, before));
  if (length_of(cross(before, normal)) == 0.0 || length_of(axis) == 0.0)
  {
    return std::nullopt;
  }
  const double along = dot(axis, normal);
  double across = std::sqrt(std::max(0.0, 1.0 - along * along));
  const Vec3 middle = unit({ after[0] + before[0], after[1] + before[1], after[2] + before[2] });
  const Vec3 new_side = cross(middle, axis);
  const Vec3 old_side = cross(before, axis);
  if (dot(normal, old_side) * dot(new_side, old_side) < 0.0)
  {
    across = -across;
  }
  return Vec3{ along * axis[0] + across * new_side[0], along * axis[1] + across * new_side[1],
    along * axis[2] + across * new_side[2] };
}

template <class T>
void slide(std::span<const T> points, std::span<Vec3> normals)
{
  Segments<T> segments(points);
  std::optional<Vec3> before = segments.next();
  if (!before)
  {
    std::fill(normals.begin(), normals.end(), Vec3{ 0, 0, 1 });
    return;
  }
  Vec3 normal = any_normal(*before);
  std::optional<Vec3> after = segments.next();
  for (; after; after = segments.next())
  {
    const Vec3 plane = cross(*before, *after);
    if (length_of(plane) > kParallel)
    {
      normal = unit(plane);
      before = after;
      break;
    }
  }
  std::size_t done = 0;
  for (after = segments.next(); after; after = segments.next())
  {
    if (const std::optional<Vec3> carried = carry(normal, *before, *after))
    {
      std::fill(normals.begin() + done, normals.begin() + segments.start(), normal);
      done = segments.start();
      before = after;
      normal = *carried;
    }
  }
  std::fill(normals.begin() + done, normals.end(), normal);
}

} // namespace

void slide_normals(std::span<const float> points, std::span<Vec3> normals)
{
  slide(points, normals);
}

void slide_normals(std::span<const double> points, std::span<Vec3> normals)
{
  slide(points, normals);
}

Vec3 turn_normal(const Vec3& normal, const Vec3& velocity, double angle)
{
  const double length = length_of(normal);
  const Vec3 first = unit(normal);
  const Vec3 second = unit(cross(first, velocity));
  const double along = length * std::cos(angle);
  const double across = length * std::sin(angle);
  return { along * first[0] + across * second[0], along * first[1] + across * second[1],
    along * first[2] + across * second[2] };
}

} // namespace rivulet
