// SPDX-License-Identifier: BSD-3-Clause
#include "Store/RecordRead.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <cerrno>

namespace rivulet
{

namespace
{

/// A system that answers "not now" so often in a row means never.
constexpr int kMostAttempts = 100;

} // namespace

FileRead& RecordRead::prepare()
{
  offset = begin() + done_;
  parts.clear();
  std::int64_t at = offset;
  for (const Brick& brick : bricks_)
  {
    if (brick.offset + stride_ <= at)
    {
      continue;
    }
    if (brick.offset > at)
    {
      parts.push_back({ nullptr, static_cast<std::size_t>(brick.offset - at) });
      at = brick.offset;
    }
    const std::int64_t within = at - brick.offset;
    parts.push_back({ brick.to + within, static_cast<std::size_t>(stride_ - within) });
    at = brick.offset + stride_;
  }
  same_memory = bricks_.size() == 1 && done_ == 0;
  return *this;
}

RecordRead::Next RecordRead::judge(std::int64_t answer)
{
  if (answer == -EINTR || answer == -EAGAIN)
  {
    if (++attempts_ < kMostAttempts)
    {
      return Next::Again;
    }
  }
  if (answer < 0)
  {
    error_ = static_cast<int>(-answer);
    return bricks_.size() > 1 ? Next::Split : Next::Done; // which of them it was, each says for itself
  }
  if (done_ + answer >= bytes())
  {
    done_ = bytes();
    return Next::Done;
  }
  return judge_short(answer);
}

RecordRead::Next RecordRead::judge_short(std::int64_t answer)
{
  // Behind a file's end that is not a page's, a direct read answers with the same odd bytes again and again.
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

Result<void> RecordRead::outcome(const Brick& brick, const std::string& path) const
{
  const std::int64_t reached = begin() + done_;
  if (reached >= brick.offset + stride_)
  {
    return {};
  }
  const std::int64_t first_missing = std::max(brick.offset, reached);
  if (error_ == 0)
  {
    return fail(ErrorCode::Truncated, "the file ends too early", "copy or convert it again", path, first_missing);
  }
  return fail(ErrorCode::CannotRead, "the file cannot be read", "check the disk", path, first_missing, error_);
}

} // namespace rivulet
