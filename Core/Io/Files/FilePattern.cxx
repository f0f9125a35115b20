// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/FilePattern.h"

#include <algorithm>
#include <optional>

namespace rivulet
{

namespace
{

constexpr int kMostDigits = 18;

struct Place
{
  int digits = 1;
  std::size_t length = 0; // length of the conversion after its percent sign
};

bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

// "d" or "0Nd" at the start of `text`.
std::optional<Place> parse_place(std::string_view text)
{
  Place place;
  if (text.starts_with('0'))
  {
    place.digits = 0;
    for (place.length = 1; place.length < text.size() && is_digit(text[place.length]); ++place.length)
    {
      place.digits = std::min(10 * place.digits + (text[place.length] - '0'), kMostDigits + 1);
    }
    if (place.digits < 1 || place.digits > kMostDigits)
    {
      return std::nullopt;
    }
  }
  if (place.length >= text.size() || text[place.length] != 'd')
  {
    return std::nullopt;
  }
  ++place.length;
  return place;
}

} // namespace

FilePattern FilePattern::plain(std::string path)
{
  FilePattern pattern;
  pattern.before_ = std::move(path);
  return pattern;
}

Result<FilePattern> FilePattern::parse(std::string_view text)
{
  FilePattern pattern;
  for (std::size_t i = 0; i < text.size(); ++i)
  {
    std::string& name = pattern.numbered_ ? pattern.after_ : pattern.before_;
    if (text[i] != '%')
    {
      name += text[i];
      continue;
    }
    const std::string_view rest = text.substr(i + 1);
    if (rest.starts_with('%'))
    {
      name += '%';
      ++i;
      continue;
    }
    const std::optional<Place> place = parse_place(rest);
    if (!place || pattern.numbered_)
    {
      return fail(ErrorCode::Corrupt, "the file name '" + std::string(text) + "' has a pattern that is not understood",
          "number the files with one %d or %0Nd, such as flow_%04d.raw, and write %% for a percent sign");
    }
    pattern.numbered_ = true;
    pattern.digits_ = place->digits;
    i += place->length;
  }
  return pattern;
}

std::string FilePattern::escaped(std::string_view path)
{
  std::string text;
  for (const char c : path)
  {
    text += c;
    text += c == '%' ? "%" : "";
  }
  return text;
}

FilePattern FilePattern::under(const std::string& folder) const
{
  FilePattern moved = *this;
  if (!folder.empty() && !before_.starts_with('/'))
  {
    moved.before_ = folder + (folder.ends_with('/') ? "" : "/") + before_;
  }
  return moved;
}

std::string FilePattern::path(std::int64_t number) const
{
  if (!numbered_)
  {
    return before_;
  }
  const std::string digits = std::to_string(number);
  const std::size_t missing = std::max<std::ptrdiff_t>(0, digits_ - static_cast<std::ptrdiff_t>(digits.size()));
  return before_ + std::string(missing, '0') + digits + after_;
}

} // namespace rivulet
