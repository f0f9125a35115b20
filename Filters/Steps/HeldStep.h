// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The input of a flow filter at one time step, kept while particles need it.
#pragma once

#include "Filters/Input/FlowInput.h"
#include "Trace/Mesh/HiddenCells.h"
#include "vtkDataObject.h"
#include "vtkSmartPointer.h"

#include <memory>

namespace rivulet
{

struct HeldStep
{
  std::int32_t step; ///< number among the steps of the field
  vtkSmartPointer<vtkDataObject> data;
  FlowInput flow;
  std::shared_ptr<const HiddenCells> hidden; ///< nullptr: none
  vtkMTimeType written;                      ///< structure_written() when it was taken
};

} // namespace rivulet
