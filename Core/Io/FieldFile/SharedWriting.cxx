// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/SharedWriting.h"

#include <cstring>
#include <type_traits>

namespace rivulet
{

namespace
{

constexpr std::uint64_t kInvitation = 0x32564e4952565249;   ///< "IRVRINV2"
constexpr std::uint64_t kContribution = 0x32424e4f43565249; ///< "IRVCONB2"

class Packer
{
public:
  explicit Packer(std::uint64_t magic) { number(magic); }

  template <class T>
  void number(T value)
  {
    static_assert(std::is_arithmetic_v<T>);
    all(&value, 1);
  }
  template <class T>
  void list(const T& values)
  {
    static_assert(std::is_trivially_copyable_v<typename T::value_type>);
    number(static_cast<std::uint64_t>(values.size()));
    all(values.data(), values.size());
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

private:
  template <class T>
  void all(const T* values, std::size_t count)
  {
    const std::size_t before = bytes_.size();
    bytes_.resize(before + count * sizeof(T));
    if (count > 0)
    {
      std::memcpy(bytes_.data() + before, values, count * sizeof(T));
    }
  }

  std::vector<std::byte> bytes_;
};

/// Zeros and empty lists after the end; ok() tells.
class Unpacker
{
public:
  Unpacker(std::span<const std::byte> bytes, std::uint64_t magic)
    : bytes_(bytes)
  {
    ok_ = number<std::uint64_t>() == magic;
  }

  template <class T>
  T number()
  {
    T value{};
    all(&value, 1);
    return value;
  }
  template <class T>
  T list()
  {
    using Value = typename T::value_type;
    const auto count = number<std::uint64_t>();
    ok_ = ok_ && count <= bytes_.size() / sizeof(Value);
    T values(static_cast<std::size_t>(ok_ ? count : 0), Value{});
    all(values.data(), values.size());
    return values;
  }
  /// A number of parts of at least one byte each.
  std::size_t count()
  {
    const auto number_of = number<std::uint64_t>();
    ok_ = ok_ && number_of <= bytes_.size();
    return static_cast<std::size_t>(ok_ ? number_of : 0);
  }
  [[nodiscard]] bool ok() const { return ok_ && bytes_.empty(); }

private:
  template <class T>
  void all(T* values, std::size_t number_of)
  {
    const std::size_t bytes = number_of * sizeof(T);
    ok_ = ok_ && bytes <= bytes_.size();
    if (ok_ && bytes > 0)
    {
      std::memcpy(values, bytes_.data(), bytes);
      bytes_ = bytes_.subspan(bytes);
    }
  }

  std::span<const std::byte> bytes_;
  bool ok_ = true;
};

tl::unexpected<Error> garbled()
{
  return fail(ErrorCode::BadArgument, "a message between writers of one file is garbled",
      "use the same version of Rivulet in all processes");
}

} // namespace

std::vector<std::byte> FileInvitation::to_bytes() const
{
  Packer out(kInvitation);
  out.list(hidden_path);
  out.list(uuid);
  out.list(points_in);
  out.number(static_cast<std::uint64_t>(offsets.size()));
  for (const std::vector<std::int64_t>& of_variable : offsets)
  {
    out.list(of_variable);
  }
  return out.take();
}

Result<FileInvitation> FileInvitation::of_bytes(std::span<const std::byte> bytes)
{
  Unpacker in(bytes, kInvitation);
  FileInvitation invitation;
  invitation.hidden_path = in.list<std::string>();
  invitation.uuid = in.list<std::string>();
  invitation.points_in = in.list<std::string>();
  const std::size_t variables = in.count();
  for (std::size_t variable = 0; variable < variables; ++variable)
  {
    invitation.offsets.push_back(in.list<std::vector<std::int64_t>>());
  }
  return in.ok() ? Result<FileInvitation>(std::move(invitation)) : garbled();
}

std::vector<std::byte> FileContribution::to_bytes() const
{
  Packer out(kContribution);
  out.number(static_cast<std::uint64_t>(runs.size()));
  for (const WrittenSpan& run : runs)
  {
    out.number(run.variable);
    out.number(run.step);
    out.number(run.first);
    out.list(run.ranges);
    out.list(run.places);
  }
  out.list(measures);
  out.list(largest_errors);
  return out.take();
}

Result<FileContribution> FileContribution::of_bytes(std::span<const std::byte> bytes)
{
  Unpacker in(bytes, kContribution);
  FileContribution contribution;
  const std::size_t runs = in.count();
  for (std::size_t run = 0; run < runs; ++run)
  {
    WrittenSpan& written = contribution.runs.emplace_back();
    written.variable = in.number<std::int32_t>();
    written.step = in.number<std::int32_t>();
    written.first = in.number<std::int64_t>();
    written.ranges = in.list<std::vector<std::array<float, 2>>>();
    written.places = in.list<std::vector<PlacesRow>>();
  }
  contribution.measures = in.list<std::vector<BrickMeasure>>();
  contribution.largest_errors = in.list<std::vector<double>>();
  return in.ok() ? Result<FileContribution>(std::move(contribution)) : garbled();
}

} // namespace rivulet
