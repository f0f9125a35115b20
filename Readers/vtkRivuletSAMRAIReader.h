// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletSAMRAIReader
 * @brief Reads SAMRAI "VisIt dumps" with many threads in each of many ranks.
 *
 * Opens an index (dumps.visit, *.javis), a summary (*.samrai), or several. Time steps have the times of the simulation.
 * The output is vtkOverlappingAMR of uniform grids, whose cells are blanked where a finer level covers them; meshes
 * that are deformed, or refined by different ratios along the axes, are a vtkMultiBlockDataSet of levels. Ghost layers
 * in the files are left out.
 *
 * Ranks share the patches by bytes, patches of one file together. In each rank NumberOfIOThreads threads read; no value
 * depends on that. A patch whose values cannot be read is an error that names file and dataset, or, with
 * SkipUnreadablePatches, a warning, and the others are shown.
 */

#ifndef vtkRivuletSAMRAIReader_h
#define vtkRivuletSAMRAIReader_h

#include "vtkDataObjectAlgorithm.h"
#include "vtkNew.h"
#include "vtkRivuletReadersModule.h"

#include <memory>
#include <string>
#include <vector>

class vtkDataArraySelection;
namespace rivulet
{
struct Error;
struct PatchData;
} // namespace rivulet

class VTKRIVULETREADERS_EXPORT vtkRivuletSAMRAIReader : public vtkDataObjectAlgorithm
{
public:
  vtkRivuletSAMRAIReader(const vtkRivuletSAMRAIReader&) = delete;
  void operator=(const vtkRivuletSAMRAIReader&) = delete;

  static vtkRivuletSAMRAIReader* New();
  vtkTypeMacro(vtkRivuletSAMRAIReader, vtkDataObjectAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /** Indices or summaries, in any order. */
  void AddFileName(const char* name);
  void ClearFileNames();
  ///@}

  /** Whether the file's content, not its name, is what this reader reads. */
  int CanReadFile(const char* name);

  ///@{
  /** Also take the dumps beside an index that it does not list, as after a restart. */
  void SetAllDumpsBesideIndex(bool all);
  bool GetAllDumpsBesideIndex() const { return this->AllDumpsBesideIndex; }
  ///@}

  ///@{
  /** The finest level to read; -1: all. */
  void SetFinestLevel(int level);
  int GetFinestLevel() const { return this->FinestLevel; }
  ///@}

  ///@{
  /**
   * Whether patches are read when a filter touches them, rather than at once: AUTOMATIC for more than 1 GiB of values.
   * Changes no value. Deformed meshes are read at once.
   */
  enum
  {
    AUTOMATIC = 0,
    NEVER = 1,
    ALWAYS = 2
  };
  void SetReadOnDemand(int when);
  int GetReadOnDemand() const { return this->ReadOnDemand; }
  ///@}

  ///@{
  /** Memory for patches read on demand, in MiB, in each rank; 0 chooses. */
  void SetMemoryBudget(int mebibytes);
  int GetMemoryBudget() const { return this->MemoryBudget; }
  ///@}

  ///@{
  /** Threads that read, in each rank; 0 chooses. Changes no value. */
  void SetNumberOfIOThreads(int threads) { this->NumberOfIOThreads = threads < 0 ? 0 : threads; }
  int GetNumberOfIOThreads() const { return this->NumberOfIOThreads; }
  ///@}

  ///@{
  /** Show the patches that can be read, and warn about the others. */
  void SetSkipUnreadablePatches(bool skip);
  bool GetSkipUnreadablePatches() const { return this->SkipUnreadablePatches; }
  ///@}

  ///@{
  /** A JSON file with the names that other codes give their dumps. Empty: SAMRAI's and JASMIN's only. */
  void SetNamesFile(const char* name);
  const char* GetNamesFile() const { return this->NamesFile.c_str(); }
  ///@}

  ///@{
  /** The arrays to read. */
  int GetNumberOfPointArrays();
  const char* GetPointArrayName(int index);
  int GetPointArrayStatus(const char* name);
  void SetPointArrayStatus(const char* name, int status);
  int GetNumberOfCellArrays();
  const char* GetCellArrayName(int index);
  int GetCellArrayStatus(const char* name);
  void SetCellArrayStatus(const char* name, int status);
  ///@}

  ///@{
  /** What the last run cost, on this rank; with patches read on demand since. */
  vtkIdType GetBytesRead() const;
  int GetThreadsInUse() const { return this->ThreadsInUse; }
  ///@}

protected:
  vtkRivuletSAMRAIReader();
  ~vtkRivuletSAMRAIReader() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  struct Internals;
  bool EnsureIndex();
  bool EnsureDump(std::size_t step);
  void EnsureRanges(const std::vector<int>& variables);
  bool Complain(const rivulet::Error& error, unsigned long code);
  void OfferArrays();
  bool Wanted(const char* name, bool node);
  std::vector<int> WantedVariables();
  bool OffersOnDemand(const std::vector<int>& variables, int finest) const;
  bool ShowOnDemand(
      const std::vector<int>& variables, int finest, const std::vector<int>& patches, vtkDataObject& output);
  bool ShowAtOnce(
      const std::vector<int>& variables, int finest, const std::vector<int>& patches, vtkDataObject& output);
  bool AcceptFailures(const rivulet::PatchData& data);
  std::vector<double> Times() const;

  std::unique_ptr<Internals> State;
  std::vector<std::string> FileNames;
  std::string NamesFile;
  vtkNew<vtkDataArraySelection> PointSelection;
  vtkNew<vtkDataArraySelection> CellSelection;
  bool AllDumpsBesideIndex = false;
  bool SkipUnreadablePatches = false;
  bool Offered = false;
  int FinestLevel = -1;
  int NumberOfIOThreads = 0;
  int ReadOnDemand = AUTOMATIC;
  int MemoryBudget = 0;
  vtkIdType BytesRead = 0;
  int ThreadsInUse = 0;
};

#endif
