// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The choice of the mesh of a field.
#pragma once

#include "Trace/Contract/TraceField.h"
#include "Trace/Mesh/Mesh.h"

#include <memory>

namespace rivulet
{

/// `times`: of the field's steps; empty in steady flow. `interpolation`: of nodes that move. Fails with BadArgument for
/// a geometry that GridGeometry refuses. The field, its sources and its ghost arrays must outlive the mesh.
[[nodiscard]] Result<std::shared_ptr<const Mesh>> make_mesh(const TraceField& field,
    const std::vector<double>& times = {}, TimeInterpolation interpolation = TimeInterpolation::Linear);

} // namespace rivulet
