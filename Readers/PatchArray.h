// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One variable of one patch of a dump as an array that is read on demand. Private to the module.
///
/// The first access to a value reads the whole patch. It stays in memory as long as the array, within the budget of the
/// store. A patch of hold() stays as long as the caller holds it.
#pragma once

#include "Amr/PatchStore.h"
#include "Pipeline/ArrayValues.h"
#include "Pipeline/MissingRegion.h"

#include <atomic>
#include <mutex>

class vtkDataArray;
template <class T>
class vtkSmartPointer;

namespace rivulet
{

class PatchArray final : public ArrayValues
{
public:
  /// `type`: from PatchReader::stored_type(); reading a patch of another type fails. `ranges`: from the summary.
  PatchArray(std::shared_ptr<PatchStore> store, std::int32_t patch, std::int32_t variable, StoredType type,
      ValueRanges ranges);
  ~PatchArray() override;

  [[nodiscard]] const std::string& name() const override;
  [[nodiscard]] std::int32_t components() const override { return store_->components_of(variable_); }
  [[nodiscard]] std::int64_t tuples() const override { return tuples_; }
  [[nodiscard]] std::string path() const override { return store_->dump().path; }
  [[nodiscard]] const void* tuple(std::int64_t index) const override;
  [[nodiscard]] void* whole(std::shared_ptr<const Error>& problem) override;
  [[nodiscard]] Result<std::shared_ptr<const void>> hold() override;
  [[nodiscard]] std::shared_ptr<BudgetedStore> store() const override { return store_; }
  [[nodiscard]] std::int64_t bytes_held() const override;
  [[nodiscard]] ValueRanges ranges() override { return ranges_; }
  [[nodiscard]] bool has_error() const override { return store_->has_error(); }
  [[nodiscard]] std::shared_ptr<const Error> take_error() override { return store_->take_error(); }

private:
  [[nodiscard]] const std::byte* bring_in() const;
  [[nodiscard]] Result<PatchStore::Patch> checked(Result<PatchStore::Patch>&& patch) const;

  std::shared_ptr<PatchStore> store_;
  std::int32_t patch_;
  std::int32_t variable_;
  StoredType type_;
  std::int64_t tuples_;
  std::size_t tuple_bytes_;
  ValueRanges ranges_;
  mutable std::atomic<const std::byte*> values_{ nullptr }; ///< values of `kept_`, or NaN
  mutable std::mutex mutex_;                                ///< guards the members below
  mutable PatchStore::Patch kept_;
  mutable std::unique_ptr<MissingRegion> nan_;
};

/// VTK array of a patch with the stored type.
[[nodiscard]] vtkSmartPointer<vtkDataArray> lazy_array(std::shared_ptr<ArrayValues> values, StoredType type);

} // namespace rivulet
