// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/BrickMeasure.h"

#include <cmath>

namespace rivulet
{

namespace
{

void widen(std::array<double, 2>& range, double low, double high)
{
  range[0] = low < range[0] ? low : range[0];
  range[1] = high > range[1] ? high : range[1];
}

/// Ranges per lane: lane l of a sequence of Components * 8 scalars always holds component l % Components, so that
/// neither the loop nor the compiler has to take tuples apart.
template <class T, int Components>
struct Lanes
{
  static constexpr int kTuples = 8;
  static constexpr int kCount = Components * kTuples;
  T low[kCount];
  T high[kCount];
  T zero[kCount]; ///< sum of value * 0: stays 0 while all values are finite, else NaN

  Lanes()
  {
    for (int lane = 0; lane < kCount; ++lane)
    {
      low[lane] = std::numeric_limits<T>::infinity();
      high[lane] = -std::numeric_limits<T>::infinity();
      zero[lane] = 0;
    }
  }
  void add(const T* values)
  {
    for (int lane = 0; lane < kCount; ++lane)
    {
      const T value = values[lane];
      low[lane] = value < low[lane] ? value : low[lane];
      high[lane] = value > high[lane] ? value : high[lane];
      zero[lane] += value * T{ 0 };
    }
  }
};

/// Squared magnitudes in double, where squares of floats cannot overflow.
template <class T, int Components>
struct Squares
{
  static constexpr int kTuples = 8;
  double low[kTuples];
  double high[kTuples];

  Squares()
  {
    for (int i = 0; i < kTuples; ++i)
    {
      low[i] = kNoRange[0];
      high[i] = kNoRange[1];
    }
  }
  void add(const T* values)
  {
    for (int i = 0; i < kTuples; ++i)
    {
      double square = 0.0;
      for (int c = 0; c < Components; ++c)
      {
        const auto value = static_cast<double>(values[i * Components + c]);
        square += value * value;
      }
      low[i] = square < low[i] ? square : low[i];
      high[i] = square > high[i] ? square : high[i];
    }
  }
};

/// Squares of doubles may overflow or underflow.
constexpr double kLargestSquare = 1e300;
constexpr double kSmallestSquare = 1e-290;

template <int Components, class T>
double magnitude_of(const T* tuple)
{
  double square = 0.0;
  double careful = 0.0;
  for (int c = 0; c < Components; ++c)
  {
    const auto value = static_cast<double>(tuple[c]);
    square += value * value;
    careful = std::hypot(careful, value);
  }
  return square < kLargestSquare && square > kSmallestSquare ? std::sqrt(square) : careful;
}

/// One tuple at a time; any value may be non-finite.
template <class T, int Components>
void measure_carefully(const T* values, std::int64_t tuples, BrickMeasure& measure)
{
  for (std::int64_t tuple = 0; tuple < tuples; ++tuple)
  {
    for (int c = 0; c < Components; ++c)
    {
      const auto value = static_cast<double>(values[tuple * Components + c]);
      if (std::isfinite(value))
      {
        widen(measure.component[static_cast<std::size_t>(c)], value, value);
      }
      measure.all_finite = measure.all_finite && std::isfinite(value);
    }
    if (const double magnitude = magnitude_of<Components>(values + tuple * Components); std::isfinite(magnitude))
    {
      widen(measure.magnitude, magnitude, magnitude);
    }
  }
}

/// Whether the squares, and so the magnitudes, are reliable.
bool exact_squares(const BrickMeasure& measure)
{
  bool zero = true;
  for (const std::array<double, 2>& range : measure.component)
  {
    zero = zero && !(range[0] < 0.0) && !(range[1] > 0.0);
  }
  const auto& [low, high] = measure.magnitude;
  return zero || ((low == 0.0 || low > kSmallestSquare) && high > kSmallestSquare && high < kLargestSquare);
}

template <class T, int Components>
BrickMeasure gather(const Lanes<T, Components>& lanes, const Squares<T, Components>& squares)
{
  BrickMeasure measure;
  T doubt = 0;
  for (int lane = 0; lane < lanes.kCount; ++lane)
  {
    widen(measure.component[static_cast<std::size_t>(lane % Components)], static_cast<double>(lanes.low[lane]),
        static_cast<double>(lanes.high[lane]));
    doubt += lanes.zero[lane];
  }
  for (int i = 0; i < squares.kTuples; ++i)
  {
    widen(measure.magnitude, squares.low[i], squares.high[i]);
  }
  measure.all_finite = doubt == T{ 0 };
  return measure;
}

template <class T, int Components>
BrickMeasure measure_tuples(const void* start, std::int64_t tuples)
{
  const T* values = static_cast<const T*>(start);
  Lanes<T, Components> lanes;
  Squares<T, Components> squares;
  std::int64_t done = 0;
  for (; done + lanes.kTuples <= tuples; done += lanes.kTuples)
  {
    lanes.add(values + done * Components);
    if constexpr (Components > 1)
    {
      squares.add(values + done * Components);
    }
  }
  BrickMeasure measure = gather(lanes, squares);
  if (done > 0 && measure.all_finite && (Components == 1 || exact_squares(measure)))
  {
    measure.magnitude = { std::sqrt(measure.magnitude[0]), std::sqrt(measure.magnitude[1]) };
  }
  else
  {
    measure = BrickMeasure();
    done = 0;
  }
  measure_carefully<T, Components>(values + done * Components, tuples - done, measure);
  if (Components == 1)
  {
    measure.magnitude = measure.component[0];
  }
  return measure;
}

using Measure = BrickMeasure (*)(const void*, std::int64_t);

template <class T>
constexpr std::array<Measure, 9> kMeasures{ measure_tuples<T, 1>, measure_tuples<T, 2>, measure_tuples<T, 3>,
  measure_tuples<T, 4>, measure_tuples<T, 5>, measure_tuples<T, 6>, measure_tuples<T, 7>, measure_tuples<T, 8>,
  measure_tuples<T, 9> };

} // namespace

void BrickMeasure::add(const BrickMeasure& other)
{
  for (std::size_t c = 0; c < component.size(); ++c)
  {
    widen(component[c], other.component[c][0], other.component[c][1]);
  }
  widen(magnitude, other.magnitude[0], other.magnitude[1]);
  all_finite = all_finite && other.all_finite;
}

BrickMeasure measure_values(const void* values, ScalarType type, int components, std::int64_t tuples)
{
  const auto which = static_cast<std::size_t>(components - 1);
  return type == ScalarType::Float32 ? kMeasures<float>[which](values, tuples)
                                     : kMeasures<double>[which](values, tuples);
}

std::array<float, 2> outer_range(const std::array<double, 2>& range)
{
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  auto low = static_cast<float>(range[0]);
  auto high = static_cast<float>(range[1]);
  low = static_cast<double>(low) > range[0] ? std::nextafter(low, -kInfinity) : low;
  high = static_cast<double>(high) < range[1] ? std::nextafter(high, kInfinity) : high;
  return { low, high };
}

ValueRanges value_ranges(const BrickMeasure& measure, int components)
{
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const auto known = [](const std::array<double, 2>& range)
  {
    return range[0] <= range[1] ? range : std::array<double, 2>{ kUnknown, kUnknown };
  };
  ValueRanges ranges;
  for (int c = 0; c < components; ++c)
  {
    ranges.components.push_back(known(measure.component[static_cast<std::size_t>(c)]));
  }
  ranges.magnitude = known(measure.magnitude);
  return ranges;
}

} // namespace rivulet
