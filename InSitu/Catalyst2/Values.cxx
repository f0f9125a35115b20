// SPDX-License-Identifier: BSD-3-Clause
#include "Values.h"

#include <tuple>

namespace rivulet::catalyst2
{

namespace
{

/// The runtime's number of a type; 0: it has none.
std::int32_t type_of(const conduit_datatype* type)
{
  switch (conduit_datatype_id(type))
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
  const conduit_datatype* const type = conduit_node_dtype(leaf.node());
  Values one;
  one.type = type_of(type);
  if (one.type == 0 || conduit_datatype_endianness_matches_machine(type) == 0)
  {
    return leaf.refuse("its values have a type that analytics do not know",
        "publish float32, float64, int32, int64 or uint8, in the order of bytes of this machine");
  }
  one.components = 1;
  one.stride = conduit_datatype_stride(type);
  one.first = { conduit_node_element_ptr(leaf.node(), 0) };
  one.count = conduit_datatype_number_of_elements(type);
  return one;
}

/// True if components follow one another in the memory of each element.
bool interleaved(const Values& all, std::int64_t bytes)
{
  const auto* const begin = static_cast<const std::byte*>(all.first.front());
  bool so = all.stride >= bytes * all.components;
  for (std::size_t i = 0; i < all.first.size(); ++i)
  {
    so = so && all.first[i] == begin + bytes * static_cast<std::int64_t>(i);
  }
  return so;
}

/// Strides of packed arrays become 0, and pointers of interleaved components one.
void simplify(Values& all, std::int64_t bytes)
{
  all.separate = all.components > 1 && !interleaved(all, bytes);
  const std::int64_t packed = all.separate ? bytes : bytes * all.components;
  all.stride = all.stride == packed ? 0 : all.stride;
  if (!all.separate)
  {
    all.first.resize(1);
  }
}

} // namespace

bool Values::looks_like(const Values& other) const
{
  const auto all = [](const Values& each)
  {
    return std::tie(each.name, each.type, each.components, each.separate, each.stride);
  };
  return all(*this) == all(other);
}

Result<Values> values_at(const Place& values, std::string name)
{
  std::vector<Place> leaves = values.children();
  if (leaves.empty())
  {
    leaves.push_back(values);
  }
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
    all.count = one->count;
    all.stride = one->stride;
    all.first.push_back(one->first.front());
    ++all.components;
  }
  simplify(all, conduit_datatype_element_bytes(conduit_node_dtype(leaves.front().node())));
  all.name = std::move(name);
  return all;
}

} // namespace rivulet::catalyst2
