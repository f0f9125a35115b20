// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletArray.h"

#include "Pipeline/ArrayValues.h"
#include "Pipeline/ErrorReport.h"
#include "vtkObjectFactory.h"

#include <algorithm>

template <class T>
vtkRivuletArray<T>* vtkRivuletArray<T>::New()
{
  VTK_STANDARD_NEW_BODY(vtkRivuletArray<T>);
}

template <class T>
vtkRivuletArray<T>::vtkRivuletArray() = default;

template <class T>
vtkRivuletArray<T>::~vtkRivuletArray()
{
  if (this->Values)
  {
    this->ShowError(); // worker threads may have met it last
  }
}

template <class T>
void vtkRivuletArray<T>::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "File: " << (this->Values ? this->Values->path() : "(none)") << "\n";
}

template <class T>
void vtkRivuletArray<T>::SetBlock(std::shared_ptr<rivulet::LazyField> field, const rivulet::ValueBlock& block)
{
  auto values = std::make_shared<rivulet::LazyValues>(std::move(field), block);
  this->SetValues(values);
  this->OfField = values.get();
}

template <class T>
void vtkRivuletArray<T>::SetValues(std::shared_ptr<rivulet::ArrayValues> values)
{
  this->Values.swap(values);
  this->OfField = nullptr;
  this->SetName(this->Values->name().c_str());
  this->SetNumberOfComponents(this->Values->components());
  this->Size = this->Values->tuples() * this->Values->components();
  this->MaxId = this->Size - 1;
  this->DataChanged();
}

template <class T>
std::shared_ptr<rivulet::FileBricks> vtkRivuletArray<T>::GetSource() const
{
  return this->OfField ? this->OfField->field()->source() : nullptr;
}

template <class T>
std::shared_ptr<rivulet::LazyField> vtkRivuletArray<T>::GetField() const
{
  return this->OfField ? this->OfField->field() : nullptr;
}

template <class T>
int vtkRivuletArray<T>::GetVariable() const
{
  return this->OfField ? this->OfField->block().variable : -1;
}

template <class T>
int vtkRivuletArray<T>::GetStep() const
{
  return this->OfField ? this->OfField->block().step : -1;
}

template <class T>
std::array<int, 3> vtkRivuletArray<T>::GetLatticeOffset() const
{
  return this->OfField ? this->OfField->block().box.begin : std::array<int, 3>{ 0, 0, 0 };
}

template <class T>
std::array<int, 3> vtkRivuletArray<T>::GetLatticeSize() const
{
  return this->OfField ? this->OfField->block().box.size() : std::array<int, 3>{ 0, 0, 0 };
}

template <class T>
const T* vtkRivuletArray<T>::Tuple(vtkIdType tupleIdx) const
{
  const auto* tuple = static_cast<const T*>(this->Values->tuple(tupleIdx));
  if (this->Values->has_error())
  {
    this->ShowError();
  }
  return tuple;
}

template <class T>
T vtkRivuletArray<T>::GetValue(vtkIdType valueIdx) const
{
  return this->Tuple(valueIdx / this->NumberOfComponents)[valueIdx % this->NumberOfComponents];
}

template <class T>
void vtkRivuletArray<T>::GetTypedTuple(vtkIdType tupleIdx, T* tuple) const
{
  std::copy_n(this->Tuple(tupleIdx), this->NumberOfComponents, tuple);
}

template <class T>
T vtkRivuletArray<T>::GetTypedComponent(vtkIdType tupleIdx, int compIdx) const
{
  return this->Tuple(tupleIdx)[compIdx];
}

template <class T>
void* vtkRivuletArray<T>::GetVoidPointer(vtkIdType valueIdx)
{
  if (!this->Values)
  {
    return nullptr; // an ordinary empty array gives nullptr, too
  }
  std::shared_ptr<const rivulet::Error> problem;
  void* values = this->Values->whole(problem);
  if (problem)
  {
    rivulet::report_error(nullptr, *problem); // reported without this array: the message names the file
  }
  this->ShowError();
  return static_cast<T*>(values) + valueIdx;
}

template <class T>
void* vtkRivuletArray<T>::WriteVoidPointer(vtkIdType, vtkIdType)
{
  this->Refuse();
  return nullptr;
}

template <class T>
unsigned long vtkRivuletArray<T>::GetActualMemorySize() const
{
  const std::int64_t bytes = this->Values ? this->Values->bytes_held() : 0;
  return static_cast<unsigned long>((bytes + 1023) / 1024);
}

template <class T>
void vtkRivuletArray<T>::Initialize()
{
  this->Values.reset();
  this->OfField = nullptr;
  this->Size = 0;
  this->MaxId = -1;
  this->DataChanged();
}

namespace
{

// Copies a range; a range of no values becomes VTK's.
void CopyRange(const std::array<double, 2>& range, double* to)
{
  const bool any = range[0] <= range[1];
  to[0] = any ? range[0] : VTK_DOUBLE_MAX;
  to[1] = any ? range[1] : VTK_DOUBLE_MIN;
}

rivulet::ValueRanges KnownRanges(rivulet::ArrayValues& values, const rivulet::LazyValues* of_field, bool finite)
{
  return of_field == nullptr || finite ? values.ranges() : of_field->scanned_ranges().all;
}

} // namespace

template <class T>
bool vtkRivuletArray<T>::KnownScalarRange(double* ranges, bool finite)
{
  if (!this->Values)
  {
    return false;
  }
  const auto known = KnownRanges(*this->Values, this->OfField, finite).components;
  if (known.empty() && this->OfField == nullptr)
  {
    return this->GenericBase::ComputeScalarRange(
        ranges, nullptr, 0xff); // reads a patch; the overload without ghosts calls this function
  }
  for (const std::array<double, 2>& range : known)
  {
    CopyRange(range, ranges);
    ranges += 2;
  }
  return !known.empty();
}

template <class T>
bool vtkRivuletArray<T>::KnownVectorRange(double range[2], bool finite)
{
  if (!this->Values)
  {
    return false;
  }
  const rivulet::ValueRanges known = KnownRanges(*this->Values, this->OfField, finite);
  if (known.components.empty())
  {
    return this->OfField == nullptr && this->GenericBase::ComputeVectorRange(range, nullptr, 0xff);
  }
  CopyRange(known.magnitude, range);
  return true;
}

template <class T>
bool vtkRivuletArray<T>::CountsGhosts(const unsigned char* ghosts)
{
  return ghosts != nullptr && this->OfField != nullptr && this->OfField->scanned_ranges().exact;
}

template <class T>
int vtkRivuletArray<T>::Refuse()
{
  if (!this->Refused)
  {
    this->Refused = true;
    vtkErrorMacro("The array \"" << (this->Name ? this->Name : "")
                                 << "\" is paged in from a file and cannot be written; copy it first.");
  }
  return 0;
}

template <class T>
void vtkRivuletArray<T>::ShowError() const
{
  if (std::this_thread::get_id() != this->Home)
  {
    return;
  }
  if (const auto error = this->Values->take_error())
  {
    rivulet::report_error(nullptr, *error);
  }
}

template class vtkRivuletArray<float>;
template class vtkRivuletArray<double>;
template class vtkRivuletArray<vtkTypeInt8>;
template class vtkRivuletArray<vtkTypeUInt8>;
template class vtkRivuletArray<vtkTypeInt16>;
template class vtkRivuletArray<vtkTypeUInt16>;
template class vtkRivuletArray<vtkTypeInt32>;
template class vtkRivuletArray<vtkTypeUInt32>;
template class vtkRivuletArray<vtkTypeInt64>;
template class vtkRivuletArray<vtkTypeUInt64>;
