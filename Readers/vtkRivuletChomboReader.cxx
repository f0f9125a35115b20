// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletChomboReader.h"

#include "Amr/ChomboFile.h"
#include "Readers/ChomboFormat.h"
#include "vtkObjectFactory.h"

vtkStandardNewMacro(vtkRivuletChomboReader);

vtkRivuletChomboReader::vtkRivuletChomboReader()
  : Format(std::make_unique<rivulet::ChomboFormat>())
{
}

vtkRivuletChomboReader::~vtkRivuletChomboReader() = default;

int vtkRivuletChomboReader::CanReadFile(const char* name)
{
  return name != nullptr && rivulet::is_chombo(name) ? 1 : 0;
}

rivulet::DumpFormat& vtkRivuletChomboReader::GetDumpFormat()
{
  return *this->Format;
}
