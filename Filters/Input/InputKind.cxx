// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/InputKind.h"

#include "vtkDataArray.h"

#include <algorithm>

namespace rivulet
{

Result<std::unique_ptr<InputKind>> InputKind::joined() const
{
  return fail(ErrorCode::Unsupported, "time steps of this input cannot be joined into bricks of one cut");
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): kinds with levels keep it
Result<std::unique_ptr<InputKind>> InputKind::cut_into(std::shared_ptr<const AmrMesh>) const
{
  return fail(ErrorCode::Unsupported, "the input has no levels that could be cut into bricks of another mesh");
}

Result<SourceArray> InputKind::add_once(
    InputSources& sources, const TraceField& field, vtkDataArray& array, Centering centering)
{
  if (const SourceArray* const kept = sources.kept(array, centering))
  {
    return *kept;
  }
  Result<SourceArray> added = add(sources, field, array, centering);
  if (added)
  {
    sources.keep(array, centering, *added);
  }
  return added;
}

vtkDataArray& common_array(
    const std::vector<InputBlock>& blocks, vtkDataArray& array, Centering centering, vtkDataArray& like)
{
  const bool same = std::all_of(blocks.begin(), blocks.end(),
      [&](const InputBlock& each)
      {
        const vtkDataArray* other = array_of(*each.dataset, array.GetName(), centering);
        return other == nullptr || other->GetDataType() == array.GetDataType();
      });
  if (same)
  {
    return array;
  }
  like.SetName(array.GetName());
  like.SetNumberOfComponents(array.GetNumberOfComponents());
  like.CopyComponentNames(&array);
  return like;
}

double longest_side_of(const std::array<double, 6>& bounds)
{
  return std::max({ 0.0, bounds[1] - bounds[0], bounds[3] - bounds[2], bounds[5] - bounds[4] });
}

} // namespace rivulet
