// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A program that runs beside this one, with pipes to its input and from its output.
///
///     Process consumer({ "stream_consumer", "--threads", "4" });
///     consumer.write_line("run-0 seen.txt");
///     std::string answer = consumer.read_line();
///
/// It ends when its input ends. One thread.
#pragma once

#include <cstdio>
#include <string>
#include <sys/types.h>
#include <vector>

namespace rivulet::bench
{

class Process
{
public:
  /// Ends this program where the other one cannot be started.
  explicit Process(const std::vector<std::string>& words);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Waits for its end.
  ~Process();

  [[nodiscard]] pid_t id() const { return id_; }
  void write_line(const std::string& line);
  /// Ends this program where there is no line.
  [[nodiscard]] std::string read_line();

private:
  pid_t id_ = -1;
  std::FILE* input_ = nullptr;
  std::FILE* output_ = nullptr;
};

} // namespace rivulet::bench
