// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletFlowFilter
 * @brief What filters that read a flow tell of their last run.
 *
 * The numbers are those of the field data, over all ranks; all is empty or 0 before the first run and after one that
 * was refused.
 */

#ifndef vtkRivuletFlowFilter_h
#define vtkRivuletFlowFilter_h

#include "vtkPolyDataAlgorithm.h"
#include "vtkRivuletFiltersModule.h"

#include <string>

namespace rivulet
{
struct RunReport;
} // namespace rivulet

class VTKRIVULETFILTERS_EXPORT vtkRivuletFlowFilter : public vtkPolyDataAlgorithm
{
public:
  vtkRivuletFlowFilter(const vtkRivuletFlowFilter&) = delete;
  void operator=(const vtkRivuletFlowFilter&) = delete;
  vtkAbstractTypeMacro(vtkRivuletFlowFilter, vtkPolyDataAlgorithm);

  ///@{
  /** How values got into memory, and why that way; of the first rank. "In Memory" where they were there before, "On
      Demand" where patches were read as they were needed. */
  const char* GetStrategyInUse() const { return this->StrategyInUse.c_str(); }
  const char* GetStrategyReason() const { return this->StrategyReason.c_str(); }
  ///@}

  ///@{
  /** Bytes read, and the largest memory that a rank held at once. */
  vtkIdType GetBytesRead() const { return this->BytesRead; }
  vtkIdType GetPeakBytes() const { return this->PeakBytes; }
  ///@}

  ///@{
  /** The same in words: "2.17 MiB in 185 bricks", "624 KiB". */
  const char* GetValuesRead() const { return this->ValuesRead.c_str(); }
  const char* GetPeakMemory() const { return this->PeakMemory.c_str(); }
  ///@}

protected:
  vtkRivuletFlowFilter() = default;
  ~vtkRivuletFlowFilter() override = default;

  /** What the run did, and how it read on this rank. */
  void SetReport(const rivulet::RunReport& report);
  /** Of the run before. */
  void ForgetReport();

private:
  std::string StrategyInUse;
  std::string StrategyReason;
  std::string ValuesRead;
  std::string PeakMemory;
  vtkIdType BytesRead = 0;
  vtkIdType PeakBytes = 0;
};

#endif
