// SPDX-License-Identifier: BSD-3-Clause
// The program `rivulet-vtk`, which `rivulet convert` becomes where it is given VTK's files.
#include "Command/Program.h"
#include "Readers/Command/VtkLattice.h"
#include "Readers/Command/VtkMessages.h"

int main(int argc, char** argv)
{
  rivulet::collect_vtk_messages();
  return rivulet::command::run_program(argc, argv, rivulet::open_vtk_files);
}
