// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletFlowFilter
 * @brief What filters that read a flow have in common: which arrays they follow, how they run, and what they tell of
 * their last run.
 *
 * The numbers of a run are those of the field data, over all ranks; all is empty or 0 before the first run and after
 * one that was refused.
 */

#ifndef vtkRivuletFlowFilter_h
#define vtkRivuletFlowFilter_h

#include "vtkPolyDataAlgorithm.h"
#include "vtkRivuletFiltersModule.h"

#include <string>

class vtkDataSet;

namespace rivulet
{
struct RunReport;
struct RunSettings;
struct VectorChoice;
} // namespace rivulet

class VTKRIVULETFILTERS_EXPORT vtkRivuletFlowFilter : public vtkPolyDataAlgorithm
{
public:
  vtkRivuletFlowFilter(const vtkRivuletFlowFilter&) = delete;
  void operator=(const vtkRivuletFlowFilter&) = delete;
  vtkAbstractTypeMacro(vtkRivuletFlowFilter, vtkPolyDataAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /** Scalar arrays that are followed as the vectors' x, y and z, where two or three are named: instead of array 0 to
      process. A component without a name (or with the name None, the default) is 0. */
  void SetXArray(const char* name) { this->SetName(this->XArray, name); }
  const char* GetXArray() const { return this->XArray.c_str(); }
  void SetYArray(const char* name) { this->SetName(this->YArray, name); }
  const char* GetYArray() const { return this->YArray.c_str(); }
  void SetZArray(const char* name) { this->SetName(this->ZArray, name); }
  const char* GetZArray() const { return this->ZArray.c_str(); }
  ///@}

  ///@{
  /** These cannot change a result, so they do not make the pipeline run: they act at the next run.
      After a run that was refused or stopped they do. */
  /** MiB that lazily paged arrays may hold; 0 (default) leaves the reader's budget. */
  void SetMemoryBudget(int mebibytes) { this->SetOfRun(this->MemoryBudget, mebibytes < 0 ? 0 : mebibytes); }
  vtkGetMacro(MemoryBudget, int);
  /** 0 leaves the reader's strategy; 1 Memory Map, 2 Buffered Cache, 3 Direct Cache, 4 Asynchronous. */
  void SetAccessStrategy(int strategy) { this->SetOfRun(this->AccessStrategy, strategy); }
  vtkGetMacro(AccessStrategy, int);
  /** 0 for all cores. */
  void SetNumberOfThreads(int threads) { this->SetOfRun(this->NumberOfThreads, threads < 0 ? 0 : threads); }
  vtkGetMacro(NumberOfThreads, int);
  ///@}

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

  /** What the user chose as vectors, for a dataset. */
  rivulet::VectorChoice GetVectorChoice(vtkDataSet& dataset);
  /** How the user wants to run. */
  rivulet::RunSettings GetRunSettings() const;

  /** A setting that cannot change a result, unless the last run had none or only part of it. */
  template <class T>
  void SetOfRun(T& setting, T value)
  {
    if (setting != value && this->Unfinished)
    {
      this->Modified();
    }
    setting = value;
  }

  /** What the run did, and how it read on this rank. */
  void SetReport(const rivulet::RunReport& report);
  /** Of the run before. */
  void ForgetReport();

  bool Unfinished = false; ///< the last run was refused or ended early

private:
  void SetName(std::string& setting, const char* name)
  {
    if (setting != (name != nullptr ? name : ""))
    {
      setting = name != nullptr ? name : "";
      this->Modified();
    }
  }

  std::string XArray = "None";
  std::string YArray = "None";
  std::string ZArray = "None";
  int MemoryBudget = 0;
  int AccessStrategy = 0;
  int NumberOfThreads = 0;
  std::string StrategyInUse;
  std::string StrategyReason;
  std::string ValuesRead;
  std::string PeakMemory;
  vtkIdType BytesRead = 0;
  vtkIdType PeakBytes = 0;
};

#endif
