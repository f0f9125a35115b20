// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/PlacesHash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

struct PlacesHash::State
{
  XXH3_state_t xxh3;
};

PlacesHash::PlacesHash()
  : state_(std::make_unique<State>())
{
  XXH3_128bits_reset(&state_->xxh3);
}

PlacesHash::~PlacesHash() = default;

void PlacesHash::add(const void* places, std::size_t bytes)
{
  XXH3_128bits_update(&state_->xxh3, places, bytes);
}

PlacesHash::Value PlacesHash::value() const
{
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh3);
  return { hash.low64, hash.high64 };
}

} // namespace rivulet
