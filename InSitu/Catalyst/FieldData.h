// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Fields on blocks as VTK datasets.
///
///     one block on each rank at most   vtkImageData, vtkRectilinearGrid or vtkStructuredGrid, a piece of the domain
///     several blocks on some rank      vtkMultiBlockDataSet of these, blocks of all ranks in their order
///     levels                           vtkOverlappingAMR, patches of all ranks
///
/// Ghost cells within the domain are passed on and marked in vtkGhostType, so that surfaces go on across ranks.
/// Ghost cells outside the domain are left out. Values lie in place where nothing is left out.
///
/// Threads: one; all ranks call it for the same field, since they tell each other of their blocks.
#pragma once

#include "rivulet_insitu_data.h"
#include "vtkDataObject.h"
#include "vtkSmartPointer.h"

#include <array>
#include <mpi.h>
#include <string>

namespace rivulet::insitu
{

struct FieldData
{
  vtkSmartPointer<vtkDataObject> data;
  /// Points of the whole domain, first and last along each axis, where the data is a piece of it.
  std::array<int, 6> whole{ 0, -1, 0, -1, 0, -1 };
  std::string error; ///< not empty: there is no data, on any rank
};

[[nodiscard]] FieldData field_data(const rivulet_field& field, MPI_Comm comm);

} // namespace rivulet::insitu
