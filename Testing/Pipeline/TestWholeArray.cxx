// SPDX-License-Identifier: BSD-3-Clause
// Lazily paged arrays of whole numbers: their type, their memory, and what stands for values that cannot be read.
#include "Base/WholeType.h"
#include "MessageLog.h"
#include "Pipeline/LazyField.h"
#include "Store/Memory/MemoryAccount.h"
#include "Store/Source/ArrayBricks.h"
#include "Support/AnalyticBricks.h"
#include "Support/FaultyBricks.h"
#include "vtkRivuletArray.h"
#include "WrappedField.h"

#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

using testing::HasSubstr;

constexpr Int3 kNodes{ 37, 5, 3 };
constexpr int kComponents = 2;

template <class T>
constexpr WholeType type_of()
{
  constexpr WholeType sized[2][4] = { { WholeType::UInt8, WholeType::UInt16, WholeType::UInt32, WholeType::UInt64 },
    { WholeType::Int8, WholeType::Int16, WholeType::Int32, WholeType::Int64 } };
  return sized[std::is_signed_v<T> ? 1 : 0][sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3];
}

/// A field in memory, as floats or doubles, and its numbers.
template <class T>
struct WholeArray : testing::Test
{
  using Scalar = std::conditional_t<sizeof(T) <= 2, float, double>;

  WholeArray()
  {
    const double largest = std::min(kLargestWhole, static_cast<double>(std::numeric_limits<T>::max()));
    for (std::int64_t i = 0; i < volume(kNodes) * kComponents; ++i)
    {
      numbers.push_back(
          static_cast<T>(i % 3 == 0 ? largest - static_cast<double>(i % 11) : static_cast<double>(i % 101)));
      scalars.push_back(static_cast<Scalar>(numbers.back()));
    }
    bricks = std::make_unique<ArrayBricks>(uniform_grid(kNodes, { { 0, 0, 0 }, { 1, 1, 1 } }),
        std::vector<MemoryArray>{
            { Variable{ "ids", scalar_for(type_of<T>()), kComponents, Centering::Node, type_of<T>() },
                scalars.data() } });
  }

  [[nodiscard]] static vtkSmartPointer<vtkRivuletArray<T>> array_of(
      BrickSource& source, const Box& box = { { 0, 0, 0 }, kNodes }, std::int64_t budget = kMiB)
  {
    auto array = vtkSmartPointer<vtkRivuletArray<T>>::New();
    array->SetBlock(std::make_shared<LazyField>(std::make_shared<WrappedField>(source, budget)), { 0, 0, box });
    return array;
  }
  [[nodiscard]] T number(const Int3& at, int component) const
  {
    return numbers[static_cast<std::size_t>(row_major(at, kNodes) * kComponents + component)];
  }
  [[nodiscard]] static std::int64_t bytes() { return volume(kNodes) * kComponents * std::int64_t{ sizeof(T) }; }

  static constexpr std::int64_t kMiB = std::int64_t{ 1 } << 20;
  std::vector<T> numbers;
  std::vector<Scalar> scalars;
  std::unique_ptr<ArrayBricks> bricks;
  MessageLog log;
};

using Types = testing::Types<vtkTypeInt8, vtkTypeUInt8, vtkTypeInt16, vtkTypeUInt16, vtkTypeInt32, vtkTypeUInt32,
    vtkTypeInt64, vtkTypeUInt64>;
TYPED_TEST_SUITE(WholeArray, Types);

TYPED_TEST(WholeArray, GivesItsNumbersOneByOneAndInOnePiece)
{
  const Box part{ { 3, 1, 0 }, { 36, 4, 3 } };
  const auto array = this->array_of(*this->bricks, part);
  EXPECT_EQ(array->GetDataType(), vtkTypeTraits<TypeParam>::VTKTypeID());
  const auto check = [&](const auto& value_at)
  {
    vtkIdType place = 0;
    for (Int3 at = part.begin; at[2] < part.end[2]; ++at[2])
    {
      for (at[1] = part.begin[1]; at[1] < part.end[1]; ++at[1])
      {
        for (at[0] = part.begin[0]; at[0] < part.end[0]; ++at[0])
        {
          for (int component = 0; component < kComponents; ++component)
          {
            ASSERT_EQ(value_at(place++), this->number(at, component));
          }
        }
      }
    }
  };
  check([&](vtkIdType place) { return array->GetValue(place); });
  const auto* whole = static_cast<const TypeParam*>(array->GetVoidPointer(0));
  check([&](vtkIdType place) { return whole[place]; });
  check([&](vtkIdType place) { return array->GetValue(place); });
  EXPECT_TRUE(this->log.messages().empty());
}

TYPED_TEST(WholeArray, CopiesCountByTheirOwnBytes)
{
  const std::int64_t before = MemoryAccount::process().used();
  auto array = this->array_of(*this->bricks, { { 0, 0, 0 }, kNodes }, this->bytes());
  ASSERT_NE(array->GetVoidPointer(0), nullptr);
  EXPECT_EQ(MemoryAccount::process().used() - before, this->bytes());
  array = nullptr;
  EXPECT_EQ(MemoryAccount::process().used(), before);
}

TYPED_TEST(WholeArray, IsZeroAndOneErrorWhereTheBudgetHasNoRoom)
{
  const auto array = this->array_of(*this->bricks, { { 0, 0, 0 }, kNodes }, this->bytes() - 1);
  auto* whole = static_cast<TypeParam*>(array->GetVoidPointer(0));
  EXPECT_TRUE(std::all_of(whole, whole + this->numbers.size(), [](TypeParam value) { return value == 0; }));
  ASSERT_EQ(this->log.messages().size(), 1U);
  EXPECT_THAT(this->log.messages()[0], HasSubstr("it gets 0 instead of values"));
  EXPECT_EQ(array->GetValue(3), this->numbers[3]);
}

TYPED_TEST(WholeArray, BricksThatCannotBeReadAreZeroAndOneError)
{
  FaultyBricks broken(*this->bricks, {});
  broken.fail({ 0, 0, 0 });
  const auto array = this->array_of(broken);
  EXPECT_EQ(array->GetValue(0), TypeParam{ 0 });
  EXPECT_EQ(*static_cast<const TypeParam*>(array->GetVoidPointer(3)), TypeParam{ 0 });
  EXPECT_EQ(this->log.messages().size(), 1U);
}

TYPED_TEST(WholeArray, SaysThatAFilterWroteToItsCopy)
{
  const auto array = this->array_of(*this->bricks);
  static_cast<TypeParam*>(array->GetVoidPointer(0))[1] = 77;
  EXPECT_EQ(array->GetValue(1), this->numbers[1]);
  ASSERT_EQ(this->log.messages().size(), 1U);
  EXPECT_THAT(this->log.messages()[0], HasSubstr("wrote to the array \"ids\""));
}

} // namespace
} // namespace rivulet::test
