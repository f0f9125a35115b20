// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/MakeMesh.h"

#include "Trace/Mesh/CurvilinearMesh.h"
#include "Trace/Mesh/ForeignMesh.h"
#include "Trace/Mesh/LevelMesh.h"
#include "Trace/Mesh/SteppedMesh.h"
#include "Trace/Mesh/StructuredMesh.h"
#include "Trace/Mesh/UnstructuredMesh.h"

#include <algorithm>

namespace rivulet
{

Result<std::shared_ptr<const Mesh>> make_mesh(
    const TraceField& field, const std::vector<double>& times, TimeInterpolation interpolation)
{
  if (field.foreign != nullptr)
  {
    if (!field.foreign_steps.empty() && !times.empty())
    {
      if (field.foreign_steps.size() != times.size() ||
          std::count(field.foreign_steps.begin(), field.foreign_steps.end(), nullptr) ==
              static_cast<std::ptrdiff_t>(times.size()))
      {
        return fail(ErrorCode::BadArgument, "the mesh, which changes, does not have one step for each of the times");
      }
      return std::make_shared<const SteppedMesh>(field.foreign_steps, times, interpolation);
    }
    auto own = std::dynamic_pointer_cast<const UnstructuredCells>(field.foreign);
    return own != nullptr ? std::shared_ptr<const Mesh>(std::make_shared<const UnstructuredMesh>(std::move(own)))
                          : std::make_shared<const ForeignMesh>(field.foreign);
  }
  if (field.curvilinear != nullptr)
  {
    return CurvilinearMesh::create(field, times, interpolation);
  }
  const auto* const amr = dynamic_cast<const AmrMesh*>(field.velocity.source->own_cut());
  const int levels = amr != nullptr ? amr->levels() : 1;
  std::vector<GridGeometry> geometries;
  for (int number = 0; number < levels; ++number)
  {
    Result<GridGeometry> geometry = GridGeometry::create(number == 0 ? field.grid : amr->level(number).grid);
    if (!geometry)
    {
      return forward_error(geometry);
    }
    geometries.push_back(std::move(*geometry));
  }
  if (amr != nullptr)
  {
    return std::make_shared<const LevelMesh>(field, *amr, std::move(geometries));
  }
  return std::make_shared<const StructuredMesh>(field, std::move(geometries.front()));
}

bool needs_double_points(const TraceField& field, const Mesh& mesh, bool is_unsteady)
{
  const bool may_move = is_unsteady && (field.foreign != nullptr || field.curvilinear != nullptr);
  return may_move || mesh.needs_doubles();
}

} // namespace rivulet
