// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/MissingRegion.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

namespace rivulet
{

namespace
{

// Both halves of this double are quiet NaNs as floats, and the whole is a NaN as a double.
constexpr std::uint64_t kNanTwice = 0x7ff800007fc00000;

// A memory file with `bytes` of NaN; -1 if the system refuses it.
int make_nan_file(std::size_t bytes)
{
  const int file = memfd_create("rivulet-nan", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0)
  {
    return file < 0 ? -1 : (close(file), -1);
  }
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (pages == MAP_FAILED)
  {
    close(file);
    return -1;
  }
  std::fill_n(static_cast<std::uint64_t*>(pages), bytes / sizeof(kNanTwice), kNanTwice);
  munmap(pages, bytes);
  return file;
}

// The file of all regions for which a piece of 1 MiB is large enough: there may be a region for each of many patches.
int common_nan_file()
{
  static const int file = make_nan_file(kMiB);
  return file;
}

} // namespace

MissingRegion::MissingRegion(std::int64_t bytes, Value value)
  : bytes_(static_cast<std::size_t>(round_up(std::max<std::int64_t>(bytes, 1), ::sysconf(_SC_PAGESIZE))))
{
  void* room = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED)
  {
    bytes_ = 0;
    return;
  }
  data_ = room;
  if (value == NaN)
  {
    fill_with_nan();
  }
}

void MissingRegion::fill_with_nan()
{
  // The kernel allows about 65000 mappings in a process: large regions use larger pieces.
  const std::int64_t piece = round_up(std::max(kMiB, static_cast<std::int64_t>(bytes_) / 8192), kMiB);
  const int file = piece == kMiB ? common_nan_file() : make_nan_file(static_cast<std::size_t>(piece));
  for (std::size_t at = 0; file >= 0 && at < bytes_; at += static_cast<std::size_t>(piece))
  {
    // If this fails, the zero page that is there already stays.
    (void)mmap(static_cast<std::byte*>(data_) + at, std::min(static_cast<std::size_t>(piece), bytes_ - at),
        PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0);
  }
  if (file >= 0 && piece != kMiB)
  {
    close(file);
  }
}

MissingRegion::~MissingRegion()
{
  if (data_ != nullptr)
  {
    munmap(data_, bytes_);
  }
}

} // namespace rivulet
