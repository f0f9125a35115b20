// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bytes as text in base 64 (RFC 4648), as arrays of VTK's XML files have them.
///
///     Base64 text;
///     text.append(header);
///     text.append(values);        // one stream: pieces are joined without padding between them
///     file.append(text.take());
///     file.append(text.end());
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace rivulet
{

class Base64
{
public:
  void append(std::span<const std::byte> bytes);
  /// The text of all whole groups so far.
  [[nodiscard]] std::string take();
  /// The rest, with padding. Ends the stream.
  [[nodiscard]] std::string end();

private:
  void put(std::uint32_t group);

  std::string text_;
  std::uint32_t group_ = 0; ///< bytes of a group that is not whole
  int bytes_ = 0;           ///< their number
};

} // namespace rivulet
