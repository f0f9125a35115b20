// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/FillValues.h"

#include "Filters/TiledArray.h"
#include "Pipeline/LazyValues.h"
#include "vtkDataArray.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

namespace rivulet
{

namespace
{

constexpr double kHuge = 1e15; ///< no speed in any unit
/// A value at so many of the points, and so many times as far from all others as these are from 0, is no part of the
/// flow. A lid or an inlet of a flow that starts from rest has fewer points.
constexpr double kShare = 0.1;
constexpr double kTimesAsFar = 3.0;
constexpr vtkIdType kMostLooked = 1000000;

/// A value that may stand for missing ones.
struct Suspect
{
  double value = 0.0;
  double share = 0.0;  ///< of the points looked at; 0: not known
  double others = 0.0; ///< largest absolute value of the others
};

Error warning_of(vtkDataArray& array, const Suspect& suspect)
{
  std::ostringstream what;
  what << "the vectors \"" << (array.GetName() != nullptr ? array.GetName() : "") << "\" have the value "
       << suspect.value;
  if (suspect.share > 0.0)
  {
    what << " at " << std::max(1.0, std::round(100.0 * suspect.share)) << " % of the points";
  }
  what << ", far from all others: it may stand for missing values, such as land";
  std::ostringstream remedy;
  remedy.precision(2);
  remedy << "set Ignore Above to a speed between, such as " << std::sqrt(std::fabs(suspect.value) * suspect.others)
         << ", or have the reader make such values NaN";
  Error warning;
  warning.code = ErrorCode::BadArgument;
  warning.what = what.str();
  warning.remedy = remedy.str();
  return warning;
}

/// Looks at sorted values of one component.
std::optional<Suspect> far_from_others(const std::vector<double>& values)
{
  for (const bool low : { true, false })
  {
    const double extreme = low ? values.front() : values.back();
    const auto [first, last] = std::equal_range(values.begin(), values.end(), extreme);
    if (first == values.begin() && last == values.end())
    {
      continue;
    }
    const double a = low ? *last : values.front();
    const double b = low ? values.back() : *std::prev(first);
    const double share = static_cast<double>(last - first) / static_cast<double>(values.size());
    const double others = std::max(std::fabs(a), std::fabs(b));
    const double gap = low ? a - extreme : extreme - b;
    const bool huge = std::fabs(extreme) >= kHuge && others < kHuge;
    if (others > 0.0 && (huge || (share >= kShare && gap > kTimesAsFar * others)))
    {
      return Suspect{ extreme, share, others };
    }
  }
  return {};
}

std::optional<Suspect> in_memory(vtkDataArray& array, double ignore_above, vtkDataArray* ghosts)
{
  const auto marked = [&](vtkIdType i)
  {
    return ghosts != nullptr && i < ghosts->GetNumberOfTuples() && ghosts->GetComponent(i, 0) != 0.0;
  };
  const vtkIdType tuples = array.GetNumberOfTuples();
  const vtkIdType stride = std::max<vtkIdType>(1, tuples / kMostLooked);
  for (int component = 0; component < array.GetNumberOfComponents(); ++component)
  {
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(tuples / stride + 1));
    for (vtkIdType i = 0; i < tuples; i += stride)
    {
      const double value = array.GetComponent(i, component);
      if (std::isfinite(value) && !marked(i) && !(ignore_above > 0.0 && std::fabs(value) > ignore_above))
      {
        values.push_back(value);
      }
    }
    std::sort(values.begin(), values.end());
    if (const std::optional<Suspect> found = values.empty() ? std::nullopt : far_from_others(values))
    {
      return found;
    }
  }
  return {};
}

/// The ranges in a file say how large values are, not how many there are.
std::optional<Suspect> in_file(vtkDataArray& array, double ignore_above)
{
  const LazyValues* const lazy = lazy_values(&array);
  if (lazy == nullptr || ignore_above > 0.0)
  {
    return {};
  }
  const FieldInfo& info = lazy->field()->info();
  const auto number = static_cast<std::size_t>(lazy->block().variable);
  if (number >= info.ranges.size())
  {
    return {};
  }
  for (const auto& [low, high] : info.ranges[number].components)
  {
    const double extreme = std::fabs(low) > std::fabs(high) ? low : high;
    if (std::isfinite(extreme) && std::fabs(extreme) >= kHuge)
    {
      return Suspect{ extreme, 0.0, std::max(1.0, std::min(std::fabs(low), std::fabs(high))) };
    }
  }
  return {};
}

} // namespace

std::optional<Error> suspect_fill_values(vtkDataArray& array, double ignore_above, vtkDataArray* ghosts)
{
  const std::optional<Suspect> found =
      is_plain(array) ? in_memory(array, ignore_above, ghosts) : in_file(array, ignore_above);
  return found ? std::optional<Error>(warning_of(array, *found)) : std::nullopt;
}

} // namespace rivulet
