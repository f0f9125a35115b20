// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/FieldFiles.h"
#include "Io/FieldFile/WriteBox.h"
#include "Support/TemporaryFolder.h"

#include <gmock/gmock.h>

namespace rivulet
{

using namespace test;

namespace
{

/// Values of a box of a variable at a step, densely.
class Values
{
public:
  Values(const FieldInfo& info, int variable, int step, const Box& box)
    : bytes_(values_of(info.variables[static_cast<std::size_t>(variable)], variable, step, box))
    , strided_{ box, bytes_.data(),
      dense_strides(box, static_cast<std::int64_t>(info.variables[static_cast<std::size_t>(variable)].tuple_bytes())) }
  {
  }
  [[nodiscard]] const ConstStridedBox& box() const { return strided_; }

private:
  std::vector<std::byte> bytes_;
  ConstStridedBox strided_;
};

FieldFileOptions options_of(Encoding encoding)
{
  return { .brick_cells = { 4, 3, 2 }, .encoding = encoding, .uuid = "01234567-89ab-4def-a123-456789abcdef" };
}

/// Writes a variable at a step in two boxes, which meet where bricks do and share a layer of nodes.
void write_in_two(FieldFileWriter& writer, const FieldInfo& info, int variable, int step)
{
  const BrickLayout& layout = writer.layout(variable);
  const Int3 lattice = layout.grid.lattice;
  const std::int32_t shared = layout.nodes[0] - layout.cells[0];
  const Box first{ { 0, 0, 0 }, { 4 + shared, lattice[1], lattice[2] } };
  const Box second{ { 4, 0, 0 }, lattice };
  for (const Box& box : { first, second })
  {
    const Values values(info, variable, step, box);
    const Result<void> written = write_box(writer, variable, step, values.box(), bricks_within(layout, box));
    ASSERT_TRUE(written) << written.error().describe();
  }
}

} // namespace

TEST(WriteBox, gives_the_file_that_single_bricks_give)
{
  const TemporaryFolder folder;
  const FieldInfo info = small_field();
  for (const Encoding encoding : { Encoding::Plain, Encoding::Fixed16 })
  {
    write_field(folder.file("bricks.rvf"), info, options_of(encoding));
    const auto writer = *FieldFileWriter::create(folder.file("boxes.rvf"), info, options_of(encoding));
    for (int step = 0; step < 2; ++step)
    {
      write_in_two(*writer, info, 0, step);
      write_in_two(*writer, info, 1, step);
    }
    const Result<void> finished = writer->finish();
    ASSERT_TRUE(finished) << finished.error().describe();
    EXPECT_EQ(bytes_of(folder.file("boxes.rvf")), bytes_of(folder.file("bricks.rvf")));
  }
}

TEST(WriteBox, takes_only_bricks_with_all_their_points)
{
  const TemporaryFolder folder;
  const FieldInfo info = small_field(); // 11 x 8 x 6 nodes
  const auto writer = *FieldFileWriter::create(folder.file("flow.rvf"), info, options_of(Encoding::Plain));
  const BrickLayout& nodes = writer->layout(0);
  const BrickLayout& cells = writer->layout(1);
  const auto within = [](const BrickLayout& layout, const Int3& begin, const Int3& end)
  {
    return bricks_within(layout, { begin, end });
  };
  EXPECT_EQ(within(nodes, { 0, 0, 0 }, { 11, 8, 6 }), (Box{ { 0, 0, 0 }, { 3, 3, 3 } }));
  EXPECT_EQ(within(nodes, { 0, 0, 0 }, { 5, 4, 3 }), (Box{ { 0, 0, 0 }, { 1, 1, 1 } }));
  EXPECT_EQ(within(nodes, { 0, 0, 0 }, { 4, 8, 6 }), Box{}) << "a layer of nodes is missing";
  EXPECT_EQ(within(nodes, { 1, 0, 0 }, { 11, 8, 6 }), (Box{ { 1, 0, 0 }, { 3, 3, 3 } }));
  EXPECT_EQ(within(cells, { 0, 0, 0 }, { 4, 3, 2 }), (Box{ { 0, 0, 0 }, { 1, 1, 1 } }));
  EXPECT_EQ(within(cells, { 8, 6, 4 }, { 10, 7, 5 }), (Box{ { 2, 2, 2 }, { 3, 3, 3 } }));
  const Values values(info, 0, 0, { { 0, 0, 0 }, { 5, 8, 6 } });
  EXPECT_FALSE(write_box(*writer, 0, 0, values.box(), { { 0, 0, 0 }, { 2, 3, 3 } }));
  EXPECT_TRUE(write_box(*writer, 0, 0, values.box(), { { 0, 0, 0 }, { 1, 3, 3 } }));
}

TEST(WriteBox, finds_the_bricks_that_follow_one_another)
{
  const std::vector<CurvePlace> places{ { 4, {} }, { 5, {} }, { 6, {} }, { 8, {} } };
  EXPECT_EQ(first_run(places, 10).size(), 3U);
  EXPECT_EQ(first_run(places, 3).size(), 3U);
  EXPECT_EQ(first_run(places, 2).size(), 2U);
  EXPECT_EQ(first_run(std::span(places).subspan(2), 10).size(), 1U);
  EXPECT_EQ(first_run(std::span(places).subspan(3), 10).front().hilbert, 8);
  EXPECT_TRUE(first_run({}, 10).empty());
}

} // namespace rivulet
