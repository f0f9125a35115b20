// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bytes under keys in a server that outlives a run: Redis, Valkey, or another one that speaks their protocol.
///
///     Result<std::unique_ptr<ByteService>> service = open_byte_service("redis://node7:6379?expiry=3600");
///     (*service)->get(keys, [&](std::size_t i, std::span<const std::byte> value) { ... });   // of those that are
///     there
///     (*service)->put({ { key, bytes } });
///
/// A server forgets values after `expiry` seconds, and earlier where its own limit of memory (maxmemory) says so.
/// Values come from outside: callers check them.
///
/// After a call has failed, the object is of no more use. Threads: one at a time; interrupt() from any. Bytes.
#pragma once

#include "Base/Result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rivulet
{

class ByteService
{
public:
  /// Longest silence of the server that a call bears. A server that goes on sending can hold a call longer:
  /// interrupt().
  static constexpr std::chrono::milliseconds kPatience{ 250 };

  struct Value
  {
    std::string key;
    std::vector<std::byte> bytes;
  };
  /// Values that the server did not want, as it does when it is full.
  struct Refused
  {
    std::int64_t values = 0;
    std::string why; ///< of the last one
  };
  using Take = std::function<void(std::size_t number, std::span<const std::byte> value)>;

  ByteService() = default;
  ByteService(const ByteService&) = delete;
  ByteService& operator=(const ByteService&) = delete;
  virtual ~ByteService() = default;

  /// Asks for all keys at once and gives `take` the values that are there. Fails if the server does not answer in time,
  /// or answers something else.
  [[nodiscard]] virtual Result<void> get(std::span<const std::string> keys, const Take& take) = 0;
  /// Keeps values. Fails as get() does.
  [[nodiscard]] virtual Result<Refused> put(std::span<const Value> values) = 0;
  /// Lets the call under way, and all later ones, fail.
  virtual void interrupt() = 0;
};

/// Fails with BadArgument if this is no address, with Unsupported if this build has no client.
[[nodiscard]] Result<void> check_service_address(const std::string& address);

/// Connects to `redis://HOST[:PORT][?expiry=SECONDS]` or `unix:/PATH[?expiry=SECONDS]`; by default port 6379 and a
/// week. Fails as check_service_address() does, and with CannotRead if nobody answers.
[[nodiscard]] Result<std::unique_ptr<ByteService>> open_byte_service(const std::string& address);

} // namespace rivulet
