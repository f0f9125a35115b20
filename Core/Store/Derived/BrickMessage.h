// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Messages of ranks that read bricks for each other (DistributedBricks.h). A message is a header, and for a Brick its
/// values, densely: components fastest, then i, j, k. Ranks have the same byte order.
#pragma once

#include "Parallel/RankLink.h"
#include "Store/Source/BrickSource.h"

#include <optional>
#include <span>

namespace rivulet
{

struct BrickMessage
{
  enum class Kind : std::uint32_t
  {
    Ask,
    Brick,
    Refuse,
    Leave,  ///< to the first rank
    AllLeft ///< from the first rank
  };

  Kind kind = Kind::Ask;
  std::uint32_t session = 0;
  BrickKey key;
  Box lattice; ///< of a Brick, as all below
  ScalarType type = ScalarType::Float32;
  std::int32_t components = 0;

  /// Header of a brick's message.
  [[nodiscard]] static BrickMessage of(const BrickKey& key, const BrickView& view);
  /// The header at the front of a message; none if the message is too short for it.
  [[nodiscard]] static std::optional<BrickMessage> from(const RankMessage& message);

  /// Bytes of the values.
  [[nodiscard]] std::int64_t bytes() const;
  /// Values that lie densely at an address.
  [[nodiscard]] BrickView dense_view(const std::byte* values) const;
  /// The message, with the values of a brick if there is one. Throws std::bad_alloc.
  [[nodiscard]] std::vector<std::byte> packed(const BrickView* view = nullptr) const;
  /// The values behind the header.
  [[nodiscard]] static std::span<const std::byte> values_of(const RankMessage& message);
};

/// Copies the values of a brick to dense memory.
void copy_densely(const BrickView& view, std::byte* out);

} // namespace rivulet
