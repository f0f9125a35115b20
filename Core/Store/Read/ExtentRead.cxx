// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Read/ExtentRead.h"

#include <algorithm>

namespace rivulet
{

FileRead& ExtentRead::prepare()
{
  offset = begin() + progress_.done();
  parts.clear();
  std::int64_t at = offset;
  for (const Piece& piece : pieces_)
  {
    const std::int64_t end = piece.begin + piece.length;
    if (end <= at)
    {
      continue;
    }
    if (piece.begin > at)
    {
      parts.push_back({ nullptr, static_cast<std::size_t>(piece.begin - at) });
      at = piece.begin;
    }
    parts.push_back({ piece.memory + (at - piece.begin), static_cast<std::size_t>(end - at) });
    at = end;
  }
  return *this;
}

ExtentRead::Next ExtentRead::judge(std::int64_t answer)
{
  switch (progress_.judge(answer, pieces_.back().begin + pieces_.back().wanted - begin()))
  {
  case ReadProgress::Next::Again:
    return Next::Again;
  case ReadProgress::Next::Failed:
    return pieces_.size() > 1 ? Next::Split : Next::Done; // outcome() then tells for each piece
  case ReadProgress::Next::Done:
    break;
  }
  return Next::Done;
}

std::int64_t ExtentRead::gaps() const
{
  std::int64_t bytes = pieces_.back().begin + pieces_.back().length - begin();
  for (const Piece& piece : pieces_)
  {
    bytes -= piece.length;
  }
  return bytes;
}

Result<void> ExtentRead::outcome(const Piece& piece) const
{
  const std::int64_t end = piece.begin + piece.wanted;
  const std::int64_t reached = begin() + progress_.done();
  if (reached >= end)
  {
    return {};
  }
  const std::int64_t first_missing = std::max(piece.begin, reached);
  if (progress_.error() == 0)
  {
    return tl::unexpected(too_short(file_->path(), first_missing, end));
  }
  return fail(ErrorCode::CannotRead, "the file cannot be read", "check the disk", file_->path(), first_missing,
      progress_.error());
}

} // namespace rivulet
