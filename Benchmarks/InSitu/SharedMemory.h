// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Memory that processes of one node share, by a name.
///
///     SharedMemory mine("/rivulet-7", bytes, true);        // one process makes it, and removes the name at its end
///     SharedMemory theirs("/rivulet-7", bytes, false);     // others open it
///
/// It begins as zeros. All its pages exist from the beginning.
#pragma once

#include "Need.h"

#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace rivulet::bench
{

class SharedMemory
{
public:
  SharedMemory(std::string name, std::size_t bytes, bool make)
    : name_(std::move(name))
    , bytes_(bytes)
    , makes_(make)
  {
    const int file = shm_open(name_.c_str(), make ? O_RDWR | O_CREAT | O_EXCL : O_RDWR, 0600);
    need(file >= 0 && (!make || ftruncate(file, static_cast<off_t>(bytes)) == 0), name_ + ": no shared memory");
    memory_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
    close(file);
    need(memory_ != MAP_FAILED, name_ + ": no shared memory");
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory()
  {
    munmap(memory_, bytes_);
    if (makes_)
    {
      shm_unlink(name_.c_str());
    }
  }

  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(memory_); }

private:
  std::string name_;
  std::size_t bytes_;
  bool makes_;
  void* memory_ = nullptr;
};

} // namespace rivulet::bench
