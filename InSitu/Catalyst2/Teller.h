// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Messages of the translation on stderr, as the runtime writes its own:
///
///     rivulet in situ: rank 3: error: catalyst/channels/grid/type: the type "ioss" is unknown. Use ...
///
/// A message that comes at each step appears the first, second, fourth, ... time. Messages are the same if their paths
/// are, and their texts but for numbers: a count that changes with the steps makes no new message. Threads: the
/// simulation's.
#pragma once

#include "Base/Result.h"

#include <map>
#include <string>

namespace rivulet::catalyst2
{

class Teller
{
public:
  void set_rank(int rank) { rank_ = rank; }

  void warn(const Error& about) { tell("warning", about); }
  void error(const Error& about) { tell("error", about); }
  /// Of data that no step translates: appears the first time alone.
  void warn_once(const Error& about);
  /// An exception that ends a call. There may be no memory.
  void report(const char* call, const char* what) noexcept;

  /// The text of the last message since then; empty: there was none.
  void begin_call() noexcept { last_.clear(); }
  [[nodiscard]] const std::string& last() const { return last_; }
  /// Makes it the last message of a call that had none. It has appeared before.
  void keep(const std::string& text);

private:
  void tell(const char* severity, const Error& about);
  void write(const char* severity, const std::string& text) const;

  int rank_ = 0;
  std::map<std::string, unsigned long> times_; ///< of each message that has come
  std::string last_;
};

} // namespace rivulet::catalyst2
