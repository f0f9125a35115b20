// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Read/ReadProgress.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <cerrno>

namespace rivulet
{

namespace
{

/// A system that answers "not now" so many times in sequence will not read at all.
constexpr int kMostAttempts = 100;

} // namespace

ReadProgress::Next ReadProgress::judge(std::int64_t answer, std::int64_t bytes)
{
  if ((answer == -EINTR || answer == -EAGAIN) && ++attempts_ < kMostAttempts)
  {
    return Next::Again;
  }
  if (answer < 0)
  {
    error_ = static_cast<int>(-answer);
    return Next::Failed;
  }
  if (done_ + answer >= bytes)
  {
    done_ = bytes;
    return Next::Done;
  }
  return judge_short(answer);
}

ReadProgress::Next ReadProgress::judge_short(std::int64_t answer)
{
  // At the end of a file that is not the end of a page, a direct read returns the same bytes again and again.
  const std::int64_t reached = done_ + answer;
  const std::int64_t progress = direct_ ? reached / kPage * kPage : reached;
  attempts_ = progress > done_ ? 0 : attempts_ + 1;
  if (answer == 0 || attempts_ >= kMostAttempts)
  {
    error_ = 0;
    done_ = reached;
    return Next::Done;
  }
  done_ = std::max(done_, progress);
  return Next::Again;
}

} // namespace rivulet
