// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletBOVReader
 * @brief Opens BOV headers (.bov, "brick of values") of any size in place, without loading or converting them.
 *
 * Several headers are the steps of one series. BOV files store no ranges: when they are first asked for, they are
 * computed from all values of an array of up to 256 MiB, and estimated from a few values of a larger one, unless
 * ExactRanges is on.
 */

#ifndef vtkRivuletBOVReader_h
#define vtkRivuletBOVReader_h

#include "vtkRivuletReader.h"

class VTKRIVULETREADERS_EXPORT vtkRivuletBOVReader : public vtkRivuletReader
{
public:
  vtkRivuletBOVReader(const vtkRivuletBOVReader&) = delete;
  void operator=(const vtkRivuletBOVReader&) = delete;

  static vtkRivuletBOVReader* New();
  vtkTypeMacro(vtkRivuletBOVReader, vtkRivuletReader);

  int CanReadFile(const char* name) override;

protected:
  vtkRivuletBOVReader() = default;
  ~vtkRivuletBOVReader() override = default;
};

#endif
