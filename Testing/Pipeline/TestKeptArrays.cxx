// SPDX-License-Identifier: BSD-3-Clause
// The arrays of a dataset that a field file keeps, and the note on all others: nothing is dropped without a word.
#include "Pipeline/KeptArrays.h"
#include "vtkBitArray.h"
#include "vtkCellData.h"
#include "vtkDataSetAttributes.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkFloatArray.h"
#include "vtkImageData.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkStringArray.h"
#include "vtkTypeInt64Array.h"
#include "vtkTypeUInt64Array.h"
#include "vtkUnsignedCharArray.h"

#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct KeptArraysOf : testing::Test
{
  vtkNew<vtkImageData> image;

  KeptArraysOf() { image->SetDimensions(3, 2, 2); }

  template <class Array>
  Array* add(vtkDataSetAttributes& to, const char* name, int components = 1)
  {
    vtkNew<Array> array;
    array->SetName(name);
    array->SetNumberOfComponents(components);
    array->SetNumberOfTuples(&to == image->GetPointData() ? 12 : 2);
    to.AddArray(array);
    return array;
  }
  template <class Array>
  Array* add(const char* name, int components = 1)
  {
    return add<Array>(*image->GetPointData(), name, components);
  }
};

TEST_F(KeptArraysOf, NumbersKeepTheirTypeWherePossible)
{
  add<vtkFloatArray>("f");
  add<vtkDoubleArray>("velocity", 3);
  add<vtkUnsignedCharArray>("small");
  add<vtkDoubleArray>(*image->GetCellData(), "of cells");
  const KeptArrays kept = kept_arrays(*image);
  ASSERT_EQ(kept.variables.size(), 4U);
  EXPECT_EQ(kept.variables[0].type, ScalarType::Float32);
  EXPECT_EQ(kept.variables[0].whole, WholeType::None);
  EXPECT_EQ(kept.variables[1].name, "velocity");
  EXPECT_EQ(kept.variables[1].components, 3);
  EXPECT_EQ(kept.variables[1].type, ScalarType::Float64);
  EXPECT_EQ(kept.variables[2].whole, WholeType::UInt8);
  EXPECT_EQ(kept.variables[3].centering, Centering::Cell);
  EXPECT_THAT(kept.note(), IsEmpty());
}

TEST_F(KeptArraysOf, LongNumbersAndBitsAreNoted)
{
  add<vtkTypeInt64Array>("ids");
  add<vtkTypeUInt64Array>("hashes");
  add<vtkBitArray>("mask");
  const KeptArrays kept = kept_arrays(*image);
  ASSERT_EQ(kept.variables.size(), 3U);
  EXPECT_EQ(kept.variables[0].whole, WholeType::Int64);
  EXPECT_EQ(kept.variables[1].whole, WholeType::UInt64);
  EXPECT_THAT(kept.note(), HasSubstr("\"ids\" keeps whole numbers below 2^53."));
  EXPECT_THAT(kept.note(), HasSubstr("\"hashes\" keeps whole numbers below 2^53."));
  EXPECT_THAT(kept.note(), HasSubstr("\"mask\" is saved as float."));
}

TEST_F(KeptArraysOf, ThingsThatHaveNoPlaceAreNamed)
{
  add<vtkStringArray>("words");
  add<vtkFloatArray>("ten", 10);
  add<vtkFloatArray>("", 1);
  add<vtkFloatArray>("named", 2)->SetComponentName(0, "east");
  vtkNew<vtkFloatArray> fact;
  fact->SetName("run number");
  image->GetFieldData()->AddArray(fact);
  const KeptArrays kept = kept_arrays(*image);
  ASSERT_EQ(kept.variables.size(), 1U);
  EXPECT_EQ(kept.variables[0].name, "named");
  EXPECT_THAT(kept.left_out,
      ElementsAre("\"words\" (it is not numeric)", "\"ten\" (it has 10 components, not 1 to 9)",
          "an array without a name", "the names of the components of \"named\"", "field data \"run number\""));
  EXPECT_THAT(kept.note(), HasSubstr("A field file does not keep: \"words\" (it is not numeric), \"ten\""));
}

/// The file has times and hidden points of its own.
TEST_F(KeptArraysOf, TimesAndGhostsAreNoArrays)
{
  add<vtkUnsignedCharArray>(vtkDataSetAttributes::GhostArrayName());
  vtkNew<vtkDoubleArray> time;
  time->SetName("TimeValue");
  image->GetFieldData()->AddArray(time);
  const KeptArrays kept = kept_arrays(*image);
  EXPECT_TRUE(kept.variables.empty());
  EXPECT_THAT(kept.note(), IsEmpty());
}

TEST(KeptArrays, NameAThingOnce)
{
  KeptArrays kept;
  kept.leave_out("a");
  kept.leave_out("b");
  kept.leave_out("a");
  EXPECT_THAT(kept.left_out, ElementsAre("a", "b"));
  EXPECT_EQ(kept.note(), "A field file does not keep: a, b. ");
}

TEST(HidingBits, AreVtksOwnButDuplicates)
{
  EXPECT_EQ(hiding_bits(Centering::Node), vtkDataSetAttributes::HIDDENPOINT);
  EXPECT_EQ(hiding_bits(Centering::Cell), vtkDataSetAttributes::HIDDENCELL | vtkDataSetAttributes::REFINEDCELL);
  EXPECT_EQ(hiding_bits(Centering::Node) & vtkDataSetAttributes::DUPLICATEPOINT, 0);
  EXPECT_EQ(hiding_bits(Centering::Cell) & vtkDataSetAttributes::DUPLICATECELL, 0);
}

} // namespace
} // namespace rivulet::test
