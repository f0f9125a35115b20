// SPDX-License-Identifier: BSD-3-Clause
#include "Values.h"

#include <tuple>

namespace rivulet::catalyst2
{

namespace
{

/// The runtime's number of a type; 0: it has none.
std::int32_t type_of(conduit_index_t type)
{
  switch (type)
  {
  case CONDUIT_FLOAT32_ID:
    return RIVULET_FLOAT32;
  case CONDUIT_FLOAT64_ID:
    return RIVULET_FLOAT64;
  case CONDUIT_INT32_ID:
    return RIVULET_INT32;
  case CONDUIT_INT64_ID:
    return RIVULET_INT64;
  case CONDUIT_UINT8_ID:
    return RIVULET_UINT8;
  default:
    return 0;
  }
}

/// A leaf, with its stride as it is.
Result<Values> component_at(const Place& leaf)
{
  Result<Numbers> numbers = leaf.numbers();
  if (!numbers)
  {
    return forward_error(numbers);
  }
  Values one;
  one.type = type_of(numbers->type);
  if (one.type == 0)
  {
    return leaf.refuse(
        "its values have a type that analytics do not know", "publish float32, float64, int32, int64 or uint8");
  }
  if (!numbers->aligned())
  {
    return leaf.refuse("addresses of its values are no multiples of their size", "align them");
  }
  one.components = 1;
  one.bytes = numbers->bytes;
  one.stride = numbers->stride;
  one.first = { numbers->first };
  one.count = numbers->count;
  return one;
}

/// True if components follow one another in the memory of each element.
bool interleaved(const Values& all)
{
  const auto* const begin = static_cast<const std::byte*>(all.first.front());
  bool so = all.count > 0 && all.stride >= all.bytes * all.components;
  for (std::size_t i = 0; so && i < all.first.size(); ++i)
  {
    so = all.first[i] == begin + all.bytes * static_cast<std::int64_t>(i);
  }
  return so;
}

/// Strides of packed arrays become 0, and pointers of interleaved components one.
void simplify(Values& all)
{
  all.separate = all.components > 1 && !interleaved(all);
  const std::int64_t packed = all.separate ? all.bytes : all.bytes * all.components;
  all.stride = all.stride == packed ? 0 : all.stride;
  if (!all.separate)
  {
    all.first.resize(1);
  }
}

} // namespace

bool Values::looks_like(const Values& other) const
{
  const bool laid_out_alike = (separate == other.separate && stride == other.stride) || count == 0 || other.count == 0;
  return laid_out_alike && std::tie(name, type, components) == std::tie(other.name, other.type, other.components);
}

Result<Values> values_at(const Place& values, std::string name)
{
  const std::vector<Place> leaves = values.children();
  return values_of(leaves.empty() ? std::vector<Place>{ values } : leaves, std::move(name));
}

Result<Values> values_of(const std::vector<Place>& leaves, std::string name)
{
  Values all;
  for (const Place& leaf : leaves)
  {
    Result<Values> one = component_at(leaf);
    if (!one)
    {
      return one;
    }
    if (all.components > 0 && (one->type != all.type || one->count != all.count || one->stride != all.stride))
    {
      return leaf.refuse("its type, number or stride is not that of the first component", "describe components alike");
    }
    all.type = one->type;
    all.bytes = one->bytes;
    all.count = one->count;
    all.stride = one->stride;
    all.first.push_back(one->first.front());
    ++all.components;
  }
  simplify(all);
  all.name = std::move(name);
  return all;
}

} // namespace rivulet::catalyst2
