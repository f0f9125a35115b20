// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The commands of `rivulet`. Each function adds a subcommand that leaves its exit code in `code` when it has run.
#pragma once

#include "Command/ExitCode.h"
#include "Command/Source.h"

#include <CLI/CLI.hpp>

namespace rivulet::command
{

void add_convert(CLI::App& app, ExitCode& code, const SourceOpener& open_vtk);
void add_generate(CLI::App& app, ExitCode& code);
void add_info(CLI::App& app, ExitCode& code);
void add_verify(CLI::App& app, ExitCode& code);

} // namespace rivulet::command
