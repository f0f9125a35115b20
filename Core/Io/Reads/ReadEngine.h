// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads that are handed over now and answered later: the one interface of what can be done with io_uring and, where
/// the kernel refuses it, with a few threads that call preadv.
///
///     std::unique_ptr<ReadEngine> engine = open_read_engine(descriptors, EngineChoice::Best);
///     FileRead read{ .file = 0, .offset = 8192, .parts = { { slot, 4096 }, { nullptr, 4096 }, { other, 4096 } } };
///     engine->submit(read);                                     // any number up to depth()
///     engine->wait(std::chrono::milliseconds(100), answers);    // { &read, 12288 }
///
/// An engine answers as preadv(2) does, once per read, in any order: short answers and errors are the caller's to
/// judge, so that there is one place that does.
///
/// Threads: one thread submits and waits; wake() may be called from any. The descriptors and the memory that reads name
/// must stay until the answer; nothing may be under way when the engine goes. Bytes.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <sys/uio.h>
#include <vector>

namespace rivulet
{

/// Neighbouring bytes of a file that go to several places.
struct FileRead
{
  int file = 0;        ///< number in the list of descriptors
  int descriptor = -1; ///< instead of a number, where files come and go
  std::int64_t offset = 0;
  std::vector<iovec> parts; ///< at most kMostParts, waste in pages; those without memory are read and forgotten
  bool same_memory = false; ///< a single part, into memory that will be read into again and that forget() will name
};

struct ReadAnswer
{
  FileRead* read = nullptr;
  std::int64_t result = 0; ///< bytes, or a negative errno
};

class ReadEngine
{
public:
  static constexpr std::size_t kMostParts = 256;

  ReadEngine() = default;
  ReadEngine(const ReadEngine&) = delete;
  ReadEngine& operator=(const ReadEngine&) = delete;
  virtual ~ReadEngine() = default;

  /// What reads, in words: "io_uring".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Reads that may be under way at once.
  [[nodiscard]] virtual int depth() const = 0;

  /// Never waits for the read. Before the next wait() it may not have begun.
  virtual void submit(FileRead& read) = 0;
  /// Appends what was answered; returns when there is something, after wake(), after `most`, or sooner.
  virtual void wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers) = 0;
  /// Makes the wait() that goes on, or the next one, return.
  virtual void wake() = 0;

  /// `memory` will be given back to the system: nothing may be kept about it. Any thread; no read into it is under way.
  virtual void forget(const void* memory) { (void)memory; }
};

enum class EngineChoice : std::uint8_t
{
  Best,   ///< io_uring if this build has it and the kernel allows it, else threads
  Threads ///< for kernels whose io_uring is slow or mistrusted, and for tests
};

/// Throws std::system_error if it needs threads and the system gives none.
[[nodiscard]] std::unique_ptr<ReadEngine> open_read_engine(const std::vector<int>& descriptors, EngineChoice choice);

/// `parts` with memory for those that have none: the `bytes` bytes at `waste`, over and over.
[[nodiscard]] std::vector<iovec> with_waste(const std::vector<iovec>& parts, void* waste, std::size_t bytes);

} // namespace rivulet
