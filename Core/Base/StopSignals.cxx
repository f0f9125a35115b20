// SPDX-License-Identifier: BSD-3-Clause
#include "Base/StopSignals.h"

#include <array>
#include <cerrno>
#include <csignal>

namespace rivulet
{

namespace
{

constexpr std::size_t kSignals = 65;

std::atomic<std::atomic<bool>*> innermost{ nullptr };
static_assert(std::atomic<std::atomic<bool>*>::is_always_lock_free, "the handler may use nothing else");
static_assert(std::atomic<bool>::is_always_lock_free, "the handler may use nothing else");

/// Handler of each signal before the outermost object took it.
std::array<struct sigaction, kSignals> before;
std::array<bool, kSignals> is_taken{};

extern "C" void rivulet_on_stop_signal(int number)
{
  const int error = errno;
  std::atomic<bool>* flag = innermost.load();
  if (flag == nullptr || flag->exchange(true))
  {
    // The signal is blocked within this handler, so it is delivered when the handler returns.
    sigaction(number, &before.at(static_cast<std::size_t>(number)), nullptr);
    std::raise(number);
  }
  errno = error;
}

} // namespace

StopSignals::StopSignals(const std::vector<int>& numbers)
  : outer_(innermost.exchange(&requested_))
{
  struct sigaction action = {};
  action.sa_handler = rivulet_on_stop_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART; // interrupted reads go on: a stop is noticed between two reads
  taken_.reserve(numbers.size());
  for (const int number : numbers)
  {
    const auto slot = static_cast<std::size_t>(number);
    if (!is_taken.at(slot) && sigaction(number, nullptr, &before[slot]) == 0)
    {
      is_taken[slot] = true;
      taken_.push_back(number);
      sigaction(number, &action, nullptr);
    }
  }
}

StopSignals::~StopSignals()
{
  innermost.store(outer_);
  for (const int number : taken_)
  {
    const auto slot = static_cast<std::size_t>(number);
    sigaction(number, &before[slot], nullptr);
    is_taken[slot] = false;
  }
}

} // namespace rivulet
