// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Arrays of patches that are read on demand. Private to the module.
///
///     Result<std::vector<LazyVariable>> variables = lazy_variables(dump, { 0, 3 }, reader);
///     OnDemandArrays arrays(store, patches, *variables);
#pragma once

#include "Amr/PatchStore.h"
#include "Readers/AmrOutput.h"

namespace rivulet
{

/// Description of a variable before its values are read.
struct LazyVariable
{
  std::int32_t number = 0;
  StoredType type = StoredType::Float64;
};

/// Types of variables, taken from the first patch with values according to the ranges. Variables without values are
/// left out. Fails with Unsupported if a variable can be read by the HDF5 library only.
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
