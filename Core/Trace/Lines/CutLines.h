// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Points of lines at times between their traced points, where lines of a given duration are cut.
///
///     LineCuts cuts;
///     line.add(cuts.at(time, before, after)); // again and again
///     cuts.fill(like);                         // before the parts are gathered
///
/// Lifetime: the parts refer to the cuts. Threads: one.
#pragma once

#include "Trace/Lines/GatherLines.h"

#include <vector>

namespace rivulet
{

/// A traced point.
struct PointOfLine
{
  const TracedLines* piece = nullptr;
  std::int64_t number = 0;

  [[nodiscard]] double time() const { return piece->time[static_cast<std::size_t>(number)]; }
};

class LineCuts
{
public:
  LineCuts() = default;
  LineCuts(const LineCuts&) = delete;
  LineCuts& operator=(const LineCuts&) = delete;

  /// A part of one point at a time between the times of two neighbours, which differ. It lies on the straight line
  /// between them, so that a line keeps its shape, and so do the values of its arrays.
  [[nodiscard]] LinePart at(double time, const PointOfLine& before, const PointOfLine& after);
  /// Makes the points. `like`: as of gather(). Throws std::bad_alloc.
  void fill(const TracedLines& like);

private:
  struct Cut
  {
    double time = 0.0;
    PointOfLine before;
    PointOfLine after;
  };

  std::vector<Cut> cuts_;
  TracedLines points_;
};

} // namespace rivulet
