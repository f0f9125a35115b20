// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletFilesReader
 * @brief Base of the readers: the files to read, and the arrays to offer.
 *
 * All arrays of the files are enabled, unless a script named some before the files were opened: then only these are.
 */

#ifndef vtkRivuletFilesReader_h
#define vtkRivuletFilesReader_h

#include "vtkDataObjectAlgorithm.h"
#include "vtkNew.h"
#include "vtkRivuletReadersModule.h"

#include <string>
#include <vector>

class vtkDataArraySelection;

class VTKRIVULETREADERS_EXPORT vtkRivuletFilesReader : public vtkDataObjectAlgorithm
{
public:
  vtkRivuletFilesReader(const vtkRivuletFilesReader&) = delete;
  void operator=(const vtkRivuletFilesReader&) = delete;

  vtkAbstractTypeMacro(vtkRivuletFilesReader, vtkDataObjectAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /** The files of a series, in any order. Readers of dumps take folders and patterns, too. */
  void AddFileName(const char* name);
  void ClearFileNames();
  int GetNumberOfFileNames() const;
  const char* GetFileName(int index) const;
  ///@}

  /** Opens the files anew at the next update: they may have been replaced, or a run may have gone on. */
  virtual void Refresh() = 0;

  /** Whether this reader reads the file, judged by its content, not its name. */
  virtual int CanReadFile(const char* name) = 0;

  ///@{
  /** The arrays to offer. */
  vtkDataArraySelection* GetPointDataArraySelection() { return this->PointSelection; }
  vtkDataArraySelection* GetCellDataArraySelection() { return this->CellSelection; }
  int GetNumberOfPointArrays();
  const char* GetPointArrayName(int index);
  int GetPointArrayStatus(const char* name);
  void SetPointArrayStatus(const char* name, int status);
  int GetNumberOfCellArrays();
  const char* GetCellArrayName(int index);
  int GetCellArrayStatus(const char* name);
  void SetCellArrayStatus(const char* name, int status);
  ///@}

protected:
  vtkRivuletFilesReader();
  ~vtkRivuletFilesReader() override;

  const std::vector<std::string>& GetFileNames() const { return this->FileNames; }

  /** Called when a name was added, or all were removed. */
  virtual void FileNamesChanged() { this->Modified(); }

  /** Offers these arrays besides those that are offered already. */
  void OfferArrays(const std::vector<std::string>& ofPoints, const std::vector<std::string>& ofCells);

  /** Offers no other arrays than these any more. */
  void ForgetOtherArrays(const std::vector<std::string>& ofPoints, const std::vector<std::string>& ofCells);

  bool IsArrayEnabled(const std::string& name, bool ofPoints);

private:
  std::vector<std::string> FileNames;
  vtkNew<vtkDataArraySelection> PointSelection;
  vtkNew<vtkDataArraySelection> CellSelection;
  bool Offered = false; // whether the arrays of any file were ever offered
};

#endif
