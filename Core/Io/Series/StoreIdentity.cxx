// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Series/StoreIdentity.h"

#include <algorithm>
#include <array>
#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

const std::string& StoreIdentity::uuid_at(std::int64_t step) const
{
  const auto after = std::upper_bound(restarts_.begin(), restarts_.end(), step,
      [](std::int64_t number, const Restart& restart) { return number < restart.step; });
  return after == restarts_.begin() ? uuid_ : std::prev(after)->uuid;
}

std::string StoreIdentity::of_step(std::int64_t step) const
{
  const std::string name = uuid_at(step) + "/" + std::to_string(step);
  const XXH128_hash_t hash = XXH3_128bits(name.data(), name.size());
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%08x-%04x-8%03x-a%03x-%012llx", static_cast<unsigned>(hash.high64 >> 32U),
      static_cast<unsigned>(hash.high64 >> 16U) & 0xFFFFU, static_cast<unsigned>(hash.high64) & 0xFFFU,
      static_cast<unsigned>(hash.low64 >> 52U), static_cast<unsigned long long>(hash.low64 & 0xFFFFFFFFFFFFULL));
  return text.data();
}

void StoreIdentity::restart(std::int64_t step, std::string uuid)
{
  std::erase_if(restarts_, [&](const Restart& restart) { return restart.step >= step; });
  restarts_.push_back({ step, std::move(uuid) });
}

} // namespace rivulet
