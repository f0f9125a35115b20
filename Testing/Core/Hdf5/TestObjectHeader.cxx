// SPDX-License-Identifier: BSD-3-Clause
// What headers say, message by message: each version that is read, and what is wrong with others.
#include "Core/Hdf5/HandmadeFile.h"
#include "Hdf5/ObjectHeader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace rivulet::test
{
namespace
{

using namespace hdf5;
using Messages = std::vector<Message>;
using Sizes = std::vector<std::uint64_t>;

constexpr std::uint64_t kHeader = 64; // where the header is
constexpr auto kUnsupported = ErrorCode::Unsupported;
constexpr auto kCorrupt = ErrorCode::Corrupt;

/// A dataset of four floats that were never written, save for some messages.
Messages dataset(const Messages& others)
{
  Messages messages{ message::space({ 4 }), message::floats(), message::contiguous(kUndefinedAddress, 0) };
  for (const Message& other : others)
  {
    const auto same =
        std::find_if(messages.begin(), messages.end(), [&](const Message& one) { return one.type == other.type; });
    same != messages.end() ? * same = other : messages.emplace_back(other);
  }
  return messages;
}

Bytes file_with(const Messages& messages)
{
  Bytes block;
  for (const Message& message : messages)
  {
    block.message(message);
  }
  return Bytes().zeros(kHeader).header(messages.size(), block);
}

Result<ObjectHeader> header_in(const Bytes& bytes)
{
  Handmade file(bytes);
  return read_object_header(file.bytes(), kHeader);
}

/// What is said of a dataset of floats with some other messages, which must be sound.
DatasetLayout layout_with(const Messages& others)
{
  const Result<ObjectHeader> header = header_in(file_with(dataset(others)));
  const bool good = header && header->dataset && !header->group;
  EXPECT_TRUE(good) << (header ? "no dataset" : header.error().describe());
  return good ? *header->dataset : DatasetLayout();
}

void expect_error(const Bytes& bytes, ErrorCode code, std::uint64_t offset = kHeader)
{
  const Result<ObjectHeader> header = header_in(bytes);
  ASSERT_FALSE(header.has_value());
  EXPECT_EQ(header.error().code, code) << header.error().describe();
  EXPECT_EQ(header.error().offset, static_cast<std::int64_t>(offset));
  EXPECT_FALSE(header.error().path.empty());
}

/// No dataset of floats can have any of the messages.
void expect_errors(ErrorCode code, const Messages& wrong)
{
  for (std::size_t i = 0; i < wrong.size(); ++i)
  {
    SCOPED_TRACE(i);
    expect_error(file_with(dataset({ wrong[i] })), code);
  }
}

TEST(ObjectHeader, IsAGroupADatasetOrNeither)
{
  const Result<ObjectHeader> group = header_in(file_with({ message::group(17, kUndefinedAddress - 1) }));
  ASSERT_TRUE(group && group->group);
  EXPECT_EQ(group->group->tree, 17U);
  EXPECT_EQ(group->group->heap, kUndefinedAddress - 1);
  EXPECT_FALSE(group->dataset.has_value());
  const Message attribute{ 0x000C, Bytes() };
  for (const Messages& messages : { Messages(), Messages{ message::floats() }, Messages{ attribute } })
  {
    const Result<ObjectHeader> other = header_in(file_with(messages));
    ASSERT_TRUE(other.has_value()) << other.error().describe();
    EXPECT_FALSE(other->group || other->dataset);
  }
  expect_error(file_with({ message::space({ 4 }), message::compact("0123456789abcdef") }), kCorrupt);
  expect_error(file_with({ message::floats(), message::compact("0123456789abcdef") }), kCorrupt);
}

TEST(ObjectHeader, EachMessageIsThereOnceWhateverTheirOrder)
{
  const Message no_filters{ 0x000B, Bytes().add(2, 2) };
  const Message fill{ 0x0005, Bytes().add(3, 1).add(0x20, 1).add(4, 4).add("fill") };
  Messages messages = dataset({ message::compact("0123456789abcdef"), no_filters, fill });
  const DatasetForm expected = layout_with(messages);
  EXPECT_EQ(expected.compact.size(), 16U);
  EXPECT_EQ(expected.fill_value[3], std::byte{ 'l' });
  for (std::size_t turn = 0; turn < messages.size(); ++turn)
  {
    std::rotate(messages.begin(), messages.begin() + 1, messages.end());
    const Result<ObjectHeader> header = header_in(file_with(messages));
    ASSERT_TRUE(header && header->dataset);
    const DatasetForm& form = *header->dataset;
    EXPECT_EQ(form, expected);
    Messages twice = messages;
    twice.push_back(messages[0]);
    expect_error(file_with(twice), kCorrupt);
  }
}

TEST(ObjectHeader, WhatOnlyTheLibraryReadsIsUnsupported)
{
  const Message external{ 0x0007, Bytes() };
  const Message new_group{ 0x0002, Bytes() };
  const Message shared_type{ 0x0003, message::floats().body, 2 };
  const Message shared_space{ 0x0001, message::space({ 4 }).body, 3 };
  expect_errors(kUnsupported, { external, new_group, shared_type, shared_space });
  expect_error(file_with(dataset({})).with(kHeader, 2), kUnsupported);
  expect_error(file_with(dataset({})).with(kHeader, 'O'), kUnsupported); // OHDR
  const Message flags{ 0x0003, message::floats().body, 0xFD };           // all but this one
  EXPECT_EQ(layout_with({ flags }).type, StoredType::Float32);
}

TEST(ObjectHeader, DimensionsOfEitherVersion)
{
  using Dims = std::vector<std::int64_t>;
  const Message flat{ 0x0001, Bytes().add(2, 1).add(2, 1).add(0, 1).add(1, 1).add(3, 8).add(5, 8) };
  const Message scalar{ 0x0001, Bytes().add(2, 4) };
  EXPECT_EQ(layout_with({ message::space({ 3, 5 }) }).dims, (Dims{ 3, 5 }));
  EXPECT_EQ(layout_with({ flat }).dims, (Dims{ 3, 5 }));
  EXPECT_EQ(layout_with({ scalar }).count(), 1);
  EXPECT_EQ(layout_with({ message::space({}) }).count(), 1);
  EXPECT_EQ(layout_with({ message::space({ 3, 0, 5 }) }).count(), 0);
  EXPECT_EQ(layout_with({ message::space(Sizes(32, 1)) }).dims, Dims(32, 1));
  const Message null = scalar.with(3, 2);
  expect_errors(kUnsupported, { null, scalar.with(0, 0), scalar.with(0, 3) });
  expect_errors(kCorrupt, { message::space(Sizes(33, 1)), message::space({ 3, 5 }).without(1), flat.without(1) });
}

TEST(ObjectHeader, ASizeInBytesIsANumber)
{
  constexpr std::uint64_t kMost = (std::uint64_t{ 1 } << 60U) - 1;
  EXPECT_EQ(layout_with({ message::integers(8), message::space({ kMost }) }).bytes(), std::int64_t{ kMost } * 8);
  EXPECT_EQ(layout_with({ message::integers(8), message::space({ 0, kMost, kMost }) }).bytes(), 0);
  expect_errors(kCorrupt,
      { message::space({ kMost + 1 }), message::space({ ~std::uint64_t{ 0 } }), message::space({ 3, kMost / 2 }),
          message::space({ 1U << 30U, 1U << 30U }), message::space({ 1U << 31U, 1U << 31U }) });
}

TEST(ObjectHeader, NumbersArePlain)
{
  const Message integers = message::integers(4);
  const Message floats = message::floats();
  for (const unsigned version : { 0x10, 0x20, 0x30 })
  {
    EXPECT_EQ(layout_with({ integers.with(0, version).with(1, 8) }).type, StoredType::Int32);
    const DatasetLayout layout = layout_with({ floats.with(0, version | 1U).with(1, 0x21) });
    EXPECT_EQ(layout.type, StoredType::Float32);
    EXPECT_TRUE(layout.big_endian);
  }
  const Message with_offset = integers.with(8, 1);
  const Message narrow = integers.with(10, 31);
  const Message text = integers.with(0, 0x13);
  expect_errors(kUnsupported, { integers.with(0, 0x00), integers.with(0, 0x40), with_offset, narrow, text });
  const Message eight_times_its_size_is_eight = message::integers((1U << 29U) + 1);
  expect_errors(kUnsupported,
      { message::integers(0), message::integers(3), message::integers(16), eight_times_its_size_is_eight });
  const Message vax = floats.with(1, 0x61);
  const Message all_of_the_mantissa = floats.with(1, 0x10);
  const Message sign_elsewhere = floats.with(2, 30);
  expect_errors(kUnsupported, { floats.with(0, 0x41), vax, all_of_the_mantissa, sign_elsewhere });
  for (const std::size_t part_of_their_shape : { 4, 8, 10, 12, 13, 14, 15, 16 })
  {
    expect_errors(kUnsupported, { floats.with(part_of_their_shape, 99) });
  }
  expect_errors(kCorrupt, { integers.without(1), floats.without(1) });
}

TEST(ObjectHeader, ValuesHaveRoomInTheFile)
{
  const std::uint64_t size = file_with(dataset({})).size();
  const Message last = message::contiguous(size - 16, 16);
  EXPECT_EQ(layout_with({ last }).storage, Storage::Contiguous);
  EXPECT_EQ(layout_with({ last }).address, size - 16);
  EXPECT_EQ(layout_with({ message::contiguous(kUndefinedAddress, 0) }).storage, Storage::Unwritten);
  for (const std::uint64_t address : { size - 15, size + 1, kUndefinedAddress - 7 })
  {
    expect_error(file_with(dataset({ message::contiguous(address, 16) })), ErrorCode::Truncated, size);
  }
  const Message compact = message::compact("0123456789abcdef+");
  EXPECT_EQ(layout_with({ compact }).storage, Storage::Compact);
  expect_errors(kCorrupt, { message::contiguous(0, 15), last.without(1), compact.with(2, 15), compact.without(1) });
  const Message no_kind = last.with(1, 3);
  expect_errors(kUnsupported, { last.with(0, 4), no_kind });
}

TEST(ObjectHeader, ChunksHaveTheDimensionsOfTheirDataset)
{
  const Message flat = message::space({ 5, 7 });
  const DatasetLayout layout = layout_with({ flat, message::chunked(9, { 2, 0x1FFFFFFF, 4 }) });
  EXPECT_EQ(layout.storage, Storage::Chunked);
  EXPECT_EQ(layout.address, 9U);
  EXPECT_EQ(layout.chunk, (std::vector<std::int64_t>{ 2, 0x1FFFFFFF }));
  EXPECT_EQ(layout_with({ flat, message::chunked(kUndefinedAddress, { 2, 2, 4 }) }).storage, Storage::Unwritten);
  const Message cut_off = message::chunked(0, { 2, 2, 4 }).without(1);
  for (const Message& chunks : { message::chunked(0, {}), message::chunked(0, { 4 }), message::chunked(0, { 2, 4 }),
           message::chunked(0, { 2, 2, 2, 4 }), message::chunked(0, Sizes(34, 1)), message::chunked(0, { 0, 2, 4 }),
           message::chunked(0, { 2, 0x20000000, 4 }), cut_off }) // the last but one has 4 GiB
  {
    SCOPED_TRACE(chunks.body.size());
    expect_error(file_with(dataset({ flat, chunks })), kCorrupt);
  }
  expect_error(file_with(dataset({ message::space({}), message::chunked(0, { 1, 4 }) })), kCorrupt);
}

TEST(ObjectHeader, FiltersOfEitherVersion)
{
  // In version 1 names and odd numbers of values are filled up to eight bytes.
  Bytes body = Bytes().add(1, 1).add(2, 1).zeros(6);
  body.add(2, 2).add(0, 2).add(0, 2).add(2, 2).add(7, 4).add(8, 4);
  body.add(1, 2).add(5, 2).add(1, 2).add(1, 2).add("name").zeros(4).add(6, 4).zeros(4);
  const Message version_1{ 0x000B, body };
  EXPECT_EQ(layout_with({ version_1 }).filters, (std::vector<Filter>{ { 2, { 7, 8 } }, { 1, { 6 } } }));
  // In version 2 only filters from 256 on have names.
  body = Bytes().add(2, 1).add(2, 1);
  body.add(255, 2).add(0, 2).add(1, 2).add(6, 4);
  body.add(256, 2).add(5, 2).add(0, 2).add(1, 2).add("name").zeros(1).add(3, 4);
  const Message version_2{ 0x000B, body };
  EXPECT_EQ(layout_with({ version_2 }).filters, (std::vector<Filter>{ { 255, { 6 } }, { 256, { 3 } } }));
  const Message in_a_name = version_2.without(6);
  const Message more_than_there_are = version_2.with(1, 3);
  expect_errors(kCorrupt, { version_1.without(1), version_2.without(1), in_a_name, more_than_there_are });
  expect_errors(kUnsupported, { version_2.with(0, 0), version_2.with(0, 3) });
}

TEST(ObjectHeader, FillValuesOfEveryVersion)
{
  const Message old{ 0x0004, Bytes().add(4, 4).add("abcd") };
  const Message version_1{ 0x0005, Bytes().add(1, 4).add(4, 4).add("abcd") };
  const Message version_2{ 0x0005, Bytes().add(0x01000002, 4).add(4, 4).add("abcd") };
  const Message version_3{ 0x0005, Bytes().add(3, 1).add(0x20, 1).add(4, 4).add("abcd") };
  for (const Message& fill : { old, version_1, version_2, version_3 })
  {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(layout_with({ fill }).fill_value), 0x64636261U);
    expect_errors(kCorrupt, { fill.without(1) });
  }
  const Message none_1{ 0x0005, Bytes().add(1, 4).add(0xFFFFFFFF, 4) };
  for (const Message& none : { none_1, version_2.with(3, 0).without(8), version_3.with(1, 0x10).without(8) })
  {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(layout_with({ none }).fill_value), 0U);
  }
  for (const std::size_t size : { 2, 8, 9, 16 }) // no number is larger than 8 bytes
  {
    const Message other{ 0x0004, Bytes().add(size, 4).zeros(size) };
    expect_errors(kUnsupported, { other });
    expect_errors(kCorrupt, { other.without(1) });
  }
  expect_errors(kUnsupported, { version_3.with(0, 0), version_3.with(0, 4) });
}

TEST(ObjectHeader, GoesOnElsewhereForAsManyMessagesAsItHas)
{
  const Bytes last = Bytes().message(message::contiguous(kUndefinedAddress, 0));
  const Bytes middle = Bytes().message(message::floats()).message(message::continuation(0, last.size()));
  Bytes first = Bytes().message(message::space({ 4 })).message(message::continuation(last.size(), middle.size()));
  first.zeros(7); // too few for a message
  for (const std::uint64_t messages : { 5, 6, 4 })
  {
    Handmade file(Bytes().add(last).add(middle).header(messages, first));
    const Result<ObjectHeader> header = read_object_header(file.bytes(), last.size() + middle.size());
    ASSERT_TRUE(header.has_value()) << header.error().describe();
    EXPECT_EQ(header->dataset.has_value(), messages != 4);
  }
  const Bytes one_message_less = file_with(dataset({})).with(kHeader + 2, 2);
  EXPECT_FALSE(header_in(one_message_less)->dataset.has_value());
}

TEST(ObjectHeader, ItsBlocksLieWithinTheFileAndEnd)
{
  const Bytes bytes = file_with({ message::continuation(0, 64) }).with(kHeader + 2, 2);
  const std::uint64_t size = bytes.size();
  EXPECT_TRUE(header_in(bytes).has_value());
  expect_error(bytes.with(kHeader + 32, static_cast<unsigned>(size) + 1), ErrorCode::Truncated, size);
  expect_error(bytes.without(1), ErrorCode::Truncated, size - 1);
  expect_error(bytes.without(25), ErrorCode::Truncated, size - 25); // in the prefix
  expect_error(bytes.with(kHeader + 18, 17), kCorrupt);             // the size of the message
  expect_errors(kCorrupt, { message::continuation(0, 64).without(1), message::group(0, 64).without(1) });
  const Bytes itself = Bytes().message(message::continuation(kHeader + 16, 24));
  expect_error(Bytes().zeros(kHeader).header(60000, itself), kCorrupt);
}

TEST(ObjectHeader, IsHeldIfItsFirstBlockIs)
{
  constexpr std::uint64_t kLater = BufferedFile::kLittle - 20; // its block lies in two of the file
  constexpr std::uint64_t kEmpty = 40;
  Bytes bytes = Bytes().zeros(kEmpty).header(0, Bytes());
  bytes.zeros(kLater - bytes.size()).header(1, Bytes().message(message::space({ 4 })));
  Handmade made(bytes.zeros(4 * BufferedFile::kLittle));
  BufferedFile file(made.file(), made.bytes().size(), 0, nullptr);
  EXPECT_FALSE(holds_object_header(file, kEmpty));
  ASSERT_TRUE(file.view(0, 10).has_value());
  EXPECT_TRUE(holds_object_header(file, kEmpty));
  EXPECT_FALSE(holds_object_header(file, kLater));
  EXPECT_FALSE(holds_object_header(file, kUndefinedAddress));
  ASSERT_TRUE(read_object_header(file, kLater).has_value());
  ASSERT_TRUE(holds_object_header(file, kLater));
  const std::int64_t before = file.bytes_read();
  ASSERT_TRUE(read_object_header(file, kLater).has_value());
  EXPECT_EQ(file.bytes_read(), before);
}

} // namespace
} // namespace rivulet::test
