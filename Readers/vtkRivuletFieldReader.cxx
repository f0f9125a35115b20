// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletFieldReader.h"

#include "Io/FieldFile/FieldFile.h"
#include "vtkObjectFactory.h"

vtkStandardNewMacro(vtkRivuletFieldReader);

int vtkRivuletFieldReader::CanReadFile(const char* name)
{
  return name != nullptr && rivulet::FieldFile::can_read(name) ? 1 : 0;
}
