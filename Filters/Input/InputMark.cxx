// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/InputMark.h"

#include "Pipeline/LazyValues.h"
#include "vtkCellData.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkImageData.h"
#include "vtkMatrix3x3.h"
#include "vtkPointData.h"
#include "vtkRectilinearGrid.h"
#include "vtkSmartPointer.h"

#include <algorithm>

namespace rivulet
{

namespace
{

std::shared_ptr<LazyField> field_of(vtkAbstractArray* array, std::array<int, 8>& values)
{
  const LazyValues* const paged = lazy_values(array);
  if (paged == nullptr)
  {
    return nullptr;
  }
  const ValueBlock& block = paged->block();
  const Int3& first = block.box.begin;
  const Int3 size = block.box.size();
  values = { block.variable, block.step, first[0], first[1], first[2], size[0], size[1], size[2] };
  return paged->field();
}

} // namespace

InputMark::InputMark(vtkDataObject& input)
{
  if (auto* blocks = vtkCompositeDataSet::SafeDownCast(&input))
  {
    const auto each = vtkSmartPointer<vtkCompositeDataIterator>::Take(blocks->NewIterator());
    for (each->InitTraversal(); !each->IsDoneWithTraversal(); each->GoToNextItem())
    {
      add(each->GetCurrentDataObject(), static_cast<int>(each->GetCurrentFlatIndex()));
    }
    return;
  }
  add(&input, 0);
}

void InputMark::add(vtkDataObject* block, int number)
{
  if (auto* dataset = vtkDataSet::SafeDownCast(block))
  {
    add_geometry(*dataset);
    add_arrays(*dataset->GetPointData(), 2 * number);
    add_arrays(*dataset->GetCellData(), 2 * number + 1);
  }
}

void InputMark::add_geometry(vtkDataSet& dataset)
{
  const auto add = [&](const auto* numbers, int count)
  {
    geometry_.insert(geometry_.end(), numbers, numbers + count);
  };
  if (auto* image = vtkImageData::SafeDownCast(&dataset))
  {
    add(image->GetExtent(), 6);
    add(image->GetOrigin(), 3);
    add(image->GetSpacing(), 3);
    add(image->GetDirectionMatrix()->GetData(), 9);
  }
  else if (auto* grid = vtkRectilinearGrid::SafeDownCast(&dataset))
  {
    add(grid->GetExtent(), 6);
    for (vtkDataArray* axis : { grid->GetXCoordinates(), grid->GetYCoordinates(), grid->GetZCoordinates() })
    {
      for (vtkIdType i = 0; axis != nullptr && i < axis->GetNumberOfTuples(); ++i)
      {
        geometry_.push_back(axis->GetTuple1(i));
      }
    }
  }
}

void InputMark::add_arrays(vtkDataSetAttributes& attributes, int place)
{
  for (int i = 0; i < attributes.GetNumberOfArrays(); ++i)
  {
    vtkAbstractArray* array = attributes.GetAbstractArray(i);
    Array& mark = arrays_.emplace_back();
    mark.place = place;
    mark.name = array->GetName() != nullptr ? array->GetName() : "";
    mark.object = array;
    mark.changed = array->GetMTime();
    mark.field = field_of(array, mark.values);
  }
  for (int type = 0; type < vtkDataSetAttributes::NUM_ATTRIBUTES; ++type)
  {
    const vtkAbstractArray* active = attributes.GetAbstractAttribute(type);
    int at = attributes.GetNumberOfArrays();
    while (at-- > 0 && attributes.GetAbstractArray(at) != active)
    {
    }
    geometry_.push_back(at);
  }
}

bool InputMark::same(const Array& a, const Array& b)
{
  if (a.place != b.place || a.name != b.name)
  {
    return false;
  }
  if (const std::shared_ptr<LazyField> field = a.field.lock())
  {
    return field == b.field.lock() && a.values == b.values;
  }
  return a.object != nullptr && a.object == b.object && a.changed == b.changed;
}

bool InputMark::operator==(const InputMark& other) const
{
  return !arrays_.empty() && geometry_ == other.geometry_ &&
         std::equal(arrays_.begin(), arrays_.end(), other.arrays_.begin(), other.arrays_.end(), same);
}

} // namespace rivulet
