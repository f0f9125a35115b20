// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/OnDemandArrays.h"

#include "Readers/PatchArray.h"
#include "vtkDataArray.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

namespace
{

/// Whether the summary lists the patch without values; false if it has no ranges.
bool is_absent(const AmrVariable& variable, std::int32_t patch)
{
  const std::vector<AmrRange>& ranges = variable.components.front().ranges;
  return !ranges.empty() && !ranges[static_cast<std::size_t>(patch)].stored;
}

/// Ranges of the summary, ghost layers included. The range of the magnitude is bounds from the components.
ValueRanges ranges_of(const AmrVariable& variable, std::int32_t patch, std::int32_t components)
{
  ValueRanges ranges;
  double least = 0.0;
  double most = 0.0;
  for (const AmrComponent& component : variable.components)
  {
    if (component.ranges.empty())
    {
      return {};
    }
    const AmrRange& range = component.ranges[static_cast<std::size_t>(patch)];
    ranges.components.push_back({ range.minimum, range.maximum });
    const double low = std::fabs(range.minimum);
    const double high = std::fabs(range.maximum);
    const bool through_zero = range.minimum <= 0.0 && range.maximum >= 0.0;
    least += through_zero ? 0.0 : std::min(low, high) * std::min(low, high);
    most += std::max(low, high) * std::max(low, high);
  }
  ranges.magnitude = { std::sqrt(least), std::sqrt(most) };
  ranges.components.resize(static_cast<std::size_t>(components), { 0.0, 0.0 });
  return ranges;
}

} // namespace

Result<std::vector<LazyVariable>> lazy_variables(
    const AmrDump& dump, std::span<const std::int32_t> variables, PatchReader& reader)
{
  std::vector<LazyVariable> found;
  for (const std::int32_t number : variables)
  {
    const AmrVariable& variable = dump.variables[static_cast<std::size_t>(number)];
    for (std::size_t i = 0; i < dump.patches.size(); ++i)
    {
      const auto patch = static_cast<std::int32_t>(i);
      if (is_absent(variable, patch))
      {
        continue;
      }
      Result<StoredType> type = reader.stored_type(dump, patch, number);
      if (!type && type.error().code != ErrorCode::NotFound)
      {
        return forward_error(type);
      }
      if (type)
      {
        found.push_back({ number, *type });
        break;
      }
    }
  }
  return found;
}

void OnDemandArrays::add_to(std::size_t position, vtkDataSet& grid)
{
  const std::int32_t patch = patches_[position];
  for (const LazyVariable& lazy : variables_)
  {
    const AmrVariable& variable = store_->dump().variables[static_cast<std::size_t>(lazy.number)];
    if (is_absent(variable, patch))
    {
      continue;
    }
    auto values = std::make_shared<PatchArray>(
        store_, patch, lazy.number, lazy.type, ranges_of(variable, patch, store_->components_of(lazy.number)));
    add_array(grid, variable.centering, *lazy_array(std::move(values), lazy.type));
  }
}

} // namespace rivulet
