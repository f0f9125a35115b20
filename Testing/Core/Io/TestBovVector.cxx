// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/BovFixture.h"
#include "Io/Blocks/BovVector.h"

#include <filesystem>
#include <gmock/gmock.h>

namespace rivulet::test
{

namespace
{

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

using Headers = std::vector<std::vector<std::string>>;

constexpr Int3 kLattice{ 3, 2, 2 };

float value_of(int component, double time, std::int64_t point)
{
  return static_cast<float>(1000 * component + 100 * time + static_cast<double>(point));
}

class BovVectors : public testing::Test
{
protected:
  /// A header of one component at a time, and its values. Of keys that are given twice the last one counts.
  [[nodiscard]] std::string write(
      const std::string& name, int component, double time, const std::string& more = {}) const
  {
    std::string bytes;
    for (std::int64_t point = 0; point < volume(kLattice); ++point)
    {
      bytes += bytes_of(static_cast<double>(value_of(component, time, point)), "FLOAT", false);
    }
    write_text(folder_.file(name + ".raw"), bytes);
    write_text(folder_.file(name + ".bov"),
        "TIME: " + std::to_string(time) + "\nDATA_FILE: " + name +
            ".raw\nDATA_SIZE: 3 2 2\nDATA_FORMAT: FLOAT\nDATA_ENDIAN: LITTLE\nVARIABLE: u\n" + more);
    return folder_.file(name + ".bov");
  }
  [[nodiscard]] static std::unique_ptr<BlockReader> open(const Headers& headers)
  {
    Result<std::unique_ptr<BlockReader>> reader = open_bov_vector_reader(headers, "velocity");
    EXPECT_TRUE(reader) << reader.error().describe();
    return reader ? std::move(*reader) : nullptr;
  }
  [[nodiscard]] static Error refusal(const Headers& headers)
  {
    const Result<std::unique_ptr<BlockReader>> reader = open_bov_vector_reader(headers, "velocity");
    EXPECT_FALSE(reader);
    return reader ? Error{} : reader.error();
  }
  static void expect_values(BlockReader& reader, int step, const Box& box)
  {
    const int components = reader.info().variables.front().components;
    std::vector<float> values(static_cast<std::size_t>(box.count() * components));
    ASSERT_TRUE(reader.read(0, step, box, values.data()));
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      const auto width = static_cast<std::size_t>(components);
      const Int3 at = from_row_major(static_cast<std::int64_t>(i / width), box.size());
      const std::int64_t point =
          row_major({ at[0] + box.begin[0], at[1] + box.begin[1], at[2] + box.begin[2] }, kLattice);
      const double time = reader.info().times[static_cast<std::size_t>(step)];
      EXPECT_EQ(values[i], value_of(static_cast<int>(i % width), time, point)) << i;
    }
  }

  TemporaryFolder folder_;
};

} // namespace

TEST_F(BovVectors, HaveTheirComponentsSideBySide)
{
  const auto reader = open({ { write("u", 0, 0) }, { write("v", 1, 0) }, { write("w", 2, 0) } });
  ASSERT_TRUE(reader);
  const Variable& variable = reader->info().variables.front();
  EXPECT_EQ(variable.name, "velocity");
  EXPECT_EQ(variable.components, 3);
  EXPECT_EQ(variable.type, ScalarType::Float32);
  expect_values(*reader, 0, { { 0, 0, 0 }, kLattice });
  expect_values(*reader, 0, { { 1, 1, 0 }, { 3, 2, 2 } });
  expect_values(*reader, 0, { { 2, 1, 1 }, { 3, 2, 2 } });
  EXPECT_EQ(reader->source_bytes(), 3 * 12 * 4);
  EXPECT_THAT(reader->files(), ElementsAre(folder_.file("u.raw"), folder_.file("v.raw"), folder_.file("w.raw")));
}

TEST_F(BovVectors, HaveTheirStepsInOrderOfTimeHoweverEachComponentNamesThem)
{
  const auto reader = open({ { write("u2", 0, 2), write("u1", 0, 1) }, { write("v1", 1, 1), write("v2", 1, 2) } });
  ASSERT_TRUE(reader);
  EXPECT_THAT(reader->info().times, ElementsAre(1, 2));
  for (const int step : { 0, 1 })
  {
    expect_values(*reader, step, { { 0, 0, 0 }, kLattice });
  }
}

TEST_F(BovVectors, HaveOneToNineComponents)
{
  Headers headers;
  for (int component = 0; component < 9; ++component)
  {
    headers.push_back({ write("c" + std::to_string(component), component, 0) });
  }
  const auto nine = open(headers);
  ASSERT_TRUE(nine);
  expect_values(*nine, 0, { { 0, 0, 0 }, kLattice });
  headers.push_back(headers.front());
  EXPECT_EQ(refusal(headers).code, ErrorCode::BadArgument);
  const auto one = open({ headers.front() });
  ASSERT_TRUE(one);
  expect_values(*one, 0, { { 0, 1, 0 }, kLattice });
  EXPECT_EQ(refusal({}).code, ErrorCode::BadArgument);
  EXPECT_EQ(refusal({ headers.front(), {} }).code, ErrorCode::BadArgument);
}

TEST_F(BovVectors, AreOfOneGridOneTypeAndTheSameTimes)
{
  const std::string first = write("u", 0, 0);
  for (const char* more :
      { "DATA_SIZE: 3 2 1\n", "BRICK_ORIGIN: 1 0 0\n", "BRICK_SIZE: 1 2 1\n", "TIME: 1\n", "DATA_FORMAT: INT\n",
          "DATA_ENDIAN: BIG\n", "CENTERING: zonal\n", "DATA_FILE: v_%d.raw\nDATA_BRICKLETS: 3 2 1\n" })
  {
    const std::string other = write("v", 1, 0, more);
    const Error error = refusal({ { first }, { other } });
    EXPECT_EQ(error.code, ErrorCode::BadArgument) << more;
    EXPECT_EQ(error.path, other) << more;
  }
  EXPECT_EQ(refusal({ { first }, { write("v0", 1, 0), write("v1", 1, 1) } }).code, ErrorCode::BadArgument);
  EXPECT_TRUE(open({ { first }, { write("v", 1, 0, "VARIABLE: v\n") } })) << "but have names of their own";
}

TEST_F(BovVectors, AreMadeOfScalars)
{
  const std::string vector = write("u", 0, 0, "DATA_SIZE: 2 2 1\nDATA_COMPONENTS: 3\n");
  EXPECT_THAT(refusal({ { vector }, { vector } }).what, HasSubstr("one scalar"));
  EXPECT_THAT(refusal({ { write("v", 0, 0), write("p", 0, 0, "VARIABLE: p\n") } }).what, HasSubstr("one scalar"));
}

TEST_F(BovVectors, NameAFileThatIsNotThereOrTooShort)
{
  const std::string first = write("u", 0, 0);
  EXPECT_EQ(refusal({ { first }, { folder_.file("none.bov") } }).path, folder_.file("none.bov"));
  const std::string second = write("v", 1, 0);
  std::filesystem::resize_file(folder_.file("v.raw"), 47);
  const Error error = refusal({ { first }, { second } });
  EXPECT_EQ(error.code, ErrorCode::Truncated);
  EXPECT_EQ(error.path, folder_.file("v.raw"));
  EXPECT_EQ(error.offset, 47);
  std::filesystem::remove(folder_.file("v.raw"));
  EXPECT_EQ(refusal({ { first }, { second } }).code, ErrorCode::NotFound);
}

TEST_F(BovVectors, PassOnTheNotesOfAllHeaders)
{
  const auto reader = open({ { write("u", 0, 0, "COLOUR: blue\n") }, { write("v", 1, 0, "TASTE: sweet\n") } });
  ASSERT_TRUE(reader);
  EXPECT_THAT(reader->field().notes, Contains(HasSubstr("COLOUR is not known")));
  EXPECT_THAT(reader->field().notes, Contains(HasSubstr("TASTE is not known")));
}

TEST_F(BovVectors, NoticeThatAHeaderHasChanged)
{
  const std::string second = write("v", 1, 0);
  const auto reader = open({ { write("u", 0, 0) }, { second } });
  ASSERT_TRUE(reader);
  EXPECT_TRUE(reader->check_unchanged());
  std::filesystem::resize_file(second, 10);
  const Result<void> same = reader->check_unchanged();
  ASSERT_FALSE(same);
  EXPECT_EQ(same.error().path, second);
}

} // namespace rivulet::test
