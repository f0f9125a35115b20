// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/BovFixture.h"

#include "Io/Blocks/BovReader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

namespace rivulet
{
namespace
{

using test::BovCase;
using test::TemporaryFolder;
using testing::HasSubstr;

std::vector<double> read_box(LatticeReader& reader, const Box& box)
{
  const Variable& variable = reader.info().variables.front();
  const std::int64_t count = box.count() * variable.components;
  std::vector<double> room(static_cast<std::size_t>(count)); // doubles, for their alignment and size
  const Result<void> done = reader.read(0, 0, box, room.data());
  EXPECT_TRUE(done) << done.error().describe();
  return test::as_doubles(room.data(), variable.type, count);
}

std::unique_ptr<BlockReader> open_case(const TemporaryFolder& folder, const BovCase& what)
{
  Result<std::unique_ptr<BlockReader>> reader = open_bov_reader({ write_bov_case(folder, what) });
  EXPECT_TRUE(reader) << reader.error().describe();
  return reader ? std::move(*reader) : nullptr;
}

Error error_of(const std::string& header)
{
  Result<std::unique_ptr<BlockReader>> reader = open_bov_reader({ header });
  EXPECT_FALSE(reader);
  return reader ? Error{} : reader.error();
}

class EveryBov : public testing::TestWithParam<BovCase>
{
};

TEST_P(EveryBov, GivesEveryBoxOfValues)
{
  const TemporaryFolder folder;
  const std::unique_ptr<BlockReader> reader = open_case(folder, GetParam());
  ASSERT_TRUE(reader);
  for (const Box& box : { Box{ { 0, 0, 0 }, { 10, 9, 14 } }, Box{ { 3, 1, 5 }, { 8, 7, 9 } },
           Box{ { 0, 2, 6 }, { 10, 8, 8 } }, Box{ { 4, 2, 6 }, { 6, 4, 8 } }, Box{ { 9, 8, 13 }, { 10, 9, 14 } } })
  {
    EXPECT_EQ(read_box(*reader, box), expected_values(GetParam(), box));
  }
}

TEST_P(EveryBov, GivesTheSamePastThePageCache)
{
  const TemporaryFolder folder;
  Result<BlockField> field = bov_field({ write_bov_case(folder, GetParam()) });
  ASSERT_TRUE(field);
  Result<std::unique_ptr<BlockReader>> reader = BlockReader::open(std::move(*field), 0);
  ASSERT_TRUE(reader);
  for (const Box& box : { Box{ { 0, 0, 0 }, { 10, 9, 14 } }, Box{ { 4, 2, 6 }, { 6, 4, 8 } } })
  {
    EXPECT_EQ(read_box(**reader, box), expected_values(GetParam(), box));
  }
}

TEST_P(EveryBov, PlacesTheGridAsVisItDoes)
{
  const TemporaryFolder folder;
  const std::unique_ptr<BlockReader> reader = open_case(folder, GetParam());
  ASSERT_TRUE(reader);
  const Grid& grid = reader->info().grid;
  const bool zonal = GetParam().zonal;
  EXPECT_EQ(grid.nodes, (zonal ? Int3{ 11, 10, 15 } : Int3{ 10, 9, 14 }));
  EXPECT_EQ(grid.lattice(reader->info().variables[0].centering), (Int3{ 10, 9, 14 }));
  EXPECT_EQ(grid.origin, (Vec3{ 1, 2, 3 }));
  EXPECT_DOUBLE_EQ(grid.spacing[0], 10.0 / (zonal ? 10 : 9));
  EXPECT_DOUBLE_EQ(grid.spacing[2], 30.0 / (zonal ? 14 : 13));
}

INSTANTIATE_TEST_SUITE_P(
    Bov, EveryBov, testing::ValuesIn(test::all_bov_cases()), [](const auto& each) { return name_of(each.param); });

TEST(BovReader, KeepsFloatsAndWidensIntegersWithoutLoss)
{
  const TemporaryFolder folder;
  for (const auto& [format, type] : { std::pair{ "BYTE", ScalarType::Float32 },
           std::pair{ "SHORT", ScalarType::Float32 }, std::pair{ "INT", ScalarType::Float64 },
           std::pair{ "FLOAT", ScalarType::Float32 }, std::pair{ "DOUBLE", ScalarType::Float64 } })
  {
    EXPECT_EQ(open_case(folder, { .format = format })->info().variables[0].type, type) << format;
  }
}

TEST(BovReader, KeepsTheBitsOfNotANumber)
{
  const TemporaryFolder folder;
  const std::string header = write_bov_case(folder, { .lattice = { 2, 1, 1 } });
  test::write_text(data_path(folder, { .lattice = { 2, 1, 1 } }), std::string("\x01\x02\xA0\x7F\x01\x00\xC0\xFF", 8));
  std::array<std::uint32_t, 2> bits{};
  ASSERT_TRUE((*open_bov_reader({ header }))->read(0, 0, { { 0, 0, 0 }, { 2, 1, 1 } }, bits.data()));
  EXPECT_EQ(bits, (std::array<std::uint32_t, 2>{ 0x7FA00201U, 0xFFC00001U }));
}

TEST(BovReader, ReadsRowsLongerThanAnyBuffer)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 300001, 2, 1 }, .format = "SHORT", .big = true, .components = 2 };
  const Box box{ { 1, 0, 0 }, { 300000, 2, 1 } };
  const std::unique_ptr<BlockReader> reader = open_case(folder, what);
  std::vector<float> values(static_cast<std::size_t>(box.count()) * 2);
  ASSERT_TRUE(reader->read(0, 0, box, values.data()));
  EXPECT_EQ(values.front(), static_cast<float>(static_cast<std::int16_t>(what.value(0, { 1, 0, 0 }))));
  EXPECT_EQ(values.back(), static_cast<float>(static_cast<std::int16_t>(what.value(1, { 299999, 1, 0 }))));
}

TEST(BovReader, ScalesBytesBetweenVariableMinAndMax)
{
  const TemporaryFolder folder;
  test::write_text(folder.file("b.raw"), std::string("\x00\xFF\x33", 3));
  test::write_text(folder.file("b.bov"),
      "DATA_FILE: b.raw\nDATA_SIZE: 3 1 1\nDATA_FORMAT: BYTE\nVARIABLE_MIN: -1\nVARIABLE_MAX: 4\n");
  std::array<float, 3> values{};
  ASSERT_TRUE((*open_bov_reader({ folder.file("b.bov") }))->read(0, 0, { { 0, 0, 0 }, { 3, 1, 1 } }, values.data()));
  EXPECT_EQ(values, (std::array<float, 3>{ -1, 4, 0 }));
}

TEST(BovReader, PrefersBlocksOrWholeRowsAndCountsBytes)
{
  const TemporaryFolder folder;
  const std::unique_ptr<BlockReader> one = open_case(folder, { .format = "SHORT", .components = 3 });
  EXPECT_EQ(one->preferred_box(), (Int3{ 5, 0, 0 }));
  EXPECT_EQ(one->source_bytes(), 5 * 4 * 3 * 3 * 2);
  EXPECT_EQ(open_case(folder, { .lattice = { 4, 4, 4 }, .block = { 2, 4, 1 } })->preferred_box(), (Int3{ 2, 4, 1 }));
}

TEST(BovReader, RefusesBoxesOutsideTheField)
{
  const TemporaryFolder folder;
  const std::unique_ptr<BlockReader> reader = open_case(folder, {});
  std::array<float, 8> values{};
  const Box box{ { 4, 3, 2 }, { 6, 4, 3 } };
  EXPECT_EQ(reader->read(0, 0, box, values.data()).error().code, ErrorCode::BadArgument);
  EXPECT_EQ(reader->read(1, 0, { { 0, 0, 0 }, { 1, 1, 1 } }, values.data()).error().code, ErrorCode::BadArgument);
  EXPECT_EQ(reader->read(0, -1, { { 0, 0, 0 }, { 1, 1, 1 } }, values.data()).error().code, ErrorCode::BadArgument);
}

TEST(BovReader, NamesAMissingBlock)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 4, 4, 4 }, .block = { 2, 2, 2 } };
  const std::string header = write_bov_case(folder, what);
  std::filesystem::remove(data_path(folder, what, 6));
  const Error error = error_of(header);
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_EQ(error.path, data_path(folder, what, 6));
}

TEST(BovReader, NamesABlockThatIsTooShort)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 4, 4, 4 }, .block = { 2, 2, 2 }, .offset = 7 };
  const std::string header = write_bov_case(folder, what);
  std::filesystem::resize_file(data_path(folder, what, 3), 38);
  const Error error = error_of(header);
  EXPECT_EQ(error.code, ErrorCode::Truncated);
  EXPECT_THAT(error.what, HasSubstr("has 38 bytes, 39 are needed"));
  EXPECT_EQ(error.path, data_path(folder, what, 3));
}

TEST(BovReader, NoticesABlockCutShortAfterOpening)
{
  const TemporaryFolder folder;
  const std::unique_ptr<BlockReader> reader = open_case(folder, {});
  std::filesystem::resize_file(data_path(folder, {}), 100);
  std::vector<float> values(60);
  const Result<void> read = reader->read(0, 0, { { 0, 0, 0 }, { 5, 4, 3 } }, values.data());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::Truncated);
}

TEST(BovReader, RefusesFoldersAsDataFiles)
{
  const TemporaryFolder folder;
  const std::string header = write_bov_case(folder, {});
  std::filesystem::remove(data_path(folder, {}));
  std::filesystem::create_directory(data_path(folder, {}));
  EXPECT_EQ(error_of(header).code, ErrorCode::CannotRead);
}

TEST(BovReader, NoticesTheWrongByteOrder)
{
  const TemporaryFolder folder;
  for (const char* format : { "FLOAT", "DOUBLE" })
  {
    for (const bool big : { false, true })
    {
      const std::string header = write_bov_case(folder, { .lattice = { 16, 16, 4 }, .format = format, .big = big });
      test::write_text(data_path(folder, {}),
          [&]
          {
            std::string bytes;
            for (int i = 0; i < 1024; ++i)
            {
              bytes += test::bytes_of(std::sin(0.1 * i), format, !big);
            }
            return bytes;
          }());
      const Error error = error_of(header);
      EXPECT_EQ(error.code, ErrorCode::Corrupt);
      EXPECT_THAT(error.describe(), HasSubstr("State the other byte order"));
    }
  }
}

TEST(BovReader, AcceptsStrangeButConsistentValues)
{
  const TemporaryFolder folder;
  const std::string header = write_bov_case(folder, { .lattice = { 16, 16, 4 } });
  std::string bytes;
  for (int i = 0; i < 1024; ++i)
  {
    bytes += test::bytes_of(i % 2 == 0 ? 1e35 : std::sin(0.1 * i), "FLOAT", false); // fill values on land
  }
  test::write_text(data_path(folder, {}), bytes);
  EXPECT_TRUE(open_bov_reader({ header }));
}

TEST(BovReader, OpensMoreFilesThanItKeepsOpen)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 9, 9, 9 }, .block = { 1, 1, 1 } };
  const Box all{ { 0, 0, 0 }, { 9, 9, 9 } };
  EXPECT_EQ(read_box(*open_case(folder, what), all), expected_values(what, all));
}

TEST(BovReader, ServesManyThreads)
{
  const TemporaryFolder folder;
  const BovCase what{ .lattice = { 12, 12, 12 }, .block = { 4, 6, 3 }, .format = "INT", .big = true };
  const std::unique_ptr<BlockReader> reader = open_case(folder, what);
  std::vector<std::thread> threads;
  for (std::int32_t k = 0; k < 4; ++k)
  {
    threads.emplace_back(
        [&, k]
        {
          const Box box{ { 0, 1, 3 * k }, { 11, 12, 3 * k + 3 } };
          EXPECT_EQ(read_box(*reader, box), expected_values(what, box));
        });
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
}

} // namespace
} // namespace rivulet
