// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletVortexSeeds
 * @brief Seeds for stream tracers in cells of high vorticity, found in fields that need not fit into memory.
 *
 * Input: vectors on image data or a rectilinear grid, at points or in cells, lazily paged or in memory. Output: one
 * vertex at the centre of each chosen cell, with its VorticityMagnitude. Cells whose vorticity magnitude lies in
 * [MinimumVorticity, MaximumVorticity] are candidates; NumberOfSeeds of them are chosen at random, but reproducibly:
 * the choice depends on RandomSeed and the grid alone. The field is read once, brick by brick, within the budget.
 *
 * With several MPI ranks each one searches a part of the field. If the request is for piece 0 of 1, as from a stream
 * tracer, every rank outputs all seeds; otherwise it outputs its piece of them.
 */

#ifndef vtkRivuletVortexSeeds_h
#define vtkRivuletVortexSeeds_h

#include "vtkRivuletFiltersModule.h"
#include "vtkRivuletFlowFilter.h"

#include <memory>

namespace rivulet
{
struct VortexSeedsResult;
}

class VTKRIVULETFILTERS_EXPORT vtkRivuletVortexSeeds : public vtkRivuletFlowFilter
{
public:
  vtkRivuletVortexSeeds(const vtkRivuletVortexSeeds&) = delete;
  void operator=(const vtkRivuletVortexSeeds&) = delete;
  static vtkRivuletVortexSeeds* New();
  vtkTypeMacro(vtkRivuletVortexSeeds, vtkRivuletFlowFilter);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /** Smallest vorticity magnitude, per unit of time. */
  vtkSetMacro(MinimumVorticity, double);
  vtkGetMacro(MinimumVorticity, double);
  ///@}
  ///@{
  /** Largest vorticity magnitude, per unit of time; 0 (default) for no limit. */
  vtkSetMacro(MaximumVorticity, double);
  vtkGetMacro(MaximumVorticity, double);
  ///@}
  ///@{
  /** Largest number of seeds. */
  vtkSetMacro(NumberOfSeeds, vtkIdType);
  vtkGetMacro(NumberOfSeeds, vtkIdType);
  ///@}
  ///@{
  /** Seed of the random choice. */
  vtkSetMacro(RandomSeed, int);
  vtkGetMacro(RandomSeed, int);
  ///@}

protected:
  vtkRivuletVortexSeeds();
  ~vtkRivuletVortexSeeds() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

  double MinimumVorticity = 0.0;
  double MaximumVorticity = 0.0;
  vtkIdType NumberOfSeeds = 100;
  int RandomSeed = 0;

private:
  std::unique_ptr<rivulet::VortexSeedsResult> Last; ///< given again while nothing that it depends on has changed
};

#endif
