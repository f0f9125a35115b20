// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Mark of an input at the time of a result, to know whether another run would give the same result. ParaView also asks
/// again without a change of data: for another time with the same step, other pieces, ghost layers.
///
///     const InputMark now(*input);
///     if (now == mark_of_result_) ...   // equal marks: the same values. A mark that was not made equals none.
///
/// Marks compare geometry by value, lazily paged arrays by field, variable, step and place, other arrays by object and
/// time of modification. Datasets and blocks may be other objects, because filters in between pass arrays on. A mark
/// keeps no object alive.
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
    int place = 0; ///< twice the number of the block, plus 1 for cells
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
