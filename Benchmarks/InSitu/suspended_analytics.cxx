// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The process of analytics of Suspended.cxx: takes steps from its ring, one after the other.
///
///     suspended_analytics MEMORY THREADS PARTICLES BUFFERS ANALYSIS
///
/// Each line of input is the file for the digests of a run. A line of output says that it is ready.
#include "Arena.h"
#include "Need.h"
#include "Particles.h"
#include "SharedMemory.h"
#include "SuspendedRing.h"
#include "VirtualAnalysis.h"

#include <iostream>

namespace
{

using namespace rivulet::bench;

constexpr double kPoll = 50e-6; // seconds

/// Works by the clock that stands still while this process is stopped.
class WhileContinued final : public Worker
{
public:
  explicit WhileContinued(const SuspendedRing& ring)
    : ring_(ring)
  {
  }

  void work(double seconds) override
  {
    const double until = ring_.clock() + seconds;
    for (double left = seconds; left > 0; left = until - ring_.clock())
    {
      rivulet::bench::pause(left);
    }
  }

private:
  const SuspendedRing& ring_;
};

} // namespace

int main(int argc, char** argv)
{
  need(argc == 6, "usage: suspended_analytics MEMORY THREADS PARTICLES BUFFERS ANALYSIS");
  const std::int64_t particles = std::atoll(argv[3]);
  const int slots = std::atoi(argv[4]);
  const std::size_t bytes = bytes_for(particles);
  const SharedMemory memory(argv[1], slot_begin(slots - 1, slots, bytes) + bytes + 64, false);
  auto& ring = *reinterpret_cast<SuspendedRing*>(memory.data());
  Arena arena(std::atoi(argv[2]));
  WhileContinued worker(ring);
  const AnalysisOptions options = analysis_options(argv[5]);
  const VirtualAnalysis analysis(options);
  std::cout << "ready" << std::endl;
  std::int64_t number = 0;
  for (std::string path; std::getline(std::cin, path);)
  {
    SeenSteps seen;
    for (bool more = true; more; ++number)
    {
      while (ring.given == number)
      {
        pause(kPoll);
      }
      const std::int64_t step = ring.steps[static_cast<std::size_t>(number % slots)];
      more = step >= 0;
      if (more)
      {
        seen.add(step, digest_of(particles_in(memory.data() + slot_begin(number, slots, bytes), particles)));
        for (std::int64_t i = 0; i < options.repeat; ++i)
        {
          arena.run([&] { analysis.run(step, worker); });
        }
      }
      ring.done = number + 1;
    }
    seen.write(path);
    ++ring.written;
  }
  return 0;
}
