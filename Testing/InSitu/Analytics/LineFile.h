// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Arrays of a file of lines that an analytics has written.
#pragma once

#include "InSitu/Analytics/Atoms.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace rivulet::test
{

/// The bytes that a text in base 64 stands for.
inline std::string from_base_64(const std::string& text)
{
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text.substr(0, text.find('=')))
  {
    bits = (bits << 6U) | static_cast<std::uint32_t>(letters.find(letter));
    count += 6;
    if (count >= 8)
    {
      count -= 8;
      bytes += static_cast<char>((bits >> static_cast<unsigned>(count)) & 255U);
    }
  }
  return bytes;
}

/// The values of the first array of this name after the text `from`.
template <class T>
std::vector<T> values_of(const std::string& file, const std::string& name, const std::string& from = {})
{
  const std::string text = text_of(file);
  const std::size_t element = text.find("Name=\"" + name + "\"", text.find(from));
  const std::size_t begin = text.find('>', element) + 1;
  const std::string bytes = from_base_64(text.substr(begin, text.find('<', begin) - begin));
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof(size));
  EXPECT_EQ(bytes.size(), sizeof(size) + size) << name;
  std::vector<T> values(size / sizeof(T));
  std::memcpy(values.data(), bytes.data() + sizeof(size), size);
  return values;
}

} // namespace rivulet::test
