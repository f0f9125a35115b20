// SPDX-License-Identifier: BSD-3-Clause
// What scripts get of particles and fields. Runs on any number of ranks.
#include "Catalyst/FieldData.h"
#include "Catalyst/MeshData.h"
#include "Catalyst/ParticleData.h"
#include "Pipeline/AmrCompat.h"
#include "vtkAMRBox.h"
#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkImageData.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkOverlappingAMR.h"
#include "vtkPointData.h"
#include "vtkRectilinearGrid.h"
#include "vtkStructuredGrid.h"
#include "vtkUniformGrid.h"
#include "vtkUnsignedCharArray.h"

#include <functional>
#include <gmock/gmock.h>
#include <memory>
#include <vector>

namespace rivulet::insitu
{

namespace
{

using Index = std::array<std::int64_t, 3>;

int rank_of()
{
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int ranks()
{
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// A value that names its cell (or node).
double value_at(std::int32_t level, const Index& at)
{
  return static_cast<double>(level) * 1e7 + static_cast<double>(at[0]) + 100.0 * static_cast<double>(at[1]) +
         10000.0 * static_cast<double>(at[2]);
}

/// A field with two variables: a scalar and a vector of floats.
class Field
{
public:
  Field(const Index& cells, std::int32_t centring, std::vector<std::int32_t> ratio = {})
    : ratio_(std::move(ratio))
  {
    variables_ = { { "density", RIVULET_FLOAT64, 1 }, { "velocity", RIVULET_FLOAT32, 3 } };
    field_ = { .name = "flow",
      .centring = centring,
      .origin = { -1.0, 2.0, 0.5 },
      .spacing = { 0.5, 0.25, 1.0 },
      .cells = { cells[0], cells[1], cells[2] },
      .levels = static_cast<std::int32_t>(1 + ratio_.size() / 3),
      .ratio = ratio_.data(),
      .variables = 2,
      .variable = variables_.data(),
      .blocks = 0,
      .block = nullptr };
  }

  void add(std::int32_t level, const Index& begin, const Index& cells, std::int32_t ghosts)
  {
    add(level, begin, cells, ghosts, ghosts);
  }

  /// With so many layers on the lower and on the upper side of each axis.
  void add(std::int32_t level, const Index& begin, const Index& cells, std::int32_t ghosts, std::int32_t above)
  {
    auto& density = densities_.emplace_back();
    auto& velocity = velocities_.emplace_back();
    const std::int64_t more = field_.centring == RIVULET_NODES ? 1 : 0;
    for (std::int64_t k = begin[2] - ghosts; k < begin[2] + cells[2] + above + more; ++k)
    {
      for (std::int64_t j = begin[1] - ghosts; j < begin[1] + cells[1] + above + more; ++j)
      {
        for (std::int64_t i = begin[0] - ghosts; i < begin[0] + cells[0] + above + more; ++i)
        {
          density.push_back(value_at(level, { i, j, k }));
          velocity.insert(velocity.end(), { static_cast<float>(i), static_cast<float>(j), static_cast<float>(k) });
        }
      }
    }
    const std::int32_t other = above == 0 ? RIVULET_NO_GHOSTS : above;
    blocks_.push_back({ level, { begin[0], begin[1], begin[2] }, { cells[0], cells[1], cells[2] },
        { ghosts, ghosts, ghosts }, nullptr, { other, other, other } });
  }

  [[nodiscard]] const rivulet_field& get()
  {
    data_.clear();
    for (std::size_t i = 0; i < blocks_.size(); ++i)
    {
      data_.push_back({ densities_[i].data(), velocities_[i].data() });
    }
    pointers_.clear();
    for (const std::vector<double>& points : points_)
    {
      pointers_.push_back(points.data());
    }
    for (std::size_t i = 0; i < blocks_.size(); ++i)
    {
      blocks_[i].data = data_[i].data();
      blocks_[i].points = points_.empty() ? nullptr : &pointers_[i];
    }
    field_.blocks = static_cast<std::int32_t>(blocks_.size());
    field_.block = blocks_.data();
    return field_;
  }
  [[nodiscard]] const void* density(std::size_t block) const { return densities_[block].data(); }
  /// The positions of nodes along an axis.
  void set_coordinates(std::size_t axis, const std::vector<double>& places)
  {
    field_.coordinates[axis] = places.data();
  }
  /// Of curvilinear blocks, in their order.
  void set_points(const rivulet_variable& described, std::vector<std::vector<double>> points)
  {
    field_.points = &described;
    points_ = std::move(points);
  }

private:
  std::vector<std::int32_t> ratio_;
  std::vector<rivulet_variable> variables_;
  std::vector<std::vector<double>> densities_;
  std::vector<std::vector<float>> velocities_;
  std::vector<std::array<const void*, 2>> data_;
  std::vector<std::vector<double>> points_;
  std::vector<const void*> pointers_;
  std::vector<rivulet_block> blocks_;
  rivulet_field field_{};
};

/// Number of cells (or points) whose values are not those of their place, or whose ghost mark is wrong.
std::int64_t wrong(vtkImageData& image, bool nodes, std::int32_t level, const std::function<bool(const Index&)>& own)
{
  const std::array<int, 6> extent = [&]
  {
    std::array<int, 6> e{};
    image.GetExtent(e.data());
    return e;
  }();
  vtkDataSetAttributes* values = nodes ? static_cast<vtkDataSetAttributes*>(image.GetPointData()) : image.GetCellData();
  vtkDataArray* density = values->GetArray("density");
  vtkDataArray* velocity = values->GetArray("velocity");
  vtkDataArray* ghosts = values->GetArray(vtkDataSetAttributes::GhostArrayName());
  std::int64_t bad = 0;
  vtkIdType at = 0;
  const int less = nodes ? 0 : 1;
  for (std::int64_t k = extent[4]; k <= extent[5] - less; ++k)
  {
    for (std::int64_t j = extent[2]; j <= extent[3] - less; ++j)
    {
      for (std::int64_t i = extent[0]; i <= extent[1] - less; ++i, ++at)
      {
        bad += density->GetTuple1(at) == value_at(level, { i, j, k }) ? 0 : 1;
        const double* v = velocity->GetTuple3(at);
        bad +=
            v[0] == static_cast<double>(i) && v[1] == static_cast<double>(j) && v[2] == static_cast<double>(k) ? 0 : 1;
        const bool marked = ghosts != nullptr && ghosts->GetTuple1(at) != 0.0;
        bad += marked != own({ i, j, k }) ? 0 : 1;
      }
    }
  }
  return bad + (at == density->GetNumberOfTuples() ? 0 : 1);
}

bool always(const Index&)
{
  return true;
}

} // namespace

TEST(CatalystData, OneBlockOnEachRankIsAPieceOfTheDomain)
{
  for (const std::int32_t centring : { RIVULET_CELLS, RIVULET_NODES })
  {
    Field field({ 4 * ranks(), 3, 2 }, centring);
    field.add(0, { 4 * rank_of(), 0, 0 }, { 4, 3, 2 }, 0);
    const FieldData made = field_data(field.get(), MPI_COMM_WORLD);
    auto* image = vtkImageData::SafeDownCast(made.data);
    ASSERT_NE(image, nullptr) << made.error;
    EXPECT_THAT(made.whole, testing::ElementsAre(0, 4 * ranks(), 0, 3, 0, 2));
    EXPECT_EQ(image->GetExtent()[0], 4 * rank_of());
    EXPECT_EQ(image->GetExtent()[1], 4 * rank_of() + 4);
    EXPECT_EQ(wrong(*image, centring == RIVULET_NODES, 0, always), 0);
    EXPECT_DOUBLE_EQ(image->GetOrigin()[1], 2.0);
    EXPECT_DOUBLE_EQ(image->GetSpacing()[1], 0.25);
    vtkDataSetAttributes* values =
        centring == RIVULET_NODES ? static_cast<vtkDataSetAttributes*>(image->GetPointData()) : image->GetCellData();
    EXPECT_EQ(values->GetArray("density")->GetVoidPointer(0), field.density(0)) << "nothing is copied";
  }
}

TEST(CatalystData, GhostLayersArePassedOnWithinTheDomain)
{
  for (const std::int32_t centring : { RIVULET_CELLS, RIVULET_NODES })
  {
    const bool nodes = centring == RIVULET_NODES;
    Field field({ 5 * ranks(), 4, 3 }, centring);
    const std::int64_t first = 5 * rank_of();
    field.add(0, { first, 0, 0 }, { 5, 4, 3 }, 2);
    const FieldData made = field_data(field.get(), MPI_COMM_WORLD);
    auto* image = vtkImageData::SafeDownCast(made.data);
    ASSERT_NE(image, nullptr) << made.error;
    const int* extent = image->GetExtent();
    EXPECT_EQ(extent[0], std::max<std::int64_t>(0, first - 2));
    EXPECT_EQ(extent[1], std::min<std::int64_t>(5 * ranks(), first + 7));
    EXPECT_EQ(extent[3], 4) << "the domain ends there";
    EXPECT_EQ(
        wrong(*image, nodes, 0, [&](const Index& at) { return first <= at[0] && at[0] < first + 5 + (nodes ? 1 : 0); }),
        0);
  }
}

TEST(CatalystData, RanksWithoutBlocksHaveAnEmptyPiece)
{
  Field field({ 4, 3, 2 }, RIVULET_CELLS);
  if (rank_of() == 0)
  {
    field.add(0, { 0, 0, 0 }, { 4, 3, 2 }, 0);
  }
  const FieldData made = field_data(field.get(), MPI_COMM_WORLD);
  auto* image = vtkImageData::SafeDownCast(made.data);
  ASSERT_NE(image, nullptr);
  EXPECT_EQ(image->GetNumberOfCells(), rank_of() == 0 ? 24 : 0);
}

TEST(CatalystData, SeveralBlocksAreBlocksOfAllRanks)
{
  Field field({ 4, 2 * ranks(), 2 }, RIVULET_CELLS);
  for (std::int64_t i = 0; i < 2; ++i)
  {
    field.add(0, { 2 * i, 2 * rank_of(), 0 }, { 2, 2, 2 }, 0);
  }
  const FieldData made = field_data(field.get(), MPI_COMM_WORLD);
  auto* blocks = vtkMultiBlockDataSet::SafeDownCast(made.data);
  ASSERT_NE(blocks, nullptr) << made.error;
  ASSERT_EQ(blocks->GetNumberOfBlocks(), static_cast<unsigned int>(2 * ranks()));
  for (unsigned int i = 0; i < blocks->GetNumberOfBlocks(); ++i)
  {
    auto* image = vtkImageData::SafeDownCast(blocks->GetBlock(i));
    ASSERT_EQ(image != nullptr, static_cast<int>(i) / 2 == rank_of());
    EXPECT_EQ(image != nullptr ? wrong(*image, false, 0, always) : 0, 0);
  }
}

TEST(CatalystData, PatchesAreOverlappingAmr)
{
  // Level 0 fills the domain; level 1 refines the cells 1 to 2 of each rank's part.
  Field field({ 4 * ranks(), 4, 4 }, RIVULET_CELLS, { 2, 2, 2 });
  field.add(0, { 4 * rank_of(), 0, 0 }, { 4, 4, 4 }, 1);
  field.add(1, { 8 * rank_of() + 2, 2, 2 }, { 4, 4, 4 }, 0);
  const FieldData made = field_data(field.get(), MPI_COMM_WORLD);
  auto* amr = vtkOverlappingAMR::SafeDownCast(made.data);
  ASSERT_NE(amr, nullptr) << made.error;
  ASSERT_EQ(amr->GetNumberOfLevels(), 2U);
  for (unsigned int level = 0; level < 2; ++level)
  {
    ASSERT_EQ(number_of_boxes(*amr, level), static_cast<unsigned int>(ranks()));
    for (int rank = 0; rank < ranks(); ++rank)
    {
      const auto box = static_cast<unsigned int>(rank);
      const int* low = amr->GetAMRBox(level, box).GetLoCorner();
      EXPECT_EQ(low[0], level == 0 ? 4 * rank : 8 * rank + 2);
      vtkImageData* patch = block_of(*amr, level, box);
      ASSERT_EQ(patch != nullptr, rank == rank_of());
      if (patch != nullptr)
      {
        EXPECT_DOUBLE_EQ(patch->GetSpacing()[0], level == 0 ? 0.5 : 0.25);
        EXPECT_EQ(patch->GetNumberOfCells(), 64);
        const double* origin = patch->GetBounds();
        EXPECT_DOUBLE_EQ(origin[0], -1.0 + (level == 0 ? 2.0 * rank : 2.0 * rank + 0.5));
        vtkDataArray* hidden = patch->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName());
        std::int64_t count = 0;
        for (vtkIdType i = 0; hidden != nullptr && i < hidden->GetNumberOfTuples(); ++i)
        {
          count += hidden->GetTuple1(i) != 0.0 ? 1 : 0;
        }
        EXPECT_EQ(count, level == 0 ? 8 : 0) << "2 x 2 x 2 cells lie below a finer patch";
      }
    }
  }
}

TEST(CatalystData, GhostLayersMayLieOnOneSide)
{
  Field flow({ 6, 5, 4 }, RIVULET_CELLS);
  flow.add(0, { 2, 2, 1 }, { 3, 2, 2 }, 1, 0);
  const auto data = field_data(flow.get(), MPI_COMM_SELF);
  auto& image = dynamic_cast<vtkImageData&>(*data.data);
  EXPECT_EQ(image.GetNumberOfCells(), 4 * 3 * 3);
  const auto own = [](const Index& at)
  {
    return at[0] >= 2 && at[1] >= 2 && at[2] >= 1;
  };
  EXPECT_EQ(wrong(image, false, 0, own), 0);
}

TEST(CatalystData, CoordinatesMakeARectilinearGrid)
{
  const std::vector<double> x{ 0, 1, 3, 7 };
  Field flow({ 3, 2, 2 }, RIVULET_NODES);
  flow.set_coordinates(0, x);
  flow.add(0, { 1, 0, 0 }, { 2, 2, 2 }, 0);
  const auto data = field_data(flow.get(), MPI_COMM_SELF);
  auto& grid = dynamic_cast<vtkRectilinearGrid&>(*data.data);
  std::array<double, 6> bounds{};
  grid.GetBounds(bounds.data());
  EXPECT_THAT(bounds, testing::ElementsAre(1, 7, 2, 2.5, 0.5, 2.5));
  EXPECT_EQ(grid.GetPoint(1)[0], 3.0);
  EXPECT_EQ(grid.GetPointData()->GetArray("density")->GetTuple1(1), value_at(0, { 2, 0, 0 }));
  EXPECT_THAT(data.whole, testing::ElementsAre(0, 3, 0, 2, 0, 2));
}

TEST(CatalystData, PointsMakeAStructuredGridAndAPlaneOfNodesIsOne)
{
  const rivulet_variable places{ nullptr, RIVULET_FLOAT64, 3 };
  std::vector<double> points;
  for (int i = 0; i < 6; ++i)
  {
    points.insert(points.end(), { i % 3 + 0.125 * (i / 3), 1.0 * (i / 3), -2.0 }); // NOLINT(bugprone-integer-division)
  }
  Field flow({ 2, 1, 0 }, RIVULET_NODES);
  flow.set_points(places, { points });
  flow.add(0, { 0, 0, 0 }, { 2, 1, 0 }, 0);
  const auto data = field_data(flow.get(), MPI_COMM_SELF);
  auto& grid = dynamic_cast<vtkStructuredGrid&>(*data.data);
  EXPECT_EQ(grid.GetNumberOfPoints(), 6);
  EXPECT_EQ(grid.GetNumberOfCells(), 2);
  EXPECT_EQ(grid.GetPoint(4)[0], 1.125);
  EXPECT_EQ(grid.GetPointData()->GetArray("density")->GetTuple1(5), value_at(0, { 2, 1, 0 }));
}

TEST(CatalystData, MeshesAreUnstructuredGridsInPlace)
{
  std::vector<float> points{ 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1 };
  const std::vector<std::uint8_t> types{ 10, 10 };
  const std::vector<std::uint8_t> ghosts{ 0, 1 };
  const std::vector<std::int32_t> narrow{ 0, 4, 8, 0, 1, 2, 3, 1, 2, 3, 4 };
  const std::vector<std::int64_t> wide(narrow.begin(), narrow.end());
  const std::vector<double> heat{ 1, 2 };
  const rivulet_array array{ "heat", RIVULET_FLOAT64, 1, heat.data() };
  rivulet_mesh mesh{ "fuel", RIVULET_FLOAT32, RIVULET_INT32, 5, points.data(), 2, types.data(), narrow.data(),
    narrow.data() + 3, 0, nullptr, 1, &array, ghosts.data() };
  for (const bool is_wide : { false, true })
  {
    mesh.index = is_wide ? RIVULET_INT64 : RIVULET_INT32;
    mesh.offset = is_wide ? static_cast<const void*>(wide.data()) : narrow.data();
    mesh.connectivity = is_wide ? static_cast<const void*>(wide.data() + 3) : narrow.data() + 3;
    const vtkSmartPointer<vtkUnstructuredGrid> grid = mesh_data(mesh);
    ASSERT_EQ(grid->GetNumberOfCells(), 2);
    EXPECT_EQ(grid->GetPoints()->GetVoidPointer(0), points.data());
    EXPECT_EQ(grid->GetCell(1)->GetPointId(3), 4);
    EXPECT_EQ(grid->GetCellType(0), 10);
    EXPECT_EQ(grid->GetCellData()->GetArray("heat")->GetTuple1(1), 2.0);
    EXPECT_EQ(grid->GetCellData()->GetArray(vtkDataSetAttributes::GhostArrayName())->GetTuple1(1),
        vtkDataSetAttributes::DUPLICATECELL);
  }
  mesh.points = 0;
  mesh.cells = 0;
  mesh.cell_arrays = 0;
  EXPECT_EQ(mesh_data(mesh)->GetNumberOfCells(), 0) << "a rank that has none";
}

TEST(CatalystData, FieldsThatVtkCannotHoldAreRefusedByName)
{
  Field nodes({ 4, 4, 4 }, RIVULET_NODES, { 2, 2, 2 });
  EXPECT_THAT(field_data(nodes.get(), MPI_COMM_WORLD).error, testing::HasSubstr("\"flow\" has values at the nodes"));
  Field uneven({ 4, 4, 4 }, RIVULET_CELLS, { 2, 2, 1 });
  EXPECT_THAT(field_data(uneven.get(), MPI_COMM_WORLD).error, testing::HasSubstr("along one axis"));
  Field large({ std::int64_t{ 1 } << 31U, 4, 4 }, RIVULET_CELLS);
  EXPECT_THAT(field_data(large.get(), MPI_COMM_WORLD).error, testing::HasSubstr("more cells along an axis"));
}

TEST(CatalystData, ParticlesAreVertices)
{
  const std::vector<double> x{ 1, 2, 3 };
  const std::vector<double> y{ 4, 5, 6 };
  const std::vector<double> z{ 7, 8, 9 };
  const std::vector<std::int64_t> id{ 11, 5, 8 };
  const std::vector<float> charge{ 0.5F, -0.5F, 1.0F, 2.0F, 3.0F, 4.0F };
  const rivulet_array more{ "charge", RIVULET_FLOAT32, 2, charge.data() };
  rivulet_particles particles{};
  particles.name = "atoms";
  particles.count = 3;
  particles.id = id.data();
  particles.x = x.data();
  particles.y = y.data();
  particles.z = z.data();
  particles.vx = z.data();
  particles.vy = y.data();
  particles.vz = x.data();
  particles.arrays = 1;
  particles.array = &more;
  const vtkSmartPointer<vtkPolyData> data = particle_data(particles);
  ASSERT_EQ(data->GetNumberOfPoints(), 3);
  ASSERT_EQ(data->GetNumberOfVerts(), 3);
  EXPECT_DOUBLE_EQ(data->GetPoint(1)[2], 8.0);
  EXPECT_DOUBLE_EQ(data->GetPointData()->GetArray("velocity")->GetTuple3(2)[0], 9.0);
  EXPECT_DOUBLE_EQ(data->GetPointData()->GetArray("id")->GetTuple1(1), 5.0);
  EXPECT_DOUBLE_EQ(data->GetPointData()->GetArray("charge")->GetComponent(2, 1), 4.0);
  EXPECT_EQ(data->GetPointData()->GetArray("type"), nullptr);
  particles.count = 0;
  EXPECT_EQ(particle_data(particles)->GetNumberOfPoints(), 0);
}

} // namespace rivulet::insitu

int main(int argc, char** argv)
{
  testing::InitGoogleTest(&argc, argv);
  MPI_Init(&argc, &argv);
  const int failed = RUN_ALL_TESTS();
  MPI_Finalize();
  return failed;
}
