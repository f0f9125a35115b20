// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletFieldReader
 * @brief Opens Rivulet field files (.rvf) of any size without loading them.
 *
 * Several files are the steps of one series; each may hold several steps of its own.
 */

#ifndef vtkRivuletFieldReader_h
#define vtkRivuletFieldReader_h

#include "vtkRivuletReader.h"

class VTKRIVULETREADERS_EXPORT vtkRivuletFieldReader : public vtkRivuletReader
{
public:
  vtkRivuletFieldReader(const vtkRivuletFieldReader&) = delete;
  void operator=(const vtkRivuletFieldReader&) = delete;

  static vtkRivuletFieldReader* New();
  vtkTypeMacro(vtkRivuletFieldReader, vtkRivuletReader);

  int CanReadFile(const char* name) override;

protected:
  vtkRivuletFieldReader() = default;
  ~vtkRivuletFieldReader() override = default;
};

#endif
