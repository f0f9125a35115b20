// SPDX-License-Identifier: BSD-3-Clause
#include "Store/RecordRead.h"

#include <algorithm>

namespace rivulet
{

FileRead& RecordRead::prepare()
{
  offset = begin() + progress_.done();
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
  same_memory = bricks_.size() == 1 && progress_.done() == 0;
  return *this;
}

RecordRead::Next RecordRead::judge(std::int64_t answer)
{
  switch (progress_.judge(answer, bytes()))
  {
  case ReadProgress::Next::Again:
    return Next::Again;
  case ReadProgress::Next::Failed:
    return bricks_.size() > 1 ? Next::Split : Next::Done; // which of them it was, each says for itself
  case ReadProgress::Next::Done:
    break;
  }
  return Next::Done;
}

Result<void> RecordRead::outcome(const Brick& brick, const std::string& path) const
{
  const std::int64_t reached = begin() + progress_.done();
  if (reached >= brick.offset + stride_)
  {
    return {};
  }
  const std::int64_t first_missing = std::max(brick.offset, reached);
  if (progress_.error() == 0)
  {
    return fail(ErrorCode::Truncated, "the file ends too early", "copy or convert it again", path, first_missing);
  }
  return fail(
      ErrorCode::CannotRead, "the file cannot be read", "check the disk", path, first_missing, progress_.error());
}

} // namespace rivulet
