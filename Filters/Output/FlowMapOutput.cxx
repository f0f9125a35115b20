// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Output/FlowMapOutput.h"

#include "vtkDoubleArray.h"
#include "vtkIntArray.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkUnsignedCharArray.h"

#include <limits>

namespace rivulet
{

namespace
{

constexpr Vec3 kNowhere{ std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN(),
  std::numeric_limits<double>::quiet_NaN() };

/// Hands an array of one byte a node over to the data of points.
void add_flags(const char* name, Buffer<unsigned char>& flags, vtkPointData& data)
{
  vtkNew<vtkUnsignedCharArray> array;
  array->SetName(name);
  const auto nodes = static_cast<vtkIdType>(flags.size());
  if (nodes > 0)
  {
    array->SetVoidArray(flags.release(), nodes, 0, vtkAbstractArray::VTK_DATA_ARRAY_FREE);
  }
  data.AddArray(array);
}

} // namespace

void fill_exponents(ExponentChunks& chunks, std::int64_t nodes, vtkPointData& output)
{
  vtkNew<vtkDoubleArray> exponents;
  exponents->SetName("FTLE");
  if (nodes > 0)
  {
    exponents->SetVoidArray(chunks.exponents().release(), nodes, 0, vtkAbstractArray::VTK_DATA_ARRAY_FREE);
  }
  output.SetScalars(exponents);
}

void fill_ends(ExponentChunks& chunks, std::int64_t nodes, vtkPointData& output)
{
  vtkNew<vtkDoubleArray> ends;
  ends->SetName("FlowMap");
  ends->SetNumberOfComponents(3);
  ends->SetNumberOfTuples(nodes);
  vtkNew<vtkIntArray> reasons;
  reasons->SetName("ReasonForTermination");
  reasons->SetNumberOfTuples(nodes);
  for (vtkIdType i = 0; i < nodes; ++i)
  {
    const EndState& end = chunks.ends()[static_cast<std::size_t>(i)];
    const bool none = end.reason == Termination::None;
    ends->SetTuple(i, none ? kNowhere.data() : end.point.data());
    reasons->SetValue(i, static_cast<int>(end.reason));
  }
  output.AddArray(ends);
  output.AddArray(reasons);
}

void fill_estimates(ExponentChunks& chunks, vtkPointData& output)
{
  add_flags("Traced", chunks.traced(), output);
  add_flags("Estimated", chunks.estimated(), output);
}

} // namespace rivulet
