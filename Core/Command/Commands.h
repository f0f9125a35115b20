// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The commands of `rivulet`. Each function adds a subcommand that leaves its exit code in `code` when it has run.
#pragma once

#include "Command/ExitCode.h"
#include "Command/Source.h"
#include "CommandLine/CommandLine.h"

namespace rivulet::command
{

void add_convert(const cli::Command& program, ExitCode& code, const SourceOpener& open_vtk);
void add_generate(const cli::Command& program, ExitCode& code);
void add_info(const cli::Command& program, ExitCode& code);
void add_stage(const cli::Command& program, ExitCode& code);
void add_verify(const cli::Command& program, ExitCode& code);

} // namespace rivulet::command
