// SPDX-License-Identifier: BSD-3-Clause
// Field files of curvilinear grids: the places of the nodes, stored where they change, and what is known of each brick.
#include "Convert/FieldFileLattice.h"
#include "Convert/Verifier.h"
#include "Core/Io/FieldFiles.h"
#include "Io/FieldFile/FieldRules.h"
#include "Io/Files/File.h"
#include "Support/TemporaryFolder.h"

#include <cmath>
#include <cstring>
#include <gmock/gmock.h>
#include <hdf5.h>
#include <limits>

namespace rivulet
{

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

namespace
{

constexpr int kPoints = 2; ///< number of the variable with the places
const FieldFileOptions kSmallBricks{ .brick_cells = { 4, 3, 3 } };

class CurvilinearFile : public testing::Test
{
protected:
  FieldFile written(const FieldInfo& info, const FieldFileOptions& options = kSmallBricks)
  {
    write_field(path_, info, options);
    Result<FieldFile> file = FieldFile::open(path_);
    EXPECT_TRUE(file) << file.error().describe();
    return file.value_or(FieldFile{});
  }
  [[nodiscard]] std::string refusal(const FieldInfo& info, const FieldFileOptions& options = kSmallBricks) const
  {
    const auto writer = FieldFileWriter::create(path_, info, options);
    EXPECT_FALSE(writer);
    return writer ? std::string() : writer.error().what;
  }
  /// Places of all nodes as the file has them.
  [[nodiscard]] std::vector<double> places(int step) const
  {
    const auto lattice = FieldFileLattice::open({ path_ });
    const Box all{ { 0, 0, 0 }, small_field().grid.nodes };
    std::vector<double> values(static_cast<std::size_t>(3 * all.count()));
    const Result<void> read =
        lattice ? (*lattice)->read(kPoints, step, all, values.data()) : Result<void>(tl::unexpected(lattice.error()));
    EXPECT_TRUE(read) << read.error().describe();
    return values;
  }
  static std::vector<double> expected_places(int step)
  {
    const FieldInfo info = curvilinear_field(1);
    const std::vector<std::byte> bytes =
        values_of(info.variables.back(), kPoints, step, { { 0, 0, 0 }, info.grid.nodes });
    std::vector<double> values(bytes.size() / sizeof(double));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("bent.rvf");
};

/// Changes an attribute of texts of the grid.
void put_text(const std::string& path, const char* name, const std::string& text)
{
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hid_t grid = H5Gopen2(file, "grid", H5P_DEFAULT);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, text.size());
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  H5Tset_cset(type, H5T_CSET_UTF8);
  const hid_t one = H5Screate(H5S_SCALAR);
  H5Adelete(grid, name);
  const hid_t attribute = H5Acreate2(grid, name, type, one, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Awrite(attribute, type, text.data()), 0);
  H5Aclose(attribute);
  H5Sclose(one);
  H5Tclose(type);
  H5Gclose(grid);
  H5Fclose(file);
}

} // namespace

TEST_F(CurvilinearFile, holds_the_places_of_its_nodes_once_if_they_stay)
{
  const FieldFile file = written(curvilinear_field(3));
  EXPECT_EQ(file.info.grid.kind, Grid::Kind::Curvilinear);
  EXPECT_EQ(file.info.points, kPoints);
  EXPECT_THAT(file.info.points_steps, ElementsAre(0, 0, 0));
  EXPECT_EQ(file.info.stored_steps(kPoints), 1);
  EXPECT_EQ(file.info.stored_steps(0), 3);
  EXPECT_EQ(file.layouts.back().steps[2].offset, file.layouts.back().steps[0].offset);
  EXPECT_NE(file.layouts[0].steps[2].offset, file.layouts[0].steps[0].offset);
  for (int step = 0; step < 3; ++step)
  {
    EXPECT_EQ(places(step), expected_places(0));
  }
  const Result<VerifyReport> report = verify(file, {});
  EXPECT_TRUE(report && report->sound());
}

TEST_F(CurvilinearFile, holds_them_again_where_they_change)
{
  FieldInfo info = curvilinear_field(4);
  info.points_steps = { 0, 0, 2, 2 };
  const FieldFile file = written(info);
  EXPECT_THAT(file.info.points_steps, ElementsAre(0, 0, 2, 2));
  EXPECT_EQ(places(1), expected_places(0));
  EXPECT_EQ(places(2), expected_places(2));
  EXPECT_EQ(places(3), expected_places(2));
}

TEST_F(CurvilinearFile, knows_bounds_and_cells_of_each_brick)
{
  FieldInfo info = curvilinear_field(3);
  info.points_steps = { 0, 0, 2 };
  const FieldFile file = written(info);
  for (const int step : { 0, 1, 2 })
  {
    const auto known = file.brick_places(step);
    ASSERT_TRUE(known) << known.error().describe();
    ASSERT_EQ(static_cast<std::int64_t>(known->size()), file.layouts.back().grid.size());
    for (std::size_t number = 0; number < known->size(); ++number)
    {
      const Int3 brick = from_row_major(static_cast<std::int64_t>(number), file.layouts.back().grid.count);
      const PlacesMeasure found = measure_places(lattice_box(file.layouts.back(), brick),
          [&](const Int3& node)
          {
            const int of = info.points_steps[static_cast<std::size_t>(step)];
            return Vec3{ value_at(kPoints, of, node, 0), value_at(kPoints, of, node, 1),
              value_at(kPoints, of, node, 2) };
          });
      EXPECT_EQ((*known)[number].box.lower, found.box.lower);
      EXPECT_EQ((*known)[number].box.upper, found.box.upper);
      EXPECT_EQ((*known)[number].shortest, found.shortest);
      EXPECT_EQ((*known)[number].handed, found.handed);
    }
  }
  EXPECT_FALSE(file.brick_places(3));
  EXPECT_FALSE(written(small_field()).brick_places(0));
}

TEST_F(CurvilinearFile, stores_places_as_plain_numbers_whatever_the_encoding_of_values)
{
  const FieldFile file = written(curvilinear_field(1), { .encoding = Encoding::Fixed16 });
  EXPECT_EQ(file.layouts[0].encoding, Encoding::Fixed16);
  EXPECT_EQ(file.layouts.back().encoding, Encoding::Plain);
  EXPECT_EQ(file.layouts.back().cells, file.layouts[0].cells) << "a cell and its corners are in bricks of one number";
  EXPECT_EQ(places(0), expected_places(0));
}

TEST_F(CurvilinearFile, counts_cells_by_their_hand)
{
  const auto mirrored = [](double sign)
  {
    return measure_places({ { 0, 0, 0 }, { 4, 3, 3 } },
        [sign](const Int3& node) {
          return Vec3{ sign * node[0], 2.0 * node[1], 3.0 * node[2] };
        });
  };
  EXPECT_EQ(mirrored(1.0).handed, 12);
  EXPECT_EQ(mirrored(-1.0).handed, -12);
  EXPECT_DOUBLE_EQ(mirrored(-1.0).shortest, std::sqrt(14.0));
  const PlacesMeasure flat = measure_places({ { 0, 0, 0 }, { 4, 3, 1 } },
      [](const Int3& node) {
        return Vec3{ 1.0 * node[0], 1.0 * node[1], 5.0 };
      });
  EXPECT_EQ(flat.handed, 0);
  EXPECT_EQ(flat.box.upper, (Vec3{ 3, 2, 5 })) << "a layer of nodes has bounds";
}

TEST_F(CurvilinearFile, refuses_a_node_that_lies_nowhere_and_names_it)
{
  const FieldInfo info = curvilinear_field(1);
  auto writer = *FieldFileWriter::create(path_, info, kSmallBricks);
  const BrickLayout& layout = writer->layout(kPoints);
  const BrickKey key{ kPoints, 0, 1 };
  std::vector<std::byte> payload = payload_of(info, layout, key);
  const double nowhere = std::numeric_limits<double>::quiet_NaN();
  std::memcpy(payload.data() + 48, &nowhere, sizeof nowhere);
  const Result<void> refused = writer->write_brick(key, payload.data());
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("node 6,0,0 has a coordinate"));
  EXPECT_EQ(refused.error().path, path_);
  EXPECT_FALSE(writer->finish());
}

TEST_F(CurvilinearFile, refuses_fields_whose_places_make_no_sense)
{
  FieldInfo info = curvilinear_field(2);
  info.variables.back().components = 2;
  EXPECT_THAT(refusal(info), HasSubstr("three floating-point numbers"));
  info = curvilinear_field(2);
  info.variables.back().centering = Centering::Cell;
  EXPECT_THAT(refusal(info), HasSubstr("three floating-point numbers"));
  info = curvilinear_field(2);
  info.points = 0;
  EXPECT_THAT(refusal(info), HasSubstr("not the last variable"));
  info = curvilinear_field(2);
  info.points_steps = { 0, 2 };
  EXPECT_THAT(refusal(info), HasSubstr("no order"));
  info = curvilinear_field(2);
  info.points = -1;
  EXPECT_THAT(refusal(info), HasSubstr("places of the nodes of the grid are missing"));
  info = small_field();
  info.points = 1;
  EXPECT_THAT(refusal(info), HasSubstr("not the last variable of a curvilinear grid"));
}

TEST_F(CurvilinearFile, takes_a_free_name_for_the_places)
{
  FieldInfo info = small_field();
  info.variables[0].name = "points";
  add_points(info, ScalarType::Float32);
  EXPECT_EQ(info.variables.back().name, "points 2");
  EXPECT_EQ(defect_of(info), "");
}

TEST_F(CurvilinearFile, does_not_write_places_of_a_step_that_has_none)
{
  const auto writer = *FieldFileWriter::create(path_, curvilinear_field(2), kSmallBricks);
  EXPECT_TRUE(writer->wants(kPoints, 0));
  EXPECT_FALSE(writer->wants(kPoints, 1));
  EXPECT_TRUE(writer->wants(0, 1));
  EXPECT_FALSE(writer->wants(3, 0));
  const std::vector<std::byte> payload(static_cast<std::size_t>(writer->layout(kPoints).values));
  EXPECT_FALSE(writer->write_brick({ kPoints, 1, 0 }, payload.data()));
}

TEST_F(CurvilinearFile, is_refused_by_name_if_its_kind_or_its_points_are_unknown)
{
  static_cast<void>(written(curvilinear_field(2)));
  put_text(path_, "kind", "unstructured");
  Result<FieldFile> file = FieldFile::open(path_);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(file.error().what, HasSubstr("\"unstructured\""));
  put_text(path_, "kind", "curvilinear");
  put_text(path_, "points", "pressure");
  file = FieldFile::open(path_);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::Corrupt);
}

TEST_F(CurvilinearFile, is_refused_without_a_name_of_its_places)
{
  static_cast<void>(written(curvilinear_field(1)));
  put_text(path_, "points", std::string(1, '\0'));
  const Result<FieldFile> file = FieldFile::open(path_);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::Corrupt);
  EXPECT_THAT(file.error().what, HasSubstr("points have no name"));
}

TEST_F(CurvilinearFile, finds_damage_to_what_is_known_of_bricks)
{
  const FieldFile file = written(curvilinear_field(2));
  const Result<RangeTable> table = file.places_table(1);
  ASSERT_TRUE(table);
  {
    const Result<File> bytes = File::open(path_, File::Mode::ReadWrite);
    const double other = -7.0;
    ASSERT_TRUE(bytes && bytes->pwrite_full(&other, sizeof other, table->offset + 8));
  }
  const FieldFile damaged = *FieldFile::open(path_);
  const auto places = damaged.brick_places(0);
  ASSERT_FALSE(places);
  EXPECT_EQ(places.error().code, ErrorCode::Corrupt);
  EXPECT_THAT(places.error().what, HasSubstr("checksum"));
  const Result<VerifyReport> report = verify(damaged, {});
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->sound());
}

} // namespace rivulet
