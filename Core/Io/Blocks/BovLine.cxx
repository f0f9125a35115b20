// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Blocks/BovLine.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>

namespace rivulet
{

namespace
{

bool is_blank(char c)
{
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::string upper(std::string_view text)
{
  std::string result(text);
  for (char& c : result)
  {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return result;
}

std::string_view trimmed(std::string_view text)
{
  while (!text.empty() && is_blank(text.front()))
  {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_blank(text.back()))
  {
    text.remove_suffix(1);
  }
  return text;
}

std::string key_of(std::string_view text)
{
  std::string key = upper(trimmed(text));
  for (char& c : key)
  {
    c = is_blank(c) ? '_' : c;
  }
  return key;
}

std::vector<std::string> words_of(std::string_view text)
{
  std::vector<std::string> words;
  for (std::size_t i = 0; i < text.size();)
  {
    if (is_blank(text[i]))
    {
      ++i;
      continue;
    }
    if (text[i] == '#')
    {
      break;
    }
    std::string word;
    bool quoted = false;
    for (; i < text.size() && (quoted || !is_blank(text[i])); ++i)
    {
      quoted = text[i] == '"' ? !quoted : quoted;
      word += text[i] == '"' ? "" : std::string(1, text[i]);
    }
    words.push_back(std::move(word));
  }
  return words;
}

// As in VisIt, a plus sign may precede the first digit, but no other sign.
template <class T>
std::optional<T> parse(std::string_view text)
{
  text.remove_prefix(text.starts_with('+') && !text.starts_with("+-") ? 1 : 0);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional<T>(value) : std::nullopt;
}

Result<void> check_count(const BovLine& line, std::size_t count)
{
  if (line.words.size() != count)
  {
    return bad_line(line,
        "has " + std::to_string(line.words.size()) + " values where " + std::to_string(count) +
            (count == 1 ? " is" : " are") + " expected",
        count == 1 ? "put a value with blanks in double quotes" : "give one for each of x, y and z");
  }
  return {};
}

Result<double> parse_number(const BovLine& line, const std::string& word)
{
  const std::optional<double> value = parse<double>(word);
  if (!value || !std::isfinite(*value))
  {
    return bad_line(line, "'" + word + "' is not a finite number", "write it as 1.5 or 2e-3");
  }
  return *value;
}

Result<std::int64_t> parse_integer(const BovLine& line, const std::string& word, std::int64_t least, std::int64_t most)
{
  const std::optional<std::int64_t> value = parse<std::int64_t>(word);
  if (!value || *value < least || *value > most)
  {
    return bad_line(line,
        "'" + word + "' is not a whole number from " + std::to_string(least) + " to " + std::to_string(most),
        "correct the header");
  }
  return *value;
}

} // namespace

tl::unexpected<Error> bad_line(const BovLine& line, const std::string& what, const std::string& remedy, ErrorCode code)
{
  return fail(code, line.key + ": " + what, remedy, {}, line.offset);
}

bool BovLines::next()
{
  while (at_ < text_.size())
  {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view text = text_.substr(at_, end - at_);
    line_.offset = static_cast<std::int64_t>(at_);
    at_ = end + 1;
    const std::size_t colon = text.find(':');
    if (trimmed(text).starts_with('#') || colon == std::string_view::npos)
    {
      continue;
    }
    line_.key = key_of(text.substr(0, colon));
    line_.words = words_of(text.substr(colon + 1));
    return true;
  }
  return false;
}

Result<std::string> bov_word(const std::string& word)
{
  const bool breaks = std::any_of(word.begin(), word.end(), [](char c) { return c == '"' || c == '\n' || c == '\0'; });
  if (word.empty() || breaks)
  {
    return fail(ErrorCode::BadArgument,
        "'" + word + "' cannot be written to a BOV header, which has no place for " +
            (word.empty() ? "an empty name" : "double quotes and ends of lines in a name"),
        "choose another name, or write a .rvf file");
  }
  const bool plain = !word.starts_with('#') && std::none_of(word.begin(), word.end(), is_blank);
  return plain ? word : '"' + word + '"';
}

Result<std::string> read_word(const BovLine& line)
{
  if (Result<void> one = check_count(line, 1); !one)
  {
    return forward_error(one);
  }
  if (line.words.front().empty())
  {
    return bad_line(line, "the value is empty", "correct the header");
  }
  return line.words.front();
}

Result<std::string> read_upper(const BovLine& line)
{
  Result<std::string> word = read_word(line);
  return word ? Result<std::string>(upper(*word)) : word;
}

Result<double> read_number(const BovLine& line)
{
  Result<void> one = check_count(line, 1);
  return one ? parse_number(line, line.words.front()) : forward_error(one);
}

Result<Vec3> read_numbers(const BovLine& line)
{
  if (Result<void> three = check_count(line, 3); !three)
  {
    return forward_error(three);
  }
  Vec3 values{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    Result<double> value = parse_number(line, line.words[axis]);
    if (!value)
    {
      return forward_error(value);
    }
    values[axis] = *value;
  }
  return values;
}

Result<std::int64_t> read_integer(const BovLine& line, std::int64_t least, std::int64_t most)
{
  Result<void> one = check_count(line, 1);
  return one ? parse_integer(line, line.words.front(), least, most) : forward_error(one);
}

Result<Int3> read_sizes(const BovLine& line)
{
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - 1; // cells + 1 nodes must fit, too
  if (Result<void> three = check_count(line, 3); !three)
  {
    return forward_error(three);
  }
  Int3 sizes{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    Result<std::int64_t> size = parse_integer(line, line.words[axis], 1, most);
    if (!size)
    {
      return forward_error(size);
    }
    sizes[axis] = static_cast<std::int32_t>(*size);
  }
  return sizes;
}

Result<bool> read_flag(const BovLine& line)
{
  Result<std::string> word = read_upper(line);
  if (!word)
  {
    return forward_error(word);
  }
  if (*word != "TRUE" && *word != "FALSE")
  {
    return bad_line(line, "'" + line.words.front() + "' is neither TRUE nor FALSE", "correct the header");
  }
  return *word == "TRUE";
}

} // namespace rivulet
