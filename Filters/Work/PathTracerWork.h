// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Work of vtkRivuletPathTracer: paths, particles at the time of the frame, and seeds.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Filters/Work/PathlineWork.h"

#include <string>

namespace rivulet
{

class PathTracerWork final : public PathlineWork
{
public:
  /// `paths_shown`: gets a text for users, how many paths there are or why there is none. It must outlive the work.
  PathTracerWork(vtkAlgorithm& filter, std::function<PathlineSettings()> settings_now, std::string& paths_shown)
    : PathlineWork(filter, std::move(settings_now))
    , paths_shown_(paths_shown)
  {
  }

  void fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts) override;
  void warn(const UnsteadyPass& pass, const RunReport& report) override;

private:
  std::string& paths_shown_;
};

} // namespace rivulet
