// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/StoreConversion.h"
#include "Core/Convert/Sources.h"
#include "Io/Series/FieldSeries.h"
#include "Io/Series/StoreFolder.h"
#include "Support/TemporaryFolder.h"

#include <gmock/gmock.h>

namespace rivulet
{

using namespace test;

namespace
{

const std::string kUuid = "01234567-89ab-4def-a123-456789abcdef"; // NOLINT(cert-err58-cpp)

StoreConversion growing(const std::atomic<bool>* cancel = nullptr)
{
  StoreConversion options;
  options.convert.threads = 1;
  options.convert.cancel = cancel;
  options.store.start = StoreStart::Append;
  options.store.uuid = kUuid;
  return options;
}

std::vector<double> times_in(const std::string& path)
{
  const Result<FieldSeries> series = FieldSeries::open({ path });
  return series ? series->info.times : std::vector<double>();
}

} // namespace

TEST(StoreConversion, shows_progress_over_all_steps)
{
  const TemporaryFolder folder;
  NumberedSource source({ 20, 15, 12 }, { velocity(), cell_pressure() }, 3);
  std::int64_t last = 0;
  std::int64_t of = 0;
  StoreConversion options = growing();
  options.convert.progress = [&](std::int64_t done, std::int64_t total)
  {
    EXPECT_GE(done, last);
    EXPECT_LE(done, total);
    last = done;
    of = total;
  };
  const Result<StoreReport> report = convert_to_store(source, folder.file("flow.rvs"), options);
  ASSERT_TRUE(report) << report.error().describe();
  EXPECT_EQ(report->steps_written, 3);
  EXPECT_EQ(report->steps_kept, 0);
  EXPECT_EQ(last, of);
  EXPECT_EQ(last, report->written.source_bytes);
  EXPECT_EQ(times_in(folder.file("flow.rvs")), source.info().times);
}

TEST(StoreConversion, goes_on_after_a_stop_with_the_step_that_was_stopped)
{
  const TemporaryFolder folder;
  NumberedSource source({ 20, 15, 12 }, { velocity() }, 4);
  ASSERT_TRUE(convert_to_store(source, folder.file("whole.rvs"), growing()));

  std::atomic<bool> cancel{ false };
  const std::int64_t in_a_step = source.points_read / 4;
  source.points_read = 0;
  source.before_read = [&]
  {
    cancel = source.points_read >= 2 * in_a_step;
    return Result<void>();
  };
  const Result<StoreReport> stopped = convert_to_store(source, folder.file("flow.rvs"), growing(&cancel));
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
  EXPECT_EQ(times_in(folder.file("flow.rvs")).size(), 2U);

  source.before_read = {};
  source.points_read = 0;
  const Result<StoreReport> rest = convert_to_store(source, folder.file("flow.rvs"), growing());
  ASSERT_TRUE(rest) << rest.error().describe();
  EXPECT_EQ(rest->steps_kept, 2);
  EXPECT_EQ(rest->steps_written, 2);
  EXPECT_EQ(source.points_read, 2 * in_a_step) << "steps that are there are not read";
  for (int step = 0; step < 4; ++step)
  {
    EXPECT_EQ(bytes_of(step_path(folder.file("flow.rvs"), step)), bytes_of(step_path(folder.file("whole.rvs"), step)));
  }
}

TEST(StoreConversion, keeps_the_steps_before_a_source_that_fails)
{
  const TemporaryFolder folder;
  NumberedSource source({ 20, 15, 12 }, { velocity() }, 3);
  ASSERT_TRUE(convert_to_store(source, folder.file("whole.rvs"), growing()));
  const std::int64_t in_a_step = source.points_read / 3;
  source.points_read = 0;
  source.before_read = [&]() -> Result<void>
  {
    return source.points_read >= in_a_step ? Result<void>(fail(ErrorCode::CannotRead, "the disk is gone"))
                                           : Result<void>();
  };
  const Result<StoreReport> report = convert_to_store(source, folder.file("flow.rvs"), growing());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().what, "the disk is gone");
  EXPECT_EQ(names_in(folder), (std::vector<std::string>{ "flow.rvs", "whole.rvs" }));
  EXPECT_EQ(times_in(folder.file("flow.rvs")).size(), 1U);
}

} // namespace rivulet
