// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/ChosenVectors.h"

#include "vtkAlgorithm.h"
#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkInformation.h"
#include "vtkPointData.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace rivulet
{

vtkDataSetAttributes& attributes_of(vtkDataSet& dataset, Centering centering)
{
  return centering == Centering::Cell ? static_cast<vtkDataSetAttributes&>(*dataset.GetCellData())
                                      : static_cast<vtkDataSetAttributes&>(*dataset.GetPointData());
}

namespace
{

struct PlacedArray
{
  vtkDataArray* array = nullptr;
  Centering centering = Centering::Node;
};

/// Arrays with this number of components, point arrays first. Of scalars only floats and doubles: ids and flags are no
/// components of a velocity.
std::vector<PlacedArray> arrays_of(vtkDataSet& dataset, int components)
{
  std::vector<PlacedArray> found;
  for (const Centering centering : { Centering::Node, Centering::Cell })
  {
    vtkDataSetAttributes& attributes = attributes_of(dataset, centering);
    for (int i = 0; i < attributes.GetNumberOfArrays(); ++i)
    {
      vtkDataArray* array = attributes.GetArray(i);
      if (array != nullptr && array->GetNumberOfComponents() == components &&
          (components != 1 || array->GetDataType() == VTK_FLOAT || array->GetDataType() == VTK_DOUBLE))
      {
        found.push_back({ array, centering });
      }
    }
  }
  return found;
}

std::string name_of(vtkDataArray& array)
{
  return array.GetName() != nullptr ? array.GetName() : "";
}

std::string list(const std::vector<PlacedArray>& arrays)
{
  constexpr std::size_t most = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(arrays.size(), most); ++i)
  {
    names += (i > 0 ? ", \"" : "\"") + name_of(*arrays[i].array) +
             (arrays[i].centering == Centering::Cell ? "\" (cells)" : "\" (points)");
  }
  return names + (arrays.size() > most ? ", ..." : "");
}

/// Whether three scalars may be the components of a vector.
bool has_components(const std::vector<PlacedArray>& scalars)
{
  const auto cells = std::count_if(
      scalars.begin(), scalars.end(), [](const PlacedArray& scalar) { return scalar.centering == Centering::Cell; });
  return cells >= 3 || static_cast<std::ptrdiff_t>(scalars.size()) - cells >= 3;
}

/// Whether there is any array of numbers beside marks of hidden points or cells.
bool has_arrays(vtkDataSet& dataset)
{
  for (const Centering centering : { Centering::Node, Centering::Cell })
  {
    vtkDataSetAttributes& attributes = attributes_of(dataset, centering);
    for (int i = 0; i < attributes.GetNumberOfArrays(); ++i)
    {
      const char* name = attributes.GetArrayName(i);
      if (attributes.GetArray(i) != nullptr && (name == nullptr || std::strcmp(name, attributes.GhostArrayName()) != 0))
      {
        return true;
      }
    }
  }
  return false;
}

std::string remedy(vtkDataSet& dataset)
{
  if (!has_arrays(dataset))
  {
    return "the input has no array at all: tick arrays in the panel of the reader, and apply it";
  }
  const std::vector<PlacedArray> vectors = arrays_of(dataset, 3);
  const std::vector<PlacedArray> scalars = arrays_of(dataset, 1);
  const bool components = has_components(scalars);
  if (vectors.empty() && !components)
  {
    return "make one with Calculator";
  }
  const std::string of_scalars = "its components under X Array, Y Array and Z Array, among " + list(scalars);
  if (vectors.empty())
  {
    return "choose " + of_scalars;
  }
  return "choose under Vectors " + list(vectors) + (components ? ", or " + of_scalars : "");
}

std::string components_text(vtkDataArray& array)
{
  const int count = array.GetNumberOfComponents();
  return std::to_string(count) + (count == 1 ? " component" : " components");
}

const char* where(Centering centering)
{
  return centering == Centering::Cell ? "on cells" : "on points";
}

std::string label_of(std::size_t axis)
{
  return std::string(1, static_cast<char>('X' + axis)) + " Array";
}

using Components = std::array<std::string, 3>;

/// Arrays of the chosen components with this centering; nullptr for the others.
std::array<vtkDataArray*, 3> find(vtkDataSet& dataset, const Components& names, Centering centering)
{
  std::array<vtkDataArray*, 3> found{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    found[axis] = names[axis].empty() ? nullptr : attributes_of(dataset, centering).GetArray(names[axis].c_str());
  }
  return found;
}

Error no_such_component(vtkDataSet& dataset, const Components& names, std::size_t axis, const std::string& what)
{
  const std::string there = list(arrays_of(dataset, 1));
  Error error;
  error.code = ErrorCode::BadArgument;
  error.what = label_of(axis) + " is \"" + names[axis] + "\"" + what;
  error.remedy =
      there.empty() ? "set " + label_of(axis) + " to None" : "choose under " + label_of(axis) + " one of " + there;
  return error;
}

/// Axis of the first chosen component without an array of this centering; 3 if there is none.
std::size_t first_missing(vtkDataSet& dataset, const Components& names, Centering centering)
{
  const std::array<vtkDataArray*, 3> found = find(dataset, names, centering);
  std::size_t axis = 0;
  while (axis < 3 && (names[axis].empty() || found[axis] != nullptr))
  {
    ++axis;
  }
  return axis;
}

/// Centering of the chosen components. Fails unless all are point arrays or all are cell arrays.
Result<Centering> place_of(vtkDataSet& dataset, const Components& names)
{
  const std::size_t not_on_points = first_missing(dataset, names, Centering::Node);
  const std::size_t not_on_cells = first_missing(dataset, names, Centering::Cell);
  if (not_on_points == 3 || not_on_cells == 3)
  {
    return not_on_points == 3 ? Centering::Node : Centering::Cell;
  }
  const std::array<vtkDataArray*, 3> points = find(dataset, names, Centering::Node);
  const std::array<vtkDataArray*, 3> cells = find(dataset, names, Centering::Cell);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (!names[axis].empty() && points[axis] == nullptr && cells[axis] == nullptr)
    {
      return tl::unexpected(no_such_component(dataset, names, axis, ", and the input has no such array of numbers"));
    }
  }
  return fail(ErrorCode::BadArgument,
      label_of(not_on_cells) + " \"" + names[not_on_cells] + "\" lies on points and " + label_of(not_on_points) +
          " \"" + names[not_on_points] + "\" on cells",
      "choose arrays that lie on the same, or use Point Data To Cell Data");
}

Result<ChosenVectors> chosen_components(vtkDataSet& dataset, const Components& names)
{
  Result<Centering> centering = place_of(dataset, names);
  if (!centering)
  {
    return forward_error(centering);
  }
  const ChosenVectors vectors{
    .arrays = find(dataset, names, *centering), .of_scalars = true, .centering = *centering, .name = kNameOfJoined
  };
  std::size_t last = 0;
  std::ptrdiff_t count = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    vtkDataArray* array = vectors.arrays[axis];
    if (array != nullptr && array->GetNumberOfComponents() != 1)
    {
      return tl::unexpected(
          no_such_component(dataset, names, axis, ", which has " + components_text(*array) + ", not one"));
    }
    last = array != nullptr ? axis : last;
    count += array != nullptr ? 1 : 0;
  }
  if (count == 1)
  {
    return fail(ErrorCode::BadArgument,
        "of the components of the vectors only " + label_of(last) + " \"" + names[last] + "\" is chosen",
        "choose another one, too (the third may be None, which is 0), or set " + label_of(last) +
            " to None to follow Vectors");
  }
  return vectors;
}

Result<ChosenVectors> chosen(vtkAlgorithm& filter, vtkDataSet& dataset, const VectorChoice& choice)
{
  Components components = choice.components;
  std::replace(components.begin(), components.end(), std::string(kNoArray), std::string());
  if (std::any_of(components.begin(), components.end(), [](const std::string& name) { return !name.empty(); }))
  {
    return chosen_components(dataset, components);
  }
  vtkInformation* information = filter.GetInputArrayInformation(0);
  const char* named =
      information->Has(vtkDataObject::FIELD_NAME()) ? information->Get(vtkDataObject::FIELD_NAME()) : nullptr;
  const std::string name = named != nullptr ? named : "";
  vtkDataArray* chosen = choice.array;
  const Centering centering =
      choice.association == vtkDataObject::FIELD_ASSOCIATION_CELLS ? Centering::Cell : Centering::Node;
  if (chosen != nullptr && chosen->GetNumberOfComponents() == 3)
  {
    return ChosenVectors{ .arrays = { chosen }, .centering = centering, .name = name_of(*chosen) };
  }
  if (chosen != nullptr)
  {
    return fail(ErrorCode::BadArgument,
        "the array \"" + name_of(*chosen) + "\" " + where(centering) + " has " + components_text(*chosen) +
            ", vectors have 3",
        remedy(dataset));
  }
  if (!name.empty())
  {
    return fail(
        ErrorCode::NotFound, "the input has no array \"" + name + "\" of numbers " + where(centering), remedy(dataset));
  }
  const std::vector<PlacedArray> there = arrays_of(dataset, 3);
  if (there.empty())
  {
    return fail(ErrorCode::NotFound, "the input has no vector array to follow", remedy(dataset));
  }
  return ChosenVectors{
    .arrays = { there.front().array }, .centering = there.front().centering, .name = name_of(*there.front().array)
  };
}

} // namespace

Result<ChosenVectors> chosen_vectors(vtkAlgorithm& filter, vtkDataSet& dataset, const VectorChoice& choice)
{
  Result<ChosenVectors> vectors = chosen(filter, dataset, choice);
  if (vectors)
  {
    vectors->ignore_above = choice.ignore_above;
  }
  return vectors;
}

vtkDataArray* array_of(vtkDataSet& dataset, const char* name, Centering centering)
{
  return attributes_of(dataset, centering).GetArray(name);
}

Result<void> check_same_array(vtkDataArray* array, vtkDataArray& like, Centering centering, const std::string& block)
{
  const std::string name = like.GetName() != nullptr ? like.GetName() : "";
  if (array == nullptr)
  {
    return fail(ErrorCode::NotFound, block + " of the input has no array \"" + name + "\" " + where(centering),
        "choose one that all blocks have, or leave the block out with Extract Block");
  }
  if (array->GetNumberOfComponents() != like.GetNumberOfComponents())
  {
    return fail(ErrorCode::BadArgument,
        "the array \"" + name + "\" of " + block + " has " + std::to_string(array->GetNumberOfComponents()) +
            " components, in other blocks it has " + std::to_string(like.GetNumberOfComponents()),
        "check the filter that made it, or leave the block out with Extract Block");
  }
  return {};
}

Result<ChosenVectors> same_vectors(vtkDataSet& dataset, const ChosenVectors& vectors, const std::string& block)
{
  ChosenVectors same = vectors;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (vtkDataArray* like = vectors.arrays[axis]; like != nullptr)
    {
      same.arrays[axis] = like->GetName() != nullptr ? array_of(dataset, like->GetName(), vectors.centering) : nullptr;
      if (Result<void> good = check_same_array(same.arrays[axis], *like, vectors.centering, block); !good)
      {
        return forward_error(good);
      }
    }
  }
  return same;
}

} // namespace rivulet
