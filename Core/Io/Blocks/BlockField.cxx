// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/BlockField.h"

namespace rivulet
{

Box BlockVariable::block_box(std::int64_t number) const
{
  const Int3 at = from_row_major(number, blocks());
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = at[axis] * block[axis];
    box.end[axis] = box.begin[axis] + block[axis];
  }
  return box;
}

std::optional<std::int64_t> checked_product(std::initializer_list<std::int64_t> factors)
{
  std::int64_t product = 1;
  for (const std::int64_t factor : factors)
  {
    if (__builtin_mul_overflow(product, factor, &product))
    {
      return std::nullopt;
    }
  }
  return product;
}

std::optional<std::int64_t> checked_bytes(
    const Int3& block, std::int64_t adjacent, StoredType type, std::int64_t offset)
{
  const std::optional<std::int64_t> values = checked_product({ block[0], block[1], block[2], adjacent, size_of(type) });
  std::int64_t bytes = 0;
  if (!values || __builtin_add_overflow(*values, offset, &bytes))
  {
    return std::nullopt;
  }
  return bytes;
}

} // namespace rivulet
