// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/FillValues.h"

#include "Filters/Input/TiledArray.h"
#include "Pipeline/FieldRanges.h"
#include "Pipeline/LazyValues.h"
#include "vtkDataArray.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
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
constexpr vtkIdType kMostLooked = 100000;

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

/// The extremes of the values of one component, and their neighbours.
class Extremes
{
public:
  void add(double value)
  {
    ++count_;
    note(low_, value);
    note(high_, -value);
  }

  [[nodiscard]] std::optional<Suspect> suspect() const
  {
    if (count_ == 0 || low_.value == -high_.value)
    {
      return {};
    }
    std::optional<Suspect> found = far_from_others(low_.value, low_, { low_.next, -high_.value });
    return found ? found : far_from_others(-high_.value, high_, { low_.value, -high_.next });
  }

private:
  struct Least
  {
    double value = std::numeric_limits<double>::infinity();
    double next = std::numeric_limits<double>::infinity(); ///< least of the others
    std::int64_t times = 0;
  };

  static void note(Least& least, double value)
  {
    if (value < least.value)
    {
      least = { value, least.value, 1 };
    }
    else if (value == least.value)
    {
      ++least.times;
    }
    else
    {
      least.next = std::min(least.next, value);
    }
  }

  /// `range`: of the other values.
  [[nodiscard]] std::optional<Suspect> far_from_others(
      double extreme, const Least& least, const std::array<double, 2>& range) const
  {
    const double others = std::max(std::fabs(range[0]), std::fabs(range[1]));
    const double share = static_cast<double>(least.times) / static_cast<double>(count_);
    const double gap = least.next - least.value;
    const bool huge = std::fabs(extreme) >= kHuge && others < kHuge;
    if (others > 0.0 && (huge || (share >= kShare && gap > kTimesAsFar * others)))
    {
      return Suspect{ extreme, share, others };
    }
    return {};
  }

  Least low_;
  Least high_; ///< of the values times -1
  std::int64_t count_ = 0;
};

/// `value_at`: of a point and a component.
template <class ValueAt>
std::optional<Suspect> among(vtkDataArray& array, double ignore_above, vtkDataArray* ghosts, const ValueAt& value_at)
{
  const auto marked = [&](vtkIdType i)
  {
    return ghosts != nullptr && i < ghosts->GetNumberOfTuples() && ghosts->GetComponent(i, 0) != 0.0;
  };
  const double largest = ignore_above > 0.0 ? ignore_above : std::numeric_limits<double>::max();
  const vtkIdType tuples = array.GetNumberOfTuples();
  const vtkIdType stride = std::max<vtkIdType>(1, tuples / kMostLooked);
  std::vector<Extremes> extremes(static_cast<std::size_t>(array.GetNumberOfComponents()));
  for (vtkIdType i = 0; i < tuples; i += stride)
  {
    for (std::size_t component = 0; component < extremes.size() && !marked(i); ++component)
    {
      const double value = value_at(i, static_cast<int>(component));
      if (std::fabs(value) <= largest) // false for NaN
      {
        extremes[component].add(value);
      }
    }
  }
  for (const Extremes& of_component : extremes)
  {
    if (const std::optional<Suspect> found = of_component.suspect())
    {
      return found;
    }
  }
  return {};
}

std::optional<Suspect> in_memory(vtkDataArray& array, double ignore_above, vtkDataArray* ghosts)
{
  const auto look = [&](const auto* values)
  {
    return among(array, ignore_above, ghosts,
        [values, components = array.GetNumberOfComponents()](vtkIdType i, int component)
        { return double{ values[i * components + component] }; });
  };
  return array.GetDataType() == VTK_FLOAT ? look(static_cast<const float*>(array.GetVoidPointer(0)))
                                          : look(static_cast<const double*>(array.GetVoidPointer(0)));
}

/// Recent findings, since a filter often runs again on the same values. No two objects of a process have the same time
/// of modification.
class Findings
{
public:
  struct Key
  {
    vtkMTimeType values = 0;
    vtkMTimeType ghosts = 0;
    double ignore_above = 0.0;

    bool operator==(const Key&) const = default;
  };

  [[nodiscard]] static Findings& of_process()
  {
    static Findings all;
    return all;
  }

  template <class Look>
  [[nodiscard]] std::optional<Suspect> find(const Key& key, const Look& look)
  {
    const std::lock_guard lock(mutex_);
    const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Finding& each) { return each.key == key; });
    if (known != kept_.end())
    {
      return known->suspect;
    }
    Finding& oldest = kept_[next_++ % kept_.size()];
    oldest = { key, look() };
    return oldest.suspect;
  }

private:
  struct Finding
  {
    Key key{};
    std::optional<Suspect> suspect{};
  };

  std::mutex mutex_; ///< guards the members below
  std::array<Finding, 32> kept_{};
  std::size_t next_ = 0;
};

/// The ranges in a file say how large values are, not how many there are.
std::optional<Suspect> huge_in_ranges(const LazyValues& lazy)
{
  for (const auto& [low, high] :
      lazy.field()->info().ranges[static_cast<std::size_t>(lazy.block().variable)].components)
  {
    const double extreme = std::fabs(low) > std::fabs(high) ? low : high;
    if (std::isfinite(extreme) && std::fabs(extreme) >= kHuge)
    {
      return Suspect{ extreme, 0.0, std::max(1.0, std::min(std::fabs(low), std::fabs(high))) };
    }
  }
  return {};
}

/// Whether one value may be at kShare of the points, so that it is worth to read some: the largest magnitude is that of
/// as many bricks. Almost no flow has one that is reached exactly in two bricks. True where this is not known.
bool may_repeat(const LazyValues& lazy)
{
  FileBricks& source = *lazy.field()->source();
  const ValueBlock& block = lazy.block();
  const auto bytes = static_cast<std::int64_t>(sizeof(std::array<float, 2>)) * source.bricks(block.variable).size();
  if (bytes > source.memory_budget() / 8)
  {
    return true;
  }
  const auto ranges = source.brick_ranges(block.variable, block.step);
  if (!ranges || ranges->empty())
  {
    return true;
  }
  const auto smaller = [](const std::array<float, 2>& a, const std::array<float, 2>& b)
  {
    return a[1] < b[1];
  };
  const float largest = (*std::max_element(ranges->begin(), ranges->end(), smaller))[1];
  const auto as_large =
      std::count_if(ranges->begin(), ranges->end(), [&](const auto& range) { return range[1] == largest; });
  return static_cast<double>(as_large) >= kShare * static_cast<double>(ranges->size());
}

std::optional<Suspect> in_file(const LazyValues& lazy, double ignore_above)
{
  if (ignore_above > 0.0)
  {
    return {};
  }
  if (const std::optional<Suspect> huge = huge_in_ranges(lazy))
  {
    return huge;
  }
  if (lazy.field()->source()->own_cut() != nullptr || !may_repeat(lazy))
  {
    return {};
  }
  for (const std::vector<double>& values : sample_values(*lazy.field(), lazy.block().variable, lazy.block().step))
  {
    Extremes extremes;
    for (const double value : values)
    {
      extremes.add(value);
    }
    if (const std::optional<Suspect> found = extremes.suspect())
    {
      return found;
    }
  }
  return {};
}

} // namespace

std::optional<Error> suspect_fill_values(vtkDataArray& array, double ignore_above, vtkDataArray* ghosts)
{
  std::optional<Suspect> found;
  if (is_plain(array))
  {
    found = Findings::of_process().find({ array.GetMTime(), ghosts != nullptr ? ghosts->GetMTime() : 0, ignore_above },
        [&] { return in_memory(array, ignore_above, ghosts); });
  }
  else if (const LazyValues* const lazy = lazy_values(&array))
  {
    found = in_file(*lazy, ignore_above);
  }
  return found ? std::optional<Error>(warning_of(array, *found)) : std::nullopt;
}

} // namespace rivulet
