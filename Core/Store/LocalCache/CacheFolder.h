// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Opens the file of a local cache, in a folder of the user's own.
///
///     Result<CacheDescriptors> opened = open_cache_file("/scratch/me/cache", 64 * kGiB);
///
/// The file is made if there is none. It is made anew where it is of another version or has another limit, unless a
/// process uses it: then it is used as it is. While a process uses it, it holds a shared lock on the header's bytes
/// (fcntl, of the open file), which the kernel ends with the process.
///
/// Refused: a folder of another user, or into which others may write; a name that leads to a link, a device, a file of
/// another user, a file with several names, or a file that is no cache; a file that a process of another machine uses.
///
/// No state; any thread. Bytes.
#pragma once

#include "Store/LocalCache/CacheShape.h"

#include <utility>

namespace rivulet
{

/// An open descriptor, closed by the destructor.
class CacheDescriptor
{
public:
  CacheDescriptor() = default;
  explicit CacheDescriptor(int descriptor)
    : descriptor_(descriptor)
  {
  }
  CacheDescriptor(CacheDescriptor&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1))
  {
  }
  CacheDescriptor& operator=(CacheDescriptor&& other) noexcept
  {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~CacheDescriptor();

  [[nodiscard]] int get() const { return descriptor_; } ///< -1: none

private:
  int descriptor_ = -1;
};

struct CacheDescriptors
{
  std::string path; ///< of the file
  CacheDescriptor buffered;
  CacheDescriptor direct; ///< none where the file system has no direct access
  CacheShape shape;
  std::uint64_t device = 0; ///< of the file system
  std::uint64_t inode = 0;
};

/// Name of the file in the folder.
inline constexpr const char* kCacheFileName = "rivulet-cache";

/// `limit`: bytes of the file; 0: as it is, or half of the free space for a new one. Fails with BadArgument if the
/// limit is unusable, with CannotWrite if folder or file are.
[[nodiscard]] Result<CacheDescriptors> open_cache_file(const std::string& folder, std::int64_t limit);

} // namespace rivulet
