// SPDX-License-Identifier: BSD-3-Clause
// Progress of a run, and its stops by ParaView's button and by Ctrl-C.
#include "MessageLog.h"
#include "Pipeline/RunProgress.h"
#include "vtkAlgorithm.h"
#include "vtkCallbackCommand.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkProcessModule.h"

#include <csignal>
#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// The shares that an algorithm shows; it may be stopped at one of them.
class Watched : public vtkAlgorithm
{
public:
  static Watched* New();
  vtkTypeMacro(Watched, vtkAlgorithm);

  std::vector<double> shown;
  double stop_at = 2.0;

protected:
  Watched()
  {
    vtkNew<vtkCallbackCommand> command;
    command->SetClientData(this);
    command->SetCallback(
        [](vtkObject*, unsigned long, void* self, void* share)
        {
          auto& watched = *static_cast<Watched*>(self);
          watched.shown.push_back(*static_cast<double*>(share));
          if (watched.shown.back() >= watched.stop_at)
          {
            watched.SetAbortExecute(1);
          }
        });
    this->AddObserver(vtkCommand::ProgressEvent, command);
  }
};
vtkStandardNewMacro(Watched);

TEST(RunProgress, ShowsTheShareDone)
{
  const vtkNew<Watched> algorithm;
  RunProgress progress(*algorithm, "tracing lines");
  const std::function<bool(double)> show = progress.callback();
  EXPECT_TRUE(show(0.25));
  EXPECT_TRUE(show(0.5));
  progress.finish();
  EXPECT_FALSE(progress.stopped());
  EXPECT_THAT(algorithm->shown, ElementsAre(0.25, 0.5));
}

TEST(RunProgress, StopsOnRequest)
{
  const vtkNew<Watched> algorithm;
  algorithm->stop_at = 0.5;
  const MessageLog log;
  RunProgress progress(*algorithm, "tracing lines");
  const std::function<bool(double)> show = progress.callback();
  EXPECT_TRUE(show(0.4));
  EXPECT_FALSE(show(0.6));
  EXPECT_FALSE(show(0.7)) << "a stop is not taken back";
  progress.finish();
  EXPECT_TRUE(progress.stopped());
  progress.keep_what_is_there("lines end where they were", "raise Maximum Error");
  ASSERT_THAT(log.messages(), SizeIs(1));
  EXPECT_THAT(log.messages().front(), HasSubstr("stopped on request: lines end where they were"));
  EXPECT_THAT(log.messages().front(), HasSubstr("Raise Maximum Error"));
}

/// Ctrl-C in a script of pvbatch, as which this process counts from the first of these on.
struct InScript
{
  InScript()
  {
    static char name[] = "TestPipeline";
    static char* words[] = { name, nullptr };
    static char** all = words;
    static int count = 1;
    static const bool started = vtkProcessModule::Initialize(vtkProcessModule::PROCESS_BATCH, count, all);
    EXPECT_TRUE(started);
  }
};

TEST(RunProgress, StopsAtTheFirstInterrupt)
{
  const InScript script;
  const vtkNew<Watched> algorithm;
  RunProgress progress(*algorithm, "tracing lines");
  const std::function<bool(double)> show = progress.callback();
  EXPECT_TRUE(show(0.1));
  std::raise(SIGINT);
  EXPECT_FALSE(show(0.2));
  progress.finish();
  EXPECT_TRUE(progress.stopped());
}

volatile std::sig_atomic_t interrupts = 0;

/// It stops nothing any more, and is handed on to the handler that was there before.
TEST(RunProgress, HandsAnInterruptOnThatCameTooLate)
{
  const InScript script;
  const auto before = std::signal(SIGINT, [](int) { interrupts = interrupts + 1; });
  {
    const vtkNew<Watched> algorithm;
    RunProgress progress(*algorithm, "tracing lines");
    EXPECT_TRUE(progress.callback()(0.9));
    progress.finish();
    std::raise(SIGINT);
    EXPECT_FALSE(progress.stopped());
    EXPECT_EQ(interrupts, 0);
  }
  EXPECT_EQ(interrupts, 1);
  std::signal(SIGINT, before);
}

TEST(RunProgress, LeavesAnIgnoredInterruptAlone)
{
  const InScript script;
  const auto before = std::signal(SIGINT, SIG_IGN);
  const vtkNew<Watched> algorithm;
  RunProgress progress(*algorithm, "tracing lines");
  std::raise(SIGINT);
  EXPECT_TRUE(progress.callback()(0.5));
  progress.finish();
  EXPECT_FALSE(progress.stopped());
  std::signal(SIGINT, before);
}

TEST(RunProgress, OfOneRankAsksNoOther)
{
  const vtkNew<Watched> algorithm;
  const Ranks ranks;
  EXPECT_EQ(ranks.size(), 1);
  RunProgress progress(*algorithm, "tracing lines", &ranks);
  EXPECT_TRUE(progress.callback()(0.5));
  progress.finish();
  EXPECT_THAT(algorithm->shown, ElementsAre(0.5));
}

/// A single rank never waits, and sums and messages are its own.
TEST(Ranks, OfOneAreThatOne)
{
  const Ranks ranks;
  EXPECT_EQ(ranks.rank(), 0);
  EXPECT_EQ(ranks.part().share(17), std::pair(std::int64_t{ 0 }, std::int64_t{ 17 }));
  std::vector<std::int64_t> sums{ 1, 2 };
  ranks.sum(std::span<std::int64_t>(sums));
  ranks.max(std::span<std::int64_t>(sums));
  EXPECT_THAT(sums, ElementsAre(1, 2));
  const std::vector<std::byte> bytes{ std::byte{ 7 }, std::byte{ 8 } };
  EXPECT_EQ(*ranks.gather(std::span<const std::byte>(bytes)), bytes);
  EXPECT_TRUE(ranks.gather(std::span<const double>())->empty());
  EXPECT_EQ(ranks
                .gather_bytes(bytes, [](std::size_t) -> std::byte* { throw std::bad_alloc(); })
                .error()
                .code,
      ErrorCode::BudgetTooSmall);
  std::vector<std::byte> same = bytes;
  EXPECT_TRUE(ranks.broadcast(same).has_value());
  EXPECT_EQ(same, bytes);
  EXPECT_TRUE(ranks.agree({}).has_value());
  Error error;
  error.what = "no";
  EXPECT_EQ(ranks.agree(tl::unexpected(error)).error().what, "no");
}

/// Shares of any number of parts are in order, have all things once, and differ by one at most.
TEST(RankPart, SharesOutAllThings)
{
  for (const std::int64_t count : { 0, 1, 5, 64, 1000003 })
  {
    for (const int parts : { 1, 2, 3, 7, 64 })
    {
      std::int64_t next = 0;
      for (int part = 0; part < parts; ++part)
      {
        const auto [first, last] = RankPart{ part, parts }.share(count);
        EXPECT_EQ(first, next);
        EXPECT_LE(last - first, count / parts + 1);
        EXPECT_GE(last - first, count / parts);
        next = last;
      }
      EXPECT_EQ(next, count);
    }
  }
}

} // namespace
} // namespace rivulet::test
