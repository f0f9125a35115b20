// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Reads/ThreadedReads.h"

#include "Base/Bytes.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <exception>
#include <new>

namespace rivulet
{

ThreadedReads::ThreadedReads(const std::string& why)
  : name_("threads, because " + why)
{
  answered_.reserve(static_cast<std::size_t>(depth())); // a thread of its own cannot report a lack of memory
  threads_.reserve(kThreads);
  threads_.emplace_back([this] { serve(); });
  try
  {
    while (static_cast<int>(threads_.size()) < kThreads)
    {
      threads_.emplace_back([this] { serve(); });
    }
  }
  catch (const std::exception&) // std::system_error or std::bad_alloc: fewer threads do the same
  {
  }
}

ThreadedReads::~ThreadedReads()
{
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.notify_all();
  for (std::thread& thread : threads_)
  {
    thread.join();
  }
}

void ThreadedReads::submit(FileRead& read)
{
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(&read);
  }
  work_.notify_one();
}

void ThreadedReads::wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers)
{
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, most, [this] { return woken_ || !answered_.empty(); });
  woken_ = false;
  while (!answered_.empty() && has_room(answers))
  {
    answers.push_back(answered_.back());
    answered_.pop_back();
  }
}

void ThreadedReads::wake()
{
  const std::lock_guard lock(mutex_);
  woken_ = true;
  news_.notify_one();
}

std::int64_t ThreadedReads::answer_to(const FileRead& read, void* waste, std::size_t bytes) const
{
  try
  {
    const std::vector<iovec> parts = with_waste(read.parts, waste, bytes);
    const ssize_t done = ::preadv(read.descriptor, parts.data(), static_cast<int>(parts.size()), read.offset);
    return done < 0 ? -errno : done;
  }
  catch (const std::bad_alloc&)
  {
    return -ENOMEM;
  }
}

void ThreadedReads::serve()
{
  alignas(kPage) std::array<std::byte, kPage> waste; // one per thread: sharing it would be a data race
  std::unique_lock lock(mutex_);
  for (;;)
  {
    work_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (waiting_.empty())
    {
      return;
    }
    FileRead& read = *waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    const std::int64_t result = answer_to(read, waste.data(), waste.size());
    lock.lock();
    answered_.push_back({ &read, result });
    news_.notify_one();
  }
}

} // namespace rivulet
