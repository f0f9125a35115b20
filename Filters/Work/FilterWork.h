// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Base of the works: the filter, for its warnings, and its settings of the present request.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Filters/Steps/UnsteadyWork.h"

#include <functional>
#include <utility>

class vtkAlgorithm;

namespace rivulet
{

/// `Settings`: the user's choices, with the options of integration as `options`.
template <class Settings>
class FilterWork : public UnsteadyWork
{
public:
  /// The filter must outlive the work. `settings_now`: what the filter's properties say when it is called.
  FilterWork(vtkAlgorithm& filter, std::function<Settings()> settings_now)
    : filter_(filter)
    , settings_now_(std::move(settings_now))
  {
  }

protected:
  [[nodiscard]] vtkAlgorithm& filter() const { return filter_; }
  /// Of the present request.
  [[nodiscard]] const Settings& settings() const { return settings_; }
  /// Reads the settings for a request, for read_settings().
  void take_settings() { settings_ = settings_now_(); }
  /// Fails if no particle could take a step with the options of integration.
  [[nodiscard]] Result<void> check_options() const
  {
    return settings_.options.maximum_steps >= 0
               ? Result<void>{}
               : fail(ErrorCode::BadArgument, "Maximum Steps is negative", "set Maximum Steps to a number of steps");
  }

private:
  vtkAlgorithm& filter_;
  std::function<Settings()> settings_now_;
  Settings settings_{};
};

} // namespace rivulet
