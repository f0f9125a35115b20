// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/GhostLayers.h"

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

AmrDump with_ghosts(const AmrDump& dump, const Int3& layers)
{
  AmrDump grown = dump;
  for (AmrPatch& patch : grown.patches)
  {
    patch.cells = grow(patch.cells, layers);
    const Vec3& spacing = grown.levels[static_cast<std::size_t>(patch.level)].spacing;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      patch.lower[axis] -= layers[axis] * spacing[axis];
      patch.upper[axis] += layers[axis] * spacing[axis];
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
