// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Results of residence time queries as VTK's data.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Trace/ResidenceTimes.h"

#include <string>
#include <vector>

class vtkDataSet;
class vtkPolyData;

namespace rivulet
{

/// Adds the point arrays of vtkRivuletResidenceTime's output 0 to the dataset of the seeds, with a component for each
/// region. `names`: of the regions.
void fill_residence(const ResidenceTimes& result, const std::vector<std::string>& names, vtkDataSet& output);

/// A vertex for each entry and exit: SeedId, Region, Time, Entry.
void fill_visits(const std::vector<Crossing>& visits, vtkPolyData& output);

} // namespace rivulet
