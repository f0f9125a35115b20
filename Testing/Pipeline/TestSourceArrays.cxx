// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/GridConversion.h"
#include "Pipeline/LazyField.h"
#include "Pipeline/SourceArrays.h"
#include "Support/AnalyticBricks.h"
#include "vtkDoubleArray.h"
#include "vtkFloatArray.h"
#include "vtkIntArray.h"
#include "vtkNew.h"
#include "vtkRivuletArray.h"
#include "vtkSOADataArrayTemplate.h"
#include "vtkUnsignedCharArray.h"
#include "WrappedField.h"

#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

using testing::HasSubstr;

const Grid kGrid{ .nodes = { 3, 2, 2 }, .axes = {} };

template <class Array>
vtkSmartPointer<Array> numbered(int tuples, int components = 1)
{
  auto array = vtkSmartPointer<Array>::New();
  array->SetName("numbers");
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(tuples);
  for (vtkIdType at = 0; at < array->GetNumberOfValues(); ++at)
  {
    array->SetValue(at, static_cast<typename Array::ValueType>(at));
  }
  return array;
}

double scalar(const BrickView& view, const Int3& at)
{
  const std::int64_t offset = (at[0] - view.lattice.begin[0]) * view.stride[0] +
                              (at[1] - view.lattice.begin[1]) * view.stride[1] +
                              (at[2] - view.lattice.begin[2]) * view.stride[2];
  return view.type == ScalarType::Float32 ? static_cast<const float*>(view.data)[offset]
                                          : static_cast<const double*>(view.data)[offset];
}

TEST(SourceArrays, FloatAndDoubleAreReadWhereTheyLie)
{
  const auto array = numbered<vtkDoubleArray>(12);
  const auto made = make_source(array, kGrid, Centering::Node);
  ASSERT_TRUE(made);
  const Lookup found = made->source->try_get({ 0, 0, 0 });
  EXPECT_EQ(found.pin.view().data, array->GetVoidPointer(0));
  EXPECT_EQ(found.pin.view().type, ScalarType::Float64);
}

TEST(SourceArrays, OtherTypesBecomeTheSmallestThatHoldsThem)
{
  const auto bytes = make_source(numbered<vtkUnsignedCharArray>(12), kGrid, Centering::Node);
  const auto ints = make_source(numbered<vtkIntArray>(12), kGrid, Centering::Node);
  ASSERT_TRUE(bytes && ints);
  EXPECT_EQ(bytes->source->info().variables[0].type, ScalarType::Float32);
  EXPECT_EQ(ints->source->info().variables[0].type, ScalarType::Float64);
  EXPECT_EQ(scalar(ints->source->try_get({}).pin.view(), { 2, 1, 1 }), 11);
}

TEST(SourceArrays, ArraysByComponentAreInterleaved)
{
  const auto made = make_source(numbered<vtkSOADataArrayTemplate<float>>(12, 3), kGrid, Centering::Node);
  ASSERT_TRUE(made);
  EXPECT_EQ(scalar(made->source->try_get({}).pin.view(), { 1, 0, 0 }), 3);
}

TEST(SourceArrays, TheSourceKeepsTheArray)
{
  auto array = numbered<vtkFloatArray>(12);
  const auto made = make_source(array, kGrid, Centering::Node);
  array = nullptr;
  EXPECT_EQ(scalar(made->source->try_get({}).pin.view(), { 0, 0, 1 }), 6);
}

TEST(SourceArrays, MayCountFromAnyLatticePoint)
{
  const auto made = make_source(numbered<vtkFloatArray>(12), kGrid, Centering::Node, { 7, 5, 9 });
  const Lookup found = made->source->try_get({ 0, 0, made->source->bricks(0).index_of_cell({ 8, 5, 9 }) });
  EXPECT_EQ(scalar(found.pin.view(), { 8, 5, 9 }), 1);
  EXPECT_EQ(scalar(found.pin.view(), { 9, 6, 10 }), 11);
}

TEST(SourceArrays, LazyArraysHandOutTheirField)
{
  const auto flow = analytic_field("abc");
  AnalyticBricks bricks(flow, uniform_grid({ 9, 9, 9 }, flow->domain()), { .times = { 0, 1 } });
  vtkNew<vtkRivuletArray<float>> array;
  array->SetBlock(
      std::make_shared<LazyField>(std::make_shared<WrappedField>(bricks, 1)), { 1, 1, { { 2, 3, 4 }, { 5, 5, 6 } } });
  const auto made = make_source(array, kGrid, Centering::Node);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->source, array->GetSource());
  EXPECT_EQ(made->array.variable, 1);
  EXPECT_EQ(made->array.step, 1);
  EXPECT_EQ(made->lattice_offset, (Int3{ 2, 3, 4 }));
}

TEST(SourceArrays, LazyArraysThatLieElsewhereAreCopied)
{
  const auto flow = analytic_field("abc");
  AnalyticBricks bricks(flow, uniform_grid({ 9, 9, 9 }, flow->domain()));
  vtkNew<vtkRivuletArray<float>> array;
  array->SetBlock(
      std::make_shared<LazyField>(std::make_shared<WrappedField>(bricks, 1)), { 1, 0, { { 2, 3, 4 }, { 5, 5, 6 } } });
  const auto made = make_source(array, kGrid, Centering::Node, { 0, 0, 0 });
  ASSERT_TRUE(made);
  EXPECT_EQ(scalar(made->source->try_get({}).pin.view(), { 2, 1, 1 }), array->GetValue(11));
}

TEST(SourceArrays, RefusesArraysThatDoNotFitTheGrid)
{
  const auto made = make_source(numbered<vtkFloatArray>(11), kGrid, Centering::Node);
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().describe(), HasSubstr("\"numbers\" has 11 values for 12 points"));
  EXPECT_FALSE(make_source(nullptr, kGrid, Centering::Node));
  EXPECT_FALSE(make_source(numbered<vtkFloatArray>(12, 10), kGrid, Centering::Node));
}

} // namespace
} // namespace rivulet::test
