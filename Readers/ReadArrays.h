// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Arrays of patches that are read already. Private to the module.
#pragma once

#include "Readers/AmrOutput.h"

namespace rivulet
{

class ReadArrays final : public PatchArrays
{
public:
  /// Moves the values out of `data`. `coordinates` is the index of the node coordinates among the variables, or -1.
  ReadArrays(const AmrDump& dump, PatchData& data, int coordinates)
    : dump_(dump)
    , data_(data)
    , coordinates_(coordinates)
  {
  }

  [[nodiscard]] const std::vector<std::int32_t>& patches() const override { return data_.patches; }
  void add_to(std::size_t position, vtkDataSet& grid) override;
  [[nodiscard]] PatchVariable* nodes(std::size_t position) override;

private:
  const AmrDump& dump_;
  PatchData& data_;
  int coordinates_;
};

} // namespace rivulet
