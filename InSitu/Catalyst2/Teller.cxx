// SPDX-License-Identifier: BSD-3-Clause
#include "Teller.h"

#include <bit>
#include <cctype>
#include <cstdio>
#include <exception>

namespace rivulet::catalyst2
{

namespace
{

/// The key of a message: the path, and the text with a mark for each number. Messages with one key count as the same.
std::string key_of(const Error& about)
{
  std::string key = about.path + '\n';
  for (const char each : about.what)
  {
    const bool digit = std::isdigit(static_cast<unsigned char>(each)) != 0;
    if (!digit || key.back() != '#')
    {
      key += digit ? '#' : each;
    }
  }
  return key;
}

} // namespace

void Teller::tell(const char* severity, const Error& about)
{
  last_ = about.describe();
  const unsigned long times = ++times_[key_of(about)];
  if (std::has_single_bit(times))
  {
    write(severity, times == 1 ? last_ : last_ + " (" + std::to_string(times) + " times by now)");
  }
}

void Teller::warn_once(const Error& about)
{
  if (++times_[key_of(about)] == 1)
  {
    last_ = about.describe();
    write("warning", last_);
  }
}

void Teller::keep(const std::string& text)
{
  if (last_.empty())
  {
    last_ = text;
  }
}

void Teller::report(const char* call, const char* what) noexcept
{
  std::fprintf(stderr, "rivulet in situ: rank %d: error: %s: %s. This call did nothing.\n", rank_, call, what);
  try
  {
    last_ = std::string(call) + ": " + what + ". This call did nothing.";
  }
  catch (const std::exception&)
  {
    last_.clear();
  }
}

void Teller::write(const char* severity, const std::string& text) const
{
  std::fprintf(stderr, "rivulet in situ: rank %d: %s: %s\n", rank_, severity, text.c_str());
}

} // namespace rivulet::catalyst2
