// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Arrays of a file of lines that an analytics has written.
#pragma once

#include "InSitu/Analytics/Atoms.h"

#include <cstring>
#include <string>
#include <vector>

namespace rivulet::test
{

/// The values of the first array of this name after the text `from`.
template <class T>
std::vector<T> values_of(const std::string& file, const std::string& name, const std::string& from = {})
{
  const std::string text = text_of(file);
  const std::size_t element = text.find("Name=\"" + name + "\"", text.find(from));
  const std::size_t attribute = text.find("offset=\"", element) + 8;
  const std::size_t begin = text.find("encoding=\"raw\">_") + 16 + std::stoul(text.substr(attribute));
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, text.data() + begin, sizeof(bytes));
  std::vector<T> values(bytes / sizeof(T));
  std::memcpy(values.data(), text.data() + begin + sizeof(bytes), bytes);
  return values;
}

} // namespace rivulet::test
