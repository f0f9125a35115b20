// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletChomboReader
 * @brief Reads plot files of Chombo (.hdf5), and of AMReX in HDF5 (.h5), with many threads in each of many ranks.
 *
 * Opens one file, several, or patterns for them ("run/plot.*.hdf5"): each is a time step. These files have no ranges:
 * where patches are read on demand, ranges are estimated from some of them. The rest is as in vtkRivuletPatchReader.
 */

#ifndef vtkRivuletChomboReader_h
#define vtkRivuletChomboReader_h

#include "vtkRivuletPatchReader.h"

namespace rivulet
{
class ChomboFormat;
} // namespace rivulet

class VTKRIVULETREADERS_EXPORT vtkRivuletChomboReader : public vtkRivuletPatchReader
{
public:
  vtkRivuletChomboReader(const vtkRivuletChomboReader&) = delete;
  void operator=(const vtkRivuletChomboReader&) = delete;

  static vtkRivuletChomboReader* New();
  vtkTypeMacro(vtkRivuletChomboReader, vtkRivuletPatchReader);

  int CanReadFile(const char* name) override;

protected:
  vtkRivuletChomboReader();
  ~vtkRivuletChomboReader() override;

  rivulet::DumpFormat& GetDumpFormat() override;

private:
  std::unique_ptr<rivulet::ChomboFormat> Format;
};

#endif
