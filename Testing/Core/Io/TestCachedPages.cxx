// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Io/Files/CachedPages.h"
#include "Io/Files/File.h"
#include "Support/TemporaryFolder.h"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

constexpr std::int64_t kBytes = 8 * kMiB;

class CachedPages : public testing::Test
{
protected:
  CachedPages()
  {
    const std::vector<char> values(static_cast<std::size_t>(kBytes), 'x');
    File file = *File::create(path_);
    EXPECT_TRUE(file.append(values.data(), kBytes));
    EXPECT_TRUE(file.sync());
  }
  void forget_pages() const
  {
    const File file = *File::open(path_, File::Mode::Read);
    ASSERT_EQ(::posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_DONTNEED), 0);
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("values");
  const std::vector<std::int64_t> some_{ 0, 5000, 4 * kMiB, kBytes - 1 };
};

} // namespace

TEST_F(CachedPages, AreToldByTheSystem)
{
  forget_pages();
  const std::optional<double> before = cached_share(path_, some_);
  ASSERT_TRUE(before);
  std::vector<char> values(static_cast<std::size_t>(kBytes));
  ASSERT_TRUE(File::open(path_, File::Mode::Read)->pread_full(values.data(), kBytes, 0));
  EXPECT_EQ(cached_share(path_, some_), 1.0);
  EXPECT_LE(*before, 1.0);
  EXPECT_FALSE(cached_share(folder_.file("none"), some_));
  EXPECT_FALSE(cached_share(path_, { kBytes, -1 }));
}

TEST_F(CachedPages, ReadNothingToAreToldByTheSystem)
{
  forget_pages();
  const std::optional<double> once = cached_share(path_, some_);
  EXPECT_EQ(cached_share(path_, some_), once);
}

} // namespace rivulet::test
