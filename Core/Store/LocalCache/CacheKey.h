// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Names of values in a local cache.
///
///     const CacheKey key{ file->fingerprint(), offset, bytes };
///     const CacheName name = name_of(key);
///     bool right = seal_of(name, value) == kept_seal;
///
/// No state; any thread. Bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rivulet
{

/// Consecutive bytes of a file.
struct CacheKey
{
  std::uint64_t contents = 0; ///< fingerprint of the file as it is (FileIdentity::fingerprint())
  std::int64_t offset = 0;
  std::int64_t bytes = 0;

  friend bool operator==(const CacheKey&, const CacheKey&) = default;
};

/// A hash of a key, in three parts.
struct CacheName
{
  std::uint64_t region = 0; ///< the same for keys that lie close together in a file
  std::int64_t group = 0;   ///< of the groups of a region
  std::uint64_t tag = 0;
  std::uint64_t seed = 0;

  /// Bytes of a file whose keys have one group, and groups of a region.
  static constexpr std::int64_t kGroup = std::int64_t{ 512 } * 1024;
  static constexpr std::int64_t kGroups = 16;
};

[[nodiscard]] CacheName name_of(const CacheKey& key);

/// A hash of the value and of its key, so that the value of another key has another seal.
[[nodiscard]] std::uint64_t seal_of(const CacheName& name, std::span<const std::byte> value);

} // namespace rivulet
