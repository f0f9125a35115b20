// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/DumpBytes.h"

#include <cstring>
#include <type_traits>

namespace rivulet
{

namespace
{

class Writer
{
public:
  template <class T>
  void plain(const T& value)
  {
    const auto* from = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), from, from + sizeof(T));
  }
  void text(const std::string& text)
  {
    plain(text.size());
    const auto* from = reinterpret_cast<const std::byte*>(text.data());
    bytes_.insert(bytes_.end(), from, from + text.size());
  }
  template <class T>
  void list(const std::vector<T>& values);

  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

private:
  std::vector<std::byte> bytes_;
};

/// Every function leaves what it has no bytes for as it is, and good() says so.
class Reader
{
public:
  explicit Reader(std::span<const std::byte> bytes)
    : bytes_(bytes)
  {
  }

  template <class T>
  void plain(T& value)
  {
    static_assert(std::is_trivially_copyable_v<T>);
    if (take(sizeof(T)))
    {
      std::memcpy(&value, bytes_.data() + at_ - sizeof(T), sizeof(T));
    }
  }
  void text(std::string& text)
  {
    std::size_t size = 0;
    plain(size);
    if (take(size))
    {
      text.assign(reinterpret_cast<const char*>(bytes_.data()) + at_ - size, size);
    }
  }
  template <class T>
  void list(std::vector<T>& values);

  [[nodiscard]] bool good() const { return good_ && at_ == bytes_.size(); }

private:
  [[nodiscard]] bool take(std::size_t count)
  {
    good_ = good_ && count <= bytes_.size() - at_;
    at_ += good_ ? count : 0;
    return good_;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool good_ = true;
};

/// The members in one order for both ways.
template <class Archive, class T>
void visit_dump(Archive& archive, T& value)
{
  archive.text(value.path);
  archive.list(value.files);
  archive.plain(value.dimensions);
  archive.plain(value.shared);
  archive.plain(value.deformed);
  archive.plain(value.coordinates);
  archive.plain(value.time);
  archive.plain(value.cycle);
  archive.plain(value.origin);
  archive.list(value.levels);
  archive.list(value.patches);
  archive.list(value.variables);
  archive.list(value.children);
  archive.list(value.notes);
}

template <class Archive, class T>
void visit(Archive& archive, T& value)
{
  using Value = std::remove_const_t<T>;
  if constexpr (std::is_same_v<Value, std::string>)
  {
    archive.text(value);
  }
  else if constexpr (std::is_same_v<Value, std::vector<std::int32_t>>)
  {
    archive.list(value);
  }
  else if constexpr (std::is_same_v<Value, AmrPatch>)
  {
    archive.plain(value.level);
    archive.plain(value.number);
    archive.plain(value.file);
    archive.text(value.group);
    archive.plain(value.first);
    archive.plain(value.cells);
    archive.plain(value.cut_lower);
    archive.plain(value.cut_upper);
    archive.plain(value.lower);
    archive.plain(value.upper);
  }
  else if constexpr (std::is_same_v<Value, AmrLevel>)
  {
    archive.plain(value.first_patch);
    archive.plain(value.patches);
    archive.plain(value.ratio);
    archive.plain(value.spacing);
  }
  else if constexpr (std::is_same_v<Value, AmrRange>)
  {
    archive.plain(value.stored);
    archive.plain(value.minimum);
    archive.plain(value.maximum);
  }
  else if constexpr (std::is_same_v<Value, AmrComponent>)
  {
    archive.text(value.dataset);
    archive.plain(value.run);
    archive.list(value.ranges);
  }
  else if constexpr (std::is_same_v<Value, AmrVariable>)
  {
    archive.text(value.name);
    archive.plain(value.centering);
    archive.plain(value.ghosts);
    archive.list(value.components);
  }
  else if constexpr (std::is_same_v<Value, AmrDump>)
  {
    visit_dump(archive, value);
  }
  else if constexpr (std::is_same_v<Value, DumpStep>)
  {
    archive.text(value.path);
    archive.plain(value.time);
    archive.plain(value.cycle);
  }
  else if constexpr (std::is_same_v<Value, DumpIndex>)
  {
    archive.list(value.dumps);
    archive.list(value.notes);
  }
  else
  {
    archive.plain(value);
  }
}

template <class T>
void Writer::list(const std::vector<T>& values)
{
  plain(values.size());
  for (const T& value : values)
  {
    visit(*this, value);
  }
}

template <class T>
void Reader::list(std::vector<T>& values)
{
  std::size_t size = 0;
  plain(size);
  good_ = good_ && size <= bytes_.size() - at_; // each takes a byte at least
  values.assign(good_ ? size : 0, T{});
  for (T& value : values)
  {
    visit(*this, value);
  }
}

template <class T>
std::vector<std::byte> write(const T& value)
{
  Writer writer;
  visit(writer, value);
  return writer.take();
}

template <class T>
Result<T> read(std::span<const std::byte> bytes)
{
  T value;
  Reader reader(bytes);
  visit(reader, value);
  if (!reader.good())
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
