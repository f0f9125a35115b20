// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/Fixed16.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>

namespace rivulet
{

namespace
{

constexpr double kLastCode = 65534;
constexpr std::uint16_t kNanCode = 65535;
constexpr std::size_t kMostComponents = 9;

/// Tuples decoded at once: enough values to fill wide registers.
constexpr std::size_t kBlockTuples = 16;

/// The smallest number of at most 24 significant bits that is not below `step`, and is not subnormal.
double round_step_up(double step)
{
  int exponent = 0;
  const double fraction = std::frexp(step, &exponent);
  const double rounded = std::ldexp(std::ceil(std::ldexp(fraction, 24)), exponent - 24);
  return std::max(rounded, std::numeric_limits<double>::min());
}

Fixed16Component component_of(double low, double high)
{
  Fixed16Component component;
  component.offset = low;
  if (!(low < high))
  {
    return component;
  }
  if (low <= 0.0 && high >= 0.0)
  {
    // One code fewer, so that zero has a code of its own.
    component.step = round_step_up((high - low) / (kLastCode - 1.0));
    component.offset = -std::ceil(-low / component.step) * component.step;
    return component;
  }
  component.step = round_step_up((high - low) / kLastCode);
  return component;
}

template <class T>
T value_of(std::uint16_t code, const Fixed16Component& component)
{
  return code == kNanCode ? std::numeric_limits<T>::quiet_NaN()
                          : static_cast<T>(component.offset + static_cast<double>(code) * component.step);
}

template <class T>
T value_at(const void* values, std::int64_t index)
{
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(values) + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
  return value;
}

std::uint16_t code_of(double value, const Fixed16Component& component)
{
  if (std::isnan(value))
  {
    return kNanCode;
  }
  const double steps = component.step > 0.0 ? (value - component.offset) / component.step : 0.0;
  return static_cast<std::uint16_t>(std::clamp(std::nearbyint(steps), 0.0, kLastCode));
}

template <class T>
std::string encode(const void* values, int components, std::int64_t tuples, std::byte* payload)
{
  std::byte* codes = payload + components * static_cast<std::int64_t>(sizeof(Fixed16Component));
  for (int c = 0; c < components; ++c)
  {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (std::int64_t i = c; i < tuples * components; i += components)
    {
      const double value = static_cast<double>(value_at<T>(values, i));
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    if (!(low <= high)) // no value but NaN
    {
      low = high = 0.0;
    }
    if (!std::isfinite(high - low))
    {
      return "values are infinite or too far apart";
    }
    Fixed16Component component = component_of(low, high);
    for (std::int64_t i = c; i < tuples * components; i += components)
    {
      const double value = static_cast<double>(value_at<T>(values, i));
      const std::uint16_t code = code_of(value, component);
      std::memcpy(codes + 2 * i, &code, sizeof(code));
      const double error = std::abs(static_cast<double>(value_of<T>(code, component)) - value);
      component.error = error > component.error ? error : component.error;
    }
    std::memcpy(payload + c * static_cast<std::int64_t>(sizeof(component)), &component, sizeof(component));
  }
  return {};
}

/// Offsets and steps of the components, repeated for kBlockTuples tuples.
struct Pattern
{
  static constexpr std::size_t kMost = kMostComponents * kBlockTuples;

  Pattern(const std::byte* payload, std::size_t components)
    : length(components * kBlockTuples)
  {
    for (std::size_t i = 0; i < length; ++i)
    {
      Fixed16Component component;
      std::memcpy(&component, payload + i % components * sizeof(component), sizeof(component));
      offset[i] = component.offset;
      step[i] = component.step;
    }
  }

  std::size_t length;
  double offset[kMost];
  double step[kMost];
};

template <class T>
void decode(const std::byte* payload, std::size_t components, std::size_t tuples, std::byte* values)
{
  const Pattern pattern(payload, components);
  const std::byte* codes = payload + components * sizeof(Fixed16Component);
  const std::size_t count = tuples * components;
  for (std::size_t first = 0; first < count; first += pattern.length)
  {
    // Copied first: codes and values may share memory.
    std::uint16_t code[Pattern::kMost];
    T value[Pattern::kMost];
    const std::size_t block = std::min(pattern.length, count - first);
    std::memcpy(code, codes + 2 * first, 2 * block);
    std::uint16_t largest = 0;
    for (std::size_t i = 0; i < block; ++i)
    {
      value[i] = static_cast<T>(pattern.offset[i] + static_cast<double>(static_cast<int>(code[i])) * pattern.step[i]);
      largest = std::max(largest, code[i]);
    }
    for (std::size_t i = 0; i < block && largest == kNanCode; ++i)
    {
      value[i] = code[i] == kNanCode ? std::numeric_limits<T>::quiet_NaN() : value[i];
    }
    std::memcpy(values + sizeof(T) * first, value, sizeof(T) * block);
  }
}

} // namespace

std::string encode_fixed16(const void* values, ScalarType type, int components, std::int64_t tuples, void* payload)
{
  auto* out = static_cast<std::byte*>(payload);
  return type == ScalarType::Float32 ? encode<float>(values, components, tuples, out)
                                     : encode<double>(values, components, tuples, out);
}

void decode_fixed16(const void* payload, ScalarType type, int components, std::int64_t tuples, void* values)
{
  const auto* in = static_cast<const std::byte*>(payload);
  auto* out = static_cast<std::byte*>(values);
  const auto width = static_cast<std::size_t>(components);
  const auto count = static_cast<std::size_t>(tuples);
  type == ScalarType::Float32 ? decode<float>(in, width, count, out) : decode<double>(in, width, count, out);
}

double error_of_fixed16(const void* payload, int components)
{
  double largest = 0.0;
  for (int c = 0; c < components; ++c)
  {
    Fixed16Component component;
    std::memcpy(&component, static_cast<const std::byte*>(payload) + c * static_cast<std::int64_t>(sizeof(component)),
        sizeof(component));
    largest = std::max(largest, component.error);
  }
  return largest;
}

} // namespace rivulet
