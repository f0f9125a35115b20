// SPDX-License-Identifier: BSD-3-Clause
// Fields of blocks as a source. TestBovReader and TestRawReader have the values of every kind of file.
#include "Core/Io/BovFixture.h"
#include "Io/Blocks/RawReader.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <tuple>

namespace rivulet::test
{

namespace
{

namespace fs = std::filesystem;
using testing::ElementsAre;

/// Two variables at two times on 4 x 3 x 2 nodes: floats, and vectors of shorts in two files each.
class BlockFields : public testing::Test
{
protected:
  BlockFields()
  {
    raw_.grid.nodes = { 4, 3, 2 };
    RawVariable p{ .name = "p", .steps = {} };
    RawVariable v{ .name = "v", .type = StoredType::Int16, .components = 2, .layout = RawLayout::Files, .steps = {} };
    for (const int step : { 0, 1 })
    {
      p.steps.push_back({ write("p" + std::to_string(step), "FLOAT", 100 * step) });
      v.steps.push_back({ write("x" + std::to_string(step), "SHORT", 100 * step + 1000),
          write("y" + std::to_string(step), "SHORT", 100 * step + 2000) });
    }
    raw_.variables = { p, v };
  }
  /// Numbers from `first` on.
  [[nodiscard]] std::string write(const std::string& name, std::string_view format, int first) const
  {
    std::string bytes;
    for (int i = 0; i < 24; ++i)
    {
      bytes += bytes_of(first + i, format, false);
    }
    write_text(folder_.file(name), bytes);
    return folder_.file(name);
  }
  [[nodiscard]] std::unique_ptr<BlockReader> open(std::int64_t direct_from = kGiB) const
  {
    Result<std::unique_ptr<BlockReader>> reader = BlockReader::open(*raw_field(raw_), direct_from);
    EXPECT_TRUE(reader) << reader.error().describe();
    return reader ? std::move(*reader) : nullptr;
  }
  static std::vector<float> read(BlockReader& reader, int variable, int step, const Box& box)
  {
    const int components = reader.info().variables[static_cast<std::size_t>(variable)].components;
    std::vector<float> values(static_cast<std::size_t>(box.count() * components), -1);
    const Result<void> done = reader.read(variable, step, box, values.data());
    EXPECT_TRUE(done) << done.error().describe();
    return values;
  }

  TemporaryFolder folder_;
  RawField raw_;
};

} // namespace

TEST_F(BlockFields, GiveEachVariableAtEachStep)
{
  for (const std::int64_t direct_from : { std::int64_t{ 0 }, kGiB })
  {
    const auto reader = open(direct_from);
    ASSERT_TRUE(reader);
    EXPECT_THAT(read(*reader, 0, 1, { { 2, 2, 1 }, { 4, 3, 2 } }), ElementsAre(122, 123)) << "the last corner";
    EXPECT_THAT(read(*reader, 1, 0, { { 0, 1, 1 }, { 1, 3, 2 } }), ElementsAre(1016, 2016, 1020, 2020));
    EXPECT_THAT(read(*reader, 1, 1, { { 0, 0, 0 }, { 1, 1, 1 } }), ElementsAre(1100, 2100));
  }
}

TEST_F(BlockFields, TellWhatTheyAreMadeOf)
{
  const auto reader = open();
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->source_bytes(), 2 * 24 * 4 + 2 * 24 * 2 * 2);
  EXPECT_THAT(reader->files(), ElementsAre(folder_.file("p0"), folder_.file("p1"), folder_.file("x0"),
                                   folder_.file("y0"), folder_.file("x1"), folder_.file("y1")));
  EXPECT_THAT(reader->info().times, ElementsAre(0, 1));
  EXPECT_EQ(reader->preferred_box(), (Int3{ 4, 0, 0 })) << "whole rows";
  EXPECT_EQ(reader->field().variables.size(), 2U);
}

TEST_F(BlockFields, GiveNothingThatTheyDoNotHave)
{
  const auto reader = open();
  ASSERT_TRUE(reader);
  std::vector<float> values(100, -1);
  const Box one{ { 0, 0, 0 }, { 1, 1, 1 } };
  for (const auto& [variable, step, box] : std::vector<std::tuple<int, int, Box>>{ { -1, 0, one }, { 2, 0, one },
           { 0, -1, one }, { 0, 2, one }, { 0, 0, { { 0, 0, 0 }, { 0, 1, 1 } } },
           { 0, 0, { { 2, 0, 0 }, { 1, 1, 1 } } }, { 0, 0, { { -1, 0, 0 }, { 1, 1, 1 } } },
           { 0, 0, { { 0, 0, 0 }, { 4, 3, 3 } } }, { 0, 0, { { 4, 0, 0 }, { 5, 1, 1 } } } })
  {
    const Result<void> read = reader->read(variable, step, box, values.data());
    ASSERT_FALSE(read) << variable << ' ' << step;
    EXPECT_EQ(read.error().code, ErrorCode::BadArgument);
  }
  EXPECT_EQ(values, std::vector<float>(100, -1));
}

TEST_F(BlockFields, OfOneNodeAlongAnAxisHaveThatOne)
{
  for (const Int3& nodes : { Int3{ 24, 1, 1 }, Int3{ 1, 24, 1 }, Int3{ 1, 1, 24 }, Int3{ 1, 6, 4 } })
  {
    raw_.grid.nodes = nodes;
    const auto reader = open();
    ASSERT_TRUE(reader);
    const std::vector<float> all = read(*reader, 0, 0, { { 0, 0, 0 }, nodes });
    EXPECT_EQ(all.size(), 24U);
    EXPECT_EQ(all[23], 23);
    EXPECT_THAT(read(*reader, 0, 0, { { nodes[0] - 1, nodes[1] - 1, nodes[2] - 1 }, nodes }), ElementsAre(23));
  }
}

TEST_F(BlockFields, NoticeThatAFileIsNotTheSameAnyMore)
{
  const auto reader = open();
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->check_unchanged());
  (void)read(*reader, 0, 0, { { 0, 0, 0 }, { 1, 1, 1 } });
  EXPECT_TRUE(reader->check_unchanged());
  fs::resize_file(folder_.file("p1"), 10);
  EXPECT_TRUE(reader->check_unchanged()) << "it was not read yet";
  fs::resize_file(folder_.file("p0"), 95);
  const Result<void> same = reader->check_unchanged();
  ASSERT_FALSE(same);
  EXPECT_EQ(same.error().code, ErrorCode::Truncated);
  EXPECT_EQ(same.error().path, folder_.file("p0"));
}

} // namespace rivulet::test
