// SPDX-License-Identifier: BSD-3-Clause
#include "JoinedValues.h"

#include <cstring>

namespace rivulet::catalyst2
{

JoinedValues::JoinedValues(const std::vector<const Values*>& parts, std::int32_t components, bool packed)
{
  if (parts.size() == 1)
  {
    const Values& only = *parts.front();
    if (!only.separate && only.components == components && (only.stride == 0 || !packed))
    {
      shown_ = only.first.front();
      stride_ = only.stride;
      return;
    }
  }
  for (const Values* const each : parts)
  {
    append(*each, each->bytes * components);
  }
}

void JoinedValues::append(const Values& part, std::int64_t tuple)
{
  const std::size_t begin = copy_.size();
  copy_.resize(begin + static_cast<std::size_t>(part.count) * static_cast<std::size_t>(tuple));
  const std::int64_t packed = part.separate ? part.bytes : part.bytes * part.components;
  const std::int64_t stride = part.stride == 0 ? packed : part.stride;
  for (std::int32_t component = 0; part.count > 0 && component < part.components; ++component)
  {
    const std::int64_t skipped = part.bytes * component;
    const auto* from = part.separate ? static_cast<const std::byte*>(part.first[static_cast<std::size_t>(component)])
                                     : static_cast<const std::byte*>(part.first.front()) + skipped;
    std::byte* to = copy_.data() + begin + skipped;
    for (std::int64_t i = 0; i < part.count; ++i)
    {
      std::memcpy(to + i * tuple, from + i * stride, static_cast<std::size_t>(part.bytes));
    }
  }
}

} // namespace rivulet::catalyst2
