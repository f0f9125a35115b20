// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class vtkRivuletPoints
 * @brief The points of a curvilinear grid in a field file, whose coordinates stay there until they are touched.
 *
 * Bounds are known without reading coordinates: those of all nodes from the ranges in the file, those of a part, and of
 * a grid that moves, from the bounds of its bricks. These hold the part's nodes, and the rest of their bricks.
 *
 * Threads: as vtkPoints.
 */

#ifndef vtkRivuletPoints_h
#define vtkRivuletPoints_h

#include "Pipeline/LazyValues.h"
#include "vtkPoints.h"
#include "vtkRivuletPipelineModule.h"

#include <memory>

class VTKRIVULETPIPELINE_EXPORT vtkRivuletPoints : public vtkPoints
{
public:
  vtkRivuletPoints(const vtkRivuletPoints&) = delete;
  void operator=(const vtkRivuletPoints&) = delete;

  static vtkRivuletPoints* New();
  vtkTypeMacro(vtkRivuletPoints, vtkPoints);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  /**
   * Makes these the nodes `block` of the field's grid. The block is one of the places of the nodes.
   */
  void SetBlock(const std::shared_ptr<rivulet::LazyField>& field, const rivulet::ValueBlock& block);

  void ComputeBounds() override;

protected:
  vtkRivuletPoints() = default;
  ~vtkRivuletPoints() override = default;

private:
  bool HasKnownBounds() const;

  double KnownBounds[6] = { 1, -1, 1, -1, 1, -1 };
  vtkMTimeType Known = 0; // the data's time when they were found
};

#endif
