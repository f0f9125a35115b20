// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Store/Memory/MappedPages.h"

#include <gtest/gtest.h>

#include <sys/mman.h>

namespace rivulet::test
{

TEST(ResidentMemory, IsTheSameHoweverItIsCounted)
{
  for (const std::int64_t bytes : { 16 * kMiB, 4 * kGiB }) // by page, by mapping
  {
    void* begin = ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(begin, MAP_FAILED);
    ASSERT_EQ(::madvise(begin, static_cast<std::size_t>(bytes), MADV_NOHUGEPAGE), 0);
    EXPECT_EQ(resident_memory(begin, bytes), 0);
    for (const std::int64_t at : { std::int64_t{ 0 }, 5 * kPage, bytes - kPage })
    {
      static_cast<char*>(begin)[at] = 1;
    }
    EXPECT_EQ(resident_memory(begin, bytes), 3 * kPage);
    ::munmap(begin, static_cast<std::size_t>(bytes));
  }
}

} // namespace rivulet::test
