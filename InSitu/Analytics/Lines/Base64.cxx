// SPDX-License-Identifier: BSD-3-Clause
#include "Lines/Base64.h"

#include <utility>

namespace rivulet
{

namespace
{

constexpr const char* kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

} // namespace

void Base64::put(std::uint32_t group)
{
  for (int shift = 18; shift >= 0; shift -= 6)
  {
    text_ += kLetters[(group >> static_cast<unsigned>(shift)) & 63U];
  }
}

void Base64::append(std::span<const std::byte> bytes)
{
  text_.reserve(text_.size() + bytes.size() / 3 * 4 + 4);
  for (const std::byte byte : bytes)
  {
    group_ = (group_ << 8U) | static_cast<std::uint32_t>(byte);
    if (++bytes_ == 3)
    {
      put(group_);
      group_ = 0;
      bytes_ = 0;
    }
  }
}

std::string Base64::take()
{
  return std::exchange(text_, {});
}

std::string Base64::end()
{
  const int missing = bytes_ == 0 ? 0 : 3 - bytes_;
  if (missing > 0)
  {
    put(group_ << static_cast<unsigned>(8 * missing));
    text_.replace(text_.size() - static_cast<std::size_t>(missing), static_cast<std::size_t>(missing),
        static_cast<std::size_t>(missing), '=');
    bytes_ = 0;
    group_ = 0;
  }
  return take();
}

} // namespace rivulet
