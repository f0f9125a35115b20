// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A line on the standard error stream, redrawn in place on a terminal, and texts for it.
///
///     TerminalLine line;
///     line.draw(bar_text("tracing", 0.5, 24) + ", " + time_left_text(90));   // tracing [####----]  50 %, 1:30 left
///
/// One thread.
#pragma once

#include <string>

namespace rivulet
{

class TerminalLine
{
public:
  TerminalLine();
  ~TerminalLine() { wipe(); }
  TerminalLine(const TerminalLine&) = delete;
  TerminalLine& operator=(const TerminalLine&) = delete;

  [[nodiscard]] bool on_terminal() const { return terminal_; }

  /// Replaces the text drawn before. If the stream is no terminal, each text is a line of its own.
  void draw(const std::string& text);
  void wipe();

private:
  bool terminal_;
  bool drawn_ = false;
};

/// "verb [#####-----]  50 %", with a bar of `places` characters; without a bar if that is 0. `part` in [0, 1].
[[nodiscard]] std::string bar_text(const std::string& verb, double part, int places);

/// "0:02 left", "1:00:00 left".
[[nodiscard]] std::string time_left_text(double seconds);

} // namespace rivulet
