// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletArray.h"

#include "Pipeline/ErrorReport.h"
#include "Pipeline/LazyValues.h"
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
  os << indent << "File: " << (this->Values ? this->GetSource()->path() : "(none)") << "\n";
}

template <class T>
void vtkRivuletArray<T>::SetBlock(std::shared_ptr<rivulet::LazyField> field, const rivulet::ValueBlock& block)
{
  this->Values = std::make_unique<rivulet::LazyValues>(std::move(field), block);
  const rivulet::Variable& variable = this->Values->variable();
  this->SetName(variable.name.c_str());
  this->SetNumberOfComponents(variable.components);
  this->Size = block.box.count() * variable.components;
  this->MaxId = this->Size - 1;
  this->DataChanged();
}

template <class T>
std::shared_ptr<rivulet::FileBricks> vtkRivuletArray<T>::GetSource() const
{
  return this->Values ? this->Values->field()->source() : nullptr;
}

template <class T>
std::shared_ptr<rivulet::LazyField> vtkRivuletArray<T>::GetField() const
{
  return this->Values ? this->Values->field() : nullptr;
}

template <class T>
int vtkRivuletArray<T>::GetVariable() const
{
  return this->Values ? this->Values->block().variable : -1;
}

template <class T>
int vtkRivuletArray<T>::GetStep() const
{
  return this->Values ? this->Values->block().step : -1;
}

template <class T>
std::array<int, 3> vtkRivuletArray<T>::GetLatticeOffset() const
{
  return this->Values ? this->Values->block().box.begin : std::array<int, 3>{ 0, 0, 0 };
}

template <class T>
std::array<int, 3> vtkRivuletArray<T>::GetLatticeSize() const
{
  return this->Values ? this->Values->block().box.size() : std::array<int, 3>{ 0, 0, 0 };
}

template <class T>
const T* vtkRivuletArray<T>::Tuple(vtkIdType tupleIdx) const
{
  const auto* tuple = static_cast<const T*>(this->Values->tuple(tupleIdx));
  if (this->Values->field()->has_error())
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
    return nullptr; // an empty array has none either
  }
  std::shared_ptr<const rivulet::Error> problem;
  void* values = this->Values->whole(problem);
  if (problem)
  {
    rivulet::report_error(nullptr, *problem); // it names the file; the address of this would not help
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
  this->Size = 0;
  this->MaxId = -1;
  this->DataChanged();
}

template <class T>
bool vtkRivuletArray<T>::StoredScalarRange(double* ranges)
{
  if (!this->Values)
  {
    return false;
  }
  const auto stored = this->Values->field()->ranges(this->Values->block().variable).components;
  for (const std::array<double, 2>& range : stored)
  {
    *ranges++ = range[0];
    *ranges++ = range[1];
  }
  return !stored.empty();
}

template <class T>
bool vtkRivuletArray<T>::StoredVectorRange(double range[2])
{
  if (!this->Values)
  {
    return false;
  }
  const rivulet::ValueRanges stored = this->Values->field()->ranges(this->Values->block().variable);
  if (stored.components.empty())
  {
    return false;
  }
  std::copy_n(stored.magnitude.begin(), 2, range);
  return true;
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
  if (const auto error = this->Values->field()->take_error())
  {
    rivulet::report_error(nullptr, *error);
  }
}

template class vtkRivuletArray<float>;
template class vtkRivuletArray<double>;
