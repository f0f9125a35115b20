// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The arrays of patches that are read when they are touched. Private to the module.
///
///     Result<std::vector<LazyVariable>> variables = lazy_variables(dump, { 0, 3 }, reader);
///     OnDemandArrays arrays(store, patches, *variables);
#pragma once

#include "Amr/PatchStore.h"
#include "Readers/AmrOutput.h"

namespace rivulet
{

/// What is known of a variable before any of it is read.
struct LazyVariable
{
  std::int32_t number = 0;
  StoredType type = StoredType::Float64;
};

/// The types of variables, from the first patch that has each, as far as the ranges say. Variables that no
/// patch has are left out. Fails with Unsupported if one can be read by the HDF5 library only.
[[nodiscard]] Result<std::vector<LazyVariable>> lazy_variables(
    const AmrDump& dump, std::span<const std::int32_t> variables, PatchReader& reader);

class OnDemandArrays final : public PatchArrays
{
public:
  OnDemandArrays(
      std::shared_ptr<PatchStore> store, std::vector<std::int32_t> patches, std::vector<LazyVariable> variables)
    : store_(std::move(store))
    , patches_(std::move(patches))
    , variables_(std::move(variables))
  {
  }

  [[nodiscard]] const std::vector<std::int32_t>& patches() const override { return patches_; }
  void add_to(std::size_t position, vtkDataSet& grid) override;

private:
  std::shared_ptr<PatchStore> store_;
  std::vector<std::int32_t> patches_;
  std::vector<LazyVariable> variables_;
};

} // namespace rivulet
