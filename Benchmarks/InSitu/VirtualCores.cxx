// SPDX-License-Identifier: BSD-3-Clause
#include "VirtualCores.h"

#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <semaphore.h>
#include <sys/prctl.h>

namespace rivulet::bench
{

namespace
{

constexpr double kNanosecond = 1e-9;
constexpr double kMostOwed = 0.001; // seconds; a thread that was woken later than that was not at work meanwhile

sem_t free_cores;
std::atomic<std::int64_t> worked_nanoseconds{ 0 };

/// Until a time of now().
void sleep_until(double time)
{
  // The system may wake a thread 50 us late to save power. 0 asks for the default, and 1 ns is the least.
  thread_local const int exact = prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  static_cast<void>(exact);
  double whole = 0;
  const double part = std::modf(time, &whole);
  const timespec until{ static_cast<time_t>(whole), static_cast<long>(part / kNanosecond) };
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR)
  {
  }
}

} // namespace

double now()
{
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + kNanosecond * static_cast<double>(time.tv_nsec);
}

void set_virtual_cores(int cores)
{
  sem_init(&free_cores, 0, static_cast<unsigned>(cores));
  worked_nanoseconds = 0;
}

void work(double seconds)
{
  thread_local double owed = 0;
  while (sem_wait(&free_cores) != 0)
  {
  }
  const double until = now() + seconds - owed;
  sleep_until(until);
  owed = std::fmin(now() - until, kMostOwed);
  sem_post(&free_cores);
  worked_nanoseconds += static_cast<std::int64_t>(seconds / kNanosecond);
}

void pause(double seconds)
{
  sleep_until(now() + seconds);
}

double worked_seconds()
{
  return kNanosecond * static_cast<double>(worked_nanoseconds);
}

} // namespace rivulet::bench
