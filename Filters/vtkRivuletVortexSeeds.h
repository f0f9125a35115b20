// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletVortexSeeds
 * @brief Points where a flow spins: seeds for stream tracers, found in fields that need not fit into memory.
 *
 * Input: vectors on image data or a rectilinear grid, at points or in cells, lazily paged or in memory. Output: one
 * vertex at the centre of each chosen cell, with its VorticityMagnitude. Cells whose vorticity magnitude lies in
 * [MinimumVorticity, MaximumVorticity] are candidates; NumberOfSeeds of them are chosen at random, but reproducibly:
 * the choice depends on RandomSeed and the grid alone. The field is read once, block by block, within the budget.
 *
 * With several MPI ranks each one searches a part of the field. Asked for one piece of one, every rank gives all seeds
 * (a stream tracer asks so); otherwise each gives its share.
 */

#ifndef vtkRivuletVortexSeeds_h
#define vtkRivuletVortexSeeds_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletFlowFilter.h"

#include <memory>
#include <string>

class VTKRIVULETFILTERS_EXPORT vtkRivuletVortexSeeds : public vtkRivuletFlowFilter
{
public:
  vtkRivuletVortexSeeds(const vtkRivuletVortexSeeds&) = delete;
  void operator=(const vtkRivuletVortexSeeds&) = delete;
  static vtkRivuletVortexSeeds* New();
  vtkTypeMacro(vtkRivuletVortexSeeds, vtkRivuletFlowFilter);
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
  /** Smallest vorticity magnitude, per unit of time. */
  vtkSetMacro(MinimumVorticity, double);
  vtkGetMacro(MinimumVorticity, double);
  ///@}
  ///@{
  /** Largest vorticity magnitude, per unit of time; 0 (default) for no limit. */
  vtkSetMacro(MaximumVorticity, double);
  vtkGetMacro(MaximumVorticity, double);
  ///@}
  ///@{
  /** Seeds at most. */
  vtkSetMacro(NumberOfSeeds, vtkIdType);
  vtkGetMacro(NumberOfSeeds, vtkIdType);
  ///@}
  ///@{
  /** Another number, another choice of seeds. */
  vtkSetMacro(RandomSeed, int);
  vtkGetMacro(RandomSeed, int);
  ///@}

  ///@{
  /** As in vtkRivuletStreamTracer: these cannot change the result and act at the next run. */
  void SetMemoryBudget(int mebibytes) { this->SetOfRun(this->MemoryBudget, mebibytes < 0 ? 0 : mebibytes); }
  vtkGetMacro(MemoryBudget, int);
  void SetAccessStrategy(int strategy) { this->SetOfRun(this->AccessStrategy, strategy); }
  vtkGetMacro(AccessStrategy, int);
  void SetNumberOfThreads(int threads) { this->SetOfRun(this->NumberOfThreads, threads < 0 ? 0 : threads); }
  vtkGetMacro(NumberOfThreads, int);
  ///@}

protected:
  vtkRivuletVortexSeeds();
  ~vtkRivuletVortexSeeds() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  double MinimumVorticity = 0.0;
  double MaximumVorticity = 0.0;
  vtkIdType NumberOfSeeds = 100;
  int RandomSeed = 0;
  std::string XArray = "None";
  std::string YArray = "None";
  std::string ZArray = "None";
  int MemoryBudget = 0;
  int AccessStrategy = 0;
  int NumberOfThreads = 0;

private:
  void SetName(std::string& setting, const char* name)
  {
    if (setting != (name != nullptr ? name : ""))
    {
      setting = name != nullptr ? name : "";
      this->Modified();
    }
  }

  /** A setting that cannot change a result, unless the last run had none. */
  void SetOfRun(int& setting, int value)
  {
    if (setting != value && this->Unfinished)
    {
      this->Modified();
    }
    setting = value;
  }

  bool Unfinished = false; ///< the last run was refused or stopped

  class Run;
  struct LastRun;
  std::unique_ptr<LastRun> Last; ///< given again, in whatever pieces, where nothing that it depends on has changed
};

#endif
