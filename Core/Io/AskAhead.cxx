// SPDX-License-Identifier: BSD-3-Clause
#include "Io/AskAhead.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr std::int64_t kGap = std::int64_t{ 16 } << 10; ///< that is rather read than left out
constexpr std::int64_t kMostTogether = std::int64_t{ 1 } << 20;

} // namespace

void AskAhead::reach(std::size_t i)
{
  while (next_ < parts_.size() && (next_ <= i || asked_ - behind_ < kAhead))
  {
    ask_for_next();
  }
  behind_ += parts_[i].bytes;
}

void AskAhead::ask_for_all()
{
  while (next_ < parts_.size())
  {
    ask_for_next();
  }
}

void AskAhead::ask_for_next()
{
  const std::int64_t begin = parts_[next_].begin;
  std::int64_t end = begin;
  do
  {
    end = std::max(end, parts_[next_].begin + parts_[next_].bytes);
    asked_ += parts_[next_].bytes;
    ++next_;
  } while (next_ < parts_.size() && end - begin < kMostTogether && parts_[next_].begin >= begin &&
           parts_[next_].begin <= end + kGap);
  file_.will_need(begin, end - begin);
}

} // namespace rivulet
