// SPDX-License-Identifier: BSD-3-Clause
#include "Plugin/Options.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

namespace
{

using nlohmann::json;

std::string quoted(const std::string& text)
{
  return "\"" + text + "\"";
}

std::string joined(const std::vector<std::string>& names)
{
  std::string all;
  for (const std::string& name : names)
  {
    all += (all.empty() ? "" : ", ") + quoted(name);
  }
  return all;
}

bool is_finite_number(const json& value)
{
  return value.is_number() && std::isfinite(value.get<double>());
}

bool are_finite_numbers(const json& value, std::size_t count)
{
  return value.is_array() && value.size() == count && std::all_of(value.begin(), value.end(), is_finite_number);
}

bool are_different_names(const json& value)
{
  if (!value.is_array() || value.empty() ||
      !std::all_of(value.begin(), value.end(), [](const json& name) { return name.is_string(); }))
  {
    return false;
  }
  auto names = value.get<std::vector<std::string>>();
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) == names.end();
}

} // namespace

OptionReader::OptionReader(const Host& host)
  : name_(host.name())
{
  options_ = json::parse(host.options(), nullptr, false);
  if (!options_.is_object())
  {
    error_ = Error{ ErrorCode::BadArgument, "the options of " + name_ + " are not a JSON object", {}, {} };
    options_ = json::object();
  }
}

const json* OptionReader::find(const char* key)
{
  if (std::find(known_.begin(), known_.end(), key) == known_.end())
  {
    known_.emplace_back(key);
  }
  const auto found = options_.find(key);
  return found != options_.end() ? &*found : nullptr;
}

void OptionReader::refuse(const char* key, const std::string& must)
{
  if (!error_)
  {
    error_ = Error{ ErrorCode::BadArgument, "option " + quoted(key) + " of " + name_ + " must be " + must, {}, {} };
  }
}

std::int64_t OptionReader::integer(const char* key, std::int64_t otherwise, const IntegerRange& range)
{
  const json* value = find(key);
  if (value == nullptr)
  {
    return otherwise;
  }
  // Numbers above the range of 64 bits are kept unsigned.
  const bool fits =
      value->is_number_integer() && !(value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX);
  if (!fits || value->get<std::int64_t>() < range.least || value->get<std::int64_t>() > range.most)
  {
    refuse(key, "an integer from " + std::to_string(range.least) + " to " + std::to_string(range.most));
    return otherwise;
  }
  return value->get<std::int64_t>();
}

std::optional<double> OptionReader::positive(const char* key)
{
  const json* value = find(key);
  if (value == nullptr)
  {
    return {};
  }
  if (!is_finite_number(*value) || value->get<double>() <= 0.0)
  {
    refuse(key, "a number above 0");
    return {};
  }
  return value->get<double>();
}

bool OptionReader::flag(const char* key, bool otherwise)
{
  const json* value = find(key);
  if (value != nullptr && !value->is_boolean())
  {
    refuse(key, "true or false");
    return otherwise;
  }
  return value != nullptr ? value->get<bool>() : otherwise;
}

std::string OptionReader::text(const char* key, const std::string& otherwise)
{
  const json* value = find(key);
  if (value != nullptr && (!value->is_string() || value->get<std::string>().empty()))
  {
    refuse(key, "a text");
    return otherwise;
  }
  return value != nullptr ? value->get<std::string>() : otherwise;
}

std::size_t OptionReader::choice(const char* key, const std::vector<std::string>& choices, std::size_t otherwise)
{
  const json* value = find(key);
  if (value == nullptr)
  {
    return otherwise;
  }
  const auto found =
      value->is_string() ? std::find(choices.begin(), choices.end(), value->get<std::string>()) : choices.end();
  if (found == choices.end())
  {
    refuse(key, "one of " + joined(choices));
    return otherwise;
  }
  return static_cast<std::size_t>(found - choices.begin());
}

std::vector<std::string> OptionReader::names(const char* key)
{
  const json* value = find(key);
  if (value == nullptr)
  {
    return {};
  }
  if (!are_different_names(*value))
  {
    refuse(key, "a list of one or more different names");
    return {};
  }
  return value->get<std::vector<std::string>>();
}

std::vector<double> OptionReader::numbers(const char* key, std::size_t count)
{
  const json* value = find(key);
  if (value == nullptr)
  {
    return {};
  }
  if (!are_finite_numbers(*value, count))
  {
    refuse(key, "a list of " + std::to_string(count) + " numbers");
    return {};
  }
  return value->get<std::vector<double>>();
}

std::vector<std::array<double, 3>> OptionReader::points(const char* key)
{
  const json* value = find(key);
  if (value == nullptr)
  {
    return {};
  }
  if (!value->is_array() || value->empty() ||
      !std::all_of(value->begin(), value->end(), [](const json& point) { return are_finite_numbers(point, 3); }))
  {
    refuse(key, "a list of points of 3 numbers each");
    return {};
  }
  return value->get<std::vector<std::array<double, 3>>>();
}

Result<void> OptionReader::finish()
{
  for (const auto& [key, value] : options_.items())
  {
    if (!error_ && std::find(known_.begin(), known_.end(), key) == known_.end())
    {
      error_ = Error{ ErrorCode::BadArgument, name_ + " has no option " + quoted(key),
        known_.empty() ? "leave it out" : "use one of " + joined(known_), {} };
    }
  }
  return error_ ? Result<void>(tl::unexpected(*error_)) : Result<void>();
}

bool has_flag(const char* options, const char* key)
{
  const json read = json::parse(options, nullptr, false);
  return read.is_object() && read.contains(key) && read[key] == true;
}

} // namespace rivulet
