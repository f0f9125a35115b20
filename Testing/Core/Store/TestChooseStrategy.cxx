// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Field/ChooseStrategy.h"
#include "Support/TemporaryFolder.h"

#include <fstream>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

const StorageFacts kLocal{};
const StorageFacts kNetwork{ .network = "NFS" };
const StorageFacts kMisaligned{ .page_aligned = false };
const StorageFacts kNoDirect{ .network = "NFS", .direct_refusal = "the file system refuses direct reads" };

bool says(const StrategyChoice& choice, const std::string& words)
{
  return choice.reason.find(words) != std::string::npos;
}

} // namespace

TEST(ChooseStrategy, MapsLocalFiles)
{
  const StrategyChoice choice = choose_strategy(AccessStrategy::Automatic, kLocal);
  EXPECT_EQ(choice.strategy, AccessStrategy::MemoryMap);
  EXPECT_TRUE(says(choice, "local file system")) << choice.reason;
}

TEST(ChooseStrategy, ReadsNetworkFilesAsynchronously)
{
  const StrategyChoice choice = choose_strategy(AccessStrategy::Automatic, kNetwork);
  EXPECT_EQ(choice.strategy, AccessStrategy::Asynchronous);
  EXPECT_TRUE(choice.direct);
  EXPECT_TRUE(says(choice, "NFS")) << choice.reason;
}

TEST(ChooseStrategy, ReadsAsynchronouslyWhatDoesNotFitIntoMemory)
{
  StorageFacts large = kLocal;
  large.fits_in_memory = false;
  const StrategyChoice choice = choose_strategy(AccessStrategy::Automatic, large);
  EXPECT_EQ(choice.strategy, AccessStrategy::Asynchronous);
  EXPECT_TRUE(says(choice, "memory that is free")) << choice.reason;
}

TEST(ChooseStrategy, ReadsThroughThePageCacheWhatCannotBeUsedAsItLies)
{
  StorageFacts blocks = kLocal;
  blocks.mapped = false;
  EXPECT_EQ(choose_strategy(AccessStrategy::Automatic, blocks).strategy, AccessStrategy::BufferedCache);
  EXPECT_EQ(choose_strategy(AccessStrategy::MemoryMap, blocks).strategy, AccessStrategy::MemoryMap);
}

TEST(ChooseStrategy, ReadsNetworkFilesThroughThePageCacheWhereDirectReadsAreRefused)
{
  const StrategyChoice choice = choose_strategy(AccessStrategy::Automatic, kNoDirect);
  EXPECT_EQ(choice.strategy, AccessStrategy::Asynchronous);
  EXPECT_FALSE(choice.direct);
  EXPECT_TRUE(says(choice, "refuses direct reads")) << choice.reason;
}

TEST(ChooseStrategy, BuffersMisalignedFilesWhateverIsAsked)
{
  for (const AccessStrategy wanted :
      { AccessStrategy::Automatic, AccessStrategy::MemoryMap, AccessStrategy::DirectCache })
  {
    const StrategyChoice choice = choose_strategy(wanted, kMisaligned);
    EXPECT_EQ(choice.strategy, AccessStrategy::BufferedCache);
    EXPECT_TRUE(says(choice, "do not begin on pages")) << choice.reason;
  }
}

TEST(ChooseStrategy, DoesWhatItIsAsked)
{
  for (const AccessStrategy wanted :
      { AccessStrategy::MemoryMap, AccessStrategy::BufferedCache, AccessStrategy::DirectCache })
  {
    const StrategyChoice choice = choose_strategy(wanted, kNetwork);
    EXPECT_EQ(choice.strategy, wanted);
    EXPECT_TRUE(says(choice, "asked for")) << choice.reason;
  }
}

TEST(ChooseStrategy, ReadsAsynchronouslyPastThePageCacheWhereThatCanBe)
{
  const StrategyChoice choice = choose_strategy(AccessStrategy::Asynchronous, kLocal);
  EXPECT_EQ(choice.strategy, AccessStrategy::Asynchronous);
  EXPECT_TRUE(choice.direct);
  EXPECT_TRUE(says(choice, "asked for")) << choice.reason;
}

TEST(ChooseStrategy, ReadsAsynchronouslyThroughThePageCacheElsewhere)
{
  StorageFacts refused = kLocal;
  refused.direct_refusal = "it lies in memory";
  StorageFacts misaligned = kLocal;
  misaligned.page_aligned = false;
  for (const StorageFacts& facts : { refused, misaligned })
  {
    const StrategyChoice choice = choose_strategy(AccessStrategy::Asynchronous, facts);
    EXPECT_EQ(choice.strategy, AccessStrategy::Asynchronous);
    EXPECT_FALSE(choice.direct);
    EXPECT_TRUE(says(choice, "page cache")) << choice.reason;
  }
}

TEST(StorageFacts, OfATemporaryFileAreThoseOfALocalOne)
{
  const TemporaryFolder folder;
  std::ofstream(folder.file("a")) << "a";
  EXPECT_EQ(facts_about(folder.file("a"), true).network, "");
}

} // namespace rivulet::test
