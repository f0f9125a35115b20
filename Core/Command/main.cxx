// SPDX-License-Identifier: BSD-3-Clause
// The program `rivulet`. Documentation/command-line.md describes it.
#include "Command/Commands.h"
#include "Command/Interrupt.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

int main(int argc, char** argv)
{
  using rivulet::command::ExitCode;
  rivulet::command::install_interrupt_handlers();
  ExitCode code = ExitCode::Ok;
  CLI::App app{ "Rivulet: fields larger than memory. Converts, generates, describes and checks field files (.rvf).",
    "rivulet" };
  app.require_subcommand(1);
  app.set_version_flag("--version", "rivulet " RIVULET_VERSION);
  app.footer("Exit codes: 0 done, 1 usage, 2 input, 3 output, 4 corrupt file, 130 cancelled.");
  rivulet::command::add_convert(app, code);
  rivulet::command::add_generate(app, code);
  rivulet::command::add_info(app, code);
  rivulet::command::add_verify(app, code);
  try
  {
    app.parse(argc, argv);
  }
  catch (const CLI::ParseError& error)
  {
    return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::Usage);
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "rivulet: %s\n", error.what());
    return static_cast<int>(ExitCode::Usage);
  }
  if (code == ExitCode::Output)
  {
    // After a write that failed, the exit handler of libhdf5 1.10 trips over the file that it could not close.
    std::fflush(nullptr);
    std::quick_exit(static_cast<int>(code));
  }
  return static_cast<int>(code);
}
