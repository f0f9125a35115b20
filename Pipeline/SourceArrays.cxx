// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/SourceArrays.h"

#include "Pipeline/GridConversion.h"
#include "Pipeline/LazyValues.h"
#include "Store/Source/ArrayBricks.h"
#include "vtkDataArray.h"
#include "vtkSmartPointer.h"

#include <string>

namespace rivulet
{

namespace
{

bool take_field(vtkDataArray* array, PipelineArray& taken)
{
  const LazyValues* const lazy = lazy_values(array);
  if (lazy == nullptr)
  {
    return false;
  }
  taken.field = lazy->field();
  taken.source = taken.field->source();
  taken.array = { taken.source.get(), lazy->block().variable, lazy->block().step };
  taken.lattice_offset = lazy->block().box.begin;
  return true;
}

vtkSmartPointer<vtkDataArray> as_plain_floats(vtkDataArray& array)
{
  const bool plain_already = array.GetDataType() == VTK_FLOAT || array.GetDataType() == VTK_DOUBLE;
  if (array.HasStandardMemoryLayout() && plain_already)
  {
    return &array;
  }
  const int type = plain_type_of(array) == ScalarType::Float32 ? VTK_FLOAT : VTK_DOUBLE;
  auto plain = vtkSmartPointer<vtkDataArray>::Take(vtkDataArray::CreateDataArray(type));
  plain->DeepCopy(&array);
  return plain;
}

Result<Variable> describe(vtkDataArray& array, const Grid& grid, Centering centering)
{
  const char* name = array.GetName();
  const Variable variable{ .name = name != nullptr ? name : "",
    .type = plain_type_of(array),
    .components = array.GetNumberOfComponents(),
    .centering = centering };
  if (Result<void> good = check_length(array, grid, centering); !good)
  {
    return forward_error(good);
  }
  if (variable.components < 1 || variable.components > 9)
  {
    return fail(ErrorCode::Unsupported,
        "the array \"" + variable.name + "\" has " + std::to_string(variable.components) + " components",
        "use arrays of 1 to 9 components");
  }
  return variable;
}

} // namespace

ScalarType plain_type_of(vtkDataArray& array)
{
  const bool exact = array.GetDataType() != VTK_DOUBLE && array.GetDataTypeSize() <= 2;
  return exact || array.GetDataType() == VTK_FLOAT ? ScalarType::Float32 : ScalarType::Float64;
}

Int3 lattice_offset_of(vtkDataArray* array)
{
  PipelineArray taken;
  take_field(array, taken);
  return taken.lattice_offset;
}

Result<PipelineArray> make_source(vtkDataArray* array, const Grid& grid, Centering centering)
{
  return make_source(array, grid, centering, lattice_offset_of(array));
}

Result<PipelineArray> make_source(
    vtkDataArray* array, const Grid& grid, Centering centering, const Int3& lattice_offset)
{
  if (array == nullptr)
  {
    return fail(ErrorCode::NotFound, "there is no such array", "choose one of the input's arrays");
  }
  auto variable = describe(*array, grid, centering);
  if (!variable)
  {
    return forward_error(variable);
  }
  PipelineArray taken;
  if (take_field(array, taken) && taken.lattice_offset == lattice_offset)
  {
    const Result<void> same = lazy_values(array)->check_unchanged();
    return same ? Result<PipelineArray>(std::move(taken)) : tl::unexpected(same.error());
  }
  const auto plain = std::make_shared<vtkSmartPointer<vtkDataArray>>(as_plain_floats(*array));
  PipelineArray made;
  made.source = std::make_shared<ArrayBricks>(
      grid, std::vector<MemoryArray>{ { *variable, (*plain)->GetVoidPointer(0), plain } }, lattice_offset);
  made.array = { made.source.get(), 0, 0 };
  made.lattice_offset = lattice_offset;
  return made;
}

} // namespace rivulet
