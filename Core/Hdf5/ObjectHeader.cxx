// SPDX-License-Identifier: BSD-3-Clause
#include "Hdf5/ObjectHeader.h"

#include "Io/FieldFile/Cursor.h"

#include <algorithm>
#include <deque>
#include <limits>

namespace rivulet::hdf5
{

namespace
{

constexpr std::size_t kMostBlocks = 256; // of one header; a longer chain is a loop

enum Message : std::uint16_t
{
  kDataspace = 0x0001,
  kLinkInfo = 0x0002,
  kDatatype = 0x0003,
  kOldFillValue = 0x0004,
  kFillValue = 0x0005,
  kExternalFiles = 0x0007,
  kLayout = 0x0008,
  kFilters = 0x000B,
  kContinuation = 0x0010,
  kSymbolTable = 0x0011,
};

constexpr std::uint8_t kShared = 0x02; // message flag

/// Collects the contents of the messages of one header.
constexpr std::uint64_t kPrefixBytes = 16;

class HeaderParser
{
public:
  HeaderParser(BufferedFile& file, std::uint64_t address)
    : file_(file)
    , address_(address)
  {
  }

  Result<ObjectHeader> parse();

private:
  Result<void> parse_block(std::span<const std::byte> block);
  Result<void> parse_message(std::uint16_t type, std::uint8_t flags, std::span<const std::byte> body);
  Result<void> parse_of_values(std::uint16_t type, std::span<const std::byte> body);
  Result<void> parse_addresses(std::uint16_t type, Cursor body);
  Result<void> parse_dataspace(Cursor body);
  Result<void> parse_datatype(Cursor body);
  Result<void> parse_layout(std::span<const std::byte> bytes);
  Result<void> parse_filters(Cursor body);
  Result<void> parse_fill_value(Cursor body, bool old);
  Result<ObjectHeader> finish();
  Result<void> check_chunks() const;
  Result<void> check_room() const;

  [[nodiscard]] tl::unexpected<Error> unsupported(const std::string& what) const
  {
    return fail(ErrorCode::Unsupported, what, {}, file_.path(), offset());
  }
  [[nodiscard]] tl::unexpected<Error> corrupt(const std::string& what) const
  {
    return fail(ErrorCode::Corrupt, what, "the file is damaged: copy it again or leave it out", file_.path(), offset());
  }
  [[nodiscard]] std::int64_t offset() const { return static_cast<std::int64_t>(address_); }

  BufferedFile& file_;
  std::uint64_t address_;
  std::uint32_t messages_left_ = 0;
  std::deque<std::pair<std::uint64_t, std::uint64_t>> blocks_; ///< address and length of the blocks to parse
  std::optional<SymbolTable> group_;
  DatasetLayout dataset_;
  std::uint32_t seen_ = 0; ///< bit k is set if message type k was met
  std::uint64_t contiguous_bytes_ = 0;
  std::size_t fill_bytes_ = 0;
  bool has_space_ = false;
  bool has_type_ = false;
  bool has_layout_ = false;
};

Result<ObjectHeader> HeaderParser::parse()
{
  Result<std::span<const std::byte>> prefix = file_.view(address_, kPrefixBytes);
  if (!prefix)
  {
    return forward_error(prefix);
  }
  Cursor cursor(*prefix);
  if (const std::uint8_t version = cursor.u8(); version != 1)
  {
    return unsupported("an object's header is not of version 1");
  }
  cursor.skip(1);
  messages_left_ = cursor.u16();
  cursor.skip(4); // number of references
  blocks_.emplace_back(address_ + kPrefixBytes, cursor.u32());
  for (std::size_t parsed = 0; !blocks_.empty() && messages_left_ > 0; ++parsed)
  {
    if (parsed == kMostBlocks)
    {
      return corrupt("an object's header never ends");
    }
    const auto [begin, length] = blocks_.front();
    blocks_.pop_front();
    Result<std::span<const std::byte>> block = file_.view(begin, length);
    if (!block)
    {
      return forward_error(block);
    }
    if (Result<void> good = parse_block(*block); !good)
    {
      return forward_error(good);
    }
  }
  return finish();
}

Result<void> HeaderParser::parse_block(std::span<const std::byte> block)
{
  Cursor cursor(block);
  while (messages_left_ > 0 && cursor.left() >= 8)
  {
    --messages_left_;
    const std::uint16_t type = cursor.u16();
    const std::uint16_t size = cursor.u16();
    const std::uint8_t flags = cursor.u8();
    cursor.skip(3);
    const std::span<const std::byte> body = cursor.take(size);
    if (!cursor.ok())
    {
      return corrupt("a message of an object's header reaches beyond it");
    }
    if (Result<void> good = parse_message(type, flags, body); !good)
    {
      return good;
    }
  }
  return {};
}

Result<void> HeaderParser::parse_message(std::uint16_t type, std::uint8_t flags, std::span<const std::byte> body)
{
  switch (type)
  {
  case kExternalFiles:
    return unsupported("the values lie in other files");
  case kLinkInfo:
    return unsupported("a group is of the new style");
  case kContinuation:
  case kSymbolTable:
    return parse_addresses(type, Cursor(body));
  case kDataspace:
  case kDatatype:
  case kLayout:
  case kFilters:
  case kFillValue:
  case kOldFillValue:
    return (flags & kShared) == 0 ? parse_of_values(type, body)
                                  : unsupported("a dataset shares a part of its description with others");
  default:
    return {}; // times, comments, attributes
  }
}

/// Parses a message that describes the values of a dataset.
Result<void> HeaderParser::parse_of_values(std::uint16_t type, std::span<const std::byte> body)
{
  // A second message would add its dimensions to the first one's.
  if ((seen_ >> type & 1U) != 0)
  {
    return corrupt("a part of a dataset's description is there twice");
  }
  seen_ |= 1U << type;
  switch (type)
  {
  case kDataspace:
    return parse_dataspace(Cursor(body));
  case kDatatype:
    return parse_datatype(Cursor(body));
  case kLayout:
    return parse_layout(body);
  case kFilters:
    return parse_filters(Cursor(body));
  default:
    return parse_fill_value(Cursor(body), type == kOldFillValue);
  }
}

/// Parses a message with addresses: a continuation of the header, or the symbol table of a group.
Result<void> HeaderParser::parse_addresses(std::uint16_t type, Cursor body)
{
  const std::uint64_t first = body.u64();
  const std::uint64_t second = body.u64();
  if (type == kContinuation)
  {
    blocks_.emplace_back(first, second);
  }
  else
  {
    group_ = SymbolTable{ first, second };
  }
  return body.ok() ? Result<void>() : corrupt("a message of an object's header is too short");
}

Result<void> HeaderParser::parse_dataspace(Cursor body)
{
  const std::uint8_t version = body.u8();
  const int rank = body.u8();
  body.skip(1); // flags; the maximal sizes that may follow are not needed
  if (version == 1)
  {
    body.skip(5);
  }
  else if (version == 2)
  {
    if (body.u8() == 2)
    {
      return unsupported("a dataset holds nothing"); // null dataspace
    }
  }
  else
  {
    return unsupported("a dataset's dimensions are described in an unknown version");
  }
  if (rank > kMostDimensions)
  {
    return corrupt("a dataset has too many dimensions");
  }
  std::int64_t count = 1;
  for (int i = 0; i < rank; ++i)
  {
    const std::uint64_t dim = body.u64();
    if (dim > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() / 8) /
                  static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1)))
    {
      return corrupt("a dataset's size is beyond all bounds");
    }
    dataset_.dims.push_back(static_cast<std::int64_t>(dim));
    count *= static_cast<std::int64_t>(dim);
  }
  has_space_ = true;
  return body.ok() ? Result<void>() : corrupt("a dataset's dimensions are cut off");
}

/// Of a type or of a fill value.
bool is_known(int version)
{
  return version >= 1 && version <= 3;
}

std::optional<StoredType> integer_of(std::uint32_t size, bool is_signed)
{
  switch (size)
  {
  case 1:
    return is_signed ? StoredType::Int8 : StoredType::UInt8;
  case 2:
    return is_signed ? StoredType::Int16 : StoredType::UInt16;
  case 4:
    return is_signed ? StoredType::Int32 : StoredType::UInt32;
  case 8:
    return is_signed ? StoredType::Int64 : StoredType::UInt64;
  default:
    return std::nullopt;
  }
}

/// Properties of IEEE 754 numbers in the order of the message: bit offset, precision, position and size of the
/// exponent, position and size of the mantissa, exponent bias.
struct FloatShape
{
  std::uint16_t offset;
  std::uint16_t precision;
  std::uint8_t exponent_at;
  std::uint8_t exponent_bits;
  std::uint8_t mantissa_at;
  std::uint8_t mantissa_bits;
  std::uint32_t bias;

  friend bool operator==(const FloatShape&, const FloatShape&) = default;
};

constexpr FloatShape kSingle{ 0, 32, 23, 8, 0, 23, 127 };
constexpr FloatShape kDouble{ 0, 64, 52, 11, 0, 52, 1023 };

Result<void> HeaderParser::parse_datatype(Cursor body)
{
  const std::uint8_t class_and_version = body.u8();
  const std::uint8_t bits0 = body.u8();
  const std::uint8_t bits1 = body.u8();
  body.skip(1);
  const std::uint32_t size = body.u32();
  const int kind = class_and_version & 0x0F;
  const int version = class_and_version >> 4;
  dataset_.big_endian = (bits0 & 1U) != 0;
  std::optional<StoredType> type;
  if (kind == 0)
  {
    const std::uint16_t offset = body.u16();
    const std::uint16_t precision = body.u16();
    if (offset == 0 && precision == 8 * size)
    {
      type = integer_of(size, (bits0 & 0x08U) != 0);
    }
  }
  else if (kind == 1)
  {
    const FloatShape shape{ body.u16(), body.u16(), body.u8(), body.u8(), body.u8(), body.u8(), body.u32() };
    const bool vax = (bits0 & 0x40U) != 0;
    const bool implied = (bits0 & 0x30U) == 0x20U; // the first bit of the mantissa is implied
    const bool sign_first = bits1 == 8 * size - 1;
    if (!vax && implied && sign_first)
    {
      type = size == 4 && shape == kSingle   ? std::optional(StoredType::Float32)
             : size == 8 && shape == kDouble ? std::optional(StoredType::Float64)
                                             : std::nullopt;
    }
  }
  if (!body.ok())
  {
    return corrupt("a dataset's type is cut off");
  }
  if (!is_known(version))
  {
    return unsupported("a dataset's type is described in an unknown version");
  }
  if (!type)
  {
    return unsupported("the values are not plain numbers");
  }
  dataset_.type = *type;
  has_type_ = true;
  return {};
}

Result<void> HeaderParser::parse_layout(std::span<const std::byte> bytes)
{
  Cursor body(bytes);
  if (body.u8() != 3)
  {
    return unsupported("a dataset's layout is of another version than 3");
  }
  switch (body.u8())
  {
  case 0:
  {
    dataset_.storage = Storage::Compact;
    const std::span<const std::byte> values = body.take(body.u16());
    dataset_.compact.assign(values.begin(), values.end());
    break;
  }
  case 1:
    dataset_.address = body.u64();
    contiguous_bytes_ = body.u64();
    dataset_.storage = dataset_.address == kUndefinedAddress ? Storage::Unwritten : Storage::Contiguous;
    break;
  case 2:
  {
    const int rank = body.u8() - 1;
    dataset_.address = body.u64();
    if (rank < 1 || rank > kMostDimensions)
    {
      return corrupt("the chunks of a dataset have no dimensions");
    }
    for (int i = 0; i < rank; ++i)
    {
      dataset_.chunk.push_back(body.u32());
    }
    body.skip(4); // size of a value
    dataset_.storage = dataset_.address == kUndefinedAddress ? Storage::Unwritten : Storage::Chunked;
    break;
  }
  default:
    return unsupported("a dataset's layout is of an unknown kind");
  }
  has_layout_ = true;
  return body.ok() ? Result<void>() : corrupt("a dataset's layout is cut off");
}

Result<void> HeaderParser::parse_filters(Cursor body)
{
  const std::uint8_t version = body.u8();
  const int filters = body.u8();
  if (version != 1 && version != 2)
  {
    return unsupported("a dataset's filters are described in an unknown version");
  }
  body.skip(version == 1 ? 6 : 0);
  for (int i = 0; i < filters && body.ok(); ++i)
  {
    Filter filter;
    filter.id = body.u16();
    const bool named = version == 1 || filter.id >= 256;
    const std::size_t name = named ? body.u16() : 0;
    body.skip(2); // flags
    const std::size_t values = body.u16();
    body.skip(version == 1 ? (name + 7) / 8 * 8 : name);
    for (std::size_t k = 0; k < values && body.ok(); ++k)
    {
      filter.values.push_back(body.u32());
    }
    body.skip(version == 1 && values % 2 == 1 ? 4 : 0);
    dataset_.filters.push_back(std::move(filter));
  }
  return body.ok() ? Result<void>() : corrupt("a dataset's filters are cut off");
}

constexpr std::uint32_t kNoFillValue = 0xFFFFFFFF; // as a size, in version 1

Result<void> HeaderParser::parse_fill_value(Cursor body, bool old)
{
  std::uint32_t bytes = 0;
  if (old)
  {
    bytes = body.u32();
  }
  else
  {
    const std::uint8_t version = body.u8();
    if (!is_known(version))
    {
      return unsupported("a dataset's fill value is described in an unknown version");
    }
    bool defined = true;
    if (version == 3)
    {
      defined = (body.u8() & 0x20U) != 0;
    }
    else
    {
      body.skip(2); // time of allocation and of filling
      defined = body.u8() != 0 || version == 1;
    }
    bytes = defined ? body.u32() : 0;
  }
  if (bytes > 0 && bytes != kNoFillValue)
  {
    const std::span<const std::byte> value = body.take(bytes);
    std::copy_n(value.begin(), std::min(value.size(), dataset_.fill_value.size()), dataset_.fill_value.begin());
    fill_bytes_ = bytes;
  }
  return body.ok() ? Result<void>() : corrupt("a dataset's fill value is cut off");
}

Result<void> HeaderParser::check_chunks() const
{
  if (dataset_.chunk.empty())
  {
    return {};
  }
  if (dataset_.chunk.size() != dataset_.dims.size())
  {
    return corrupt("the chunks of a dataset do not have its dimensions");
  }
  auto bytes = static_cast<double>(size_of(dataset_.type));
  for (const std::int64_t dim : dataset_.chunk)
  {
    bytes *= static_cast<double>(dim);
  }
  const bool possible = bytes > 0.0 && bytes < 4294967296.0; // limit of libhdf5
  return possible ? Result<void>() : corrupt("the chunks of a dataset are empty, or of 4 GiB or more");
}

/// Checks that the values lie within the file.
Result<void> HeaderParser::check_room() const
{
  const auto bytes = static_cast<std::uint64_t>(dataset_.bytes());
  const bool contiguous = dataset_.storage == Storage::Contiguous;
  const std::uint64_t room = contiguous                             ? contiguous_bytes_
                             : dataset_.storage == Storage::Compact ? dataset_.compact.size()
                                                                    : bytes;
  if (room < bytes)
  {
    return corrupt("less room is stored for a dataset's values than they take");
  }
  const auto size = static_cast<std::uint64_t>(file_.size());
  if (contiguous && (dataset_.address > size || bytes > size - dataset_.address))
  {
    return fail(ErrorCode::Truncated, "the file ends before the values of a dataset do",
        "copy the file again, or wait until it is written", file_.path(), file_.size());
  }
  return {};
}

Result<ObjectHeader> HeaderParser::finish()
{
  ObjectHeader header;
  header.group = group_;
  if (!has_layout_ || group_)
  {
    return header;
  }
  if (!has_space_ || !has_type_)
  {
    return corrupt("a dataset has no dimensions or no type");
  }
  if (Result<void> good = check_chunks(); !good)
  {
    return forward_error(good);
  }
  if (Result<void> good = check_room(); !good)
  {
    return forward_error(good);
  }
  if (fill_bytes_ != 0 && fill_bytes_ != static_cast<std::size_t>(size_of(dataset_.type)))
  {
    return unsupported("the fill value is of another type than the values");
  }
  header.dataset = std::move(dataset_);
  return header;
}

} // namespace

std::int64_t DatasetForm::count() const
{
  std::int64_t product = 1;
  for (const std::int64_t dim : dims)
  {
    product *= dim;
  }
  return product;
}

bool holds_object_header(const BufferedFile& file, std::uint64_t address)
{
  const std::span<const std::byte> prefix = file.held(address, kPrefixBytes);
  if (prefix.empty())
  {
    return false;
  }
  Cursor cursor(prefix);
  cursor.skip(8);
  return !file.held(address, kPrefixBytes + std::uint64_t{ cursor.u32() }).empty();
}

Result<ObjectHeader> read_object_header(BufferedFile& file, std::uint64_t address)
{
  return HeaderParser(file, address).parse();
}

} // namespace rivulet::hdf5
