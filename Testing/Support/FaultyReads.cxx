// SPDX-License-Identifier: BSD-3-Clause
#include "Support/FaultyReads.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace rivulet::test
{

namespace
{

std::int64_t bytes_of(const FileRead& read)
{
  std::int64_t bytes = 0;
  for (const iovec& part : read.parts)
  {
    bytes += static_cast<std::int64_t>(part.iov_len);
  }
  return bytes;
}

/// Overwrites what lies behind the first `kept` bytes of a read.
void scribble(const FileRead& read, std::int64_t kept)
{
  for (const iovec& part : read.parts)
  {
    const auto length = static_cast<std::int64_t>(part.iov_len);
    const std::int64_t from = std::clamp<std::int64_t>(kept, 0, length);
    if (part.iov_base != nullptr)
    {
      std::memset(static_cast<char*>(part.iov_base) + from, 0xEE, static_cast<std::size_t>(length - from));
    }
    kept -= length;
  }
}

} // namespace

FaultyReads::FaultyReads(std::unique_ptr<ReadEngine> inner, const ReadFaults& faults)
  : inner_(std::move(inner))
  , faults_(faults)
{
}

void FaultyReads::submit(FileRead& read)
{
  inner_->submit(read);
}

std::int64_t FaultyReads::fault(const ReadAnswer& answer)
{
  const FileRead& read = *answer.read;
  if (faults_.bad_byte >= read.offset && faults_.bad_byte < read.offset + bytes_of(read))
  {
    scribble(read, 0);
    return -EIO;
  }
  int& times = answered_[answer.read];
  ++times;
  if (times <= faults_.busy_answers)
  {
    scribble(read, 0);
    return -EAGAIN;
  }
  if (times <= faults_.busy_answers + faults_.short_answers && answer.result > 1)
  {
    const std::int64_t kept = answer.result / 2 + 1;
    scribble(read, kept);
    return kept;
  }
  answered_.erase(answer.read);
  return answer.result;
}

void FaultyReads::wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers)
{
  std::vector<ReadAnswer> news;
  // What was held back is given out when nothing else comes.
  inner_->wait(held_back_.empty() ? most : std::min(most, std::chrono::milliseconds(2)), news);
  for (ReadAnswer& answer : news)
  {
    answer.result = fault(answer);
  }
  if (!faults_.out_of_order)
  {
    answers.insert(answers.end(), news.begin(), news.end());
    return;
  }
  const bool quiet = news.empty();
  held_back_.insert(held_back_.end(), news.begin(), news.end());
  std::shuffle(held_back_.begin(), held_back_.end(), random_);
  const std::size_t given = quiet ? held_back_.size() : held_back_.size() / 3;
  answers.insert(answers.end(), held_back_.end() - static_cast<std::ptrdiff_t>(given), held_back_.end());
  held_back_.resize(held_back_.size() - given);
}

} // namespace rivulet::test
