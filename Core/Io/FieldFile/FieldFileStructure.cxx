// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/FieldFileStructure.h"

#include "Io/FieldFile/Cursor.h"
#include "Io/FieldFile/Hdf5Types.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rivulet::hdf5
{

namespace
{

constexpr std::uint64_t kUndefined = ~std::uint64_t{ 0 };
constexpr std::size_t kMostChunks = 256;                            // of one header
constexpr std::uint64_t kMostChunkBytes = std::uint64_t{ 1 } << 24; // far more than messages of 64 kB each need

enum Message : std::uint8_t
{
  kNil = 0x00,
  kDataspace = 0x01,
  kLinkInfo = 0x02,
  kDatatype = 0x03,
  kOldFillValue = 0x04,
  kFillValue = 0x05,
  kLink = 0x06,
  kLayout = 0x08,
  kGroupInfo = 0x0A,
  kAttribute = 0x0C,
  kContinuation = 0x10,
  kModified = 0x12,
  kAttributeInfo = 0x15,
  kReferences = 0x16
};

using Bytes = std::span<const std::byte>;

bool begins_with(Bytes bytes, std::string_view signature)
{
  return bytes.size() >= signature.size() &&
         std::equal(signature.begin(), signature.end(), bytes.begin(),
             [](char letter, std::byte byte) { return static_cast<std::byte>(letter) == byte; });
}

/// a * b, or kUndefined.
std::uint64_t product(std::uint64_t a, std::uint64_t b)
{
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? kUndefined : result;
}

/// A number of `width` bytes.
std::uint64_t number(Cursor& from, unsigned width)
{
  return width == 1 ? from.u8() : width == 2 ? from.u16() : width == 4 ? from.u32() : from.u64();
}

/// Number of values of a dataspace; empty if its form is unknown.
std::optional<std::uint64_t> points_of(Bytes message)
{
  Cursor body(message);
  const unsigned version = body.u8();
  const unsigned rank = body.u8();
  const unsigned flags = body.u8();
  const unsigned kind = body.u8(); // version 1: reserved
  if (version == 1)
  {
    body.skip(4);
  }
  if (version < 1 || version > 2 || rank > 32 || flags > 1 || (version == 2 && kind != (rank > 0 ? 1U : 0U)))
  {
    return std::nullopt;
  }
  std::uint64_t points = 1;
  for (unsigned i = 0; i < rank; ++i)
  {
    points = product(points, body.u64());
  }
  body.skip(flags == 1 ? 8 * std::size_t{ rank } : 0);
  return body.ok() && points != kUndefined ? std::optional(points) : std::nullopt;
}

bool may_repeat(std::uint8_t type)
{
  return type == kNil || type == kLink || type == kAttribute || type == kContinuation;
}

bool check_group_info(Cursor body)
{
  const bool version = body.u8() == 0;
  const unsigned flags = body.u8();
  body.skip(4 * std::size_t{ (flags & 1U) + (flags >> 1U & 1U) });
  return version && flags <= 3 && body.ok();
}

bool check_fill_value(Cursor body)
{
  const unsigned version = body.u8();
  const unsigned flags = body.u8();
  body.skip(version == 2 ? 1 : 0);
  const bool given = version == 2 ? body.u8() != 0 && body.left() > 0 : (flags & 0x20U) != 0;
  body.skip(given ? body.u32() : 0);
  return (version == 2 || version == 3) && body.ok();
}

class StructureCheck
{
public:
  StructureCheck(const File& file, std::int64_t file_bytes)
    : file_(file)
    , size_(static_cast<std::uint64_t>(file_bytes))
  {
  }

  Result<void> run();

private:
  /// State of the check of one object.
  struct Object
  {
    std::uint64_t address = 0;
    std::deque<std::pair<std::uint64_t, std::uint64_t>>
        chunks;                  ///< chunks of the header not parsed yet; all but the first have a signature
    bool creation_order = false; ///< whether its messages have two more bytes
    std::set<std::uint8_t> seen;
    std::uint64_t points = 0;
    std::uint64_t type_bytes = 0;
    std::uint64_t layout_bytes = 0;
  };

  Result<void> check_object(std::uint64_t address);
  [[nodiscard]] bool is_in_older_style(std::uint64_t address) const;
  [[nodiscard]] bool begin(Object& object, std::uint64_t address) const;
  [[nodiscard]] static bool is_whole(const Object& object);
  [[nodiscard]] bool follow(std::uint64_t address);
  Result<void> check_chunk(Object& object, Bytes chunk);
  [[nodiscard]] bool check_message(Object& object, std::uint8_t type, Bytes body);
  [[nodiscard]] bool check_description(Object& object, std::uint8_t type, Bytes body);
  [[nodiscard]] bool check_attribute(Bytes message);
  [[nodiscard]] bool check_link(Bytes message);
  [[nodiscard]] bool check_storage(Bytes message, bool of_attributes) const;
  [[nodiscard]] bool check_heap(std::uint64_t address, bool of_attributes) const;
  [[nodiscard]] bool check_tree(std::uint64_t address, bool of_attributes) const;

  /// Empty if the bytes are not in the file.
  [[nodiscard]] std::vector<std::byte> read(std::uint64_t address, std::uint64_t bytes) const;
  [[nodiscard]] bool inside(std::uint64_t address) const { return address < size_; }
  [[nodiscard]] tl::unexpected<Error> corrupt(std::uint64_t address) const
  {
    if (!unknown_.empty())
    {
      return fail(ErrorCode::Unsupported,
          "the attribute \"" + unknown_ + "\" of an HDF5 object is of a type that this version does not know",
          "delete that attribute, or convert the field again from its source", file_.path(),
          static_cast<std::int64_t>(address));
    }
    return fail(ErrorCode::Corrupt, "the header of an HDF5 object is not one of a field file",
        "convert the field again from its source", file_.path(), static_cast<std::int64_t>(address));
  }

  const File& file_;
  std::uint64_t size_;
  std::deque<std::uint64_t> waiting_;
  std::set<std::uint64_t> known_; ///< objects checked or waiting for it
  std::string unknown_;           ///< name of an attribute whose type is unknown or inconsistent
};

std::vector<std::byte> StructureCheck::read(std::uint64_t address, std::uint64_t bytes) const
{
  if (address > size_ || bytes > size_ - address || bytes > kMostChunkBytes)
  {
    return {};
  }
  std::vector<std::byte> found(bytes);
  const bool whole =
      file_.pread_full(found.data(), static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(address)).has_value();
  return whole ? found : std::vector<std::byte>();
}

Result<void> StructureCheck::run()
{
  const std::vector<std::byte> superblock = read(0, 48);
  Cursor start(superblock);
  start.skip(8);
  const unsigned version = start.u8();
  if (version < 2)
  {
    return {}; // older style: not checked
  }
  const bool wide = start.u8() == 8 && start.u8() == 8;
  start.skip(1);
  const std::uint64_t base = start.u64();
  start.skip(16); // addresses of extension and end of file
  const std::uint64_t root = start.u64();
  if (version > 3 || !wide || base != 0 || !start.ok())
  {
    return corrupt(0);
  }
  waiting_.push_back(root);
  known_.insert(root);
  while (!waiting_.empty())
  {
    const std::uint64_t address = waiting_.front();
    waiting_.pop_front();
    if (Result<void> sane = check_object(address); !sane)
    {
      return sane;
    }
  }
  return {};
}

/// Whether an object's header is of version 1, without a signature and checksums.
bool StructureCheck::is_in_older_style(std::uint64_t address) const
{
  constexpr std::array<std::byte, 2> kBegin{ std::byte{ 1 }, std::byte{ 0 } };
  const std::vector<std::byte> prefix = read(address, kBegin.size());
  return std::equal(prefix.begin(), prefix.end(), kBegin.begin(), kBegin.end());
}

Result<void> StructureCheck::check_object(std::uint64_t address)
{
  if (is_in_older_style(address)) // the library 2.2 makes such for datasets that are added
  {
    return {};
  }
  Object object;
  if (!begin(object, address))
  {
    return corrupt(address);
  }
  for (std::size_t chunk = 0; !object.chunks.empty(); ++chunk)
  {
    const auto [begin, length] = object.chunks.front();
    object.chunks.pop_front();
    const std::vector<std::byte> body = read(begin, length);
    const std::size_t around = chunk == 0 ? 0 : 4; // bytes of signature and of checksum
    const bool there = chunk == 0 ? !body.empty() : length >= 8 && begins_with(body, "OCHK");
    if (!there || chunk == kMostChunks)
    {
      return corrupt(address);
    }
    if (Result<void> sane = check_chunk(object, Bytes(body).subspan(around, body.size() - 2 * around)); !sane)
    {
      return sane;
    }
  }
  return is_whole(object) ? Result<void>{} : corrupt(address);
}

/// Whether the object is a group, or a dataset with as many bytes as its dimensions and type need.
bool StructureCheck::is_whole(const Object& object)
{
  const bool group = object.seen.contains(kLinkInfo);
  const bool described = object.seen.contains(kDataspace) && object.seen.contains(kDatatype) &&
                         product(object.points, object.type_bytes) == object.layout_bytes;
  return object.seen.contains(kLayout) ? !group && described : group;
}

/// Reads the prefix of an object header.
bool StructureCheck::begin(Object& object, std::uint64_t address) const
{
  const std::vector<std::byte> prefix = read(address, 34);
  Cursor start(prefix);
  start.skip(4);
  const unsigned version = start.u8();
  const unsigned flags = start.u8();
  std::size_t bytes = 6;
  bytes += (flags & 0x20U) != 0 ? 16 : 0; // times
  bytes += (flags & 0x10U) != 0 ? 4 : 0;  // limits for storing attributes elsewhere
  start.skip(bytes - 6);
  const unsigned width = 1U << (flags & 3U);
  const std::uint64_t first = number(start, width);
  object.address = address;
  object.creation_order = (flags & 4U) != 0;
  object.chunks = { { address + bytes + width, first } };
  return begins_with(prefix, "OHDR") && version == 2 && (flags & 0xC0U) == 0 && start.ok();
}

Result<void> StructureCheck::check_chunk(Object& object, Bytes chunk)
{
  const std::size_t head = object.creation_order ? 6 : 4;
  Cursor cursor(chunk);
  while (cursor.left() >= head)
  {
    const std::uint8_t type = cursor.u8();
    const std::uint16_t size = cursor.u16();
    const unsigned flags = cursor.u8();
    cursor.skip(head - 4);
    const Bytes body = cursor.take(size);
    constexpr unsigned kShared = 0x02;
    if (!cursor.ok() || (flags & kShared) != 0 || !check_message(object, type, body))
    {
      return corrupt(object.address);
    }
  }
  return {};
}

bool StructureCheck::check_message(Object& object, std::uint8_t type, Bytes body)
{
  if (!may_repeat(type) && !object.seen.insert(type).second)
  {
    return false;
  }
  Cursor cursor(body);
  switch (type)
  {
  case kNil:
    return true;
  case kLink:
    return check_link(body);
  case kAttribute:
    return check_attribute(body);
  case kLinkInfo:
    return check_storage(body, false);
  case kAttributeInfo:
    return check_storage(body, true);
  case kGroupInfo:
    return check_group_info(cursor);
  case kContinuation:
  {
    const std::uint64_t address = cursor.u64();
    object.chunks.emplace_back(address, cursor.u64());
    return cursor.ok();
  }
  case kModified:
    return body.size() == 8;
  case kReferences:
    return body.size() == 5;
  default:
    return check_description(object, type, body);
  }
}

/// Checks a message of a dataset: dataspace, type, fill value or layout.
bool StructureCheck::check_description(Object& object, std::uint8_t type, Bytes body)
{
  Cursor cursor(body);
  switch (type)
  {
  case kDataspace:
  {
    const std::optional<std::uint64_t> points = points_of(body);
    object.points = points.value_or(0);
    return points.has_value();
  }
  case kDatatype:
  {
    const std::optional<std::uint64_t> bytes = bytes_of_type(body);
    object.type_bytes = bytes.value_or(0);
    return bytes.has_value();
  }
  case kLayout:
  {
    const unsigned version = cursor.u8();
    const unsigned contiguous = cursor.u8();
    const std::uint64_t address = cursor.u64();
    object.layout_bytes = cursor.u64();
    // Bricks beyond the end mean a file that was cut short. That error is reported elsewhere.
    return (version == 3 || version == 4) && contiguous == 1 && address != kUndefined && cursor.ok();
  }
  case kFillValue:
    return check_fill_value(cursor);
  case kOldFillValue:
    cursor.skip(cursor.u32());
    return cursor.ok();
  default:
    return false;
  }
}

/// Checks name, type and dimensions of an attribute, and that its bytes match them.
bool StructureCheck::check_attribute(Bytes message)
{
  Cursor cursor(message);
  const unsigned version = cursor.u8();
  const unsigned flags = cursor.u8();
  const std::size_t name_bytes = cursor.u16();
  const std::size_t type_bytes = cursor.u16();
  const std::size_t space_bytes = cursor.u16();
  cursor.skip(version == 3 ? 1 : 0); // the name's characters
  const auto padded = [&](std::size_t bytes)
  {
    return version == 1 ? (bytes + 7) / 8 * 8 : bytes;
  };
  const Bytes name = cursor.take(padded(name_bytes));
  const Bytes type = cursor.take(padded(type_bytes));
  const Bytes space = cursor.take(padded(space_bytes));
  if (!cursor.ok() || version < 1 || version > 3 || flags != 0 || name_bytes == 0 ||
      name[name_bytes - 1] != std::byte{})
  {
    return false;
  }
  const std::optional<std::uint64_t> points = points_of(space.first(space_bytes));
  const std::optional<std::uint64_t> bytes = bytes_of_type(type.first(type_bytes));
  if (points && !bytes)
  {
    unknown_ = std::string(reinterpret_cast<const char*>(name.data()), name_bytes - 1);
  }
  const std::uint64_t all = points && bytes ? product(*points, *bytes) : kUndefined;
  return all <= cursor.left();
}

bool StructureCheck::check_link(Bytes message)
{
  Cursor cursor(message);
  const unsigned version = cursor.u8();
  const unsigned flags = cursor.u8();
  const unsigned kind = (flags & 0x08U) != 0 ? cursor.u8() : 0;
  cursor.skip((flags & 0x04U) != 0 ? 8 : 0);
  cursor.skip((flags & 0x10U) != 0 ? 1 : 0);
  const std::uint64_t length = number(cursor, 1U << (flags & 3U));
  if (version != 1 || (flags & 0xE0U) != 0 || length == 0 || length > kMostText || !cursor.ok())
  {
    return false;
  }
  cursor.skip(length);
  if (kind != 0) // a soft or an external link: its length and its bytes; it is not followed
  {
    cursor.skip(cursor.u16());
    return (kind == 1 || kind == 64) && cursor.ok();
  }
  const std::uint64_t address = cursor.u64();
  return cursor.ok() && follow(address);
}

bool StructureCheck::follow(std::uint64_t address)
{
  if (inside(address) && known_.insert(address).second)
  {
    waiting_.push_back(address);
  }
  return inside(address);
}

/// Checks the storage of links or attributes beyond the header: a heap, and a tree of their names.
bool StructureCheck::check_storage(Bytes message, bool of_attributes) const
{
  Cursor cursor(message);
  const unsigned version = cursor.u8();
  const unsigned flags = cursor.u8();
  const std::size_t counter = of_attributes ? 2 : 8; // next number in creation order
  cursor.skip((flags & 1U) != 0 ? counter : 0);
  const std::uint64_t heap = cursor.u64();
  const std::uint64_t names = cursor.u64();
  const std::uint64_t order = (flags & 2U) != 0 ? cursor.u64() : kUndefined;
  if (version != 0 || flags > 3 || !cursor.ok() || (heap == kUndefined) != (names == kUndefined) || order != kUndefined)
  {
    return false;
  }
  return heap == kUndefined || (check_heap(heap, of_attributes) && check_tree(names, of_attributes));
}

/// Checks a fractal heap as the library makes it for links and attributes: everything but sizes and addresses is fixed.
bool StructureCheck::check_heap(std::uint64_t address, bool of_attributes) const
{
  using Form = std::array<std::uint64_t, 9>;
  const std::vector<std::byte> head = read(address, 142);
  Cursor cursor(head);
  cursor.skip(4);
  Form form{ cursor.u8(), cursor.u16(), cursor.u16(), cursor.u8(),
    cursor.u32() }; // version, id, filters, flags, largest
  cursor.skip(8);   // next huge object
  const std::uint64_t huge = cursor.u64();
  cursor.skip(8); // free space
  const std::uint64_t free_list = cursor.u64();
  const std::uint64_t space = cursor.u64();
  const std::array<std::uint64_t, 3> parts{ cursor.u64(), cursor.u64(), cursor.u64() }; // allocated, next, objects
  cursor.skip(32);        // sizes and numbers of huge and tiny objects
  form[5] = cursor.u16(); // columns of blocks, the smallest and the largest block, bits of an offset
  form[6] = cursor.u64();
  form[7] = cursor.u64();
  form[8] = cursor.u16();
  cursor.skip(2);
  const std::uint64_t root = cursor.u64();
  const unsigned rows = cursor.u16();
  const Form wanted =
      of_attributes ? Form{ 0, 8, 0, 2, 4096, 4, 1024, 65536, 40 } : Form{ 0, 7, 0, 2, 4096, 4, 512, 65536, 32 };
  const bool sizes =
      *std::max_element(parts.begin(), parts.end()) <= space && space <= std::uint64_t{ 1 } << wanted[8] && rows <= 32;
  const bool places = inside(root) && huge == kUndefined && (free_list == kUndefined || inside(free_list));
  return begins_with(head, "FRHP") && cursor.ok() && form == wanted && sizes && places;
}

/// Checks the tree of the names of links (type 5) or attributes (type 8).
bool StructureCheck::check_tree(std::uint64_t address, bool of_attributes) const
{
  using Form = std::array<std::uint64_t, 6>;
  const std::vector<std::byte> head = read(address, 38);
  Cursor cursor(head);
  cursor.skip(4);
  Form form{ cursor.u8(), cursor.u8(), cursor.u32(), cursor.u16() }; // version, type, bytes of a node and of a record
  const unsigned depth = cursor.u16();
  form[4] = cursor.u8(); // when nodes are split and merged
  form[5] = cursor.u8();
  const std::uint64_t root = cursor.u64();
  const std::uint64_t in_root = cursor.u16();
  const std::uint64_t all = cursor.u64();
  const Form wanted = of_attributes ? Form{ 0, 8, 512, 17, 100, 40 } : Form{ 0, 5, 512, 11, 100, 40 };
  const bool counts = depth <= 8 && in_root <= (512 - 10) / wanted[3] && (depth > 0 ? all > in_root : all == in_root);
  return begins_with(head, "BTHD") && cursor.ok() && form == wanted && counts &&
         begins_with(read(root, 6), depth > 0 ? "BTIN" : "BTLF");
}

} // namespace

Result<void> check_structure(const File& file, std::int64_t file_bytes)
{
  return StructureCheck(file, file_bytes).run();
}

} // namespace rivulet::hdf5
