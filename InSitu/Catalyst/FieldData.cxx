// SPDX-License-Identifier: BSD-3-Clause
#include "Catalyst/FieldData.h"

#include "Catalyst/AmrData.h"
#include "Catalyst/BlockData.h"
#include "vtkInformation.h"
#include "vtkMultiBlockDataSet.h"
#include "vtkNew.h"

#include <limits>

namespace rivulet::insitu
{

namespace
{

/// Why VTK cannot hold the field; empty if it can. The same on all ranks.
std::string why_not(const rivulet_field& field)
{
  const std::string name = std::string("the field \"") + field.name + "\" ";
  if (field.levels > 1 && field.centring == RIVULET_NODES)
  {
    return name + "has values at the nodes of AMR patches, which vtkOverlappingAMR has no place for; publish cells";
  }
  for (std::int32_t level = 0; level + 1 < field.levels; ++level)
  {
    const std::int32_t* ratio = field.ratio + static_cast<std::ptrdiff_t>(3) * level;
    if (ratio[0] != ratio[1] || ratio[0] != ratio[2])
    {
      return name + "is refined more along one axis than along another, which vtkOverlappingAMR cannot describe";
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    auto cells = static_cast<double>(field.cells[axis]); // of the finest level, which may be too many for an integer
    for (std::int32_t level = 0; level + 1 < field.levels; ++level)
    {
      cells *= field.ratio[static_cast<std::size_t>(3 * level) + axis];
    }
    if (cells >= std::numeric_limits<int>::max())
    {
      return name + "has more cells along an axis of a level than VTK can count";
    }
  }
  return {};
}

/// Blocks of all ranks in the order of the ranks. Blocks of other ranks are empty.
vtkSmartPointer<vtkDataObject> many_blocks(const rivulet_field& field, MPI_Comm comm)
{
  int mine = field.blocks;
  int before = 0;
  int all = 0;
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Exscan(&mine, &before, 1, MPI_INT, MPI_SUM, comm);
  before = rank == 0 ? 0 : before; // MPI leaves it undefined
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, comm);
  vtkNew<vtkMultiBlockDataSet> blocks;
  blocks->SetNumberOfBlocks(static_cast<unsigned int>(all));
  for (int i = 0; i < mine; ++i)
  {
    blocks->SetBlock(static_cast<unsigned int>(before + i), block_data(field, field.block[i]));
  }
  return blocks;
}

} // namespace

FieldData field_data(const rivulet_field& field, MPI_Comm comm)
{
  FieldData result;
  result.error = why_not(field);
  if (!result.error.empty())
  {
    return result;
  }
  if (field.levels > 1)
  {
    result.data = amr_data(field, comm);
    return result;
  }
  int most = field.blocks;
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, comm);
  if (most > 1)
  {
    result.data = many_blocks(field, comm);
    return result;
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    result.whole[2 * axis] = 0;
    result.whole[2 * axis + 1] = static_cast<int>(field.cells[axis]);
  }
  result.data = field.blocks > 0 ? block_data(field, field.block[0]) : empty_data(field);
  return result;
}

} // namespace rivulet::insitu
