// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Mark of an input at the time of a result: equal marks mean equal values, so that another run would give the same
/// result. ParaView often requests data again without a change: another time of the same step, other pieces or ghost
/// layers.
///
///     const InputMark now(*input);
///     if (now == mark_of_result_) ...   // a default-constructed mark equals no mark
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
    std::weak_ptr<LazyField> field; ///< field of a lazily paged array; then object and time are not compared
    std::array<int, 8> values{};    ///< variable, step, first lattice point and size
  };

  void add(vtkDataObject* block, int number);
  void add_geometry(vtkDataSet& dataset);
  void add_arrays(vtkDataSetAttributes& attributes, int place);
  [[nodiscard]] static bool same(const Array& a, const Array& b);

  std::vector<double> geometry_; ///< geometry, and numbers of the active arrays
  std::vector<Array> arrays_;
};

} // namespace rivulet
