// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/BovFixture.h"

#include "Io/Blocks/RawReader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rivulet
{
namespace
{

using test::TemporaryFolder;
using testing::HasSubstr;

const Box kAll{ { 0, 0, 0 }, { 5, 4, 3 } };

RawField described(const RawVariable& variable)
{
  RawField raw;
  raw.grid.nodes = { 5, 4, 3 };
  raw.variables = { variable };
  return raw;
}

std::vector<float> read_floats(const RawField& raw, const Box& box, int variable = 0, int step = 0)
{
  Result<std::unique_ptr<BlockReader>> reader = open_raw_reader(raw);
  EXPECT_TRUE(reader) << reader.error().describe();
  const auto components = static_cast<std::size_t>(raw.variables[static_cast<std::size_t>(variable)].components);
  std::vector<float> values(static_cast<std::size_t>(box.count()) * components);
  EXPECT_TRUE((*reader)->read(variable, step, box, values.data()));
  return values;
}

// Component c of point i is 100 c + i.
std::string plane(int component, bool big = false)
{
  std::string bytes;
  for (int i = 0; i < 60; ++i)
  {
    bytes += test::bytes_of(100 * component + i, "SHORT", big);
  }
  return bytes;
}

std::vector<float> expected(const Box& box, int components)
{
  std::vector<float> values;
  for (std::int64_t i = 0; i < box.count(); ++i)
  {
    const Int3 in = from_row_major(i, box.size());
    const Int3 at{ box.begin[0] + in[0], box.begin[1] + in[1], box.begin[2] + in[2] };
    for (int c = 0; c < components; ++c)
    {
      values.push_back(static_cast<float>(100 * c + row_major(at, { 5, 4, 3 })));
    }
  }
  return values;
}

TEST(RawReader, ReadsPlanesOfOneFile)
{
  const TemporaryFolder folder;
  test::write_text(folder.file("v.raw"), "head" + plane(0, true) + plane(1, true) + plane(2, true));
  const RawField raw = described({ .type = StoredType::Int16,
      .components = 3,
      .big_endian = true,
      .offset = 4,
      .layout = RawLayout::Planar,
      .steps = { { folder.file("v.raw") } } });
  EXPECT_EQ(read_floats(raw, kAll), expected(kAll, 3));
  const Box box{ { 1, 1, 0 }, { 4, 3, 3 } };
  EXPECT_EQ(read_floats(raw, box), expected(box, 3));
}

TEST(RawReader, ReadsPlanesLongerThanAnyBuffer)
{
  constexpr std::int32_t length = 700000;
  const TemporaryFolder folder;
  std::string bytes(2 * 2 * length, '\0');
  for (int i = 0; i < 2 * length; ++i)
  {
    bytes.replace(static_cast<std::size_t>(2 * i), 2, test::bytes_of(i % 30011, "SHORT", false));
  }
  test::write_text(folder.file("v.raw"), bytes);
  RawField raw = described({ .type = StoredType::Int16,
      .components = 2,
      .layout = RawLayout::Planar,
      .steps = { { folder.file("v.raw") } } });
  raw.grid.nodes = { length, 1, 1 };
  const std::vector<float> values = read_floats(raw, { { 0, 0, 0 }, { length, 1, 1 } });
  for (const int i : { 0, 524287, 524288, length - 1 })
  {
    EXPECT_EQ(values[static_cast<std::size_t>(2 * i)], static_cast<float>(i % 30011));
    EXPECT_EQ(values[static_cast<std::size_t>(2 * i + 1)], static_cast<float>((i + length) % 30011));
  }
}

TEST(RawReader, ReadsAFileForEachComponent)
{
  const TemporaryFolder folder;
  test::write_text(folder.file("x.raw"), plane(0));
  test::write_text(folder.file("y.raw"), plane(1));
  const RawField raw = described({ .type = StoredType::Int16,
      .components = 2,
      .layout = RawLayout::Files,
      .steps = { { folder.file("x.raw"), folder.file("y.raw") } } });
  EXPECT_EQ(read_floats(raw, kAll), expected(kAll, 2));
}

TEST(RawReader, ReadsSeveralVariablesAndSteps)
{
  const TemporaryFolder folder;
  test::write_text(folder.file("a.raw"), plane(0) + plane(1));
  test::write_text(folder.file("b.raw"), plane(0));
  RawField raw = described(
      { .name = "a", .type = StoredType::Int16, .steps = { { folder.file("b.raw") }, { folder.file("a.raw") } } });
  raw.variables.push_back({ .name = "b",
      .type = StoredType::Int16,
      .offset = 60,
      .steps = { { folder.file("b.raw") }, { folder.file("a.raw") } } });
  raw.grid.nodes = { 5, 3, 2 };
  raw.times = { 0.5, 0.75 };
  const Box one{ { 0, 0, 0 }, { 1, 1, 1 } };
  EXPECT_EQ(read_floats(raw, one, 1, 0), (std::vector<float>{ 30 }));
  EXPECT_EQ((*open_raw_reader(raw))->info().times, (std::vector<double>{ 0.5, 0.75 }));
}

TEST(RawReader, KnowsEveryType)
{
  const std::string bytes = std::string("\xFF\xFE\xFD\xFC\xFB\xFA\xF9\xF8", 8);
  const std::vector<std::pair<const char*, double>> known{ { "int8", -1 }, { "uint8", 255 }, { "int16", -257 },
    { "uint16", 65279 }, { "int32", -50462977 }, { "uint32", 4244504319 }, { "int64", -506097522914230529 },
    { "uint64", 17940646550795321087.0 } };
  for (const auto& [name, value] : known)
  {
    const Result<StoredType> type = parse_stored_type(name);
    ASSERT_TRUE(type);
    std::array<std::byte, 8> out{};
    convert({ *type, false, std::nullopt }, reinterpret_cast<const std::byte*>(bytes.data()), 1, 1, out.data());
    EXPECT_EQ(test::as_doubles(out.data(), value_type(*type), 1)[0], value) << name;
  }
  EXPECT_FALSE(parse_stored_type("half"));
}

TEST(RawReader, CountsTimesWhereNoneAreGiven)
{
  const Result<BlockField> field = raw_field(described({ .steps = { { "a" }, { "b" }, { "c" } } }));
  ASSERT_TRUE(field);
  EXPECT_EQ(field->info.times, (std::vector<double>{ 0, 1, 2 }));
}

void expect_refused(const RawField& raw, const std::string& words)
{
  const Result<BlockField> field = raw_field(raw);
  ASSERT_FALSE(field);
  EXPECT_EQ(field.error().code, ErrorCode::BadArgument);
  EXPECT_THAT(field.error().what, HasSubstr(words));
}

TEST(RawReader, RefusesWhatMakesNoSense)
{
  const RawVariable good{ .steps = { { "a.raw" } } };
  RawField raw = described(good);
  raw.variables[0].components = 10;
  expect_refused(raw, "1 to 9 components");
  raw = described(good);
  raw.variables[0].offset = -1;
  expect_refused(raw, "no negative offset");
  raw = described(good);
  raw.variables[0].layout = RawLayout::Files;
  raw.variables[0].components = 3;
  expect_refused(raw, "needs 3 files");
  raw = described(good);
  raw.times = { 1, 1 };
  expect_refused(raw, "which must increase");
  raw = described(good);
  raw.variables.clear();
  expect_refused(raw, "needs a variable");
}

TEST(RawReader, RefusesSizesThatOverflow)
{
  RawField raw = described({ .steps = { { "a.raw" } } });
  raw.grid.nodes = { 2000000000, 2000000000, 2000000000 };
  expect_refused(raw, "more bytes than any file");
  raw.grid.nodes = { 0, 4, 4 };
  expect_refused(raw, "one node at least");
}

TEST(RawReader, NamesAPlaneThatIsNotThere)
{
  const TemporaryFolder folder;
  test::write_text(folder.file("v.raw"), plane(0) + plane(1));
  const RawField raw = described({ .type = StoredType::Int16,
      .components = 3,
      .layout = RawLayout::Planar,
      .steps = { { folder.file("v.raw") } } });
  const Result<std::unique_ptr<BlockReader>> reader = open_raw_reader(raw);
  ASSERT_FALSE(reader);
  EXPECT_THAT(reader.error().what, HasSubstr("has 240 bytes, 360 are needed"));
}

} // namespace
} // namespace rivulet
