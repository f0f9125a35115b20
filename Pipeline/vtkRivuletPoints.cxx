// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletPoints.h"

#include "Pipeline/LazyField.h"
#include "vtkObjectFactory.h"
#include "vtkRivuletArray.h"

#include <algorithm>

vtkStandardNewMacro(vtkRivuletPoints);

namespace
{

/// The box around the bricks with any of the nodes. Fails as reading the table of bounds does.
rivulet::Result<rivulet::WorldBox> box_around(rivulet::FileBricks& source, const rivulet::ValueBlock& block)
{
  using rivulet::Result;
  const rivulet::FieldInfo& info = source.info();
  const rivulet::ValueRanges& all = info.ranges[static_cast<std::size_t>(block.variable)];
  const rivulet::BrickGrid& bricks = source.bricks(block.variable);
  const bool whole = block.box == rivulet::Box{ { 0, 0, 0 }, bricks.lattice };
  if (whole && info.stored_steps(block.variable) == 1 && all.components.size() == 3)
  {
    const auto& [x, y, z] = std::tie(all.components[0], all.components[1], all.components[2]);
    return rivulet::WorldBox{ { x[0], y[0], z[0] }, { x[1], y[1], z[1] } };
  }
  const Result<std::vector<rivulet::PlacesMeasure>> places = source.brick_places(block.step);
  if (!places)
  {
    return tl::unexpected(places.error());
  }
  rivulet::WorldBox box = rivulet::WorldBox::nothing();
  for (std::size_t number = 0; number < places->size(); ++number)
  {
    const rivulet::Int3 at = rivulet::from_row_major(static_cast<std::int64_t>(number), bricks.count);
    rivulet::Box nodes;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      nodes.begin[axis] = at[axis] * bricks.cells[axis];
      nodes.end[axis] = std::min(nodes.begin[axis] + bricks.cells[axis] + 1, bricks.lattice[axis]);
    }
    if (!intersect(nodes, block.box).empty())
    {
      box.add((*places)[number].box);
    }
  }
  return box;
}

template <class T>
vtkSmartPointer<vtkDataArray> make_array(
    const std::shared_ptr<rivulet::LazyField>& field, const rivulet::ValueBlock& block)
{
  const auto array = vtkSmartPointer<vtkRivuletArray<T>>::New();
  array->SetBlock(field, block);
  return array;
}

} // namespace

void vtkRivuletPoints::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Bounds known from the file: " << (this->HasKnownBounds() ? "yes" : "no") << "\n";
}

void vtkRivuletPoints::SetBlock(const std::shared_ptr<rivulet::LazyField>& field, const rivulet::ValueBlock& block)
{
  const bool floats =
      field->info().variables[static_cast<std::size_t>(block.variable)].type == rivulet::ScalarType::Float32;
  this->SetData(floats ? make_array<float>(field, block) : make_array<double>(field, block));
  this->Known = 0;
  if (const auto box = box_around(*field->source(), block); box && !box->empty())
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      this->KnownBounds[2 * axis] = box->lower[axis];
      this->KnownBounds[2 * axis + 1] = box->upper[axis];
    }
    this->Known = this->Data->GetMTime();
  }
}

bool vtkRivuletPoints::HasKnownBounds() const
{
  return this->Known != 0 && this->Data->GetMTime() == this->Known;
}

void vtkRivuletPoints::ComputeBounds()
{
  if (!this->HasKnownBounds())
  {
    this->Superclass::ComputeBounds();
    return;
  }
  std::copy_n(this->KnownBounds, 6, this->Bounds);
  this->ComputeTime.Modified();
}
