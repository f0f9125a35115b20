// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/DumpBytes.h"

#include <concepts>
#include <cstring>
#include <type_traits>

namespace rivulet
{

namespace
{

template <class T, class U>
concept Like = std::same_as<std::remove_const_t<T>, U>;

/// Types without padding, which are copied byte by byte.
template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || Like<T, Int3> || Like<T, Vec3> || Like<T, Box>;

/// Types that are written as a length and their elements.
template <class T>
concept List = requires(T list)
{
  list.size();
  list.emplace_back();
}
|| Like<T, std::string>;

// The members of each type, in one order for writing and reading.

void visit(auto& archive, Like<AmrPatch> auto& patch)
{
  archive(patch.level, patch.number, patch.file, patch.group, patch.first, patch.cells, patch.cut_lower,
      patch.cut_upper, patch.lower, patch.upper);
}

void visit(auto& archive, Like<AmrLevel> auto& level)
{
  archive(level.first_patch, level.patches, level.ratio, level.spacing);
}

void visit(auto& archive, Like<AmrRange> auto& range)
{
  archive(range.stored, range.minimum, range.maximum);
}

void visit(auto& archive, Like<AmrComponent> auto& component)
{
  archive(component.dataset, component.run, component.ranges);
}

void visit(auto& archive, Like<AmrVariable> auto& variable)
{
  archive(variable.name, variable.centering, variable.ghosts, variable.components);
}

void visit(auto& archive, Like<AmrDump> auto& dump)
{
  archive(dump.path, dump.files, dump.dimensions, dump.shared, dump.deformed, dump.coordinates, dump.time, dump.cycle,
      dump.origin, dump.levels, dump.patches, dump.variables, dump.children, dump.notes);
}

void visit(auto& archive, Like<DumpStep> auto& step)
{
  archive(step.path, step.time, step.cycle);
}

void visit(auto& archive, Like<DumpIndex> auto& index)
{
  archive(index.dumps, index.notes);
}

class Writer
{
public:
  void operator()(const auto&... values) { (write(values), ...); }

  template <class T>
  void write(const T& value)
  {
    if constexpr (Plain<T>)
    {
      append(&value, sizeof(T));
    }
    else if constexpr (List<T>)
    {
      write(value.size());
      if constexpr (Plain<typename T::value_type>)
      {
        append(value.data(), value.size() * sizeof(value[0]));
      }
      else
      {
        for (const auto& element : value)
        {
          write(element);
        }
      }
    }
    else
    {
      visit(*this, value);
    }
  }

  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

private:
  void append(const void* from, std::size_t size)
  {
    const auto* bytes = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), bytes, bytes + size);
  }

  std::vector<std::byte> bytes_;
};

/// Reads values until the bytes end or are invalid; later values stay unchanged. The memory of lists is limited by the
/// bytes that are there, not by the lengths that they claim.
class Reader
{
public:
  explicit Reader(std::span<const std::byte> bytes)
    : bytes_(bytes)
  {
  }

  void operator()(auto&... values) { (read(values), ...); }

  template <class T>
  void read(T& value)
  {
    if constexpr (std::same_as<T, bool> || std::is_enum_v<T>)
    {
      std::uint8_t number = 0; // bool and Centering have the values 0 and 1
      static_assert(sizeof(T) == sizeof(number));
      read(number);
      good_ = good_ && number <= 1;
      value = good_ ? static_cast<T>(number) : value;
    }
    else if constexpr (Plain<T>)
    {
      copy(&value, sizeof(T));
    }
    else if constexpr (List<T>)
    {
      read_list(value);
    }
    else
    {
      visit(*this, value);
    }
  }

  /// True if all bytes were read and valid.
  [[nodiscard]] bool all_read() const { return good_ && bytes_.empty(); }

private:
  template <class T>
  void read_list(T& values)
  {
    std::size_t size = 0;
    read(size);
    values.clear();
    if constexpr (Plain<typename T::value_type>)
    {
      good_ = good_ && size <= bytes_.size() / sizeof(values[0]);
      values.resize(good_ ? size : 0);
      copy(values.data(), values.size() * sizeof(values[0]));
    }
    else
    {
      for (std::size_t i = 0; i < size && good_; ++i)
      {
        read(values.emplace_back());
      }
    }
  }

  void copy(void* to, std::size_t size)
  {
    good_ = good_ && size <= bytes_.size();
    if (good_ && size > 0)
    {
      std::memcpy(to, bytes_.data(), size);
      bytes_ = bytes_.subspan(size);
    }
  }

  std::span<const std::byte> bytes_; ///< bytes that were not read yet
  bool good_ = true;
};

template <class T>
std::vector<std::byte> write(const T& value)
{
  Writer writer;
  writer.write(value);
  return writer.take();
}

template <class T>
Result<T> read(std::span<const std::byte> bytes)
{
  T value;
  Reader reader(bytes);
  reader.read(value);
  if (!reader.all_read())
  {
    return fail(ErrorCode::Corrupt, "what the first process sent is not the description of a dump",
        "run the same version of the program everywhere");
  }
  return value;
}

} // namespace

std::vector<std::byte> to_bytes(const AmrDump& dump)
{
  return write(dump);
}

std::vector<std::byte> to_bytes(const DumpIndex& index)
{
  return write(index);
}

std::vector<std::byte> ranges_to_bytes(const AmrVariable& variable)
{
  return write(variable);
}

Result<AmrDump> dump_from_bytes(std::span<const std::byte> bytes)
{
  return read<AmrDump>(bytes);
}

Result<DumpIndex> index_from_bytes(std::span<const std::byte> bytes)
{
  return read<DumpIndex>(bytes);
}

Result<void> ranges_from_bytes(std::span<const std::byte> bytes, AmrVariable& variable)
{
  Result<AmrVariable> sent = read<AmrVariable>(bytes);
  if (!sent)
  {
    return forward_error(sent);
  }
  variable = std::move(*sent);
  return {};
}

} // namespace rivulet
