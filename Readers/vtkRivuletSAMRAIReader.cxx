// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletSAMRAIReader.h"

#include "Readers/SamraiFormat.h"
#include "vtkObjectFactory.h"

vtkStandardNewMacro(vtkRivuletSAMRAIReader);

vtkRivuletSAMRAIReader::vtkRivuletSAMRAIReader()
  : Format(std::make_unique<rivulet::SamraiFormat>())
{
}

vtkRivuletSAMRAIReader::~vtkRivuletSAMRAIReader() = default;

void vtkRivuletSAMRAIReader::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "AllDumpsBesideIndex: " << this->Format->all_beside_index << "\n";
  os << indent << "NamesFile: " << this->Format->names_file << "\n";
}

int vtkRivuletSAMRAIReader::CanReadFile(const char* name)
{
  return name != nullptr && rivulet::SamraiFormat::can_read(name) ? 1 : 0;
}

void vtkRivuletSAMRAIReader::SetAllDumpsBesideIndex(bool all)
{
  if (all != this->Format->all_beside_index)
  {
    this->Format->all_beside_index = all;
    this->Refresh();
  }
}

bool vtkRivuletSAMRAIReader::GetAllDumpsBesideIndex() const
{
  return this->Format->all_beside_index;
}

void vtkRivuletSAMRAIReader::SetNamesFile(const char* name)
{
  const std::string wanted = name == nullptr ? "" : name;
  if (wanted != this->Format->names_file)
  {
    this->Format->names_file = wanted;
    this->Refresh();
  }
}

const char* vtkRivuletSAMRAIReader::GetNamesFile() const
{
  return this->Format->names_file.c_str();
}

rivulet::DumpFormat& vtkRivuletSAMRAIReader::GetDumpFormat()
{
  return *this->Format;
}
