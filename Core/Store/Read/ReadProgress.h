// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Progress of a read of consecutive bytes, which the system may answer in pieces, late, or not at all.
///
///     switch (progress.judge(answer, bytes)) { Again: read on at done(); Failed: error(); Done: all, or end of file }
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
    Failed, ///< error() has the reason
    Done    ///< all bytes are there, or the file ends at done()
  };

  /// Direct reads continue at whole pages only.
  explicit ReadProgress(bool direct)
    : direct_(direct)
  {
  }

  /// `answer`: the result of preadv for a read from done() on, or a negative errno; `bytes`: number of all wanted
  /// bytes.
  [[nodiscard]] Next judge(std::int64_t answer, std::int64_t bytes);

  [[nodiscard]] std::int64_t done() const { return done_; }
  [[nodiscard]] int error() const { return error_; } ///< errno; 0 if the file ended

private:
  [[nodiscard]] Next judge_short(std::int64_t answer);

  bool direct_;
  std::int64_t done_ = 0;
  int attempts_ = 0; ///< number of answers without progress
  int error_ = 0;
};

} // namespace rivulet
