// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/FlowInput.h"

#include "Filters/Input/FillValues.h"
#include "vtkDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace rivulet
{

namespace
{

bool interpolates(vtkDataSetAttributes& attributes, vtkDataArray* array)
{
  return array != nullptr && array->GetName() != nullptr && array != attributes.GetGlobalIds() &&
         std::strcmp(array->GetName(), vtkDataSetAttributes::GhostArrayName()) != 0;
}

} // namespace

Result<FlowInput> FlowInput::open(std::unique_ptr<InputKind> kind, const ChosenVectors& vectors)
{
  FlowInput flow;
  flow.kind_ = std::move(kind);
  flow.vectors_ = vectors;
  flow.centering_ = flow.kind_->centering_of(vectors);
  Result<void> good = flow.kind_->describe(flow.field_, vectors);
  good = good ? flow.follow(vectors) : std::move(good);
  return good ? Result<FlowInput>(std::move(flow)) : forward_error(good);
}

Result<FlowInput> FlowInput::open_again(Result<std::unique_ptr<InputKind>> kind, const ChosenVectors& vectors)
{
  Result<FlowInput> flow = kind ? open(std::move(*kind), vectors) : forward_error(kind);
  Result<void> added = flow ? flow->add_point_arrays() : forward_error(flow);
  return added ? std::move(flow) : forward_error(added);
}

Result<FlowInput> FlowInput::joined() const
{
  return open_again(kind_->joined(), vectors_);
}

Result<FlowInput> FlowInput::cut_into(std::shared_ptr<const AmrMesh> bricks) const
{
  return open_again(kind_->cut_into(std::move(bricks)), vectors_);
}

bool FlowInput::cut_like(const FlowInput& other) const
{
  if (field_.foreign != nullptr)
  {
    return true; // rows are not cut
  }
  const auto cells_of = [](const SourceArray& array)
  {
    return array.source->bricks(array.variable).cells;
  };
  const auto like = [&](const AttributeRequest& attribute)
  {
    const std::vector<AttributeRequest>& all = other.field_.attributes;
    const auto same =
        std::find_if(all.begin(), all.end(), [&](const AttributeRequest& each) { return each.name == attribute.name; });
    return same == all.end() || cells_of(same->array) == cells_of(attribute.array);
  };
  return field_.lattice_offset == other.field_.lattice_offset &&
         cells_of(field_.velocity) == cells_of(other.field_.velocity) &&
         std::all_of(field_.attributes.begin(), field_.attributes.end(), like);
}

/// Adds the velocity. Joined from scalars at nodes, it is an attribute, too: the output needs the array.
Result<void> FlowInput::follow(const ChosenVectors& vectors)
{
  const bool as_it_is = !vectors.of_scalars && vectors.ignore_above == 0.0;
  Result<SourceArray> added = as_it_is ? kind_->add_once(sources_, field_, vectors.first(), vectors.centering)
                                       : kind_->add_joined(sources_, field_, vectors);
  if (!added)
  {
    return forward_error(added);
  }
  field_.velocity = *added;
  if (vectors.of_scalars && centering_ == Centering::Node)
  {
    const bool floats = field_.velocity.source->info().variables.front().type == ScalarType::Float32;
    like_joined_.TakeReference(vtkDataArray::CreateDataArray(floats ? VTK_FLOAT : VTK_DOUBLE));
    like_joined_->SetName(vectors.name.c_str());
    like_joined_->SetNumberOfComponents(3);
    field_.attributes.push_back({ vectors.name, field_.velocity });
    point_arrays_.push_back(like_joined_);
  }
  return {};
}

std::vector<Error> FlowInput::suspects() const
{
  std::vector<Error> found;
  vtkDataSetAttributes& attributes = attributes_of(kind_->first(), vectors_.centering);
  vtkDataArray* const ghosts = attributes.GetArray(vtkDataSetAttributes::GhostArrayName());
  for (vtkDataArray* array : vectors_.arrays)
  {
    if (array == nullptr)
    {
      continue;
    }
    if (std::optional<Error> suspect = suspect_fill_values(*array, vectors_.ignore_above, ghosts))
    {
      found.push_back(std::move(*suspect));
    }
  }
  return found;
}

void FlowInput::read_from(const BrickSource& before, BrickSource& now)
{
  const auto change = [&](SourceArray& array)
  {
    array.source = array.source == &before ? &now : array.source;
  };
  change(field_.velocity);
  for (AttributeRequest& attribute : field_.attributes)
  {
    change(attribute.array);
  }
}

Result<void> FlowInput::add_point_arrays()
{
  Result<void> added = add_arrays(Centering::Node);
  find_others(Centering::Node);
  if (added && kind_->interpolates_cells())
  {
    added = add_arrays(Centering::Cell);
    find_others(Centering::Cell);
  }
  return added;
}

Result<void> FlowInput::add_arrays(Centering centering)
{
  vtkDataSetAttributes& attributes = attributes_of(kind_->first(), centering);
  for (int i = 0; i < attributes.GetNumberOfArrays(); ++i)
  {
    vtkDataArray* array = attributes.GetArray(i);
    const auto same_name = [&](const AttributeRequest& other)
    {
      return other.name == array->GetName();
    };
    if (!interpolates(attributes, array) ||
        std::any_of(field_.attributes.begin(), field_.attributes.end(), same_name) || !all_have(*array, centering))
    {
      continue;
    }
    Result<SourceArray> added = kind_->add_once(sources_, field_, *array, centering);
    if (!added)
    {
      return forward_error(added);
    }
    field_.attributes.push_back({ array->GetName(), *added });
    point_arrays_.push_back(&common(*array, centering));
  }
  return {};
}

/// Whether all blocks have the array. If not, left_out_ gets a message that names a block without it.
bool FlowInput::all_have(vtkDataArray& array, Centering centering)
{
  for (const InputBlock& each : kind_->blocks())
  {
    vtkDataArray* values = array_of(*each.dataset, array.GetName(), centering);
    if (Result<void> same = check_same_array(values, array, centering, each.name); !same)
    {
      left_out_.push_back(same.error().what);
      return false;
    }
  }
  return true;
}

/// Adds a message to left_out_ for each array of other blocks that the first block does not have.
void FlowInput::find_others(Centering centering)
{
  std::set<std::string> seen;
  for (const InputBlock& each : kind_->blocks())
  {
    auto& attributes = attributes_of(*each.dataset, centering);
    for (int i = 0; i < attributes.GetNumberOfArrays(); ++i)
    {
      vtkDataArray* array = attributes.GetArray(i);
      if (interpolates(attributes, array) && array_of(kind_->first(), array->GetName(), centering) == nullptr &&
          seen.insert(array->GetName()).second)
      {
        left_out_.push_back("the first block of the input has no array \"" + std::string(array->GetName()) + '"');
      }
    }
  }
}

/// The array, or one like it if its type differs between blocks.
vtkDataArray& FlowInput::common(vtkDataArray& array, Centering centering)
{
  const auto like = vtkSmartPointer<vtkDoubleArray>::New();
  vtkDataArray& found = common_array(kind_->blocks(), array, centering, *like);
  if (&found == like)
  {
    likes_.emplace_back(like);
  }
  return found;
}

int FlowInput::attribute_type(vtkDataArray& array) const
{
  const auto is_used = [&](Centering centering, int type)
  {
    vtkDataSetAttributes& attributes = attributes_of(kind_->first(), centering);
    const vtkAbstractArray* used = attributes.GetAbstractAttribute(type);
    return used != nullptr && used == attributes.GetAbstractArray(array.GetName());
  };
  for (int type = 0; type < vtkDataSetAttributes::NUM_ATTRIBUTES; ++type)
  {
    if ((kind_->interpolates_cells() && is_used(Centering::Cell, type)) || is_used(Centering::Node, type))
    {
      return type;
    }
  }
  return -1;
}

} // namespace rivulet
