// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletFlowFilter.h"

#include "Base/Bytes.h"
#include "Filters/Input/FilterInput.h"
#include "Filters/Run/FilterRun.h"
#include "Pipeline/MpiLink.h"
#include "Pipeline/ReadingText.h"
#include "vtkDataObject.h"
#include "vtkDataSet.h"
#include "vtkInformation.h"

int vtkRivuletFlowFilter::FillOutputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), "vtkPolyData");
  return 1;
}

rivulet::FilterSettings vtkRivuletFlowFilter::GetFilterSettings()
{
  rivulet::FilterSettings settings;
  settings.choose = [this](vtkDataSet& dataset)
  {
    rivulet::VectorChoice choice;
    choice.array = this->GetInputArrayToProcess(0, &dataset, choice.association);
    choice.components = { this->XArray, this->YArray, this->ZArray };
    choice.ignore_above = this->IgnoreAbove;
    return choice;
  };
  settings.run = { .memory_budget = this->MemoryBudget * rivulet::kMiB,
    .strategy = static_cast<rivulet::AccessStrategy>(this->AccessStrategy),
    .threads = this->NumberOfThreads };
  settings.begin_run = [run = settings.run, shares = this->ShareBricks]
  {
    rivulet::RunSettings begun = run;
    rivulet::RankLink* const link = shares ? rivulet::mpi_link(rivulet::LinkUse::Bricks) : nullptr;
    if (link != nullptr)
    {
      begun.bricks = { link, link->begin_session() };
    }
    return begun;
  };
  settings.changed = this->GetMTime();
  return settings;
}

void vtkRivuletFlowFilter::SetStoreRanks(int ranks)
{
  if (ranks > 0 && !this->WarnedOfStoreRanks)
  {
    this->WarnedOfStoreRanks = true;
    vtkWarningMacro(
        "Store Ranks has no effect any more, because ranks that trace nothing made most runs slower: all ranks "
        "trace and share bricks. Remove it from the script; the next release will not know it.");
  }
}

int vtkRivuletFlowFilter::Finish(const rivulet::FilterFacts& facts, const rivulet::Error* refused)
{
  this->Unfinished = facts.unfinished || refused != nullptr;
  this->InputLayout = facts.layout;
  if (refused != nullptr)
  {
    this->ForgetReport();
    return rivulet::refuse(*this, *refused);
  }
  if (facts.report)
  {
    this->SetReport(*facts.report);
  }
  return 1;
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
     << indent << "ShareBricks: " << this->ShareBricks << "\n";
}
