// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Program.h"

#include "Command/Commands.h"
#include "Command/Interrupt.h"
#include "Command/NearestWord.h"
#include "Command/StandardStreams.h"
#include "Command/UsageError.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace rivulet::command
{

namespace
{

ExitCode run(int argc, char** argv, const SourceOpener& open_vtk)
{
  ExitCode code = ExitCode::Ok;
  cli::Program program(
      "Rivulet: fields larger than memory. Converts, generates, describes, checks and stages them.", "rivulet");
  program.require_command();
  program.set_version("rivulet " RIVULET_VERSION);
  program.set_footer("Exit codes: 0 done, 1 usage, 2 input, 3 output, 4 corrupt file, 130 cancelled.");
  add_convert(program, code, open_vtk);
  add_generate(program, code);
  add_info(program, code);
  add_verify(program, code);
  add_stage(program, code);
  const std::string unknown = unknown_command(program, { argv + std::min(argc, 1), argv + argc });
  if (!unknown.empty())
  {
    std::fprintf(stderr, "rivulet: %s. `rivulet --help` lists what there is.\n", unknown.c_str());
    return ExitCode::Usage;
  }
  const cli::ParseResult parsed = program.parse(argc, argv);
  if (parsed.status == cli::ParseStatus::Missing || parsed.status == cli::ParseStatus::Wrong)
  {
    std::fprintf(stderr, "rivulet: %s\n", describe_usage(program, parsed).c_str());
    return ExitCode::Usage;
  }
  return code;
}

ExitCode run_guarded(int argc, char** argv, const SourceOpener& open_vtk)
{
  try
  {
    return run(argc, argv, open_vtk);
  }
  catch (const std::bad_alloc&)
  {
    std::fputs("rivulet: the system refused memory for: rivulet", stderr);
    std::for_each(argv + std::min(argc, 1), argv + argc, [](const char* word) { std::fprintf(stderr, " %s", word); });
    std::fputs(". Lower --memory and --threads, or raise the limit of memory (ulimit -v).\n", stderr);
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "rivulet: %s\n", error.what());
  }
  return ExitCode::Usage;
}

} // namespace

int run_program(int argc, char** argv, const SourceOpener& open_vtk)
{
  open_standard_streams();
  install_interrupt_handlers();
  const ExitCode code = finish_output(run_guarded(argc, argv, open_vtk));
  if (code == ExitCode::Output)
  {
    // The exit handler of libhdf5 1.10 crashes on a file that it could not close after a failed write.
    std::fflush(nullptr);
    std::quick_exit(static_cast<int>(code));
  }
  return static_cast<int>(code);
}

} // namespace rivulet::command
