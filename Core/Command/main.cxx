// SPDX-License-Identifier: BSD-3-Clause
// The program `rivulet`, described in Documentation/command-line.md.
#include "Command/Program.h"
#include "Command/VtkFiles.h"

int main(int argc, char** argv)
{
  const auto hand_over = [argv](const rivulet::command::SourceChoice& choice)
  {
    return rivulet::command::run_vtk_program(choice, argv);
  };
  return rivulet::command::run_program(argc, argv, hand_over);
}
