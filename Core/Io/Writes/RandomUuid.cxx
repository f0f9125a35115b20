// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Writes/RandomUuid.h"

#include <random>

namespace rivulet
{

namespace
{

std::string hexadecimal(std::random_device& device, int digits)
{
  static constexpr const char* symbols = "0123456789abcdef";
  std::string text;
  for (int i = 0; i < digits; ++i)
  {
    text += symbols[device() % 16];
  }
  return text;
}

} // namespace

std::string random_uuid()
{
  std::random_device device;
  const std::string digits = hexadecimal(device, 32);
  return digits.substr(0, 8) + "-" + digits.substr(8, 4) + "-4" + digits.substr(13, 3) + "-a" + digits.substr(17, 3) +
         "-" + digits.substr(20, 12);
}

} // namespace rivulet
