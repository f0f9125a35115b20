// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The regions of a source-destination query as the user chose them, and the surfaces of their ports, which must not
/// move.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Filters/Seeds/FlowRegions.h"
#include "Filters/Seeds/StillInputs.h"
#include "vtkDataObject.h"
#include "vtkImplicitFunction.h"
#include "vtkSmartPointer.h"

#include <optional>
#include <string>
#include <vector>

class vtkInformationVector;

namespace rivulet
{

/// The user's choice of regions: sources or destinations.
struct RegionChoice
{
  enum class Kind : std::int32_t
  {
    Function = 0,
    Surfaces = 1,
    Labels = 2
  };
  std::string role; ///< in messages, such as "source"
  Kind kind = Kind::Function;
  vtkSmartPointer<vtkImplicitFunction> function;
  std::string label_array;
  std::vector<int> labels; ///< none: all values of the array but 0
};

class RegionInputs
{
public:
  void set(RegionChoice choice) { choice_ = std::move(choice); }
  [[nodiscard]] const RegionChoice& choice() const { return choice_; }

  /// Looks whether the surfaces of a port stay where they are; see StillInputs::look().
  [[nodiscard]] Result<std::optional<double>> look(
      vtkInformationVector& port, double asked, const std::array<double, 2>& range, bool anew);
  /// Takes the surfaces of a port. Returns their last change.
  vtkMTimeType take(vtkInformationVector& port);

  /// Makes the regions. `input`: with the labels; `field`: its grid. Fails with BadArgument or Unsupported.
  [[nodiscard]] Result<void> make(vtkDataObject* input, const TraceField& field);
  /// Fails with Unsupported if the input has other labels at a time than when the regions were made.
  [[nodiscard]] Result<void> check_labels(vtkDataObject& input, double time) const;

  [[nodiscard]] const FlowRegions& regions() const { return regions_; }

private:
  RegionChoice choice_;
  StillInputs still_;
  std::vector<vtkSmartPointer<vtkDataObject>> surfaces_;
  FlowRegions regions_;
};

} // namespace rivulet
