// SPDX-License-Identifier: BSD-3-Clause
#include "Catalyst/AmrData.h"

#include "Catalyst/BlockData.h"
#include "Pipeline/AmrCompat.h"
#include "vtkAMRBox.h"
#include "vtkAMRUtilities.h"
#include "vtkNew.h"
#include "vtkOverlappingAMR.h"
#include "vtkUniformGrid.h"

#include <algorithm>
#include <array>
#include <vector>

namespace rivulet::insitu
{

namespace
{

/// Level, first and last cell along each axis.
using Box = std::array<std::int64_t, 7>;

/// Boxes of all ranks in the order of the ranks. `before`: number of boxes of the ranks before this one.
std::vector<Box> boxes_of_all(const rivulet_field& field, MPI_Comm comm, std::size_t& before)
{
  std::vector<Box> mine;
  for (std::int32_t i = 0; i < field.blocks; ++i)
  {
    const rivulet_block& block = field.block[i];
    Box box{ block.level };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      box.at(1 + axis) = block.begin[axis];
      box.at(4 + axis) = block.begin[axis] + block.cells[axis] - 1;
    }
    mine.push_back(box);
  }
  int ranks = 0;
  int rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  const int count = static_cast<int>(mine.size() * std::tuple_size_v<Box>);
  std::vector<int> counts(static_cast<std::size_t>(ranks));
  MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  std::vector<int> places(counts.size() + 1, 0);
  for (std::size_t i = 0; i < counts.size(); ++i)
  {
    places[i + 1] = places[i] + counts[i];
  }
  std::vector<Box> all(static_cast<std::size_t>(places.back()) / std::tuple_size_v<Box>);
  MPI_Allgatherv(mine.data(), count, MPI_INT64_T, all.data(), counts.data(), places.data(), MPI_INT64_T, comm);
  before = static_cast<std::size_t>(places[static_cast<std::size_t>(rank)]) / std::tuple_size_v<Box>;
  return all;
}

void describe(const rivulet_field& field, const std::vector<Box>& boxes, vtkOverlappingAMR& amr)
{
  std::vector<int> counts(static_cast<std::size_t>(field.levels), 0);
  for (const Box& box : boxes)
  {
    ++counts[static_cast<std::size_t>(box[0])];
  }
  set_levels(amr, counts);
  set_dimensions(amr, 3);
  amr.SetOrigin(field.origin);
  for (std::int32_t level = 0; level < field.levels; ++level)
  {
    const double spacing[3] = { spacing_of(field, level, 0), spacing_of(field, level, 1), spacing_of(field, level, 2) };
    amr.SetSpacing(static_cast<unsigned int>(level), spacing);
    if (level + 1 < field.levels)
    {
      amr.SetRefinementRatio(static_cast<unsigned int>(level), field.ratio[static_cast<std::ptrdiff_t>(3) * level]);
    }
  }
}

} // namespace

vtkSmartPointer<vtkDataObject> amr_data(const rivulet_field& field, MPI_Comm comm)
{
  std::size_t before = 0;
  const std::vector<Box> boxes = boxes_of_all(field, comm, before);
  vtkNew<vtkOverlappingAMR> amr;
  describe(field, boxes, *amr);
  std::vector<unsigned int> next(static_cast<std::size_t>(field.levels), 0);
  for (std::size_t i = 0; i < boxes.size(); ++i)
  {
    const Box& box = boxes[i];
    const auto level = static_cast<unsigned int>(box[0]);
    const unsigned int number = next[level]++;
    const auto at = [&](std::size_t place)
    {
      return static_cast<int>(box.at(place));
    };
    amr->SetAMRBox(level, number, vtkAMRBox(at(1), at(2), at(3), at(4), at(5), at(6)));
    if (i >= before && i < before + static_cast<std::size_t>(field.blocks))
    {
      vtkNew<vtkUniformGrid> patch;
      fill_block(field, field.block[i - before], Ghosts::Drop, *patch);
      amr->SetDataSet(level, number, patch);
    }
  }
  vtkAMRUtilities::BlankCells(amr);
  return amr;
}

} // namespace rivulet::insitu
