// SPDX-License-Identifier: BSD-3-Clause
#include "Lines/SeedOptions.h"

namespace rivulet
{

namespace
{

Vec3 between(const Vec3& from, const Vec3& to, double share)
{
  return { from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]),
    from[2] + share * (to[2] - from[2]) };
}

std::vector<Vec3> seeds_on_line(const Vec3& from, const Vec3& to, std::int64_t count)
{
  std::vector<Vec3> seeds;
  for (std::int64_t i = 0; i < count; ++i)
  {
    seeds.push_back(between(from, to, count > 1 ? static_cast<double>(i) / static_cast<double>(count - 1) : 0.5));
  }
  return seeds;
}

std::vector<Vec3> seeds_on_plane(const std::vector<Vec3>& corners, std::int64_t count)
{
  std::vector<Vec3> seeds;
  for (const Vec3& side : seeds_on_line(corners[0], corners[2], count))
  {
    const Vec3 other{ side[0] + corners[1][0] - corners[0][0], side[1] + corners[1][1] - corners[0][1],
      side[2] + corners[1][2] - corners[0][2] };
    const std::vector<Vec3> row = seeds_on_line(side, other, count);
    seeds.insert(seeds.end(), row.begin(), row.end());
  }
  return seeds;
}

} // namespace

std::vector<Vec3> read_seeds(OptionReader& read)
{
  const std::vector<Vec3> points = read.points("points");
  const std::vector<Vec3> line = read.points("line");
  const std::vector<Vec3> plane = read.points("plane");
  const std::int64_t resolution = read.integer("resolution", 10, { 1, plane.empty() ? 1'000'000 : 1000 });
  if (read.has("points") + read.has("line") + read.has("plane") != 1)
  {
    read.refuse("points", "set, or one of \"line\" and \"plane\", and no other of the three");
  }
  if (read.has("line") && line.size() != 2)
  {
    read.refuse("line", "a list of 2 points of 3 numbers each");
  }
  if (read.has("plane") && plane.size() != 3)
  {
    read.refuse("plane", "a list of 3 points of 3 numbers each");
  }
  return line.size() == 2    ? seeds_on_line(line[0], line[1], resolution)
         : plane.size() == 3 ? seeds_on_plane(plane, resolution)
                             : points;
}

SeedRange seeds_of_rank(std::int64_t count, int rank, int ranks)
{
  return { count * rank / ranks, count * (rank + 1) / ranks };
}

} // namespace rivulet
