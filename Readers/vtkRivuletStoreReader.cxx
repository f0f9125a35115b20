// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletStoreReader.h"

#include "Io/Series/StoreFolder.h"
#include "vtkObjectFactory.h"

vtkStandardNewMacro(vtkRivuletStoreReader);

int vtkRivuletStoreReader::CanReadFile(const char* name)
{
  return name != nullptr && rivulet::StoreFolder::can_read(name) ? 1 : 0;
}
