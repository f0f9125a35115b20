// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/PatchArray.h"

#include "vtkRivuletArray.h"
#include "vtkSmartPointer.h"

namespace rivulet
{

namespace
{

template <class T>
vtkSmartPointer<vtkDataArray> array_of(std::shared_ptr<ArrayValues>&& values)
{
  auto array = vtkSmartPointer<vtkRivuletArray<T>>::New();
  array->SetValues(std::move(values));
  return array;
}

} // namespace

PatchArray::PatchArray(
    std::shared_ptr<PatchStore> store, std::int32_t patch, std::int32_t variable, StoredType type, ValueRanges ranges)
  : store_(std::move(store))
  , patch_(patch)
  , variable_(variable)
  , type_(type)
  , tuple_bytes_(static_cast<std::size_t>(store_->components_of(variable) * size_of(type)))
  , ranges_(std::move(ranges))
{
  tuples_ = store_->bytes_of(patch, variable, type) / static_cast<std::int64_t>(tuple_bytes_);
}

PatchArray::~PatchArray()
{
  if (kept_)
  {
    store_->let_go(kept_);
  }
}

const std::string& PatchArray::name() const
{
  return store_->dump().variables[static_cast<std::size_t>(variable_)].name;
}

const void* PatchArray::tuple(std::int64_t index) const
{
  const std::byte* values = values_.load(std::memory_order_acquire);
  return (values != nullptr ? values : bring_in()) + static_cast<std::size_t>(index) * tuple_bytes_;
}

void* PatchArray::whole(std::shared_ptr<const Error>& problem)
{
  const std::byte* values = values_.load(std::memory_order_acquire);
  values = values != nullptr ? values : bring_in();
  problem = take_error();
  return const_cast<std::byte*>(values);
}

const std::byte* PatchArray::bring_in() const
{
  const std::lock_guard lock(mutex_);
  if (const std::byte* values = values_.load(std::memory_order_relaxed))
  {
    return values; // another thread was faster
  }
  Result<PatchStore::Patch> patch = checked(store_->keep(patch_, variable_, type_));
  const std::byte* values = nullptr;
  if (patch)
  {
    kept_ = *patch;
    values = kept_->values.data();
  }
  else
  {
    store_->note_error(std::make_shared<const Error>(std::move(patch.error())));
    nan_ = std::make_unique<MissingRegion>(tuples_ * static_cast<std::int64_t>(tuple_bytes_), MissingRegion::NaN);
    values = static_cast<const std::byte*>(nan_->data());
  }
  values_.store(values, std::memory_order_release);
  return values;
}

Result<PatchStore::Patch> PatchArray::checked(Result<PatchStore::Patch>&& patch) const
{
  if (patch && (*patch)->type != type_)
  {
    return fail(ErrorCode::Unsupported,
        "\"" + name() + "\" is of another type in patch " + std::to_string(patch_) + " than in others",
        "switch Read On Demand off", store_->dump().path);
  }
  return std::move(patch);
}

Result<std::shared_ptr<const void>> PatchArray::hold()
{
  Result<PatchStore::Patch> patch = checked(store_->hold(patch_, variable_));
  if (!patch)
  {
    return forward_error(patch);
  }
  const void* values = (*patch)->values.data();
  return std::shared_ptr<const void>(std::move(*patch), values);
}

std::int64_t PatchArray::bytes_held() const
{
  const std::lock_guard lock(mutex_);
  return static_cast<std::int64_t>(sizeof(PatchArray)) +
         (kept_ ? tuples_ * static_cast<std::int64_t>(tuple_bytes_) : 0);
}

vtkSmartPointer<vtkDataArray> lazy_array(std::shared_ptr<ArrayValues> values, StoredType type)
{
  switch (type)
  {
  case StoredType::Int8:
    return array_of<vtkTypeInt8>(std::move(values));
  case StoredType::UInt8:
    return array_of<vtkTypeUInt8>(std::move(values));
  case StoredType::Int16:
    return array_of<vtkTypeInt16>(std::move(values));
  case StoredType::UInt16:
    return array_of<vtkTypeUInt16>(std::move(values));
  case StoredType::Int32:
    return array_of<vtkTypeInt32>(std::move(values));
  case StoredType::UInt32:
    return array_of<vtkTypeUInt32>(std::move(values));
  case StoredType::Int64:
    return array_of<vtkTypeInt64>(std::move(values));
  case StoredType::UInt64:
    return array_of<vtkTypeUInt64>(std::move(values));
  case StoredType::Float32:
    return array_of<float>(std::move(values));
  default:
    return array_of<double>(std::move(values));
  }
}

} // namespace rivulet
