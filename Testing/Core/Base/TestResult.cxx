// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Result.h"

#include <cerrno>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

Result<int> half(int number)
{
  if (number % 2 != 0)
  {
    return fail(ErrorCode::BadArgument, "the number is odd", "name an even one", "numbers.txt", 12);
  }
  return number / 2;
}

Result<int> quarter(int number)
{
  Result<int> first = half(number);
  if (!first)
  {
    return forward_error(first);
  }
  return half(*first);
}

} // namespace

TEST(Result, HoldsAValueOrAnError)
{
  EXPECT_EQ(quarter(8).value_or(-1), 2);
  EXPECT_EQ(quarter(7).error().what, "the number is odd");
}

TEST(Error, DescribesFileOffsetAndRemedy)
{
  const std::string text = half(3).error().describe();
  for (const char* part : { "numbers.txt", "the number is odd", "12", "ame an even one" })
  {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(Error, DescribesWhatTheSystemSaid)
{
  const Error error =
      Error{ ErrorCode::CannotRead, "the file cannot be opened", "", "" }.at_path("a.rvf").with_errno(EACCES);
  EXPECT_NE(error.describe().find("ermission denied"), std::string::npos) << error.describe();
}

} // namespace rivulet::test
