// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/ParallelStoreWriter.h"
#include "Convert/Verifier.h"
#include "Core/Convert/Sources.h"
#include "Io/FieldFile/BrickRecord.h"
#include "Io/Series/FieldSeries.h"
#include "Io/Series/StoreFolder.h"
#include "Support/TemporaryFolder.h"
#include "Support/ThreadRanks.h"

#include <filesystem>
#include <gmock/gmock.h>

namespace rivulet
{

using namespace test;
using testing::HasSubstr;
using namespace std::chrono_literals;

namespace
{

const std::string kUuid = "01234567-89ab-4def-a123-456789abcdef"; // NOLINT(cert-err58-cpp)

FieldInfo field_at(double time)
{
  FieldInfo info;
  info.grid.nodes = { 30, 22, 17 };
  info.variables = { velocity(), cell_pressure() };
  info.times = { time };
  return info;
}

/// Values of a brick: its place, and the time.
std::vector<std::byte> brick_of(const FieldInfo& info, const BrickLayout& layout, int variable, std::int64_t index)
{
  const Variable& described = info.variables[static_cast<std::size_t>(variable)];
  const Int3 brick = from_row_major(index, layout.grid.count);
  const Box box = lattice_box(layout, brick);
  std::vector<double> doubles;
  for (std::int64_t i = 0; i < box.count(); ++i)
  {
    const Int3 at = from_row_major(i, box.size());
    const Int3 point{ at[0] + box.begin[0], at[1] + box.begin[1], at[2] + box.begin[2] };
    for (int component = 0; component < described.components; ++component)
    {
      doubles.push_back(value_at(variable, 0, point, component) + info.times.front());
    }
  }
  const std::vector<float> floats(doubles.begin(), doubles.end());
  const bool single = described.type == ScalarType::Float32;
  const void* values = single ? static_cast<const void*>(floats.data()) : doubles.data();
  std::vector<std::byte> payload(static_cast<std::size_t>(layout.values));
  copy_box_to_record(layout,
      { box, static_cast<const std::byte*>(values),
          dense_strides(box, static_cast<std::int64_t>(described.tuple_bytes())) },
      brick, payload.data());
  return payload;
}

/// Writes the bricks whose number modulo `size` is `rank`.
Result<void> write_share(FieldFileWriter& writer, const FieldInfo& info, int rank, int size)
{
  for (int variable = 0; variable < static_cast<int>(info.variables.size()); ++variable)
  {
    const BrickLayout& layout = writer.layout(variable);
    for (std::int64_t index = rank; index < layout.grid.size(); index += size)
    {
      if (Result<void> written =
              writer.write_brick({ variable, 0, index }, brick_of(info, layout, variable, index).data());
          !written)
      {
        return written;
      }
    }
  }
  return {};
}

StoreOptions options_of(StoreStart start = StoreStart::New)
{
  return { .start = start, .brick_cells = Int3{ 6, 5, 4 }, .uuid = kUuid };
}

class TestParallelStoreWriter : public testing::Test
{
protected:
  /// Writes steps 0, 1, ... on so many ranks; returns what each rank was told of the last.
  std::vector<std::string> write(const std::string& path, int size, int steps,
      const std::function<Result<void>(int rank, int step)>& before = {}, std::chrono::milliseconds patience = 20s,
      double faults = 0.0)
  {
    std::vector<std::string> told(static_cast<std::size_t>(size));
    ThreadRanks ranks(size, faults);
    ranks.run(
        [&](RankLink& link)
        {
          std::string& answer = told[static_cast<std::size_t>(link.rank())];
          auto store = ParallelStoreWriter::open(&link, path, options_of(StoreStart::Append), { .patience = patience });
          if (!store)
          {
            answer = store.error().what;
            return;
          }
          for (int step = static_cast<int>((*store)->times().size()); step < steps; ++step)
          {
            const FieldInfo info = field_at(step);
            const auto bricks = [&](FieldFileWriter& writer) -> Result<void>
            {
              const Result<void> ready = before ? before(link.rank(), step) : Result<void>();
              return ready ? write_share(writer, info, link.rank(), link.size()) : ready;
            };
            const Result<void> written = (*store)->write_step(info, bricks);
            answer = written ? "" : written.error().what;
          }
        });
    return told;
  }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  static std::vector<std::vector<char>> steps_of(const std::string& path)
  {
    std::vector<std::vector<char>> steps;
    const Result<StoreFolder> store = StoreFolder::open(path);
    for (const std::string& step : store ? store->steps : std::vector<std::string>())
    {
      steps.push_back(bytes_of(step));
    }
    return steps;
  }
  static std::ptrdiff_t entries(const std::string& path)
  {
    return std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator());
  }

  TemporaryFolder folder_;
};

} // namespace

TEST_F(TestParallelStoreWriter, replaces_the_steps_from_a_restart_on_all_ranks)
{
  const std::string path = file("flow.rvs");
  write(path, 1, 3); // at 0, 1, 2
  ThreadRanks ranks(3);
  ranks.run(
      [&](RankLink& link)
      {
        auto store = ParallelStoreWriter::open(&link, path, options_of(StoreStart::Append), { .patience = 20s });
        ASSERT_TRUE(store) << store.error().describe();
        ASSERT_TRUE((*store)->restart(1));
        EXPECT_THAT((*store)->times(), testing::ElementsAre(0));
        for (const double time : { 1.0, 1.5 })
        {
          const auto bricks = [&](FieldFileWriter& writer)
          {
            return write_share(writer, field_at(time), link.rank(), link.size());
          };
          EXPECT_TRUE((*store)->write_step(field_at(time), bricks));
          EXPECT_TRUE((*store)->publish());
        }
        EXPECT_THAT((*store)->times(), testing::ElementsAre(0, 1, 1.5));
      });
  EXPECT_EQ(steps_of(path).size(), 3U);
  EXPECT_EQ(entries(folder_.path().string()), 1) << "nothing is left beside it";
}

TEST_F(TestParallelStoreWriter, replaces_a_store_when_it_is_published_and_not_before)
{
  const std::string path = file("flow.rvs");
  for (const bool fails : { true, false })
  {
    std::filesystem::remove_all(path);
    write(path, 1, 3);
    const auto old = steps_of(path);
    ThreadRanks ranks(3);
    ranks.run(
        [&](RankLink& link)
        {
          auto store = ParallelStoreWriter::open(&link, path, options_of(StoreStart::Replace), { .patience = 20s });
          ASSERT_TRUE(store) << store.error().describe();
          const auto bricks = [&](FieldFileWriter& writer) -> Result<void>
          {
            return fails && link.rank() == 2 ? fail(ErrorCode::Corrupt, "a part is missing")
                                             : write_share(writer, field_at(5), link.rank(), link.size());
          };
          EXPECT_EQ((*store)->write_step(field_at(5), bricks).has_value(), !fails);
          if (link.rank() == 0)
          {
            EXPECT_EQ(steps_of(path), old);
          }
          if (!fails)
          {
            EXPECT_TRUE((*store)->publish());
            EXPECT_TRUE((*store)->publish()) << "nothing to do";
            EXPECT_EQ(steps_of(path).size(), 1U);
          }
        });
    EXPECT_EQ(steps_of(path) == old, fails);
    EXPECT_EQ(entries(folder_.path().string()), 1) << "nothing is left beside it";
  }
}

TEST_F(TestParallelStoreWriter, has_the_same_bytes_for_any_number_of_ranks)
{
  EXPECT_THAT(write(file("one.rvs"), 1, 3), testing::Each(""));
  const auto one = steps_of(file("one.rvs"));
  ASSERT_EQ(one.size(), 3U);
  for (const int size : { 2, 4, 7 })
  {
    const std::string path = file(std::to_string(size) + ".rvs");
    EXPECT_THAT(write(path, size, 3), testing::Each(""));
    EXPECT_EQ(steps_of(path), one) << size;
  }
  const FieldSeries series = *FieldSeries::open({ file("4.rvs") });
  EXPECT_EQ(series.info.ranges.front().components.front()[0], 0.0 + value_at(0, 0, { 0, 0, 0 }, 0));
  for (const FieldFile& step : series.files)
  {
    EXPECT_TRUE(verify(step, {})->sound());
  }
}

TEST_F(TestParallelStoreWriter, goes_on_with_another_number_of_ranks)
{
  EXPECT_THAT(write(file("flow.rvs"), 4, 2), testing::Each(""));
  EXPECT_THAT(write(file("flow.rvs"), 3, 5), testing::Each(""));
  EXPECT_THAT(write(file("whole.rvs"), 1, 5), testing::Each(""));
  EXPECT_EQ(steps_of(file("flow.rvs")), steps_of(file("whole.rvs")));
}

TEST_F(TestParallelStoreWriter, publishes_no_step_that_a_rank_could_not_write)
{
  for (const int culprit : { 0, 2 })
  {
    const std::string path = file("flow" + std::to_string(culprit) + ".rvs");
    const auto fails = [&](int rank, int step) -> Result<void>
    {
      return rank == culprit && step == 1 ? Result<void>(fail(ErrorCode::CannotRead, "the sensor is broken"))
                                          : Result<void>();
    };
    EXPECT_THAT(write(path, 3, 2, fails), testing::Each("the sensor is broken"));
    EXPECT_EQ(steps_of(path).size(), 1U);
    EXPECT_EQ(entries(path), 3) << "the description, the index and one step";
    EXPECT_THAT(write(path, 3, 3), testing::Each(""));
    EXPECT_EQ(steps_of(path).size(), 3U);
  }
}

TEST_F(TestParallelStoreWriter, tells_all_of_a_rank_without_memory_and_sends_messages_when_there_is_some)
{
  for (const int culprit : { 0, 2 })
  {
    const std::string path = file("flow" + std::to_string(culprit) + ".rvs");
    const auto fails = [&](int rank, int step) -> Result<void>
    {
      if (rank == culprit && step == 1)
      {
        throw std::bad_alloc();
      }
      return {};
    };
    EXPECT_THAT(write(path, 3, 2, fails), testing::Each(HasSubstr("no memory for a part of the step")));
    EXPECT_EQ(steps_of(path).size(), 1U);
    EXPECT_THAT(write(path, 3, 3, {}, 20s, 0.4), testing::Each(""));
    EXPECT_EQ(steps_of(path).size(), 3U);
  }
}

TEST_F(TestParallelStoreWriter, gives_up_on_a_rank_that_does_not_answer)
{
  const auto sleeps = [](int rank, int) -> Result<void>
  {
    std::this_thread::sleep_for(rank == 1 ? 1500ms : 0ms);
    return {};
  };
  const auto started = std::chrono::steady_clock::now();
  const std::vector<std::string> told = write(file("flow.rvs"), 3, 1, sleeps, 400ms);
  EXPECT_LT(std::chrono::steady_clock::now() - started, 20s);
  EXPECT_THAT(told[0], HasSubstr("rank 1 does not answer"));
  EXPECT_FALSE(std::filesystem::exists(file("flow.rvs"))) << "no store without a step";
}

TEST_F(TestParallelStoreWriter, takes_ranks_without_bricks_and_tells_all_of_one_that_cannot_even_begin)
{
  for (const int culprit : { -1, 0, 1 })
  {
    const std::string path = file("flow" + std::to_string(culprit + 1) + ".rvs");
    ThreadRanks ranks(3);
    std::vector<std::string> told(3);
    std::vector<std::size_t> steps(3);
    ranks.run(
        [&](RankLink& link)
        {
          const auto number = static_cast<std::size_t>(link.rank());
          auto store = ParallelStoreWriter::open(&link, path, options_of());
          ASSERT_TRUE(store) << store.error().describe();
          Result<FieldInfo> info = field_at(0.0);
          if (link.rank() > 0)
          {
            info->variables.clear();
          }
          if (link.rank() == culprit)
          {
            info = fail(ErrorCode::BadArgument, "no such array");
          }
          const auto bricks = [&](FieldFileWriter& writer)
          {
            return write_share(writer, field_at(0.0), 0, 1);
          };
          const Result<void> written = (*store)->write_step(info, bricks);
          told[number] = written ? "" : written.error().what;
          steps[number] = (*store)->times().size();
          EXPECT_EQ((*store)->brick_cells({ 20, 20, 20 }), (Int3{ 6, 5, 4 }));
        });
    EXPECT_THAT(told, testing::Each(culprit < 0 ? "" : "no such array"));
    EXPECT_THAT(steps, testing::Each(culprit < 0 ? 1U : 0U));
    EXPECT_EQ(steps_of(path).size(), culprit < 0 ? 1U : 0U);
  }
}

TEST_F(TestParallelStoreWriter, tells_all_ranks_why_it_cannot_be_opened_or_go_on)
{
  std::filesystem::create_directory(file("mine.rvs"));
  std::filesystem::create_directory(file("mine.rvs/folder"));
  EXPECT_THAT(write(file("mine.rvs"), 3, 1), testing::Each(HasSubstr("no store")));
  EXPECT_THAT(write(file("flow.rvs"), 3, 1), testing::Each(""));
  ThreadRanks ranks(3);
  std::vector<std::string> told(3);
  ranks.run(
      [&](RankLink& link)
      {
        auto store = ParallelStoreWriter::open(&link, file("flow.rvs"), options_of(StoreStart::Append));
        ASSERT_TRUE(store) << store.error().describe();
        const Result<void> written =
            (*store)->write_step(field_at(0.0), [](FieldFileWriter&) { return Result<void>(); });
        told[static_cast<std::size_t>(link.rank())] = written ? "" : written.error().what;
      });
  EXPECT_THAT(told, testing::Each(HasSubstr("not after")));
  EXPECT_TRUE(ranks.quiet());
}

TEST_F(TestParallelStoreWriter, refuses_a_brick_that_two_ranks_write_and_one_that_none_does)
{
  for (const bool twice : { true, false })
  {
    ThreadRanks ranks(2);
    std::vector<std::string> told(2);
    ranks.run(
        [&](RankLink& link)
        {
          const FieldInfo info = field_at(0.0);
          auto store = ParallelStoreWriter::open(&link, file(twice ? "twice.rvs" : "never.rvs"), options_of());
          ASSERT_TRUE(store) << store.error().describe();
          const auto bricks = [&](FieldFileWriter& writer)
          {
            return twice ? write_share(writer, info, 0, 1) : write_share(writer, info, link.rank(), 3);
          };
          const Result<void> written = (*store)->write_step(info, bricks);
          told[static_cast<std::size_t>(link.rank())] = written ? "" : written.error().what;
        });
    EXPECT_THAT(told, testing::Each(HasSubstr(twice ? "written twice" : "never written")));
  }
}

} // namespace rivulet
