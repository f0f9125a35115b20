// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/CellTypes.h"

#include "vtkAOSDataArrayTemplate.h"
#include "vtkUnsignedCharArray.h"
#include "vtkUnstructuredGrid.h"
#include "vtkVersionMacros.h"

#include <algorithm>

namespace rivulet
{

namespace
{

/// nullptr where the types do not lie in memory as bytes.
const unsigned char* types_in_memory(vtkDataSet& dataset)
{
  auto* const grid = vtkUnstructuredGrid::SafeDownCast(&dataset);
  if (grid == nullptr)
  {
    return nullptr;
  }
#if VTK_VERSION_NUMBER >= VTK_VERSION_CHECK(9, 6, 0)
  vtkDataArray* const types = grid->GetCellTypes();
#else
  vtkDataArray* const types = grid->GetCellTypesArray();
#endif
  auto* const bytes = vtkAOSDataArrayTemplate<unsigned char>::FastDownCast(types);
  const bool all = bytes != nullptr && bytes->GetNumberOfValues() == grid->GetNumberOfCells();
  return all ? bytes->GetPointer(0) : nullptr;
}

} // namespace

std::vector<std::uint8_t> cell_types(vtkDataSet& dataset)
{
  const vtkIdType count = dataset.GetNumberOfCells();
  if (const unsigned char* const types = types_in_memory(dataset))
  {
    return { types, types + count };
  }
  std::vector<std::uint8_t> types(static_cast<std::size_t>(count));
  vtkIdType cell = 0;
  std::generate(types.begin(), types.end(), [&] { return static_cast<std::uint8_t>(dataset.GetCellType(cell++)); });
  return types;
}

} // namespace rivulet
