// SPDX-License-Identifier: BSD-3-Clause
#include "Catalyst/MeshData.h"

#include "Catalyst/Values.h"
#include "vtkCellArray.h"
#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkTypeInt32Array.h"
#include "vtkTypeInt64Array.h"
#include "vtkUnsignedCharArray.h"

namespace rivulet::insitu
{

namespace
{

/// Values in place. VTK does not write to them.
template <class Array, class T>
vtkSmartPointer<Array> in_place(const void* values, std::int64_t count)
{
  vtkNew<Array> array;
  array->SetArray(const_cast<T*>(static_cast<const T*>(values)), count, /*save=*/1);
  return array;
}

template <class Array, class T>
void set_cells(const rivulet_mesh& mesh, vtkCellArray& cells)
{
  const std::int64_t all = static_cast<const T*>(mesh.offset)[mesh.cells];
  cells.SetData(in_place<Array, T>(mesh.offset, mesh.cells + 1), in_place<Array, T>(mesh.connectivity, all));
}

void add_arrays(const rivulet_array* arrays, std::int32_t number, std::int64_t count, vtkDataSetAttributes& attributes)
{
  for (std::int32_t i = 0; i < number; ++i)
  {
    attributes.AddArray(array_of(arrays[i].name, arrays[i].type, arrays[i].components, arrays[i].data, count));
  }
}

vtkSmartPointer<vtkUnsignedCharArray> ghosts_of(const rivulet_mesh& mesh)
{
  vtkNew<vtkUnsignedCharArray> ghosts;
  ghosts->SetName(vtkDataSetAttributes::GhostArrayName());
  ghosts->SetNumberOfValues(mesh.cells);
  for (std::int64_t cell = 0; cell < mesh.cells; ++cell)
  {
    const bool ghost = mesh.ghost_cells[cell] != 0;
    ghosts->SetValue(cell, ghost ? static_cast<unsigned char>(vtkDataSetAttributes::DUPLICATECELL) : 0);
  }
  return ghosts;
}

} // namespace

vtkSmartPointer<vtkUnstructuredGrid> mesh_data(const rivulet_mesh& mesh)
{
  vtkNew<vtkUnstructuredGrid> grid;
  vtkNew<vtkPoints> points;
  const std::int32_t real = mesh.real == RIVULET_FLOAT32 ? RIVULET_FLOAT32 : RIVULET_FLOAT64;
  points->SetData(array_of("Points", real, 3, mesh.point, mesh.points));
  grid->SetPoints(points);
  if (mesh.cells > 0)
  {
    vtkNew<vtkCellArray> cells;
    if (mesh.index == RIVULET_INT32)
    {
      set_cells<vtkTypeInt32Array, vtkTypeInt32>(mesh, *cells);
    }
    else
    {
      set_cells<vtkTypeInt64Array, vtkTypeInt64>(mesh, *cells);
    }
    grid->SetCells(in_place<vtkUnsignedCharArray, unsigned char>(mesh.type, mesh.cells), cells);
  }
  add_arrays(mesh.at_point, mesh.point_arrays, mesh.points, *grid->GetPointData());
  add_arrays(mesh.at_cell, mesh.cell_arrays, mesh.cells, *grid->GetCellData());
  if (mesh.ghost_cells != nullptr && mesh.cells > 0)
  {
    grid->GetCellData()->AddArray(ghosts_of(mesh));
  }
  return grid;
}

} // namespace rivulet::insitu
