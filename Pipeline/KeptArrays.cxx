// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/KeptArrays.h"

#include "Pipeline/GridConversion.h"
#include "Pipeline/SourceArrays.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkFieldData.h"
#include "vtkPointData.h"

#include <algorithm>

namespace rivulet
{

namespace
{

std::string name_of(vtkAbstractArray& array)
{
  return array.GetName() != nullptr ? array.GetName() : "";
}

/// None for floats and bits.
WholeType whole_type_of(vtkDataArray& array)
{
  const int type = array.GetDataType();
  if (type == VTK_FLOAT || type == VTK_DOUBLE || type == VTK_BIT)
  {
    return WholeType::None;
  }
  const bool with_sign = array.GetDataTypeMin() < 0.0;
  switch (array.GetDataTypeSize())
  {
  case 1:
    return with_sign ? WholeType::Int8 : WholeType::UInt8;
  case 2:
    return with_sign ? WholeType::Int16 : WholeType::UInt16;
  case 4:
    return with_sign ? WholeType::Int32 : WholeType::UInt32;
  default:
    return with_sign ? WholeType::Int64 : WholeType::UInt64;
  }
}

bool has_long_numbers(vtkDataArray& array)
{
  const WholeType whole = whole_type_of(array);
  return whole == WholeType::Int64 || whole == WholeType::UInt64;
}

void describe_array(vtkDataArray& array, Centering centering, KeptArrays& kept)
{
  const std::string name = name_of(array);
  const ScalarType type = plain_type_of(array);
  const WholeType whole = whole_type_of(array);
  if (whole == WholeType::None && array.GetDataType() != VTK_FLOAT && array.GetDataType() != VTK_DOUBLE)
  {
    kept.converted += "\"" + name + "\" is saved as " + (type == ScalarType::Float32 ? "float. " : "double. ");
  }
  if (has_long_numbers(array))
  {
    kept.converted += "\"" + name + "\" keeps whole numbers below 2^53. ";
  }
  if (array.HasAComponentName())
  {
    kept.leave_out("the names of the components of \"" + name + "\"");
  }
  kept.variables.push_back({ name, type, array.GetNumberOfComponents(), centering, whole });
}

void describe_arrays(vtkDataSet& dataset, Centering centering, KeptArrays& kept)
{
  vtkDataSetAttributes* attributes = attributes_of(dataset, centering);
  for (int number = 0; number < attributes->GetNumberOfArrays(); ++number)
  {
    vtkAbstractArray* any = attributes->GetAbstractArray(number);
    auto* array = vtkDataArray::SafeDownCast(any);
    const std::string name = name_of(*any);
    if (name.empty())
    {
      kept.leave_out("an array without a name");
    }
    else if (name == vtkDataSetAttributes::GhostArrayName())
    {
      continue; // the file keeps its hidden points and cells
    }
    else if (array == nullptr)
    {
      kept.leave_out("\"" + name + "\" (it is not numeric)");
    }
    else if (array->GetNumberOfComponents() < 1 || array->GetNumberOfComponents() > 9)
    {
      kept.leave_out(
          "\"" + name + "\" (it has " + std::to_string(array->GetNumberOfComponents()) + " components, not 1 to 9)");
    }
    else
    {
      describe_array(*array, centering, kept);
    }
  }
}

void describe_field_data(vtkDataSet& dataset, KeptArrays& kept)
{
  vtkFieldData* data = dataset.GetFieldData();
  for (int number = 0; number < data->GetNumberOfArrays(); ++number)
  {
    const std::string name = name_of(*data->GetAbstractArray(number));
    if (name != "TimeValue") // the file stores times itself
    {
      kept.leave_out("field data \"" + name + "\"");
    }
  }
}

} // namespace

void KeptArrays::leave_out(const std::string& what)
{
  if (std::find(left_out.begin(), left_out.end(), what) == left_out.end())
  {
    left_out.push_back(what);
  }
}

std::string KeptArrays::note() const
{
  std::string names;
  for (const std::string& what : left_out)
  {
    names += (names.empty() ? "" : ", ") + what;
  }
  return converted + (names.empty() ? "" : "A field file does not keep: " + names + ". ");
}

KeptArrays kept_arrays(vtkDataSet& dataset)
{
  KeptArrays kept;
  describe_arrays(dataset, Centering::Node, kept);
  describe_arrays(dataset, Centering::Cell, kept);
  describe_field_data(dataset, kept);
  if (vtkDataArray* const places = places_of(dataset); places != nullptr && has_long_numbers(*places))
  {
    kept.converted += "The points keep whole numbers below 2^53. ";
  }
  return kept;
}

std::uint8_t hiding_bits(Centering centering)
{
  return centering == Centering::Node ? vtkDataSetAttributes::HIDDENPOINT
                                      : vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::REFINEDCELL;
}

vtkDataSetAttributes* attributes_of(vtkDataSet& dataset, Centering centering)
{
  return centering == Centering::Node ? static_cast<vtkDataSetAttributes*>(dataset.GetPointData())
                                      : static_cast<vtkDataSetAttributes*>(dataset.GetCellData());
}

} // namespace rivulet
