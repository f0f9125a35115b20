// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What fuzz targets share: numbers from the input, files in memory, and a way to say that something is wrong.
///
///     Input input(data, size);
///     const int dimensions = input.below(2) + 2;
///     expect(dump.levels.size() > 0, "a dump without levels was accepted");
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace rivulet::fuzz
{

/// Ends the process, so that the fuzzer keeps the input, unless it holds.
inline void expect(bool holds, const char* complaint)
{
  if (!holds)
  {
    std::fprintf(stderr, "wrong: %s\n", complaint);
    std::abort();
  }
}

/// Reads the input from its beginning; zeros once it has ended.
class Input
{
public:
  Input(const std::uint8_t* data, std::size_t size)
    : bytes_(reinterpret_cast<const std::byte*>(data), size)
  {
  }

  [[nodiscard]] bool ended() const { return bytes_.empty(); }
  [[nodiscard]] std::span<const std::byte> rest() const { return bytes_; }

  template <class T>
  T take()
  {
    T value{};
    const std::size_t size = std::min(sizeof(T), bytes_.size());
    if (size > 0)
    {
      std::memcpy(&value, bytes_.data(), size);
      bytes_ = bytes_.subspan(size);
    }
    return value;
  }

  /// A number from 0 to `end` - 1, of one byte.
  int below(int end) { return take<std::uint8_t>() % end; }

  /// Up to 255 bytes, their number first.
  std::string text()
  {
    const std::size_t wanted = take<std::uint8_t>();
    const std::size_t size = std::min(wanted, bytes_.size());
    const std::string text(reinterpret_cast<const char*>(bytes_.data()), size);
    bytes_ = bytes_.subspan(size);
    return text;
  }

private:
  std::span<const std::byte> bytes_;
};

/// A file that lies in memory.
class MemoryFile
{
public:
  MemoryFile()
    : descriptor_(::memfd_create("input", MFD_CLOEXEC))
    , path_("/proc/self/fd/" + std::to_string(descriptor_))
  {
    expect(descriptor_ >= 0, "this machine has no files in memory");
  }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() { ::close(descriptor_); }

  [[nodiscard]] const std::string& path() const { return path_; }

  /// What it holds from now on; zeros follow if `size` is larger.
  void fill(std::span<const std::byte> bytes, std::size_t size)
  {
    const bool good = ::ftruncate(descriptor_, 0) == 0 && ::ftruncate(descriptor_, static_cast<off_t>(size)) == 0 &&
                      ::pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size());
    expect(good, "the file in memory cannot be written");
  }

private:
  int descriptor_;
  std::string path_;
};

} // namespace rivulet::fuzz
