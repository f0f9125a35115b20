// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletFlowFilter.h"

#include "Filters/RunReport.h"
#include "Pipeline/ReadingText.h"

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
