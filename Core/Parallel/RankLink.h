// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Messages between the ranks of a run, one to one. No call waits, so that a rank can look for messages while its
/// threads work.
///
/// Every use is a session that all ranks begin in the same order (begin_session()). Messages name their session, since
/// one of the next may arrive before a rank has left the session before.
///
/// Threads: one, which is the one that may call MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace rivulet
{

struct RankMessage
{
  int from = 0;
  std::vector<std::byte> bytes;
};

class RankLink
{
public:
  RankLink() = default;
  RankLink(const RankLink&) = delete;
  RankLink& operator=(const RankLink&) = delete;
  virtual ~RankLink() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  /// Sends a message of at least one byte to another rank. Messages from one rank to another arrive in the order in
  /// which they were sent. Throws std::bad_alloc; then nothing is sent.
  virtual void send(int to, std::vector<std::byte> bytes) = 0;
  /// Bytes of messages that were sent and still take memory here, as of the last call of another function.
  [[nodiscard]] virtual std::int64_t unsent() const = 0;
  /// A message that has arrived; none: there is none now. Throws std::bad_alloc; then the message waits.
  [[nodiscard]] virtual std::optional<RankMessage> receive() = 0;

  /// Number of the session that begins.
  [[nodiscard]] std::uint32_t begin_session() noexcept { return ++sessions_; }

private:
  std::uint32_t sessions_ = 0;
};

/// A session that has begun. No link: there is none.
struct RankSession
{
  RankLink* link = nullptr;
  std::uint32_t number = 0;
};

} // namespace rivulet
