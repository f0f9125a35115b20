// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What an input was when a result was made from it, to know whether the result would be the same again. ParaView asks
/// again for more reasons than a change of data: another time that means the same step, other pieces, ghost layers.
///
///     const InputMark now(*input);
///     if (now == mark_of_result_) ...   // equal marks: the same values. A mark that was not made equals none.
///
/// Marks compare geometry by value, and arrays by what they are: paged ones by field, variable, step and place, others
/// by object and time of change. Filters between hand arrays on, so datasets and blocks may be other objects. A mark
/// keeps none of these alive.
///
/// Threads: the one that called RequestData.
#pragma once

#include "vtkDataObject.h"
#include "vtkWeakPointer.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

class vtkDataSet;
class vtkDataSetAttributes;

namespace rivulet
{

class LazyField;

class InputMark
{
public:
  InputMark() = default;
  explicit InputMark(vtkDataObject& input);

  [[nodiscard]] bool operator==(const InputMark& other) const;

private:
  struct Array
  {
    int place = 0; ///< which block's points or cells it belongs to
    std::string name;
    vtkWeakPointer<vtkObject> object;
    vtkMTimeType changed = 0;
    std::weak_ptr<LazyField> field; ///< of a paged array; then object and time do not matter
    std::array<int, 8> values{};    ///< variable, step, first lattice point and size
  };

  void add(vtkDataObject* block, int number);
  void add_geometry(vtkDataSet& dataset);
  void add_arrays(vtkDataSetAttributes& attributes, int place);
  [[nodiscard]] static bool same(const Array& a, const Array& b);

  std::vector<double> geometry_; ///< and which arrays are active
  std::vector<Array> arrays_;
};

} // namespace rivulet
