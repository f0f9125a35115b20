// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Vectors that the user chose: an array of three components (array 0 to process), or two or three scalar arrays as
/// components. Scalar arrays take precedence.
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
  std::array<vtkDataArray*, 3> arrays{}; ///< the vectors, or scalars with nullptr for a component that is 0
  bool of_scalars = false;
  Centering centering = Centering::Node;
  std::string name;          ///< name in outputs
  double ignore_above = 0.0; ///< components with larger absolute values stand for missing values; 0: none do

  /// The vectors, or the first of the scalars.
  [[nodiscard]] vtkDataArray& first() const { return arrays[0] != nullptr ? *arrays[0] : *arrays[1]; }
};

/// Name of vectors that are made of scalars; the name that Merge Vector Components gives.
constexpr const char* kNameOfJoined = "Vector";
/// Name that stands for no array in the choice of a component, like an empty name.
constexpr const char* kNoArray = "None";

struct VectorChoice
{
  vtkDataArray* array = nullptr;           ///< answer of the filter's GetInputArrayToProcess(0, ...)
  int association = 0;                     ///< association of that array
  std::array<std::string, 3> components{}; ///< names of the x, y and z components
  double ignore_above = 0.0;               ///< see ChosenVectors
};

/// Without a choice these are the active vectors, else the first array of three components, points before cells.
/// Components are point arrays if all of them are, else cell arrays. Fails with NotFound if there are none, with
/// BadArgument if the chosen array does not have 3 components (1 for components); the messages name the arrays.
[[nodiscard]] Result<ChosenVectors> chosen_vectors(
    vtkAlgorithm& filter, vtkDataSet& dataset, const VectorChoice& choice);

/// Attributes of points or of cells.
[[nodiscard]] vtkDataSetAttributes& attributes_of(vtkDataSet& dataset, Centering centering);

/// Numeric array of this name; nullptr if there is none.
[[nodiscard]] vtkDataArray* array_of(vtkDataSet& dataset, const char* name, Centering centering);

/// Checks that `array` of `block` can stand for `like` of another block. Fails with NotFound if `array` is nullptr,
/// with BadArgument if its components differ.
[[nodiscard]] Result<void> check_same_array(
    vtkDataArray* array, vtkDataArray& like, Centering centering, const std::string& block);

/// Vectors of another block. Fails as check_same_array() does.
[[nodiscard]] Result<ChosenVectors> same_vectors(
    vtkDataSet& dataset, const ChosenVectors& vectors, const std::string& block);

} // namespace rivulet
