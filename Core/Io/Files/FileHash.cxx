// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/FileHash.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

Result<std::uint64_t> hash_of(const File& file, std::int64_t offset, std::int64_t bytes)
{
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min<std::int64_t>(bytes, kMiB)));
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
  XXH3_64bits_reset(state.get());
  for (std::int64_t at = 0; at < bytes; at += kMiB)
  {
    const std::int64_t size = std::min(bytes - at, kMiB);
    if (Result<void> read = file.pread_full(piece.data(), size, offset + at); !read)
    {
      return forward_error(read);
    }
    XXH3_64bits_update(state.get(), piece.data(), static_cast<std::size_t>(size));
  }
  return XXH3_64bits_digest(state.get());
}

} // namespace rivulet
