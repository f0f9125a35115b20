// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletReader
 * @brief Base of the readers of lazily paged fields.
 *
 * Opening a field reads no values: extent, geometry, times, arrays and their ranges come from metadata. The output is
 * vtkImageData, vtkRectilinearGrid or vtkStructuredGrid, whose arrays (vtkRivuletArray) page in values on access.
 * Pieces and sub-extents are served as such. Hidden points and cells come as vtkGhostType, in memory: a byte for each
 * point, or cell.
 *
 * MemoryBudget, AccessStrategy and VerifyChecksums cannot change a value: they do not modify the reader. The
 * first two act at once, the third when the reader next runs.
 *
 * A file that cannot be opened gets one error and GetErrorCode(); the output is empty then. One that is changed while
 * it is open gets one error, too.
 */

#ifndef vtkRivuletReader_h
#define vtkRivuletReader_h

#include "vtkRivuletFilesReader.h"
#include "vtkRivuletReadersModule.h"

#include <memory>
#include <string>

class vtkDataSet;

namespace rivulet
{
class OpenLattice;
} // namespace rivulet

class VTKRIVULETREADERS_EXPORT vtkRivuletReader : public vtkRivuletFilesReader
{
public:
  vtkRivuletReader(const vtkRivuletReader&) = delete;
  void operator=(const vtkRivuletReader&) = delete;

  vtkAbstractTypeMacro(vtkRivuletReader, vtkRivuletFilesReader);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  void Refresh() override;

  ///@{
  /** Memory that the field may hold at once, in MiB; 0 chooses by the free memory of the machine. */
  void SetMemoryBudget(int mebibytes);
  int GetMemoryBudget() const { return this->MemoryBudget; }
  ///@}

  ///@{
  /** How bytes get into memory: 0 automatic, 1 memory map, 2 buffered cache, 3 direct cache, 4 asynchronous. */
  void SetAccessStrategy(int strategy);
  int GetAccessStrategy() const { return this->AccessStrategy; }
  ///@}

  ///@{
  /** Folder on a fast local disk that keeps bricks of files on slower storage; empty: that of RIVULET_CACHE_DIRECTORY,
   * or none. A cache in trouble costs time, never a value. */
  void SetLocalCacheDirectory(const char* folder);
  const char* GetLocalCacheDirectory() const { return this->LocalCacheDirectory.c_str(); }
  ///@}

  ///@{
  /** Size of the local cache on its disk, in MiB; 0: that of RIVULET_CACHE_LIMIT, else as the cache is, else half of
   * the free space. */
  vtkSetMacro(LocalCacheLimit, int);
  int GetLocalCacheLimit() const { return this->LocalCacheLimit; }
  ///@}

  ///@{
  /** Check each brick's checksum when it is first read. */
  void SetVerifyChecksums(bool verify) { this->VerifyChecksums = verify; }
  bool GetVerifyChecksums() const { return this->VerifyChecksums; }
  ///@}

  ///@{
  /** Whether arrays whose file has no ranges are read whole for exact ones, however large they are. */
  void SetExactRanges(bool exact);
  bool GetExactRanges() const { return this->ExactRanges; }
  ///@}

  /** Names of the arrays whose ranges, as shown so far, are estimates; parted by commas. */
  const char* GetEstimatedRanges();

  /** Every update of the pipeline asks for it: the occasion to notice that a file was changed while it was open. */
  vtkMTimeType GetMTime() override;

  ///@{
  /** The strategy in use, and why; empty before a file is open. */
  const char* GetStrategyInUse();
  const char* GetStrategyReason();
  ///@}

  ///@{
  /** Cost of the open file so far, on this rank: bytes, bricks, and the peak of memory held. */
  vtkIdType GetBytesRead();
  vtkIdType GetBricksRead();
  vtkIdType GetCacheHits();
  vtkIdType GetCacheMisses();
  vtkIdType GetPeakBytes();
  ///@}

  ///@{
  /** The same in words: "2.2 MiB in 185 bricks", "624 KiB of 16 MiB", which is the budget. */
  const char* GetValuesRead();
  const char* GetPeakMemory();
  ///@}

protected:
  vtkRivuletReader();
  ~vtkRivuletReader() override;

  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestDataObject(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  bool EnsureOpen();
  void OfferArraysOfField();
  void FillOutput(vtkDataSet& output, vtkInformation& outInfo);

  std::unique_ptr<rivulet::OpenLattice> Lattice;
  std::string StrategyText;
  std::string EstimatedText;
  std::string ReadText;
  std::string PeakText;
  int MemoryBudget = 0;
  int AccessStrategy = 0;
  std::string LocalCacheDirectory;
  int LocalCacheLimit = 0;
  bool VerifyChecksums = true;
  bool ExactRanges = false;
};

#endif
