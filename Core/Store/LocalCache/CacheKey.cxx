// SPDX-License-Identifier: BSD-3-Clause
#include "Store/LocalCache/CacheKey.h"

#include <array>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

CacheName name_of(const CacheKey& key)
{
  const std::array<std::uint64_t, 2> group{ key.contents, static_cast<std::uint64_t>(key.offset / CacheName::kGroup) };
  const std::array<std::uint64_t, 3> all{ key.contents, static_cast<std::uint64_t>(key.offset),
    static_cast<std::uint64_t>(key.bytes) };
  const XXH128_hash_t hash = XXH3_128bits(all.data(), sizeof all);
  return { XXH3_64bits(group.data(), sizeof group), hash.low64, hash.high64 };
}

std::uint64_t seal_of(const CacheName& name, std::span<const std::byte> value)
{
  return XXH3_64bits_withSeed(value.data(), value.size(), name.seed);
}

} // namespace rivulet
