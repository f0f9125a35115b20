// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Lines of text for the user, on stderr:
///
///     rivulet in situ: rank 3: error: radial, step 120: the file cannot be written
///
/// All functions may be called by any thread.
#pragma once

#include <mutex>
#include <string>

namespace rivulet::insitu
{

class Messages
{
public:
  explicit Messages(int rank)
    : rank_(rank)
  {
  }

  /// `severity`: a constant of rivulet_analytics.h; any other number counts as an error.
  void add(int severity, const std::string& text);

  /// The last error or warning; empty if there was none.
  [[nodiscard]] std::string last() const;

private:
  int rank_;
  mutable std::mutex mutex_;
  std::string last_;
};

} // namespace rivulet::insitu
