// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/TiledArray.h"

#include "Store/Memory/MemoryAccount.h"
#include "vtkAbstractArray.h"

#include <cstdlib>
#include <new>
#include <vector>

namespace rivulet
{

bool is_plain(const vtkDataArray& array)
{
  const int type = array.GetDataType();
  return array.HasStandardMemoryLayout() && (type == VTK_FLOAT || type == VTK_DOUBLE);
}

void TileMemory::take(std::int64_t bytes)
{
  MemoryAccount::process().take(MemoryUse::Tiles, bytes);
  const std::int64_t held = held_.fetch_add(bytes) + bytes;
  std::int64_t seen = peak_;
  while (seen < held && !peak_.compare_exchange_weak(seen, held))
  {
  }
}

void TileMemory::give_back(std::int64_t bytes)
{
  held_.fetch_sub(bytes);
  MemoryAccount::process().give_back(MemoryUse::Tiles, bytes);
}

TiledArray::TiledArray(vtkDataArray& array, const Grid& grid, Centering centering, const Int3& lattice_offset,
    std::shared_ptr<TileMemory> memory)
  : array_(&array)
  , memory_(std::move(memory))
{
  Variable variable{ .name = array.GetName() != nullptr ? array.GetName() : "",
    .type = array.GetDataType() == VTK_FLOAT ? ScalarType::Float32 : ScalarType::Float64,
    .components = array.GetNumberOfComponents(),
    .centering = centering };
  info_.grid = grid;
  info_.variables = { std::move(variable) };
  info_.times = { 0.0 };
  info_.ranges.resize(1);
  const Int3 lattice = grid.lattice(centering);
  const Int3 cells = grid.cells();
  held_.begin = lattice_offset;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    info_.grid.nodes[axis] += lattice_offset[axis];
    held_.end[axis] = lattice_offset[axis] + lattice[axis];
    bricks_.cells[axis] = kTileCells;
    bricks_.count[axis] = (lattice_offset[axis] + cells[axis] + kTileCells - 1) / kTileCells;
    bricks_.lattice[axis] = held_.end[axis];
  }
  memory_->expect(tile_bytes());
}

Box TiledArray::lattice_of(std::int64_t tile) const
{
  const Int3 at = from_row_major(tile, bricks_.count);
  const std::int32_t shared = info_.variables[0].centering == Centering::Node ? 1 : 0;
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = at[axis] * kTileCells;
    box.end[axis] = (at[axis] + 1) * kTileCells + shared;
  }
  return intersect(box, held_);
}

std::int64_t TiledArray::tile_bytes() const
{
  const Variable& variable = info_.variables[0];
  Int3 size = held_.size();
  for (std::int32_t& length : size)
  {
    length = std::min(length, kTileCells + (variable.centering == Centering::Node ? 1 : 0));
  }
  return volume(size) * static_cast<std::int64_t>(variable.tuple_bytes());
}

template <class Scalar>
void TiledArray::copy(const Box& box, Scalar* out) const
{
  const Int3 dims = held_.size();
  std::vector<double> tuple(static_cast<std::size_t>(array_->GetNumberOfComponents()));
  for (std::int32_t k = box.begin[2]; k < box.end[2]; ++k)
  {
    for (std::int32_t j = box.begin[1]; j < box.end[1]; ++j)
    {
      const std::int64_t first =
          row_major({ box.begin[0] - held_.begin[0], j - held_.begin[1], k - held_.begin[2] }, dims);
      for (std::int64_t i = 0; i < box.size()[0]; ++i)
      {
        array_->GetTuple(first + i, tuple.data());
        out = std::copy(tuple.begin(), tuple.end(), out);
      }
    }
  }
}

Lookup TiledArray::try_get(const BrickKey& key)
{
  const Box box = lattice_of(key.index);
  const Variable& variable = info_.variables[0];
  const std::size_t bytes = static_cast<std::size_t>(box.count()) * variable.tuple_bytes();
  void* values = std::malloc(bytes);
  if (values == nullptr)
  {
    throw std::bad_alloc();
  }
  memory_->take(tile_bytes());
  variable.type == ScalarType::Float32 ? copy(box, static_cast<float*>(values))
                                       : copy(box, static_cast<double*>(values));
  const std::int64_t row = std::int64_t{ variable.components } * box.size()[0];
  const BrickView view{ .data = values,
    .type = variable.type,
    .components = variable.components,
    .lattice = box,
    .stride = { variable.components, row, row * box.size()[1] } };
  return { Lookup::State::Ready, BrickPin(this, values, view), nullptr };
}

void TiledArray::unpin(void* token)
{
  std::free(token);
  memory_->give_back(tile_bytes());
}

} // namespace rivulet
