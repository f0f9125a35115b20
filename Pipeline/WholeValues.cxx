// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/WholeValues.h"

#include "Base/WholeType.h"

#include <array>
#include <new>

namespace rivulet
{

namespace
{

constexpr std::size_t kMostComponents = 9;

template <class T, class Scalar>
void convert_tuple(const void* scalars, std::int32_t components, std::byte* out)
{
  for (std::int32_t component = 0; component < components; ++component)
  {
    reinterpret_cast<T*>(out)[component] =
        whole_number<T>(static_cast<double>(static_cast<const Scalar*>(scalars)[component]));
  }
}

} // namespace

WholeValues::WholeValues(std::shared_ptr<LazyValues> values)
  : values_(std::move(values))
{
  const Variable& variable = values_->variable();
  const bool floats = variable.type == ScalarType::Float32;
  use_whole_type(variable.whole,
      [&](auto number)
      {
        using T = decltype(number);
        convert_ = floats ? Convert(convert_tuple<T, float>) : Convert(convert_tuple<T, double>);
        tuple_bytes_ = static_cast<std::int64_t>(sizeof(T)) * variable.components;
      });
}

const void* WholeValues::tuple(std::int64_t index) const
{
  alignas(8) static thread_local std::array<std::byte, sizeof(std::int64_t) * kMostComponents> numbers;
  convert_(values_->tuple(index), components(), numbers.data());
  return numbers.data();
}

void* WholeValues::whole(std::shared_ptr<const Error>& problem)
{
  const std::lock_guard lock(mutex_);
  if (copy_.empty() && tuples() > 0)
  {
    try
    {
      copy_ = Buffer<std::byte>(static_cast<std::size_t>(tuples() * tuple_bytes_));
    }
    catch (const std::bad_alloc&)
    {
      problem = std::make_shared<const Error>(Error{ .code = ErrorCode::BudgetTooSmall,
          .what = "there is no memory for the array \"" + name() + "\" in one piece",
          .remedy = "read a part of the grid",
          .path = path() });
      return nullptr;
    }
    for (std::int64_t index = 0; index < tuples(); ++index)
    {
      convert_(values_->tuple(index), components(), copy_.data() + index * tuple_bytes_);
    }
  }
  return copy_.data();
}

std::int64_t WholeValues::bytes_held() const
{
  const std::lock_guard lock(mutex_);
  return values_->bytes_held() + static_cast<std::int64_t>(copy_.size());
}

} // namespace rivulet
