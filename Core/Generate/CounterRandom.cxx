// SPDX-License-Identifier: BSD-3-Clause
#include "Generate/CounterRandom.h"

namespace rivulet
{

namespace
{

constexpr std::uint32_t kMultiplier0 = 0xD2511F53;
constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kKeyStep0 = 0x9E3779B9; // golden ratio
constexpr std::uint32_t kKeyStep1 = 0xBB67AE85; // sqrt(3) - 1
constexpr int kRounds = 10;

Words4 round_of(const Words4& in, std::array<std::uint32_t, 2> key)
{
  const std::uint64_t product0 = std::uint64_t{ kMultiplier0 } * in[0];
  const std::uint64_t product1 = std::uint64_t{ kMultiplier1 } * in[2];
  return { static_cast<std::uint32_t>(product1 >> 32) ^ in[1] ^ key[0], static_cast<std::uint32_t>(product1),
    static_cast<std::uint32_t>(product0 >> 32) ^ in[3] ^ key[1], static_cast<std::uint32_t>(product0) };
}

double to_unit(std::uint32_t high, std::uint32_t low)
{
  const std::uint64_t bits = (std::uint64_t{ high } << 32 | low) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

} // namespace

Words4 philox4x32(const Words4& counter, std::array<std::uint32_t, 2> key)
{
  Words4 words = counter;
  for (int round = 0; round < kRounds; ++round)
  {
    words = round_of(words, key);
    key[0] += kKeyStep0;
    key[1] += kKeyStep1;
  }
  return words;
}

std::array<double, 2> CounterRandom::uniform_pair(std::uint64_t draw) const
{
  const Words4 counter{ static_cast<std::uint32_t>(draw), static_cast<std::uint32_t>(draw >> 32), 0, 0 };
  const Words4 words = philox4x32(counter, key_);
  return { to_unit(words[0], words[1]), to_unit(words[2], words[3]) };
}

} // namespace rivulet
