// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/GridConversion.h"
#include "vtkDoubleArray.h"
#include "vtkImageData.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkRectilinearGrid.h"
#include "vtkStringArray.h"
#include "vtkUnsignedCharArray.h"

#include <cmath>
#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

Grid turned_grid()
{
  return { .nodes = { 5, 4, 3 },
    .first = { -2, 10, 0 },
    .origin = { 1, 2, 3 },
    .spacing = { 0.5, -1, 2 },
    .direction = { 0, -1, 0, 1, 0, 0, 0, 0, 1 },
    .axes = {} };
}

TEST(GridConversion, ImagesComeBackAsTheyWere)
{
  vtkNew<vtkImageData> image;
  set_geometry(*image, turned_grid(), { { 0, 0, 0 }, { 5, 4, 3 } });
  const Grid back = grid_of(*image);
  EXPECT_EQ(back.nodes, turned_grid().nodes);
  EXPECT_EQ(back.first, turned_grid().first);
  EXPECT_EQ(back.origin, turned_grid().origin);
  EXPECT_EQ(back.spacing, turned_grid().spacing);
  EXPECT_EQ(back.direction, turned_grid().direction);
}

TEST(GridConversion, NodesLieWhereVtkPutsThem)
{
  vtkNew<vtkImageData> image;
  set_geometry(*image, turned_grid(), { { 1, 1, 1 }, { 3, 3, 3 } });
  // first + (1, 1, 1) = (-1, 11, 1); times spacing (-0.5, -11, 2); turned (11, -0.5, 2).
  EXPECT_THAT(std::vector<double>(image->GetPoint(0), image->GetPoint(0) + 3), ElementsAre(12, 1.5, 5));
}

TEST(GridConversion, RectilinearPartsHaveTheirOwnCoordinates)
{
  Grid grid{ .kind = Grid::Kind::Rectilinear, .nodes = { 3, 2, 1 }, .axes = { { { 0, 1, 4 }, { 5, 7 }, { 9 } } } };
  vtkNew<vtkRectilinearGrid> rectilinear;
  set_geometry(*rectilinear, grid, { { 1, 0, 0 }, { 3, 2, 1 } });
  const Grid back = grid_of(*rectilinear);
  EXPECT_EQ(back.first, (Int3{ 1, 0, 0 }));
  EXPECT_THAT(back.axes[0], ElementsAre(1, 4));
  EXPECT_THAT(back.axes[2], ElementsAre(9));
}

TEST(GridConversion, ExtentsAndBoxesAreInverse)
{
  const Grid grid = turned_grid();
  const Box nodes{ { 1, 0, 2 }, { 4, 3, 3 } };
  EXPECT_EQ(nodes_of(grid, extent_of(grid, nodes).data()), nodes);
  EXPECT_THAT(whole_extent_of(grid), ElementsAre(-2, 2, 10, 13, 0, 2));
  const int nothing[6] = { 0, -1, 0, -1, 0, -1 };
  EXPECT_TRUE(nodes_of(grid, nothing).empty());
}

TEST(GridConversion, CellsOfABoxOfNodes)
{
  const Grid grid = turned_grid();
  EXPECT_EQ(lattice_of(grid, { { 1, 0, 0 }, { 4, 4, 3 } }, Centering::Cell), (Box{ { 1, 0, 0 }, { 3, 3, 2 } }));
  // A slab of one node at the upper end shows the cells below it.
  EXPECT_EQ(lattice_of(grid, { { 0, 0, 2 }, { 5, 4, 3 } }, Centering::Cell), (Box{ { 0, 0, 1 }, { 4, 3, 2 } }));
}

TEST(GridConversion, OtherDatasetsAreRefusedWithARemedy)
{
  EXPECT_FALSE(grid_of(nullptr));
  vtkNew<vtkPolyData> lines;
  lines->SetPoints(vtkNew<vtkPoints>());
  lines->GetPoints()->InsertNextPoint(0, 0, 0);
  EXPECT_EQ(grid_of(lines).error().code, ErrorCode::Unsupported);
}

TEST(GridConversion, CoordinatesThatAreMissingOrNotInOrderAreRefused)
{
  const Grid grid{
    .kind = Grid::Kind::Rectilinear, .nodes = { 3, 2, 1 }, .axes = { { { 0, 1, 4 }, { 5, 7 }, { 9 } } }
  };
  vtkNew<vtkRectilinearGrid> rectilinear;
  set_geometry(*rectilinear, grid, { { 0, 0, 0 }, { 3, 2, 1 } });
  ASSERT_TRUE(grid_of(rectilinear.Get()));
  rectilinear->GetXCoordinates()->SetComponent(2, 0, 0.5);
  EXPECT_THAT(grid_of(rectilinear.Get()).error().what, HasSubstr("number 2 is 0.5"));
  rectilinear->SetXCoordinates(nullptr);
  EXPECT_THAT(grid_of(rectilinear.Get()).error().what, HasSubstr("0 x coordinates for 3 points"));
}

TEST(GridConversion, ImagesWithoutAGeometryAreRefused)
{
  vtkNew<vtkImageData> image;
  image->SetDimensions(2, 2, 1);
  image->SetSpacing(1, 1, 0);
  ASSERT_TRUE(grid_of(image.Get()));
  EXPECT_EQ(grid_of(image.Get())->spacing[2], 1.0); // means nothing along a flat axis
  image->SetSpacing(1, 0, 1);
  EXPECT_THAT(grid_of(image.Get()).error().what, HasSubstr("spacing 0.000000 along y"));
  image->SetSpacing(1, 1, 1);
  image->SetOrigin(0, 0, std::nan(""));
  EXPECT_THAT(grid_of(image.Get()).error().what, HasSubstr("origin nan"));
}

class Ghosts : public testing::Test
{
protected:
  Ghosts() { image_->SetDimensions(2, 2, 2); }
  [[nodiscard]] Result<const std::uint8_t*> points() const
  {
    return ghosts_of(*image_, grid_of(*image_), Centering::Node);
  }
  void add(vtkAbstractArray& array, int tuples, int components = 1)
  {
    array.SetName("vtkGhostType");
    array.SetNumberOfComponents(components);
    array.SetNumberOfTuples(tuples);
    image_->GetPointData()->AddArray(&array);
  }

  vtkNew<vtkImageData> image_;
};

TEST_F(Ghosts, AreFoundByName)
{
  EXPECT_EQ(*points(), nullptr);
  image_->AllocatePointGhostArray();
  image_->GetPointGhostArray()->SetValue(7, 2);
  ASSERT_NE(*points(), nullptr);
  EXPECT_EQ((*points())[7], 2);
}

TEST_F(Ghosts, OfAnotherLengthAreRefused)
{
  for (const int count : { 0, 7, 9 })
  {
    add(*vtkNew<vtkUnsignedCharArray>(), count);
    EXPECT_THAT(
        points().error().what, HasSubstr("\"vtkGhostType\" has " + std::to_string(count) + " values for 8 points"));
  }
}

TEST_F(Ghosts, OfAnotherTypeAreRefused)
{
  add(*vtkNew<vtkUnsignedCharArray>(), 8, 2);
  EXPECT_THAT(points().error().what, HasSubstr("of 2 components"));
  add(*vtkNew<vtkDoubleArray>(), 8);
  EXPECT_THAT(points().error().what, HasSubstr("vtkDoubleArray"));
  add(*vtkNew<vtkStringArray>(), 8);
  EXPECT_THAT(points().error().what, HasSubstr("vtkStringArray"));
}

} // namespace
} // namespace rivulet::test
