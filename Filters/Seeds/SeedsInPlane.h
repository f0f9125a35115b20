// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Seeds of flat data. A cloud of points around a plane has none in it, so that all would be outside: they are moved
/// across the plane into it.
///
/// Threads: the one that called RequestData.
#pragma once

#include "vtkSmartPointer.h"

class vtkDataObject;
class vtkDataSet;
class vtkInformationVector;

namespace rivulet
{

/// The seeds with all points in the plane (or on the line) of a flat input, with the same cells and arrays. nullptr if
/// nothing has to be moved: the input is not flat, or composite data; the seeds are no points of their own, or lie in
/// the plane.
[[nodiscard]] vtkSmartPointer<vtkDataSet> seeds_in_plane(vtkDataObject* input, vtkDataObject* seeds);

/// The connections of a port with seeds_in_plane() in the place of the first one's data; nullptr if they are as they
/// were.
[[nodiscard]] vtkSmartPointer<vtkInformationVector> seeds_in_plane(
    vtkInformationVector& input, vtkInformationVector& seeds);

} // namespace rivulet
