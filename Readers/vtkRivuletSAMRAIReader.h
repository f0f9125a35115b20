// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletSAMRAIReader
 * @brief Reads SAMRAI "VisIt dumps" with many threads in each of many ranks.
 *
 * Opens an index (dumps.visit, *.javis), a summary (*.samrai), a folder with either or with the folders of dumps,
 * patterns for these ("run/visit_dump.*"), or several. The rest is as in vtkRivuletPatchReader.
 */

#ifndef vtkRivuletSAMRAIReader_h
#define vtkRivuletSAMRAIReader_h

#include "vtkRivuletPatchReader.h"

namespace rivulet
{
class SamraiFormat;
} // namespace rivulet

class VTKRIVULETREADERS_EXPORT vtkRivuletSAMRAIReader : public vtkRivuletPatchReader
{
public:
  vtkRivuletSAMRAIReader(const vtkRivuletSAMRAIReader&) = delete;
  void operator=(const vtkRivuletSAMRAIReader&) = delete;

  static vtkRivuletSAMRAIReader* New();
  vtkTypeMacro(vtkRivuletSAMRAIReader, vtkRivuletPatchReader);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  int CanReadFile(const char* name) override;

  ///@{
  /** Also take the dumps beside an index that it does not list, as after a restart. */
  void SetAllDumpsBesideIndex(bool all);
  bool GetAllDumpsBesideIndex() const;
  ///@}

  ///@{
  /** A JSON file with the names that other codes give their dumps. Empty: SAMRAI's and JASMIN's only. */
  void SetNamesFile(const char* name);
  const char* GetNamesFile() const;
  ///@}

protected:
  vtkRivuletSAMRAIReader();
  ~vtkRivuletSAMRAIReader() override;

  rivulet::DumpFormat& GetDumpFormat() override;

private:
  std::unique_ptr<rivulet::SamraiFormat> Format;
};

#endif
