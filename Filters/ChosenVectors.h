// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The vectors that the user chose: an array of three components (array 0 to process), or two or three scalar arrays as
/// its components, which go before it.
///
///     Result<ChosenVectors> vectors = chosen_vectors(filter, dataset, { chosen, association, { "u", "v", "w" } });
///
/// Threads: the one that called RequestData. Lifetime: the arrays are the dataset's.
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"

#include <array>
#include <string>

class vtkAlgorithm;
class vtkDataArray;
class vtkDataSet;
class vtkDataSetAttributes;

namespace rivulet
{

struct ChosenVectors
{
  std::array<vtkDataArray*, 3> arrays{}; ///< the vectors; or scalars, nullptr for a component that is 0
  bool of_scalars = false;
  Centering centering = Centering::Node;
  std::string name; ///< in outputs

  /// The vectors, or the first of the scalars.
  [[nodiscard]] vtkDataArray& first() const { return arrays[0] != nullptr ? *arrays[0] : *arrays[1]; }
};

/// What vectors that are made of scalars are called, as Merge Vector Components does.
constexpr const char* kNameOfJoined = "Vector";
/// What the choice of a component says where there is none; so does an empty name.
constexpr const char* kNoArray = "None";

struct VectorChoice
{
  vtkDataArray* array = nullptr;           ///< what the filter's GetInputArrayToProcess(0, ...) answered
  int association = 0;                     ///< and where that lies
  std::array<std::string, 3> components{}; ///< names: of x, y, z
};

/// Without a choice of vectors the active ones, else the first array of three components, of points before cells.
/// Components lie on points if all of them do, else on cells. NotFound if there are none, BadArgument if what was
/// chosen has not 3 components (1 where components were chosen); both name what there is.
[[nodiscard]] Result<ChosenVectors> chosen_vectors(
    vtkAlgorithm& filter, vtkDataSet& dataset, const VectorChoice& choice);

/// Of points or of cells.
[[nodiscard]] vtkDataSetAttributes& attributes_of(vtkDataSet& dataset, Centering centering);

/// The array of this name, if it is one of numbers.
[[nodiscard]] vtkDataArray* array_of(vtkDataSet& dataset, const char* name, Centering centering);

/// Fails unless `array`, of `block`, may be taken for the same as `like`, of another: NotFound if there is none,
/// BadArgument if it has other components.
[[nodiscard]] Result<void> check_same_array(
    vtkDataArray* array, vtkDataArray& like, Centering centering, const std::string& block);

/// The vectors of another block. Fails as check_same_array() does.
[[nodiscard]] Result<ChosenVectors> same_vectors(
    vtkDataSet& dataset, const ChosenVectors& vectors, const std::string& block);

} // namespace rivulet
