// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// How far a read of neighbouring bytes has come that the system may answer in pieces, late, or not at all.
///
///     switch (progress.judge(answer, bytes)) { Again: read on at done(); Failed: error(); Done: there, or the end }
///
/// One thread at a time. Bytes.
#pragma once

#include <cstdint>

namespace rivulet
{

class ReadProgress
{
public:
  enum class Next : std::uint8_t
  {
    Again,
    Failed, ///< error() says why
    Done    ///< all is there, or the file ends at done()
  };

  /// Direct reads go on at whole pages only.
  explicit ReadProgress(bool direct)
    : direct_(direct)
  {
  }

  /// `answer` as preadv gives it for a read from done() on, or a negative errno; `bytes` is what is wanted in all.
  [[nodiscard]] Next judge(std::int64_t answer, std::int64_t bytes);

  [[nodiscard]] std::int64_t done() const { return done_; }
  [[nodiscard]] int error() const { return error_; } ///< errno; 0 if the file ended

private:
  [[nodiscard]] Next judge_short(std::int64_t answer);

  bool direct_;
  std::int64_t done_ = 0;
  int attempts_ = 0; ///< without progress
  int error_ = 0;
};

} // namespace rivulet
