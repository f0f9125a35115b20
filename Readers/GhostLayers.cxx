// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/GhostLayers.h"

#include "AmrMesh/RefineBox.h"

#include <algorithm>

namespace rivulet
{

Int3 common_ghosts(const AmrDump& dump, std::span<const std::int32_t> variables)
{
  if (variables.empty())
  {
    return { 0, 0, 0 };
  }
  Int3 layers = dump.variables[static_cast<std::size_t>(variables.front())].ghosts;
  for (const std::int32_t number : variables)
  {
    const Int3& ghosts = dump.variables[static_cast<std::size_t>(number)].ghosts;
    std::transform(layers.begin(), layers.end(), ghosts.begin(), layers.begin(),
        [](std::int32_t a, std::int32_t b) { return std::min(a, b); });
  }
  if (dump.dimensions == 2)
  {
    layers[2] = 0;
  }
  return layers;
}

Box grow(const Box& box, const Int3& layers)
{
  Box grown = box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grown.begin[axis] -= layers[axis];
    grown.end[axis] += layers[axis];
  }
  return grown;
}

namespace
{

/// Smallest box around the patches of the coarsest level.
Box domain_of(const AmrDump& dump)
{
  Box domain = dump.patches.front().cells;
  for (std::int32_t p = 1; p < dump.levels.front().patches; ++p)
  {
    const Box& cells = dump.patches[static_cast<std::size_t>(p)].cells;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      domain.begin[axis] = std::min(domain.begin[axis], cells.begin[axis]);
      domain.end[axis] = std::max(domain.end[axis], cells.end[axis]);
    }
  }
  return domain;
}

/// Adds the layers that lie in the domain.
void widen(AmrPatch& patch, const Int3& layers, const Box& domain, const Vec3& spacing)
{
  const Box own = patch.cells;
  const Box stored = grow(own, layers);
  patch.cells = intersect(stored, domain);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    patch.cut_lower[axis] = patch.cells.begin[axis] - stored.begin[axis];
    patch.cut_upper[axis] = stored.end[axis] - patch.cells.end[axis];
    patch.lower[axis] -= (own.begin[axis] - patch.cells.begin[axis]) * spacing[axis];
    patch.upper[axis] += (patch.cells.end[axis] - own.end[axis]) * spacing[axis];
  }
}

} // namespace

AmrDump with_ghosts(const AmrDump& dump, const Int3& layers)
{
  AmrDump grown = dump;
  Box domain = domain_of(dump);
  for (const AmrLevel& level : dump.levels)
  {
    domain = refine(domain, level.ratio); // that of the coarsest level is 1
    for (std::int32_t p = 0; p < level.patches; ++p)
    {
      widen(grown.patches[static_cast<std::size_t>(level.first_patch + p)], layers, domain, level.spacing);
    }
  }
  for (AmrVariable& variable : grown.variables)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      variable.ghosts[axis] = std::max(0, variable.ghosts[axis] - layers[axis]);
    }
  }
  return grown;
}

} // namespace rivulet
