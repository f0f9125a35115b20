// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletFlowFilter.h"

#include "Base/Bytes.h"
#include "Filters/Run/RunReport.h"
#include "Pipeline/MpiLink.h"
#include "Pipeline/ReadingText.h"
#include "vtkDataSet.h"
#include "vtkInformation.h"

int vtkRivuletFlowFilter::FillOutputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkPolyData");
  return 1;
}

rivulet::VectorChoice vtkRivuletFlowFilter::GetVectorChoice(vtkDataSet& dataset)
{
  rivulet::VectorChoice choice;
  choice.array = this->GetInputArrayToProcess(0, &dataset, choice.association);
  choice.components = { this->XArray, this->YArray, this->ZArray };
  choice.ignore_above = this->IgnoreAbove;
  return choice;
}

rivulet::RunSettings vtkRivuletFlowFilter::GetRunSettings() const
{
  return { .memory_budget = this->MemoryBudget * rivulet::kMiB,
    .strategy = static_cast<rivulet::AccessStrategy>(this->AccessStrategy),
    .threads = this->NumberOfThreads };
}

rivulet::RunSettings vtkRivuletFlowFilter::BeginRunSettings() const
{
  rivulet::RunSettings settings = this->GetRunSettings();
  rivulet::RankLink* const link = this->ShareBricks ? rivulet::mpi_link(rivulet::LinkUse::Bricks) : nullptr;
  if (link != nullptr)
  {
    settings.bricks = { link, link->begin_session() };
    settings.part = this->GetTracingPart();
  }
  return settings;
}

rivulet::RankPart vtkRivuletFlowFilter::GetTracingPart() const
{
  return rivulet::Ranks().part(this->ShareBricks ? this->StoreRanks : 0);
}

void vtkRivuletFlowFilter::SetReport(const rivulet::RunReport& report)
{
  this->StrategyInUse = report.access.strategy;
  this->StrategyReason = report.access.reason;
  this->ValuesRead = rivulet::values_read(report.read);
  this->PeakMemory = rivulet::peak_memory(report.read.peak_bytes, 0);
  this->BytesRead = report.read.bytes_read;
  this->PeakBytes = report.read.peak_bytes;
}

void vtkRivuletFlowFilter::ForgetReport()
{
  this->StrategyInUse.clear();
  this->StrategyReason.clear();
  this->ValuesRead.clear();
  this->PeakMemory.clear();
  this->BytesRead = 0;
  this->PeakBytes = 0;
}

void vtkRivuletFlowFilter::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "XArray: " << this->XArray << "\n"
     << indent << "YArray: " << this->YArray << "\n"
     << indent << "ZArray: " << this->ZArray << "\n"
     << indent << "IgnoreAbove: " << this->IgnoreAbove << "\n"
     << indent << "SeedsInPlane: " << this->SeedsInPlane << "\n"
     << indent << "MemoryBudget: " << this->MemoryBudget << "\n"
     << indent << "AccessStrategy: " << this->AccessStrategy << "\n"
     << indent << "NumberOfThreads: " << this->NumberOfThreads << "\n"
     << indent << "ShareBricks: " << this->ShareBricks << "\n"
     << indent << "StoreRanks: " << this->StoreRanks << "\n";
}
