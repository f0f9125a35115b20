// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/CutLines.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace rivulet
{

namespace
{

template <class T>
T between(T a, T b, double share)
{
  return static_cast<T>(static_cast<double>(a) + share * (static_cast<double>(b) - static_cast<double>(a)));
}

/// Values of an attribute, which are bytes in its buffer.
template <class T>
void interpolate(const std::byte* a, const std::byte* b, std::size_t count, double share, std::byte* to)
{
  for (std::size_t i = 0; i < count; ++i)
  {
    T low;
    T high;
    std::memcpy(&low, a + i * sizeof(T), sizeof(T));
    std::memcpy(&high, b + i * sizeof(T), sizeof(T));
    const T value = between(low, high, share);
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
}

} // namespace

LinePart LineCuts::at(double time, const PointOfLine& before, const PointOfLine& after)
{
  cuts_.push_back({ time, before, after });
  return { &points_, static_cast<std::int64_t>(cuts_.size()) - 1, 1 };
}

void LineCuts::fill(const TracedLines& like)
{
  const auto share_of = [](const Cut& cut)
  {
    return std::clamp((cut.time - cut.before.time()) / (cut.after.time() - cut.before.time()), 0.0, 1.0);
  };
  const auto fill_array = [&](auto TracedLines::*array, std::size_t components)
  {
    if ((like.*array).empty())
    {
      return; // not asked for
    }
    points_.*array = std::remove_reference_t<decltype(points_.*array)>(cuts_.size() * components);
    auto* to = (points_.*array).data();
    for (const Cut& cut : cuts_)
    {
      const auto* a = (cut.before.piece->*array).data() + static_cast<std::size_t>(cut.before.number) * components;
      const auto* b = (cut.after.piece->*array).data() + static_cast<std::size_t>(cut.after.number) * components;
      const double share = share_of(cut);
      to = std::transform(a, a + components, b, to, [share](auto x, auto y) { return between(x, y, share); });
    }
  };
  fill_array(&TracedLines::points, 3);
  fill_array(&TracedLines::vorticity, 3);
  fill_array(&TracedLines::rotation, 1);
  fill_array(&TracedLines::angular_velocity, 1);
  fill_array(&TracedLines::cell_velocity, 3);
  points_.time = Buffer<double>(cuts_.size());
  std::transform(cuts_.begin(), cuts_.end(), points_.time.begin(), [](const Cut& cut) { return cut.time; });
  for (std::size_t i = 0; i < like.attributes.size(); ++i)
  {
    const AttributeValues& asked = like.attributes[i];
    const auto components = static_cast<std::size_t>(asked.components);
    const std::size_t bytes = components * (asked.type == ScalarType::Float32 ? sizeof(float) : sizeof(double));
    points_.attributes.push_back({ asked.name, asked.type, asked.components, Buffer<std::byte>(cuts_.size() * bytes) });
    std::byte* to = points_.attributes.back().values.data();
    for (const Cut& cut : cuts_)
    {
      const std::byte* a =
          cut.before.piece->attributes[i].values.data() + static_cast<std::size_t>(cut.before.number) * bytes;
      const std::byte* b =
          cut.after.piece->attributes[i].values.data() + static_cast<std::size_t>(cut.after.number) * bytes;
      asked.type == ScalarType::Float32 ? interpolate<float>(a, b, components, share_of(cut), to)
                                        : interpolate<double>(a, b, components, share_of(cut), to);
      to += bytes;
    }
  }
}

} // namespace rivulet
