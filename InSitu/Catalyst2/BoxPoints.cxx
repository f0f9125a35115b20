// SPDX-License-Identifier: BSD-3-Clause
#include "BoxPoints.h"

#include "JoinedValues.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace rivulet::catalyst2
{

namespace
{

/// A coordinate of packed points, which are floats or doubles in memory.
double coordinate_at(const Values& points, const std::byte* packed, std::int64_t at)
{
  if (points.type == RIVULET_FLOAT32)
  {
    float value = 0;
    std::memcpy(&value, packed + at * points.bytes, sizeof(value));
    return value;
  }
  double value = 0;
  std::memcpy(&value, packed + at * points.bytes, sizeof(value));
  return value;
}

void set_coordinate(const Values& points, std::byte* packed, std::int64_t at, double value)
{
  const auto single = static_cast<float>(value);
  std::memcpy(packed + at * points.bytes, points.type == RIVULET_FLOAT32 ? static_cast<const void*>(&single) : &value,
      static_cast<std::size_t>(points.bytes));
}

/// The distance of two nodes in the plane of x and y; infinite if there is none, since a cell may be degenerate.
double distance(const Values& points, const std::byte* packed, std::int64_t one, std::int64_t other)
{
  const double apart = std::hypot(coordinate_at(points, packed, 3 * one) - coordinate_at(points, packed, 3 * other),
      coordinate_at(points, packed, 3 * one + 1) - coordinate_at(points, packed, 3 * other + 1));
  return apart > 0 ? apart : std::numeric_limits<double>::infinity();
}

} // namespace

void BoxPoints::add(const Values& points, const std::vector<const Values*>& layers)
{
  Values made = points;
  if (layers.size() > 1 || points.components < 3)
  {
    std::vector<std::byte>& copy = copies_.emplace_back(JoinedValues(layers, 3, true).take());
    made.components = 3;
    made.separate = false;
    made.stride = 0;
    made.first = { copy.data() };
    made.count = points.count * static_cast<std::int64_t>(layers.size());
  }
  all_.push_back(std::move(made));
}

BoxPoints BoxPoints::of_nodes(const std::vector<Domain>& domains)
{
  BoxPoints made;
  for (const Domain& each : domains)
  {
    made.add(each.grid.points, { &each.grid.points });
  }
  return made;
}

BoxPoints BoxPoints::of_layer(const std::vector<Domain>& domains, double thickness)
{
  BoxPoints made;
  for (const Domain& each : domains)
  {
    const Values& points = each.grid.points;
    made.add(points, { &points, &points });
    for (std::int64_t i = points.count; i < 2 * points.count; ++i)
    {
      set_coordinate(points, made.copies_.back().data(), 3 * i + 2, thickness);
    }
  }
  return made;
}

double least_edge(const std::vector<Domain>& domains)
{
  double least = std::numeric_limits<double>::infinity();
  const BoxPoints nodes = BoxPoints::of_nodes(domains);
  for (std::size_t i = 0; i < domains.size(); ++i)
  {
    const Values& points = nodes.all()[i];
    const auto* const packed = static_cast<const std::byte*>(points.first.front());
    const std::int64_t row = domains[i].grid.cells[0] + 1;
    const std::int64_t count = domains[i].grid.points.components == 2 ? points.count : 0;
    for (std::int64_t node = 0; node < count; ++node)
    {
      least = (node + 1) % row == 0 ? least : std::min(least, distance(points, packed, node, node + 1));
      least = node + row >= count ? least : std::min(least, distance(points, packed, node, node + row));
    }
  }
  return least;
}

} // namespace rivulet::catalyst2
