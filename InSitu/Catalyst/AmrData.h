// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Patches of levels as overlapping AMR. Every rank describes the boxes of all ranks, and has the data of its own.
/// Cells below finer patches are hidden. Ghost cells of patches are left out: overlapping AMR has no place for them.
#pragma once

#include "rivulet_insitu_data.h"
#include "vtkDataObject.h"
#include "vtkSmartPointer.h"

#include <mpi.h>

namespace rivulet::insitu
{

/// Cell-centred fields only. All ranks of `comm` call it.
[[nodiscard]] vtkSmartPointer<vtkDataObject> amr_data(const rivulet_field& field, MPI_Comm comm);

} // namespace rivulet::insitu
