// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The consumer of Stream.cxx: gets steps from ADIOS2, and analyses each.
///
///     stream_consumer LIBADIOS2_C THREADS PARTICLES ANALYSIS
///
/// For each run it reads two lines, the name of the stream and the file for digests, and prints one when it has written
/// the file: its largest resident memory in bytes.
#include "Adios.h"
#include "Arena.h"
#include "VirtualAnalysis.h"
#include "VirtualCores.h"

#include <iostream>
#include <sys/resource.h>

int main(int argc, char** argv)
{
  using namespace rivulet::bench;
  need(argc == 5, "usage: stream_consumer LIBADIOS2_C THREADS PARTICLES ANALYSIS");
  const int threads = std::atoi(argv[2]);
  const std::int64_t particles = std::atoll(argv[3]);
  const Adios adios(argv[1]);
  set_virtual_cores(threads);
  Arena arena(threads);
  Worker worker;
  const VirtualAnalysis analysis(analysis_options(argv[4]));
  std::vector<std::byte> memory(bytes_for(particles));
  std::string name;
  for (std::string path; std::getline(std::cin, name) && std::getline(std::cin, path);)
  {
    SeenSteps seen;
    {
      Adios::Stream stream(adios, name, false, particles);
      while (stream.begin_step())
      {
        std::int64_t step = 0;
        stream.get(step, memory.data());
        stream.end_step();
        seen.add(step, digest_of(particles_in(memory.data(), particles)));
        arena.run([&] { analysis.run(step, worker); });
      }
    }
    seen.write(path);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::cout << usage.ru_maxrss * 1024 << std::endl;
  }
  return 0;
}
