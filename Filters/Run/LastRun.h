// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Marks of everything that a result depends on, and its statistics: the result is given again while they are the same.
#pragma once

#include "Filters/Input/InputMark.h"
#include "vtkFieldData.h"
#include "vtkSmartPointer.h"

namespace rivulet
{

struct LastRun
{
  vtkMTimeType settings = 0; ///< MTime of the filter
  InputMark input;
  vtkSmartPointer<vtkFieldData> statistics;
  bool unfinished = false;

  /// Whether another run with these settings and this input would give the same result.
  [[nodiscard]] bool is_of(vtkMTimeType now, vtkDataObject& data) const
  {
    return settings == now && input == InputMark(data);
  }
};

} // namespace rivulet
