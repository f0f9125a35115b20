// SPDX-License-Identifier: BSD-3-Clause
#include "Catalyst/Values.h"

#include "vtkAOSDataArrayTemplate.h"

#include <cstring>

namespace rivulet::insitu
{

namespace
{

template <class T>
vtkSmartPointer<vtkDataArray> in_place(const void* values, std::int32_t components, std::int64_t count)
{
  vtkSmartPointer<vtkAOSDataArrayTemplate<T>> array;
  array.TakeReference(vtkAOSDataArrayTemplate<T>::New());
  array->SetNumberOfComponents(components);
  // VTK has no arrays that cannot be written. Filters do not write to their inputs.
  array->SetArray(const_cast<T*>(static_cast<const T*>(values)), count * components, /*save=*/1);
  return array;
}

vtkSmartPointer<vtkDataArray> new_array(std::int32_t type)
{
  static_assert(sizeof(int) == sizeof(std::int32_t));
  const int id = type == RIVULET_FLOAT32   ? VTK_FLOAT
                 : type == RIVULET_FLOAT64 ? VTK_DOUBLE
                 : type == RIVULET_INT32   ? VTK_INT
                 : type == RIVULET_INT64   ? VTK_TYPE_INT64
                                           : VTK_UNSIGNED_CHAR;
  vtkSmartPointer<vtkDataArray> array;
  array.TakeReference(vtkDataArray::CreateDataArray(id));
  return array;
}

} // namespace

vtkSmartPointer<vtkDataArray> array_of(
    const char* name, std::int32_t type, std::int32_t components, const void* values, std::int64_t count)
{
  vtkSmartPointer<vtkDataArray> array;
  switch (type)
  {
  case RIVULET_FLOAT32:
    array = in_place<float>(values, components, count);
    break;
  case RIVULET_FLOAT64:
    array = in_place<double>(values, components, count);
    break;
  case RIVULET_INT32:
    array = in_place<int>(values, components, count);
    break;
  case RIVULET_INT64:
    array = in_place<vtkTypeInt64>(values, components, count);
    break;
  default: // RIVULET_UINT8
    array = in_place<unsigned char>(values, components, count);
    break;
  }
  array->SetName(name);
  return array;
}

vtkSmartPointer<vtkDataArray> part_of(
    const rivulet_variable& variable, const void* values, const Range& stored, const Range& wanted)
{
  if (stored == wanted)
  {
    return array_of(variable.name, variable.type, variable.components, values, stored.count());
  }
  vtkSmartPointer<vtkDataArray> array = new_array(variable.type);
  array->SetName(variable.name);
  array->SetNumberOfComponents(variable.components);
  array->SetNumberOfTuples(wanted.count());
  const std::int64_t tuple = std::int64_t{ array->GetDataTypeSize() } * variable.components;
  auto* to = static_cast<std::byte*>(array->GetVoidPointer(0));
  for (std::int64_t k = wanted.begin[2]; k < wanted.end[2]; ++k)
  {
    for (std::int64_t j = wanted.begin[1]; j < wanted.end[1]; ++j, to += wanted.size(0) * tuple)
    {
      const std::int64_t row = ((k - stored.begin[2]) * stored.size(1) + j - stored.begin[1]) * stored.size(0);
      const auto* from = static_cast<const std::byte*>(values) + (row + wanted.begin[0] - stored.begin[0]) * tuple;
      std::memcpy(to, from, static_cast<std::size_t>(wanted.size(0) * tuple));
    }
  }
  return array;
}

} // namespace rivulet::insitu
