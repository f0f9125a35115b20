// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Series/StoreIdentity.h"

#include <array>
#include <cstdio>
#include <gmock/gmock.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet::test
{

namespace
{

using testing::ElementsAre;
using Restart = StoreIdentity::Restart;

constexpr const char* kFirst = "01234567-89ab-4def-a123-456789abcdef";
constexpr const char* kSecond = "11234567-89ab-4def-a123-456789abcdef";
constexpr const char* kThird = "21234567-89ab-4def-a123-456789abcdef";

std::string hexadecimal(std::uint64_t number)
{
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
  return text.data();
}

/// As Documentation/store-format.md says.
std::string specified_uuid(const std::string& uuid, std::int64_t step)
{
  const std::string name = uuid + "/" + std::to_string(step);
  const XXH128_hash_t hash = XXH3_128bits(name.data(), name.size());
  const std::string high = hexadecimal(hash.high64);
  const std::string low = hexadecimal(hash.low64);
  return high.substr(0, 8) + "-" + high.substr(8, 4) + "-8" + high.substr(13) + "-a" + low.substr(0, 3) + "-" +
         low.substr(4);
}

} // namespace

TEST(StoreIdentity, OfAStepIsMadeAsTheFormatSays)
{
  const StoreIdentity identity(kFirst, { { 3, kSecond } });
  for (std::int64_t step = 0; step < 200; ++step) // numbers with zeros in front, too
  {
    EXPECT_EQ(identity.of_step(step), specified_uuid(step < 3 ? kFirst : kSecond, step)) << step;
  }
  EXPECT_EQ(identity.of_step(99999999), specified_uuid(kSecond, 99999999));
}

TEST(StoreIdentity, ChangesAtTheStepOfARestartAndNotBefore)
{
  const StoreIdentity identity(kFirst, { { 2, kSecond }, { 5, kThird } });
  EXPECT_EQ(identity.uuid(), kFirst);
  EXPECT_EQ(identity.current(), kThird);
  EXPECT_EQ(identity.uuid_at(1), kFirst);
  EXPECT_EQ(identity.uuid_at(2), kSecond);
  EXPECT_EQ(identity.uuid_at(4), kSecond);
  EXPECT_EQ(identity.uuid_at(5), kThird);
}

TEST(StoreIdentity, KeepsTheStepsBeforeARestart)
{
  StoreIdentity identity(kFirst);
  const std::string before = identity.of_step(3);
  const std::string after = identity.of_step(4);
  identity.restart(4, kSecond);
  EXPECT_EQ(identity.of_step(3), before);
  EXPECT_NE(identity.of_step(4), after);
  EXPECT_EQ(identity.of_step(4), StoreIdentity(kSecond).of_step(4));
}

TEST(StoreIdentity, ForgetsTheRestartsOfStepsThatAreNoMore)
{
  StoreIdentity identity(kFirst);
  identity.restart(4, kSecond);
  identity.restart(9, kThird);
  EXPECT_THAT(identity.restarts(), ElementsAre(Restart{ 4, kSecond }, Restart{ 9, kThird }));
  identity.restart(9, kSecond);
  EXPECT_THAT(identity.restarts(), ElementsAre(Restart{ 4, kSecond }, Restart{ 9, kSecond }));
  identity.restart(1, kThird);
  EXPECT_THAT(identity.restarts(), ElementsAre(Restart{ 1, kThird }));
  EXPECT_EQ(identity.uuid_at(0), kFirst);
  EXPECT_EQ(identity.current(), kThird);
}

} // namespace rivulet::test
