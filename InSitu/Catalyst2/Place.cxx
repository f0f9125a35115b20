// SPDX-License-Identifier: BSD-3-Clause
#include "Place.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace rivulet::catalyst2
{

namespace
{

constexpr std::int64_t kMostBytes = std::int64_t{ 1 } << 48; // more than a process can have
constexpr double kLastWhole = 9007199254740992.0;            // 2^53: each integer up to here is a double

template <class Stored, class Number>
Number read_as(const void* from)
{
  Stored value;
  std::memcpy(&value, from, sizeof(value));
  return static_cast<Number>(value);
}

/// How numbers of a type are read.
template <class Number>
Number (*reader_of(conduit_index_t type))(const void*)
{
  switch (type)
  {
  case CONDUIT_INT8_ID:
    return read_as<std::int8_t, Number>;
  case CONDUIT_INT16_ID:
    return read_as<std::int16_t, Number>;
  case CONDUIT_INT32_ID:
    return read_as<std::int32_t, Number>;
  case CONDUIT_INT64_ID:
    return read_as<std::int64_t, Number>;
  case CONDUIT_UINT8_ID:
    return read_as<std::uint8_t, Number>;
  case CONDUIT_UINT16_ID:
    return read_as<std::uint16_t, Number>;
  case CONDUIT_UINT32_ID:
    return read_as<std::uint32_t, Number>;
  case CONDUIT_UINT64_ID:
    return read_as<std::uint64_t, Number>;
  case CONDUIT_FLOAT32_ID:
    return read_as<float, Number>;
  default:
    return read_as<double, Number>;
  }
}

template <class Number>
Result<std::vector<Number>> all_of(Result<Numbers> numbers)
{
  if (!numbers)
  {
    return forward_error(numbers);
  }
  const auto read = reader_of<Number>(numbers->type);
  std::vector<Number> all(static_cast<std::size_t>(numbers->count));
  for (std::size_t i = 0; i < all.size(); ++i)
  {
    all[i] = read(numbers->at(static_cast<std::int64_t>(i)));
  }
  return all;
}

/// Bytes of the character that begins with a byte; 0: none does.
std::size_t length_of(unsigned char first)
{
  return first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

bool is_utf8(const std::string& text)
{
  std::size_t next = 0; // where a character begins
  for (std::size_t i = 0; i < text.size(); ++i)
  {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (i == next)
    {
      const std::size_t length = length_of(byte);
      if (length == 0 || length > text.size() - i)
      {
        return false;
      }
      next += length;
    }
    else if ((byte & 0xc0) != 0x80)
    {
      return false;
    }
  }
  return true;
}

/// With bytes of other than ASCII as numbers: "\xe9".
std::string printable(const std::string& text)
{
  constexpr const char* kDigits = "0123456789abcdef";
  std::string shown;
  for (const char each : text)
  {
    const auto byte = static_cast<unsigned char>(each);
    shown += byte < 0x80 ? std::string(1, each) : std::string{ '\\', 'x', kDigits[byte >> 4], kDigits[byte & 15] };
  }
  return shown;
}

} // namespace

std::string Place::name() const
{
  return path_.substr(path_.rfind('/') + 1);
}

std::optional<Place> Place::find(const std::string& way) const
{
  if (conduit_datatype_is_object(conduit_node_dtype(node_)) == 0 || conduit_node_has_path(node_, way.c_str()) == 0)
  {
    return {};
  }
  conduit_node* const found = conduit_node_fetch_existing(node_, way.c_str());
  if (conduit_datatype_is_empty(conduit_node_dtype(found)) != 0)
  {
    return {};
  }
  return Place(found, below(way));
}

Result<Place> Place::need(const std::string& way) const
{
  const std::optional<Place> found = find(way);
  if (!found)
  {
    return refuse("there is no \"" + way + "\"", "add it to the node that the simulation passes");
  }
  return *found;
}

std::vector<Place> Place::children() const
{
  std::vector<Place> all;
  const std::int64_t count = conduit_node_number_of_children(node_);
  for (std::int64_t i = 0; i < count; ++i)
  {
    conduit_node* const child = conduit_node_child(node_, i);
    const std::unique_ptr<char, decltype(&std::free)> name(conduit_node_name(child), &std::free);
    const bool named = name != nullptr && *name != '\0';
    all.emplace_back(child, below(named ? std::string(name.get()) : std::to_string(i)));
  }
  return all;
}

Result<std::string> Place::text() const
{
  const conduit_datatype* const type = conduit_node_dtype(node_);
  if (conduit_datatype_is_char8_str(type) == 0)
  {
    return refuse("it is not a text", "set a string");
  }
  const char* const first = conduit_node_as_char8_str(node_);
  return std::string(first, strnlen(first, static_cast<std::size_t>(conduit_datatype_number_of_elements(type))));
}

bool Place::empty() const
{
  const conduit_datatype* const type = conduit_node_dtype(node_);
  return conduit_datatype_is_empty(type) != 0 ||
         (conduit_datatype_is_number(type) != 0 && conduit_datatype_number_of_elements(type) == 0);
}

bool Place::is_leaf() const
{
  const conduit_datatype* const type = conduit_node_dtype(node_);
  return conduit_datatype_is_number(type) != 0 || conduit_datatype_is_char8_str(type) != 0;
}

Result<void> Place::check_name() const
{
  return is_utf8(name()) ? Result<void>()
                         : fail(ErrorCode::Unsupported, "its name is not UTF-8", "use other letters", printable(path_));
}

Result<Numbers> Place::numbers() const
{
  const conduit_datatype* const type = conduit_node_dtype(node_);
  if (conduit_datatype_is_number(type) == 0 || conduit_datatype_endianness_matches_machine(type) == 0)
  {
    return refuse("it has no numbers of this machine", "set an array of numbers");
  }
  Numbers all;
  all.type = conduit_datatype_id(type);
  all.count = conduit_datatype_number_of_elements(type);
  all.bytes = conduit_datatype_element_bytes(type);
  all.stride = conduit_datatype_stride(type);
  all.stride = all.count > 1 ? all.stride : std::max(all.stride, all.bytes);
  if (all.count < 0 || all.stride < all.bytes || all.count > kMostBytes / all.stride)
  {
    return refuse("it has " + std::to_string(all.count) + " numbers, " + std::to_string(all.stride) + " bytes apart",
        "describe an array in which numbers follow one another");
  }
  if (all.count > 0 && conduit_node_data_ptr(node_) == nullptr)
  {
    return refuse("its pointer is null", "set the address of its numbers");
  }
  all.first = all.count > 0 ? static_cast<const std::byte*>(conduit_node_element_ptr(node_, 0)) : nullptr;
  return all;
}

bool Numbers::aligned() const
{
  const auto size = static_cast<std::uintptr_t>(bytes);
  return reinterpret_cast<std::uintptr_t>(first) % size == 0 && stride % bytes == 0;
}

Result<std::vector<std::int64_t>> Place::integers() const
{
  if (conduit_datatype_is_integer(conduit_node_dtype(node_)) == 0)
  {
    return refuse("it has no integers", "set integers");
  }
  return all_of<std::int64_t>(numbers());
}

Result<std::vector<double>> Place::reals() const
{
  return all_of<double>(numbers());
}

Result<std::int64_t> Place::integer() const
{
  if (conduit_datatype_is_integer(conduit_node_dtype(node_)) == 0)
  {
    const Result<double> number = real();
    if (!number || std::abs(*number) > kLastWhole || std::trunc(*number) != *number)
    {
      return refuse("it is not one integer", "set an integer");
    }
    return static_cast<std::int64_t>(*number);
  }
  Result<std::vector<std::int64_t>> all = integers();
  if (!all || all->size() != 1)
  {
    return refuse("it is not one integer", "set an integer");
  }
  return all->front();
}

Result<double> Place::real() const
{
  Result<std::vector<double>> all = reals();
  if (!all || all->size() != 1)
  {
    return refuse("it is not one number", "set a number");
  }
  return all->front();
}

Result<std::string> Place::need_text(const std::string& way) const
{
  Result<Place> found = need(way);
  return found ? found->text() : forward_error(found);
}

Result<std::int64_t> Place::need_integer(const std::string& way) const
{
  Result<Place> found = need(way);
  return found ? found->integer() : forward_error(found);
}

std::string Place::below(const std::string& way) const
{
  return path_.empty() ? way : path_ + "/" + way;
}

tl::unexpected<Error> Place::refuse(std::string what, std::string remedy) const
{
  return fail(ErrorCode::Unsupported, std::move(what), std::move(remedy), path_);
}

} // namespace rivulet::catalyst2
