// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Reads/ThreadedReads.h"

#include "Base/Bytes.h"

#include <array>
#include <cerrno>
#include <cstddef>
#include <exception>

namespace rivulet
{

ThreadedReads::ThreadedReads(std::vector<int> descriptors, const std::string& why)
  : descriptors_(std::move(descriptors))
  , name_("threads, because " + why)
{
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
  answers.insert(answers.end(), answered_.begin(), answered_.end());
  answered_.clear();
}

void ThreadedReads::wake()
{
  const std::lock_guard lock(mutex_);
  woken_ = true;
  news_.notify_one();
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
    const std::vector<iovec> parts = with_waste(read.parts, waste.data(), waste.size());
    const int descriptor = read.descriptor >= 0 ? read.descriptor : descriptors_[static_cast<std::size_t>(read.file)];
    const ssize_t bytes = ::preadv(descriptor, parts.data(), static_cast<int>(parts.size()), read.offset);
    const std::int64_t result = bytes < 0 ? -errno : bytes;
    lock.lock();
    answered_.push_back({ &read, result });
    news_.notify_one();
  }
}

} // namespace rivulet
