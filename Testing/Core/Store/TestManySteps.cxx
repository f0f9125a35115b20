// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Store/FieldOnDisk.h"
#include "Io/Series/StoreWriter.h"
#include "Store/Source/WaitForBrick.h"
#include "Support/LoweredLimit.h"
#include "Support/TemporaryFolder.h"

#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace rivulet::test
{

namespace
{

constexpr std::int32_t kSteps = 5000;

FieldInfo scalar_at(double time)
{
  FieldInfo info;
  info.grid.nodes = { 3, 3, 2 };
  info.variables = { { "s", ScalarType::Float32, 1, Centering::Node } };
  info.times = { time };
  info.ranges.resize(1);
  return info;
}

/// Every value of step n is n.
void write_steps(const std::string& path)
{
  const auto store = StoreWriter::open(path, { .sync = false });
  ASSERT_TRUE(store) << store.error().describe();
  for (std::int32_t step = 0; step < kSteps; ++step)
  {
    auto writer = (*store)->begin_step(scalar_at(step));
    ASSERT_TRUE(writer) << writer.error().describe();
    const std::vector<float> values(
        static_cast<std::size_t>((*writer)->layout(0).values) / sizeof(float), static_cast<float>(step));
    ASSERT_TRUE((*writer)->write_brick({ 0, 0, 0 }, values.data()));
    ASSERT_TRUE((*writer)->finish());
  }
}

/// Steps whose brick is not what it must be; the reading thread is one of several.
std::int64_t wrong_steps(FileBricks& field, std::int32_t first)
{
  std::int64_t wrong = 0;
  for (std::int32_t step = first; step < kSteps; step += 2)
  {
    std::shared_ptr<const Error> error;
    const BrickPin pin = wait_for_brick(field, { 0, step, 0 }, error);
    wrong += error == nullptr && reinterpret_cast<const float*>(pin.view().data)[0] == static_cast<float>(step) ? 0 : 1;
  }
  return wrong;
}

} // namespace

TEST(ManySteps, AreReadInEachWayWithTheUsualDescriptors)
{
  const TemporaryFolder folder;
  const std::string path = folder.file("flow.rvs");
  write_steps(path);
  const LoweredLimit usual(RLIMIT_NOFILE, 1024);
  std::vector<std::shared_ptr<FileBricks>> fields; // all stay open, as readers of one window
  for (const AccessStrategy strategy : { AccessStrategy::Automatic, AccessStrategy::MemoryMap,
           AccessStrategy::BufferedCache, AccessStrategy::DirectCache, AccessStrategy::Asynchronous })
  {
    SCOPED_TRACE(name_of(strategy));
    auto field = open_field({ path }, { .strategy = strategy, .memory_budget = 64 << 20 });
    ASSERT_TRUE(field) << field.error().describe();
    fields.push_back(std::move(*field));
    fields.back()->prepare({ .threads = 2, .at_once = 1000 });
    std::int64_t wrong = 0;
    std::thread other([&] { wrong = wrong_steps(*fields.back(), 1); });
    EXPECT_EQ(wrong_steps(*fields.back(), 0), 0);
    other.join();
    EXPECT_EQ(wrong, 0);
  }
  for (const auto& field : fields)
  {
    EXPECT_TRUE(field->health());
  }
  EXPECT_TRUE(std::ifstream("/proc/self/status").is_open()) << "the rest of the program can open files";
}

} // namespace rivulet::test
