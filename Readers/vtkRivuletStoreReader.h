// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletStoreReader
 * @brief Opens stores (.rvs): fields that grow by whole time steps, as a simulation writes them.
 *
 * The file name is the folder of the store, or its description (store.json). Refresh() shows the steps that have become
 * complete since; the others stay as they are.
 */

#ifndef vtkRivuletStoreReader_h
#define vtkRivuletStoreReader_h

#include "vtkRivuletReader.h"

class VTKRIVULETREADERS_EXPORT vtkRivuletStoreReader : public vtkRivuletReader
{
public:
  vtkRivuletStoreReader(const vtkRivuletStoreReader&) = delete;
  void operator=(const vtkRivuletStoreReader&) = delete;

  static vtkRivuletStoreReader* New();
  vtkTypeMacro(vtkRivuletStoreReader, vtkRivuletReader);

  int CanReadFile(const char* name) override;

protected:
  vtkRivuletStoreReader() = default;
  ~vtkRivuletStoreReader() override = default;
};

#endif
