// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads that are submitted now and answered later: one interface for io_uring and, where the kernel refuses it, for a
/// few threads that call preadv.
///
///     std::unique_ptr<ReadEngine> engine = open_read_engine(EngineChoice::Best);
///     FileRead read{ .descriptor = file, .offset = 8192, .parts = { { slot, 4096 }, { nullptr, 4096 } } };
///     engine->submit(read);                                     // any number up to depth()
///     engine->wait(std::chrono::milliseconds(100), answers);    // { &read, 8192 }
///
/// An engine answers as preadv(2) does, once per read, in any order. Short answers and errors are left to the caller,
/// so that they are handled in one place.
///
/// Threads: one thread submits and waits; wake() may be called from any. The descriptors and the memory of a read must
/// stay until its answer, and no read may be under way when the engine is destroyed. Bytes.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <sys/uio.h>
#include <vector>

namespace rivulet
{

/// Consecutive bytes of a file that go to several places in memory.
struct FileRead
{
  int descriptor = -1;
  std::uint64_t contents = 0; ///< fingerprint of the file as it is, for engines that keep bytes; 0: not known
  std::int64_t offset = 0;
  std::vector<iovec> parts; ///< at most kMostParts, waste counted in pages; parts without memory are read and discarded
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

  /// Kind of engine in words: "io_uring".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Reads that may be under way at once.
  [[nodiscard]] virtual int depth() const = 0;

  /// Never waits for the read, which may begin as late as in the next wait().
  virtual void submit(FileRead& read) = 0;
  /// Appends the answers that are there. Returns when there is one, after wake(), after `most`, or earlier.
  virtual void wait(std::chrono::milliseconds most, std::vector<ReadAnswer>& answers) = 0;
  /// Makes the current or the next wait() return.
  virtual void wake() = 0;
};

enum class EngineChoice : std::uint8_t
{
  Best,   ///< io_uring if this build has it and the kernel allows it, else threads
  Threads ///< for kernels with a slow or untrusted io_uring, and for tests
};

/// Throws std::system_error if it needs threads and the system gives none.
[[nodiscard]] std::unique_ptr<ReadEngine> open_read_engine(EngineChoice choice);

/// Whether one more answer can be added without an exception. Waits a moment if not: memory may be had then.
[[nodiscard]] bool has_room(std::vector<ReadAnswer>& answers) noexcept;

/// `parts` in which parts without memory are replaced by the `bytes` bytes at `waste`, used repeatedly.
[[nodiscard]] std::vector<iovec> with_waste(const std::vector<iovec>& parts, void* waste, std::size_t bytes);

} // namespace rivulet
