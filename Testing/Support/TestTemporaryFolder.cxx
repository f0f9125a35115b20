// SPDX-License-Identifier: BSD-3-Clause
#include "Support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace
{

using rivulet::test::TemporaryFolder;

TEST(TemporaryFolder, GoesWithEverythingInIt)
{
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    std::filesystem::create_directories(path / "deep" / "er");
    std::ofstream(folder.file("deep/er/file")) << "text";
    ASSERT_TRUE(std::filesystem::exists(path / "deep" / "er" / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFolder, TwoAreDifferent)
{
  const TemporaryFolder one;
  const TemporaryFolder two;
  EXPECT_NE(one.path(), two.path());
}

} // namespace
