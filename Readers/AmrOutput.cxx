// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/AmrOutput.h"

#include "AmrMesh/RefineBox.h"
#include "Pipeline/AmrCompat.h"
#include "vtkAMRBox.h"
#include "vtkCellData.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkDoubleArray.h"
#include "vtkInformation.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkStructuredGrid.h"
#include "vtkUniformGrid.h"
#include "vtkUnsignedCharArray.h"

namespace rivulet
{

namespace
{

int vtk_type_of(StoredType type)
{
  switch (type)
  {
  case StoredType::Int8:
    return VTK_TYPE_INT8;
  case StoredType::UInt8:
    return VTK_TYPE_UINT8;
  case StoredType::Int16:
    return VTK_TYPE_INT16;
  case StoredType::UInt16:
    return VTK_TYPE_UINT16;
  case StoredType::Int32:
    return VTK_TYPE_INT32;
  case StoredType::UInt32:
    return VTK_TYPE_UINT32;
  case StoredType::Int64:
    return VTK_TYPE_INT64;
  case StoredType::UInt64:
    return VTK_TYPE_UINT64;
  case StoredType::Float32:
    return VTK_TYPE_FLOAT32;
  default:
    return VTK_TYPE_FLOAT64;
  }
}

/// Adds a third component of 0: VTK's vectors have three components.
vtkSmartPointer<vtkDataArray> with_three_components(vtkDataArray& plane)
{
  auto vectors = vtkSmartPointer<vtkDataArray>::Take(plane.NewInstance());
  vectors->SetName(plane.GetName());
  vectors->SetNumberOfComponents(3);
  vectors->SetNumberOfTuples(plane.GetNumberOfTuples());
  vectors->CopyComponent(0, &plane, 0);
  vectors->CopyComponent(1, &plane, 1);
  vectors->FillComponent(2, 0.0);
  return vectors;
}

/// Nodes of a box of cells along each axis; 1 along the third axis of a dump in two dimensions.
Int3 nodes_of(const AmrDump& dump, const Box& box)
{
  const Int3 cells = box.size();
  return { cells[0] + 1, cells[1] + 1, dump.dimensions == 3 ? cells[2] + 1 : 1 };
}

vtkSmartPointer<vtkUniformGrid> uniform_grid(const AmrDump& dump, const AmrPatch& patch)
{
  const AmrLevel& level = dump.levels[static_cast<std::size_t>(patch.level)];
  auto grid = vtkSmartPointer<vtkUniformGrid>::New();
  grid->SetOrigin(patch.lower.data());
  // In two dimensions the depth has no meaning but must be positive.
  const double depth = level.spacing[2] > 0.0 ? level.spacing[2] : level.spacing[0];
  grid->SetSpacing(level.spacing[0], level.spacing[1], dump.dimensions == 3 ? level.spacing[2] : depth);
  grid->SetDimensions(nodes_of(dump, patch.cells).data());
  return grid;
}

vtkSmartPointer<vtkDataSet> structured_grid(const AmrDump& dump, const AmrPatch& patch, PatchVariable& nodes)
{
  auto grid = vtkSmartPointer<vtkStructuredGrid>::New();
  grid->SetDimensions(nodes_of(dump, patch.cells).data());
  vtkNew<vtkPoints> points;
  const vtkSmartPointer<vtkDataArray> places = take_array(nodes, "Points", dump.dimensions);
  points->SetData(places);
  grid->SetPoints(points);
  return grid;
}

/// Sets a mark in the `part` of a lattice of `size` values that begins at `corner`.
void mark_part(vtkUnsignedCharArray& marks, const Box& part, const Int3& corner, const Int3& size, unsigned char mark)
{
  for (std::int32_t k = part.begin[2]; k < part.end[2]; ++k)
  {
    for (std::int32_t j = part.begin[1]; j < part.end[1]; ++j)
    {
      for (std::int32_t i = part.begin[0]; i < part.end[0]; ++i)
      {
        const vtkIdType at = row_major({ i - corner[0], j - corner[1], k - corner[2] }, size);
        marks.SetValue(at, static_cast<unsigned char>(marks.GetValue(at) | mark));
      }
    }
  }
}

/// Marks the cells of a patch that lie under its children.
void mark_refined(const AmrDump& dump, const std::vector<std::int32_t>& children, const AmrPatch& patch,
    const Box& shown, vtkUnsignedCharArray& marks)
{
  const Int3 ratio = dump.levels[static_cast<std::size_t>(patch.level) + 1].ratio;
  for (const std::int32_t child : children)
  {
    const Box& fine = dump.patches[static_cast<std::size_t>(child)].cells;
    const Box covered = intersect(coarsen(fine, ratio), patch.cells);
    mark_part(marks, covered, shown.begin, shown.size(), vtkDataSetAttributes::REFINEDCELL);
  }
}

/// Marks for a lattice of values: `mark` outside the `own` part.
vtkSmartPointer<vtkUnsignedCharArray> mark_layers(const Int3& size, const Box& own, unsigned char mark)
{
  auto marks = vtkSmartPointer<vtkUnsignedCharArray>::New();
  marks->SetName(vtkDataSetAttributes::GhostArrayName());
  marks->SetNumberOfValues(volume(size));
  marks->FillValue(mark);
  for (std::int32_t k = own.begin[2]; k < own.end[2]; ++k)
  {
    for (std::int32_t j = own.begin[1]; j < own.end[1]; ++j)
    {
      const vtkIdType row = row_major({ own.begin[0], j, k }, size);
      std::fill_n(marks->GetPointer(row), own.size()[0], static_cast<unsigned char>(0));
    }
  }
  return marks;
}

/// Marks ghost layers (in `shown`, not in `dump`) and cells under finer ones, so that filters do not count them. Either
/// all grids get marks or none, because filters that append results drop arrays missing in some grids.
void add_marks(const AmrDump& dump, const AmrDump& shown, int finest, std::size_t number, vtkDataSet& grid)
{
  const AmrPatch& patch = dump.patches[number];
  const Box& box = shown.patches[number].cells;
  Box own = patch.cells;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    own.begin[axis] -= box.begin[axis];
    own.end[axis] -= box.begin[axis];
  }
  const bool ghosts = &dump != &shown;
  if (ghosts || finest > 0)
  {
    vtkSmartPointer<vtkUnsignedCharArray> marks = mark_layers(box.size(), own, vtkDataSetAttributes::DUPLICATECELL);
    if (patch.level < finest && !dump.children.empty())
    {
      mark_refined(dump, dump.children[number], patch, box, *marks);
    }
    grid.GetCellData()->AddArray(marks);
  }
  if (ghosts)
  {
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(dump.dimensions); ++axis)
    {
      ++own.end[axis];
    }
    grid.GetPointData()->AddArray(mark_layers(nodes_of(dump, box), own, vtkDataSetAttributes::DUPLICATEPOINT));
  }
}

/// Box of a patch on its level. In two dimensions VTK expects the upper corner below the lower one along the third
/// axis.
void set_box(const AmrDump& dump, const AmrPatch& patch, vtkOverlappingAMR& output)
{
  const Int3& begin = patch.cells.begin;
  const Int3& end = patch.cells.end;
  output.SetAMRBox(static_cast<unsigned int>(patch.level), static_cast<unsigned int>(patch.number),
      vtkAMRBox(
          begin[0], begin[1], begin[2], end[0] - 1, end[1] - 1, dump.dimensions == 3 ? end[2] - 1 : begin[2] - 1));
}

} // namespace

vtkSmartPointer<vtkDataArray> take_array(PatchVariable& values, const std::string& name, int dimensions)
{
  auto array = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(vtk_type_of(values.type)));
  array->SetName(name.c_str());
  array->SetNumberOfComponents(values.components);
  const auto scalars = static_cast<vtkIdType>(values.values.size()) / array->GetDataTypeSize();
  array->SetVoidArray(values.values.release(), scalars, 0, vtkAbstractArray::VTK_DATA_ARRAY_USER_DEFINED);
  array->SetArrayFreeFunction(free_slab_memory);
  return dimensions == 2 && values.components == 2 ? with_three_components(*array) : array;
}

void add_array(vtkDataSet& grid, Centering centering, vtkDataArray& array)
{
  centering == Centering::Cell ? grid.GetCellData()->AddArray(&array) : grid.GetPointData()->AddArray(&array);
}

bool is_overlapping_amr(const AmrDump& dump)
{
  bool isotropic = true;
  for (const AmrLevel& level : dump.levels)
  {
    for (std::size_t axis = 1; axis < static_cast<std::size_t>(dump.dimensions); ++axis)
    {
      isotropic = isotropic && level.ratio[axis] == level.ratio[0];
    }
  }
  return isotropic && !dump.deformed;
}

void set_boxes(const AmrDump& dump, int finest, vtkOverlappingAMR& output)
{
  std::vector<int> blocks;
  for (int i = 0; i <= finest; ++i)
  {
    blocks.push_back(dump.levels[static_cast<std::size_t>(i)].patches);
  }
  set_levels(output, blocks);
  set_dimensions(output, dump.dimensions);
  output.SetOrigin(dump.origin.data());
  for (unsigned int i = 0; i < blocks.size(); ++i)
  {
    const AmrLevel& level = dump.levels[i];
    const Vec3 spacing{ level.spacing[0], level.spacing[1],
      dump.dimensions == 3 || level.spacing[2] > 0.0 ? level.spacing[2] : level.spacing[0] };
    output.SetSpacing(i, spacing.data());
    output.SetRefinementRatio(i, i + 1 < blocks.size() ? dump.levels[i + 1].ratio[0] : 2);
    for (std::int32_t p = 0; p < level.patches; ++p)
    {
      const AmrPatch& patch = dump.patches[static_cast<std::size_t>(level.first_patch + p)];
      set_box(dump, patch, output);
      output.SetAMRBlockSourceIndex(i, static_cast<unsigned int>(p), level.first_patch + p);
    }
  }
  output.GenerateParentChildInformation();
}

void fill_amr(const AmrDump& dump, const AmrDump& shown, int finest, PatchArrays& arrays, vtkOverlappingAMR& output)
{
  set_boxes(dump, finest, output);
  // Parents and children come from the patches without ghost layers. Now the boxes grow: filters crash if a grid and
  // its box differ in size.
  for (std::size_t i = 0; &dump != &shown && i < shown.patches.size() && shown.patches[i].level <= finest; ++i)
  {
    set_box(shown, shown.patches[i], output);
  }
  for (std::size_t i = 0; i < arrays.patches().size(); ++i)
  {
    const auto number = static_cast<std::size_t>(arrays.patches()[i]);
    const AmrPatch& patch = shown.patches[number];
    const vtkSmartPointer<vtkUniformGrid> grid = uniform_grid(shown, patch);
    arrays.add_to(i, *grid);
    add_marks(dump, shown, finest, number, *grid);
    output.SetDataSet(static_cast<unsigned int>(patch.level), static_cast<unsigned int>(patch.number), grid);
  }
}

void fill_multiblock(
    const AmrDump& dump, const AmrDump& shown, int finest, PatchArrays& arrays, vtkMultiBlockDataSet& output)
{
  output.SetNumberOfBlocks(static_cast<unsigned int>(finest + 1));
  for (int i = 0; i <= finest; ++i)
  {
    vtkNew<vtkMultiBlockDataSet> level;
    level->SetNumberOfBlocks(static_cast<unsigned int>(dump.levels[static_cast<std::size_t>(i)].patches));
    output.SetBlock(static_cast<unsigned int>(i), level);
    output.GetMetaData(static_cast<unsigned int>(i))
        ->Set(vtkCompositeDataSet::NAME(), ("Level " + std::to_string(i)).c_str());
  }
  for (std::size_t i = 0; i < arrays.patches().size(); ++i)
  {
    const auto number = static_cast<std::size_t>(arrays.patches()[i]);
    const AmrPatch& patch = shown.patches[number];
    vtkSmartPointer<vtkDataSet> grid;
    if (dump.deformed)
    {
      PatchVariable* nodes = arrays.nodes(i);
      if (nodes == nullptr)
      {
        continue;
      }
      grid = structured_grid(shown, patch, *nodes);
    }
    else
    {
      grid = uniform_grid(shown, patch);
    }
    arrays.add_to(i, *grid);
    add_marks(dump, shown, finest, number, *grid);
    vtkMultiBlockDataSet::SafeDownCast(output.GetBlock(static_cast<unsigned int>(patch.level)))
        ->SetBlock(static_cast<unsigned int>(patch.number), grid);
  }
}

} // namespace rivulet
