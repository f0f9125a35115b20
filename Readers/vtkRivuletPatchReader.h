// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletPatchReader
 * @brief Base of the readers of block-structured AMR.
 *
 * Time steps have the times of the simulation. The output is vtkOverlappingAMR of uniform grids, whose cells are
 * blanked where a finer level covers them; meshes that are deformed, or refined by different ratios along the axes, are
 * a vtkMultiBlockDataSet of levels. The first dump opened decides the type for the reader's lifetime. Ghost layers in
 * the files are left out, or, with KeepGhostLayers, marked as such.
 *
 * Ranks share the patches by bytes, patches of one file together. In each rank NumberOfIOThreads threads read; no value
 * depends on that. A patch whose values cannot be read is an error that names file and dataset, or, with
 * SkipUnreadablePatches, a warning, and the others are shown. The newest of several steps is left out, with a warning,
 * while it is half written; Refresh() looks for it again.
 */

#ifndef vtkRivuletPatchReader_h
#define vtkRivuletPatchReader_h

#include "vtkRivuletFilesReader.h"
#include "vtkRivuletReadersModule.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rivulet
{
class DumpFormat;
class OpenDump;
struct Error;
} // namespace rivulet

class VTKRIVULETREADERS_EXPORT vtkRivuletPatchReader : public vtkRivuletFilesReader
{
public:
  vtkRivuletPatchReader(const vtkRivuletPatchReader&) = delete;
  void operator=(const vtkRivuletPatchReader&) = delete;

  vtkAbstractTypeMacro(vtkRivuletPatchReader, vtkRivuletFilesReader);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /** Forgets the descriptions of the files: the next update reads them again. */
  void Refresh() override;

  ///@{
  /** The finest level to read; -1: all. */
  vtkSetClampMacro(FinestLevel, int, -1, VTK_INT_MAX);
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
  vtkSetMacro(ReadOnDemand, int);
  int GetReadOnDemand() const { return this->ReadOnDemand; }
  ///@}

  ///@{
  /** Memory for patches read on demand, in MiB, in each rank; 0 chooses. */
  void SetMemoryBudget(int mebibytes);
  int GetMemoryBudget() const { return this->MemoryBudget; }
  ///@}

  ///@{
  /** Folder on a fast local disk that keeps patches of dumps on slower storage; empty: that of
   * RIVULET_CACHE_DIRECTORY, or none. A cache in trouble costs time, never a value. */
  void SetLocalCacheDirectory(const char* folder);
  const char* GetLocalCacheDirectory() const { return this->LocalCacheDirectory.c_str(); }
  /** Its size on its disk, in MiB; 0: as in vtkRivuletReader. */
  void SetLocalCacheLimit(int mebibytes);
  int GetLocalCacheLimit() const { return this->LocalCacheLimit; }
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
  /**
   * Ghost layers that the files have are part of the grids, marked in vtkGhostType: as many as all arrays that are read
   * have, and as lie in the box around the coarsest level. The output's type stays the same. Off by default.
   */
  vtkSetMacro(KeepGhostLayers, bool);
  bool GetKeepGhostLayers() const { return this->KeepGhostLayers; }
  ///@}

  ///@{
  /** Cost of the last run on this rank, patches read on demand since included. */
  vtkIdType GetBytesRead() const;
  /** The same in words: "2.2 MiB". */
  const char* GetValuesRead();
  int GetThreadsInUse() const;
  /** Reason for the number of threads, if NumberOfIOThreads is 0. */
  const char* GetThreadsBecause() const;
  ///@}

protected:
  vtkRivuletPatchReader();
  ~vtkRivuletPatchReader() override;

  /** The format of the files; lives as long as the reader. */
  virtual rivulet::DumpFormat& GetDumpFormat() = 0;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  void FileNamesChanged() override { this->Refresh(); }

private:
  bool EnsureDump(std::optional<double> time);
  bool Complain(const rivulet::Error& error, unsigned long code);
  void OfferBoxes(vtkInformation& outInfo);
  bool RefusesSinglePatches(vtkInformation& outInfo);
  std::vector<int> WantedVariables();

  std::unique_ptr<rivulet::OpenDump> Dump;
  std::string Reported;    // the last error shown: retries do not repeat it
  std::optional<bool> AMR; // whether the output is AMR; set by the first dump opened
  bool KeepGhostLayers = false;
  bool SkipUnreadablePatches = false;
  int FinestLevel = -1;
  int NumberOfIOThreads = 0;
  int ReadOnDemand = AUTOMATIC;
  int MemoryBudget = 0;
  std::string LocalCacheDirectory;
  int LocalCacheLimit = 0;
  std::string ReadText;
};

#endif
