// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A ReadEngine of a few threads that call preadv: for kernels that refuse io_uring (containers do) and builds without.
///
/// Threads and lifetime as in ReadEngine.h.
#pragma once

#include "Io/Reads/ReadEngine.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace rivulet
{

class ThreadedReads final : public ReadEngine
{
public:
  /// `why`: reason for not using io_uring; part of name(). Throws std::system_error if there can be no thread.
  explicit ThreadedReads(const std::string& why);
  ~ThreadedReads() override;

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] int depth() const override { return 2 * kThreads; } // one read in reserve for each thread
  void submit(FileRead& read) override;
  void wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers) override;
  void wake() override;

private:
  static constexpr int kThreads = 4;

  void serve();
  [[nodiscard]] std::int64_t answer_to(const FileRead& read, void* waste, std::size_t bytes) const;

  const std::string name_;
  std::mutex mutex_; ///< guards all members below but the threads
  std::condition_variable work_;
  std::condition_variable news_;
  std::deque<FileRead*> waiting_;
  std::vector<ReadAnswer> answered_;
  bool woken_ = false;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

} // namespace rivulet
