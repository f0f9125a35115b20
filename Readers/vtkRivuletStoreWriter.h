// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletStoreWriter
 * @brief Saves image data or a rectilinear grid as a Rivulet store (.rvs), which grows by whole time steps.
 *
 * The file name is that of the store's folder. Each step appears when it is complete, and is on the disk then: readers
 * may look on. With Append, steps whose times the store has are left as they are, and are not asked of the pipeline.
 * Otherwise as vtkRivuletFieldWriter.
 */

#ifndef vtkRivuletStoreWriter_h
#define vtkRivuletStoreWriter_h

#include "vtkRivuletFieldWriter.h"

class VTKRIVULETREADERS_EXPORT vtkRivuletStoreWriter : public vtkRivuletFieldWriter
{
public:
  vtkRivuletStoreWriter(const vtkRivuletStoreWriter&) = delete;
  void operator=(const vtkRivuletStoreWriter&) = delete;

  static vtkRivuletStoreWriter* New();
  vtkTypeMacro(vtkRivuletStoreWriter, vtkRivuletFieldWriter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /** Add to a store that is there. Off, it is replaced. A folder that is no store is never replaced. */
  vtkSetMacro(Append, bool);
  vtkGetMacro(Append, bool);
  ///@}

protected:
  vtkRivuletStoreWriter();
  ~vtkRivuletStoreWriter() override = default;

  rivulet::SaveTarget GetTarget() const override;

private:
  bool Append = false;
};

#endif
