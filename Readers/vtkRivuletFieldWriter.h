// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletFieldWriter
 * @brief Saves image data or a rectilinear grid as a Rivulet field file (.rvf).
 *
 * All numeric point and cell arrays are saved, and which points and cells are hidden (blanked). Arrays that are neither
 * float nor double are converted; a warning names them, and all that the file does not keep: texts, arrays of more than
 * 9 components, names of components, field data. A grid that changes from step to step is refused. Lazily paged input
 * streams through its memory budget. In parallel the first rank asks for the whole grid and writes; the others take
 * part in the pipeline's requests only. Their input must have a whole extent.
 */

#ifndef vtkRivuletFieldWriter_h
#define vtkRivuletFieldWriter_h

#include "vtkAlgorithm.h"
#include "vtkRivuletReadersModule.h"

#include <functional>
#include <string>
#include <vector>

class vtkDataSet;

namespace rivulet
{
class FieldSaver;
struct SaveShare;
struct SaveTarget;
} // namespace rivulet

class VTKRIVULETREADERS_EXPORT vtkRivuletFieldWriter : public vtkAlgorithm
{
public:
  vtkRivuletFieldWriter(const vtkRivuletFieldWriter&) = delete;
  void operator=(const vtkRivuletFieldWriter&) = delete;

  static vtkRivuletFieldWriter* New();
  vtkTypeMacro(vtkRivuletFieldWriter, vtkAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /** The file to write. It appears when it is complete. */
  void SetFileName(const char* name);
  const char* GetFileName() const { return this->FileName.c_str(); }
  ///@}

  ///@{
  /** All time steps of the input in one file, not only the current one. */
  vtkSetMacro(WriteAllTimeSteps, bool);
  vtkGetMacro(WriteAllTimeSteps, bool);
  ///@}

  /** Runs the input's pipeline and writes. 1 if the file is complete, else 0 and an error. */
  int Write();

protected:
  vtkRivuletFieldWriter();
  ~vtkRivuletFieldWriter() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  /** Destination to write, under FileName. */
  virtual rivulet::SaveTarget GetTarget() const;

private:
  std::vector<double> GetTimes();
  vtkDataSet* FetchStep(double time, const rivulet::SaveShare& share);
  int SaveStep(rivulet::FieldSaver& saver, int step, double time, const std::function<bool(double)>& progress);
  int RefuseInput();
  int WriteSteps();

  std::string FileName;
  bool WriteAllTimeSteps = false;
  bool Timed = false; // the input has time steps to ask for
};

#endif
