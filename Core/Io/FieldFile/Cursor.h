// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads little-endian numbers one after the other from bytes that may end too early: then the numbers are zero and
/// ok() is false at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rivulet::hdf5
{

class Cursor
{
public:
  explicit Cursor(std::span<const std::byte> bytes)
    : bytes_(bytes)
  {
  }

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }

  std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
  std::uint64_t u64() { return number(8); }
  void skip(std::size_t bytes) { take(bytes); }

  /// The next bytes; empty if there are fewer.
  std::span<const std::byte> take(std::size_t bytes)
  {
    if (bytes > left())
    {
      ok_ = false;
      at_ = bytes_.size();
      return {};
    }
    const std::span<const std::byte> taken = bytes_.subspan(at_, bytes);
    at_ += bytes;
    return taken;
  }

private:
  std::uint64_t number(std::size_t bytes)
  {
    std::uint64_t value = 0;
    const std::span<const std::byte> from = take(bytes);
    for (std::size_t i = from.size(); i-- > 0;)
    {
      value = value << 8U | std::to_integer<std::uint64_t>(from[i]);
    }
    return value;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

} // namespace rivulet::hdf5
