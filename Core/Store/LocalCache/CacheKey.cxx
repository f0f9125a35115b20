// SPDX-License-Identifier: BSD-3-Clause
#include "Store/LocalCache/CacheKey.h"

#include <array>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

CacheName name_of(const CacheKey& key)
{
  const std::int64_t group = key.offset / CacheName::kGroup;
  const std::array<std::uint64_t, 2> region{ key.contents, static_cast<std::uint64_t>(group / CacheName::kGroups) };
  const std::array<std::uint64_t, 3> all{ key.contents, static_cast<std::uint64_t>(key.offset),
    static_cast<std::uint64_t>(key.bytes) };
  const XXH128_hash_t hash = XXH3_128bits(all.data(), sizeof all);
  return { XXH3_64bits(region.data(), sizeof region), group % CacheName::kGroups, hash.low64, hash.high64 };
}

std::uint64_t seal_of(const CacheName& name, std::span<const std::byte> value)
{
  return XXH3_64bits_withSeed(value.data(), value.size(), name.seed);
}

} // namespace rivulet
