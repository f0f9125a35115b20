// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletBOVReader.h"

#include "Io/Blocks/BovHeader.h"
#include "vtkObjectFactory.h"

vtkStandardNewMacro(vtkRivuletBOVReader);

int vtkRivuletBOVReader::CanReadFile(const char* name)
{
  return name != nullptr && rivulet::BovHeader::can_read(name) ? 1 : 0;
}
