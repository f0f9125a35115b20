// SPDX-License-Identifier: BSD-3-Clause
// How work is cut for threads: the parts are all of it, and none of it twice.
#include "Amr/ReadTask.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace rivulet::test
{
namespace
{

/// A dataset that is found, of so many values.
Match dataset_of(std::int64_t count, StoredType type = StoredType::Float32, std::int64_t chunk = 0)
{
  hdf5::DatasetForm form;
  form.type = type;
  form.dims = { count };
  if (chunk > 0)
  {
    form.storage = hdf5::Storage::Chunked;
    form.chunk = { chunk };
  }
  Match found;
  found.kind = Match::Kind::Plain;
  found.dataset.form = std::make_shared<const hdf5::DatasetForm>(form);
  found.dataset.address = 4096;
  return found;
}

class Tasks : public testing::Test
{
protected:
  [[nodiscard]] ReadTask task_of(const Match& found, const Int3& stored)
  {
    ReadTask task;
    task.job = &job_;
    task.found = &found;
    task.patch = &patch_;
    task.component = &component_;
    task.placement.stored = stored;
    task.placement.scalar_bytes = size_of(found.dataset.form->type);
    return task;
  }

  hdf5::BlockPool pool_;
  FileIndex index_{ "file", pool_ };
  FileJob job_{ index_, {} };
  AmrPatch patch_;
  AmrComponent component_;
};

/// Marks the values of the dataset that a task takes, in the order of the array, by their place in the array.
void mark(const ReadTask& task, std::vector<std::int64_t>& places)
{
  const Placement& placement = task.placement;
  const Int3 kept = placement.kept();
  for (std::int64_t point = 0; point < volume(kept); ++point)
  {
    Int3 at = from_row_major(point, kept);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      at[axis] += placement.skipped[axis];
    }
    const std::int64_t value = task.run.first + row_major(at, placement.stored);
    const std::int64_t place =
        task.offset / placement.array_bytes() + point * placement.components + placement.component;
    ASSERT_EQ(places[static_cast<std::size_t>(value)], -1) << "a value is read twice";
    places[static_cast<std::size_t>(value)] = place;
  }
}

TEST_F(Tasks, PartsOfALargeTaskPutTheSameValuesToTheSamePlaces)
{
  std::mt19937 random(1);
  for (int turn = 0; turn < 12; ++turn)
  {
    Int3 stored{ 200, 150, 150 };
    stored[2] = turn % 4 == 3 ? 1 : stored[2]; // in the plane
    stored[1] = turn % 4 == 3 ? 30'000 : stored[1];
    const Match found = dataset_of(volume(stored));
    ReadTask task = task_of(found, stored);
    for (std::size_t axis = 0; axis < (stored[2] == 1 ? 2U : 3U); ++axis)
    {
      task.placement.skipped[axis] = static_cast<std::int32_t>(random() % 3);
      task.placement.skipped_after[axis] = static_cast<std::int32_t>(random() % 3);
    }
    task.placement.components = 1 + turn % 3;
    task.placement.component = turn % static_cast<int>(task.placement.components);
    std::vector<std::int64_t> whole(static_cast<std::size_t>(volume(stored)), -1);
    mark(task, whole);
    const std::vector<ReadTask> parts = cut_tasks({ task });
    ASSERT_GT(parts.size(), 1U);
    std::vector<std::int64_t> cut(whole.size(), -1);
    for (const ReadTask& part : parts)
    {
      EXPECT_EQ(part.first_part, &part == &parts.front());
      EXPECT_LE(part.bytes(), std::int64_t{ 16 } << 20);
      mark(part, cut);
    }
    ASSERT_EQ(cut, whole) << turn;
  }
}

TEST_F(Tasks, SmallTasksStayWhole)
{
  const Match found = dataset_of(1000);
  const std::vector<ReadTask> tasks = cut_tasks({ task_of(found, { 10, 10, 10 }), task_of(found, { 10, 10, 10 }) });
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_TRUE(tasks[0].whole() && tasks[1].whole());
  EXPECT_FALSE(worth_a_turn(tasks[0]));
}

TEST_F(Tasks, AFewLargeChunksAreNotCut)
{
  const Int3 stored{ 200, 200, 200 };
  const Match found = dataset_of(volume(stored), StoredType::Float32, volume(stored));
  EXPECT_EQ(cut_tasks({ task_of(found, stored) }).size(), 1U);
  EXPECT_FALSE(worth_a_turn(task_of(found, stored)));
}

TEST_F(Tasks, ADatasetOfAnotherLengthIsRefused)
{
  for (const std::int64_t count : { 999, 1001 })
  {
    const Match found = dataset_of(count);
    VariableTasks tasks;
    tasks.add(task_of(found, { 10, 10, 10 }));
    ASSERT_TRUE(tasks.error.has_value()) << count;
    EXPECT_EQ(tasks.error->code, ErrorCode::Corrupt);
    EXPECT_TRUE(tasks.tasks.empty());
  }
}

TEST_F(Tasks, ARunBeyondItsDatasetIsRefused)
{
  const Match found = dataset_of(1000);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t first : { std::int64_t{ -1 }, std::int64_t{ 1 }, std::int64_t{ 1000 }, most })
  {
    ReadTask task = task_of(found, { 10, 10, 10 });
    task.run = { first, 1000 };
    VariableTasks tasks;
    tasks.add(task);
    EXPECT_TRUE(tasks.error.has_value()) << first;
  }
}

TEST_F(Tasks, ABoxBeyondAllBoundsIsRefused)
{
  const Match found = dataset_of(1000);
  VariableTasks tasks;
  tasks.add(task_of(found, { 2'000'000, 2'000'000, 1000 }));
  ASSERT_TRUE(tasks.error.has_value());
  EXPECT_EQ(tasks.error->code, ErrorCode::Corrupt);
}

TEST_F(Tasks, FloatsBesideDoublesAreWidened)
{
  const Match floats = dataset_of(1000);
  const Match doubles = dataset_of(1000, StoredType::Float64);
  VariableTasks tasks;
  tasks.add(task_of(floats, { 10, 10, 10 }));
  tasks.add(task_of(doubles, { 10, 10, 10 }));
  tasks.widen();
  ASSERT_FALSE(tasks.error.has_value());
  EXPECT_EQ(tasks.type, StoredType::Float64);
  EXPECT_TRUE(tasks.tasks[0].placement.widened);
  EXPECT_FALSE(tasks.tasks[1].placement.widened);
  VariableTasks mixed;
  mixed.add(task_of(floats, { 10, 10, 10 }));
  const Match integers = dataset_of(1000, StoredType::Int32);
  mixed.add(task_of(integers, { 10, 10, 10 }));
  ASSERT_TRUE(mixed.error.has_value());
  EXPECT_EQ(mixed.error->code, ErrorCode::Unsupported);
}

TEST_F(Tasks, MissingAndDamagedDatasetsAreToldApart)
{
  Match missing;
  missing.kind = Match::Kind::Missing;
  VariableTasks tasks;
  const Match there = dataset_of(8);
  tasks.add(task_of(there, { 2, 2, 2 }));
  ReadTask task;
  task.job = &job_;
  task.patch = &patch_;
  task.component = &component_;
  task.found = &missing;
  tasks.add(task);
  EXPECT_EQ(tasks.missing, 1U);
  EXPECT_FALSE(tasks.error.has_value());
  Match bad;
  bad.kind = Match::Kind::Bad;
  bad.error = std::make_shared<const Error>(Error{ ErrorCode::Truncated, "cut off", "", "file" });
  task.found = &bad;
  tasks.add(task);
  ASSERT_TRUE(tasks.error.has_value());
  EXPECT_EQ(tasks.error->code, ErrorCode::Truncated);
}

TEST_F(Tasks, BatchesAreAllPatchesInTheirOrder)
{
  std::mt19937 random(2);
  for (int turn = 0; turn < 100; ++turn)
  {
    AmrDump dump;
    dump.shared = true;
    dump.variables.resize(1);
    dump.variables[0].components.resize(1 + turn % 3);
    PatchData data;
    data.variables = { 0 };
    FileJob job(index_, {});
    std::int64_t first = 0;
    const std::size_t count = 1 + random() % 200;
    for (std::size_t i = 0; i < count; ++i)
    {
      AmrPatch& patch = dump.patches.emplace_back();
      const std::int32_t side = 1 + static_cast<std::int32_t>(random() % 40);
      patch.cells.end = { side, side, side };
      patch.first = first;
      first += volume(patch.cells.end) * static_cast<std::int64_t>(dump.variables[0].components.size());
      data.patches.push_back(static_cast<std::int32_t>(i));
      job.patches.push_back(i);
    }
    const Match found = dataset_of(first, StoredType::Float64, turn % 2 == 0 ? 0 : 1 << (6 + turn % 9));
    const auto batches = cut_into_batches(job, dump, data, turn % 5 == 0 ? nullptr : found.dataset.form.get());
    ASSERT_FALSE(batches.empty());
    EXPECT_EQ(batches.front().begin, 0U);
    EXPECT_EQ(batches.back().end, count);
    for (std::size_t i = 0; i < batches.size(); ++i)
    {
      ASSERT_LT(batches[i].begin, batches[i].end);
      ASSERT_TRUE(i == 0 || batches[i].begin == batches[i - 1].end);
    }
  }
}

TEST_F(Tasks, OnlyLargeAlignedValuesGoStraightToTheirArrays)
{
  Match found = dataset_of(1 << 20);
  const Int3 stored{ 1 << 10, 1 << 10, 1 };
  EXPECT_EQ(place_in_file(task_of(found, stored)), 4096U);
  ReadTask run = task_of(found, stored);
  run.run = { 3, 1 << 19 };
  run.placement.stored = { 1 << 10, 1 << 9, 1 };
  EXPECT_EQ(place_in_file(run), 4096U + 12U);
  run.placement.components = 2;
  EXPECT_FALSE(place_in_file(run).has_value());
  found.dataset.address = 4097;
  EXPECT_FALSE(place_in_file(task_of(found, stored)).has_value());
  const Match small = dataset_of(1000);
  EXPECT_FALSE(place_in_file(task_of(small, { 10, 10, 10 })).has_value());
}

} // namespace
} // namespace rivulet::test
