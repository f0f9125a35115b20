// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Messages of the translation on stderr, as the runtime writes its own:
///
///     rivulet in situ: rank 3: error: catalyst/channels/grid/type: the type "ioss" is unknown. Use ...
///
/// A message that comes at each step appears the first, second, fourth, ... time. Threads: the simulation's.
#pragma once

#include <map>
#include <string>

namespace rivulet::catalyst2
{

class Teller
{
public:
  void set_rank(int rank) { rank_ = rank; }

  void warn(const std::string& text) { tell("warning", text); }
  void error(const std::string& text) { tell("error", text); }

  /// The text of the last message since then; empty: there was none.
  void begin_call() { last_.clear(); }
  [[nodiscard]] const std::string& last() const { return last_; }

private:
  void tell(const char* severity, const std::string& text);

  int rank_ = 0;
  std::map<std::string, unsigned long> times_;
  std::string last_;
};

} // namespace rivulet::catalyst2
