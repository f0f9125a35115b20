// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Derived/BrickMessage.h"

#include <cstring>

namespace rivulet
{

BrickMessage BrickMessage::of(const BrickKey& key, const BrickView& view)
{
  BrickMessage header;
  header.kind = Kind::Brick;
  header.key = key;
  header.lattice = view.lattice;
  header.type = view.type;
  header.components = view.components;
  return header;
}

std::optional<BrickMessage> BrickMessage::from(const RankMessage& message)
{
  if (message.bytes.size() < sizeof(BrickMessage))
  {
    return std::nullopt;
  }
  BrickMessage header;
  std::memcpy(&header, message.bytes.data(), sizeof(BrickMessage));
  return header;
}

std::int64_t BrickMessage::bytes() const
{
  return lattice.count() * components * static_cast<std::int64_t>(size_of(type));
}

BrickView BrickMessage::dense_view(const std::byte* values) const
{
  const Int3 size = lattice.size();
  const std::int64_t row = std::int64_t{ components } * size[0];
  return { .data = values,
    .type = type,
    .components = components,
    .lattice = lattice,
    .stride = { components, row, row * size[1] } };
}

std::vector<std::byte> BrickMessage::packed(const BrickView* view) const
{
  const std::int64_t values = view != nullptr ? bytes() : 0;
  std::vector<std::byte> message(sizeof(BrickMessage) + static_cast<std::size_t>(values));
  std::memcpy(message.data(), this, sizeof(BrickMessage));
  if (view != nullptr)
  {
    copy_densely(*view, message.data() + sizeof(BrickMessage));
  }
  return message;
}

std::span<const std::byte> BrickMessage::values_of(const RankMessage& message)
{
  return std::span(message.bytes).subspan(sizeof(BrickMessage));
}

void copy_densely(const BrickView& view, std::byte* out)
{
  const auto scalar = static_cast<std::int64_t>(size_of(view.type));
  const auto* data = static_cast<const std::byte*>(view.data);
  const Int3 size = view.lattice.size();
  const bool rows = view.component_stride == 1 && view.stride[0] == view.components;
  const std::int64_t row = std::int64_t{ size[0] } * view.components * scalar;
  for (std::int32_t k = 0; k < size[2]; ++k)
  {
    for (std::int32_t j = 0; j < size[1]; ++j, out += row)
    {
      const std::byte* from = data + (j * view.stride[1] + k * view.stride[2]) * scalar;
      for (std::int64_t i = 0; i < size[0] && !rows; ++i)
      {
        for (std::int32_t c = 0; c < view.components; ++c)
        {
          std::memcpy(out + (i * view.components + c) * scalar,
              from + (i * view.stride[0] + c * view.component_stride) * scalar, static_cast<std::size_t>(scalar));
        }
      }
      if (rows)
      {
        std::memcpy(out, from, static_cast<std::size_t>(row));
      }
    }
  }
}

} // namespace rivulet
