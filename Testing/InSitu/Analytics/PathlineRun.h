// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Runs of the analytics `pathlines` in a field that turns and drifts, and the lines of their files.
///
///     PathlineRun run({ .output = folder });
///     run.steps(0, 7);
///     EXPECT_TRUE(joined(folder) == expected);
#pragma once

#include "InSitu/Analytics/Atoms.h"
#include "InSitu/Analytics/Flow.h"
#include "InSitu/Analytics/LineFile.h"
#include "InSitu/Analytics/PluginHost.h"

#include <cmath>
#include <filesystem>
#include <map>

namespace rivulet::test
{

/// Path of a step's file.
inline std::string file_of(const std::string& folder, std::size_t step, const std::string& ending = ".vtp")
{
  return folder + "/pathlines-0000000" + std::to_string(step) + ending;
}

inline const Int3 kCells{ 20, 20, 6 }; // the domain: [-1, 9] x [0.5, 5.5] x [2, 2.75]

/// Turns about an axis that moves, and drifts.
inline std::array<double, 3> turning(const Int3& node, double time)
{
  const double x = kFlowOrigin[0] + kFlowSpacing[0] * node[0];
  const double y = kFlowOrigin[1] + kFlowSpacing[1] * node[1];
  return { 3.0 - y + 0.3 * std::sin(time), x - 4.0 - 0.5 * time, 0.02 * std::cos(3.0 * x + time) };
}

inline const std::vector<double> kTimes{ 0.0, 0.1, 0.25, 0.5, 0.6, 0.9, 1.5 };

/// One line: its points, and the values of an attribute.
struct Line
{
  std::vector<float> points;
  std::vector<double> times;
  std::vector<double> pressure;

  friend bool operator==(const Line&, const Line&) = default;
};

/// The lines of the files of all steps that have one, joined by their seeds.
inline std::map<int, Line> joined(const std::string& folder)
{
  std::map<int, Line> lines;
  for (std::size_t step = 1; step < kTimes.size(); ++step)
  {
    const std::string file = file_of(folder, step);
    if (!std::filesystem::is_regular_file(file))
    {
      continue;
    }
    const auto points = values_of<float>(file, "Points");
    const auto times = values_of<double>(file, "SimulationTime");
    const auto pressure = values_of<double>(file, "pressure");
    const auto seeds = values_of<std::int32_t>(file, "SeedIds");
    const auto ends = values_of<std::int64_t>(file, "offsets", "<Lines>");
    const std::size_t vertices = seeds.size() - ends.size();
    std::size_t point = 0;
    for (std::size_t i = 0; i < ends.size(); ++i)
    {
      Line& line = lines[seeds[vertices + i]];
      if (!line.times.empty())
      {
        EXPECT_EQ(line.times.back(), times[point]) << "a line begins where it ended";
        ++point;
      }
      for (; point < static_cast<std::size_t>(ends[i]); ++point)
      {
        line.points.insert(line.points.end(), points.begin() + 3 * static_cast<std::ptrdiff_t>(point),
            points.begin() + 3 * static_cast<std::ptrdiff_t>(point) + 3);
        line.times.push_back(times[point]);
        line.pressure.push_back(pressure[point]);
      }
    }
  }
  return lines;
}

/// Four seeds whose particles move, of which one leaves the domain, and one outside.
inline const std::vector<Vec3> kSeeds{ { 5, 3, 2.3 }, { 6, 3, 2.4 }, { 8.9, 3, 2.3 }, { 4.1, 3, 2.1 }, { 100, 0, 0 } };
inline constexpr const char* kPathlineOptions =
    R"({"points": [[5, 3, 2.3], [6, 3, 2.4], [8.9, 3, 2.3], [4.1, 3, 2.1], [100, 0, 0]], "attributes": ["pressure"]})";

/// A run on some ranks, which have the blocks of the field in turn.
class PathlineRun
{
public:
  explicit PathlineRun(const PluginSettings& settings, const std::string& options = kPathlineOptions)
    : host_("pathlines", options, settings)
  {
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(settings.comm, &rank);
    MPI_Comm_size(settings.comm, &ranks);
    const std::vector<Box> boxes = cut_unevenly(kCells, { 3, 2, 2 });
    for (std::size_t number = 0; number < boxes.size(); ++number)
    {
      if (static_cast<int>(number) % ranks == rank)
      {
        flow_.add_block(boxes[number]);
      }
    }
  }

  /// Executes a step at its time. Returns the code.
  int step(std::size_t number)
  {
    return host_.execute(flow_.snapshot(static_cast<std::int64_t>(number), kTimes[number]));
  }
  /// Executes steps [first, end), which succeed.
  void steps(std::size_t first, std::size_t end)
  {
    for (std::size_t number = first; number < end; ++number)
    {
      EXPECT_EQ(step(number), 0) << "step " << number << ": " << host_.said();
    }
  }
  [[nodiscard]] PluginHost& host() { return host_; }
  [[nodiscard]] Flow& flow() { return flow_; }

private:
  PluginHost host_;
  Flow flow_{ kCells, RIVULET_NODES, turning };
};

} // namespace rivulet::test
