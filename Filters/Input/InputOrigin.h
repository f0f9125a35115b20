// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Origin of the input of port 0: the source at the head of the pipeline. It determines the steps that can be had,
/// and the data that can change from step to step.
///
/// Threads: the one that runs the pipeline.
#pragma once

class vtkAlgorithm;

namespace rivulet
{

/// Whether the input comes from a simulation that runs: from a source of ParaView's Catalyst, which announces all times
/// so far and has the data of the last one alone, until the next step.
[[nodiscard]] bool comes_from_simulation(vtkAlgorithm& filter);

/// Whether the input of port 0 comes from a reader of field files without a filter in between. A filter could change
/// data that is not in the files from step to step: geometry, hidden cells, arrays.
[[nodiscard]] bool comes_from_reader(vtkAlgorithm& filter);

} // namespace rivulet
