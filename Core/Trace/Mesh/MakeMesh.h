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

/// Whether points of outputs are to be doubles: where the mesh needs them. In unsteady flow on curvilinear grids and
/// cells always, since nodes may move between time steps that are not here yet, also to places far from 0: the type of
/// the points must not depend on the steps that are here. `mesh`: of the field.
[[nodiscard]] bool needs_double_points(const TraceField& field, const Mesh& mesh, bool is_unsteady);

} // namespace rivulet
