// SPDX-License-Identifier: BSD-3-Clause
// Messages and texts of the panel, and the step of a requested time.
#include "Base/Bytes.h"
#include "MessageLog.h"
#include "Pipeline/ErrorReport.h"
#include "Pipeline/ReadingText.h"
#include "Pipeline/TimeSteps.h"
#include "vtkImageData.h"
#include "vtkNew.h"

#include <gmock/gmock.h>
#include <limits>

namespace rivulet::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

Error not_found()
{
  Error error;
  error.code = ErrorCode::NotFound;
  error.what = "the file cannot be opened";
  error.remedy = "check the path";
  error.path = "flow.rvf";
  return error;
}

TEST(ErrorReport, IsOneMessageThatNamesFileAndRemedy)
{
  const MessageLog log;
  const vtkNew<vtkImageData> who;
  EXPECT_EQ(report_error(who, not_found()), 0);
  ASSERT_THAT(log.messages(), SizeIs(1));
  EXPECT_THAT(log.messages().front(), HasSubstr("vtkImageData"));
  EXPECT_THAT(log.messages().front(), HasSubstr("flow.rvf"));
  EXPECT_THAT(log.messages().front(), HasSubstr("the file cannot be opened"));
  EXPECT_THAT(log.messages().front(), HasSubstr("Check the path"));
}

TEST(ErrorReport, NeedsNoObject)
{
  const MessageLog log;
  EXPECT_EQ(report_error(nullptr, not_found()), 0);
  ASSERT_THAT(log.messages(), SizeIs(1));
  EXPECT_THAT(log.messages().front(), HasSubstr("Check the path"));
}

TEST(ErrorReport, MayBeAWarning)
{
  const MessageLog log;
  const vtkNew<vtkImageData> who;
  report_warning(who, not_found());
  ASSERT_THAT(log.messages(), SizeIs(1));
  EXPECT_THAT(log.messages().front(), HasSubstr("Warning"));
}

TEST(ReadingText, CountsBytesAndBricks)
{
  EXPECT_EQ(values_read({ .bytes_read = 2273280, .bricks_read = 185 }), "2.2 MiB in 185 bricks");
  EXPECT_EQ(values_read({ .bytes_read = 1024, .bricks_read = 1 }), "1 KiB in 1 brick");
  EXPECT_EQ(values_read({ .bytes_read = 0, .bricks_read = 0 }), "0 B");
  EXPECT_EQ(peak_memory(638976, 16 * kMiB), "624 KiB of 16 MiB");
  EXPECT_EQ(peak_memory(638976, 0), "624 KiB");
}

TEST(StepAt, IsTheLastOneNotAfterTheTime)
{
  const std::vector<double> times{ 0.0, 0.5, 2.0 };
  EXPECT_EQ(step_at(times, -1.0), 0U);
  EXPECT_EQ(step_at(times, 0.0), 0U);
  EXPECT_EQ(step_at(times, 0.49), 0U);
  EXPECT_EQ(step_at(times, 0.5), 1U);
  EXPECT_EQ(step_at(times, 1.99), 1U);
  EXPECT_EQ(step_at(times, 2.0), 2U);
  EXPECT_EQ(step_at(times, 1e300), 2U);
  EXPECT_EQ(step_at({ 3.0 }, 0.0), 0U);
}

/// Times come from other programs, by other sums: 0.1 + 0.2 is the step 0.3.
TEST(StepAt, AllowsForRounding)
{
  EXPECT_EQ(step_at({ 0.0, 0.3, 0.6 }, 0.1 + 0.2), 1U);
  EXPECT_EQ(step_at({ 0.0, 0.1 + 0.2, 0.6 }, 0.3), 1U);
  const double epoch = 1.7e9;
  EXPECT_EQ(step_at({ epoch, epoch + 60, epoch + 120 }, std::nextafter(epoch + 60, 0.0)), 1U);
}

TEST(SetTime, IsInBothKeys)
{
  const vtkNew<vtkImageData> output;
  set_time(*output, 2.5);
  EXPECT_EQ(output->GetInformation()->Get(vtkDataObject::DATA_TIME_STEP()), 2.5);
  EXPECT_EQ(output->GetInformation()->Get(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP()), 2.5);
}

} // namespace
} // namespace rivulet::test
