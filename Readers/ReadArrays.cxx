// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/ReadArrays.h"

#include "vtkDataArray.h"

namespace rivulet
{

void ReadArrays::add_to(std::size_t position, vtkDataSet& grid)
{
  for (std::size_t v = 0; v < data_.variables.size(); ++v)
  {
    PatchVariable& values = data_.at(position, v);
    if (values.state != PatchVariable::State::Read || static_cast<int>(v) == coordinates_)
    {
      continue;
    }
    const AmrVariable& variable = dump_.variables[static_cast<std::size_t>(data_.variables[v])];
    add_array(grid, variable.centering, *take_array(values, variable.name, dump_.dimensions));
  }
}

PatchVariable* ReadArrays::nodes(std::size_t position)
{
  PatchVariable& nodes = data_.at(position, static_cast<std::size_t>(coordinates_));
  return nodes.state == PatchVariable::State::Read ? &nodes : nullptr;
}

} // namespace rivulet
