// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Reads/ReadAhead.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr std::int64_t kGap = std::int64_t{ 16 } << 10; ///< bytes between two parts that are requested with them
constexpr std::int64_t kMostTogether = std::int64_t{ 1 } << 20; ///< bytes of one request, before its last part

} // namespace

void ReadAhead::reach(std::size_t i)
{
  while (next_ < parts_.size() && (next_ <= i || requested_ - behind_ < kAhead))
  {
    prefetch_next();
  }
  behind_ += parts_[i].bytes;
}

void ReadAhead::prefetch_all()
{
  while (next_ < parts_.size())
  {
    prefetch_next();
  }
}

void ReadAhead::prefetch_next()
{
  const std::int64_t begin = parts_[next_].begin;
  std::int64_t end = begin;
  do
  {
    end = std::max(end, parts_[next_].begin + parts_[next_].bytes);
    requested_ += parts_[next_].bytes;
    ++next_;
  } while (next_ < parts_.size() && end - begin < kMostTogether && parts_[next_].begin >= begin &&
           parts_[next_].begin <= end + kGap);
  file_.will_need(begin, end - begin);
}

} // namespace rivulet
