// SPDX-License-Identifier: BSD-3-Clause
// Messages between ranks of MPI, run on three ranks: the first receives, one sends and then looks away, and one goes
// on.
#include "Parallel/MpiLink.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

namespace
{

using namespace rivulet;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr int kMessages = 200;
#ifdef __SANITIZE_THREAD__
constexpr auto kAway = 10s; // the sanitizer copies large messages slowly
#else
constexpr auto kAway = 2s;
#endif

int failures = 0;

void expect(bool good, const char* what)
{
  if (!good)
  {
    std::fprintf(stderr, "failed: %s\n", what);
    ++failures;
  }
}

/// Number `count` again and again. Every third message is large, so that MPI sends it with the receiver's help only.
std::vector<std::byte> message_of(int count)
{
  std::vector<int> numbers(count % 3 == 0 ? 1 << 18 : 2, count);
  std::vector<std::byte> bytes(numbers.size() * sizeof(int));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

/// Sends large messages at once and looks away; then lets them go.
void send_and_look_away(MpiLink& link)
{
  for (int count = 0; count < 9; count += 3)
  {
    link.send(0, message_of(count));
  }
  std::this_thread::sleep_for(kAway);
}

void send_all(MpiLink& link)
{
  for (int count = 0; count < kMessages; ++count)
  {
    link.send(0, message_of(count));
  }
}

/// Returns when messages of all others have come, each in its order and whole. No look takes long.
void receive_all(MpiLink& link)
{
  std::vector<int> next(static_cast<std::size_t>(link.size()), 0);
  int left = 3 + kMessages;
  Clock::duration longest{};
  Clock::duration until_busy_rank{};
  const auto start = Clock::now();
  while (left > 0 && Clock::now() - start < 60s)
  {
    const auto before = Clock::now();
    const std::optional<RankMessage> message = link.receive();
    longest = std::max(longest, Clock::now() - before);
    if (!message)
    {
      continue;
    }
    int& expected = next[static_cast<std::size_t>(message->from)];
    expect(message->bytes == message_of(expected), "messages arrive whole and in their order");
    expected += message->from == 1 ? 3 : 1;
    until_busy_rank = expected == kMessages ? Clock::now() - start : until_busy_rank;
    --left;
  }
  expect(left == 0, "all messages arrive");
  expect(longest < kAway / 2, "no look waits for a rank that looks away");
  expect(until_busy_rank < kAway, "messages of one rank do not wait for those of another");
}

} // namespace

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  {
    MpiLink link(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    switch (link.rank())
    {
    case 0:
      receive_all(link);
      break;
    case 1:
      send_and_look_away(link);
      break;
    default:
      send_all(link);
    }
  }
  MPI_Finalize();
  return failures == 0 ? 0 : 1;
}
