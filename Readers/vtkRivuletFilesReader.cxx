// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletFilesReader.h"

#include "vtkCommand.h"
#include "vtkDataArraySelection.h"

#include <algorithm>

namespace
{

void AddArrays(vtkDataArraySelection* selection, const std::vector<std::string>& names, bool enabled)
{
  for (const std::string& name : names)
  {
    if (!selection->ArrayExists(name.c_str()))
    {
      selection->AddArray(name.c_str(), enabled);
    }
  }
}

void KeepArrays(vtkDataArraySelection* selection, const std::vector<std::string>& names)
{
  for (int at = selection->GetNumberOfArrays() - 1; at >= 0; --at)
  {
    if (std::find(names.begin(), names.end(), selection->GetArrayName(at)) == names.end())
    {
      selection->RemoveArrayByIndex(at);
    }
  }
}

} // namespace

vtkRivuletFilesReader::vtkRivuletFilesReader()
{
  this->SetNumberOfInputPorts(0);
  for (vtkDataArraySelection* selection : { this->PointSelection.Get(), this->CellSelection.Get() })
  {
    selection->AddObserver(vtkCommand::ModifiedEvent, this, &vtkRivuletFilesReader::Modified);
  }
}

vtkRivuletFilesReader::~vtkRivuletFilesReader() = default;

void vtkRivuletFilesReader::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  for (const std::string& name : this->FileNames)
  {
    os << indent << "FileName: " << name << "\n";
  }
}

void vtkRivuletFilesReader::AddFileName(const char* name)
{
  if (name != nullptr && *name != '\0')
  {
    this->FileNames.emplace_back(name);
    this->FileNamesChanged();
  }
}

void vtkRivuletFilesReader::ClearFileNames()
{
  if (!this->FileNames.empty())
  {
    this->FileNames.clear();
    this->FileNamesChanged();
  }
}

int vtkRivuletFilesReader::GetNumberOfFileNames() const
{
  return static_cast<int>(this->FileNames.size());
}

const char* vtkRivuletFilesReader::GetFileName(int index) const
{
  const bool there = index >= 0 && index < this->GetNumberOfFileNames();
  return there ? this->FileNames[static_cast<std::size_t>(index)].c_str() : nullptr;
}

int vtkRivuletFilesReader::GetNumberOfPointArrays()
{
  return this->PointSelection->GetNumberOfArrays();
}

const char* vtkRivuletFilesReader::GetPointArrayName(int index)
{
  return this->PointSelection->GetArrayName(index);
}

int vtkRivuletFilesReader::GetPointArrayStatus(const char* name)
{
  return this->PointSelection->ArrayIsEnabled(name);
}

void vtkRivuletFilesReader::SetPointArrayStatus(const char* name, int status)
{
  this->PointSelection->SetArraySetting(name, status);
}

int vtkRivuletFilesReader::GetNumberOfCellArrays()
{
  return this->CellSelection->GetNumberOfArrays();
}

const char* vtkRivuletFilesReader::GetCellArrayName(int index)
{
  return this->CellSelection->GetArrayName(index);
}

int vtkRivuletFilesReader::GetCellArrayStatus(const char* name)
{
  return this->CellSelection->ArrayIsEnabled(name);
}

void vtkRivuletFilesReader::SetCellArrayStatus(const char* name, int status)
{
  this->CellSelection->SetArraySetting(name, status);
}

void vtkRivuletFilesReader::OfferArrays(
    const std::vector<std::string>& ofPoints, const std::vector<std::string>& ofCells)
{
  const bool chosen = !this->Offered && this->GetNumberOfPointArrays() + this->GetNumberOfCellArrays() > 0;
  this->Offered = true;
  AddArrays(this->PointSelection, ofPoints, !chosen);
  AddArrays(this->CellSelection, ofCells, !chosen);
}

void vtkRivuletFilesReader::ForgetOtherArrays(
    const std::vector<std::string>& ofPoints, const std::vector<std::string>& ofCells)
{
  KeepArrays(this->PointSelection, ofPoints);
  KeepArrays(this->CellSelection, ofCells);
}

bool vtkRivuletFilesReader::IsArrayEnabled(const std::string& name, bool ofPoints)
{
  return (ofPoints ? this->PointSelection : this->CellSelection)->ArrayIsEnabled(name.c_str()) != 0;
}
