// SPDX-License-Identifier: BSD-3-Clause
// pathlines of a simulation that is restarted from a checkpoint, against those of one run.
#include "InSitu/Analytics/PathlineRun.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace
{

using namespace rivulet;
using namespace rivulet::test;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

using Files = std::map<std::string, std::string>;

/// All files of a folder.
Files files_in(const std::string& folder)
{
  Files files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
  {
    files[entry.path().filename().string()] = text_of(entry.path().string());
  }
  return files;
}

std::string options_with(const nlohmann::json& more)
{
  nlohmann::json options = nlohmann::json::parse(kPathlineOptions);
  options.update(more);
  return options.dump();
}

Files files_of_one_run(const std::string& options = kPathlineOptions)
{
  const TemporaryFolder folder;
  PathlineRun({ .output = folder.path() }, options).steps(0, kTimes.size());
  return files_in(folder.path());
}

/// Names of files that differ.
std::vector<std::string> different(const Files& one, const Files& other)
{
  std::vector<std::string> names;
  for (const auto& [name, text] : one)
  {
    if (other.count(name) == 0 || other.at(name) != text)
    {
      names.push_back(name);
    }
  }
  for (const auto& [name, text] : other)
  {
    if (one.count(name) == 0)
    {
      names.push_back(name);
    }
  }
  return names;
}

/// Steps [first, end) on all ranks, or on the first alone.
void run_on(
    MPI_Comm comm, const PluginSettings& settings, const std::string& options, std::size_t first, std::size_t end)
{
  if (comm == MPI_COMM_WORLD || world_rank() == 0)
  {
    PathlineRun run(
        { .output = settings.output, .slots = settings.slots, .comm = comm, .start = settings.start }, options);
    run.steps(first, end);
    if (world_rank() == 0)
    {
      EXPECT_EQ(run.host().said().find("anew"), std::string::npos) << run.host().said();
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

void write_file(const std::string& path, const std::string& bytes)
{
  std::ofstream(path, std::ios::binary) << bytes;
}

/// What a run says that begins with step 3 beside a state of it, with its lines.
struct Restarted
{
  std::string said;
  std::string next; ///< the file of step 4
};

Restarted restart_beside(const std::string& state, const std::string& options = kPathlineOptions)
{
  const TemporaryFolder folder;
  PathlineRun({ .output = folder.path() }).steps(0, 4);
  write_file(file_of(folder.path(), 3, ".state"), state);
  PathlineRun run({ .output = folder.path() }, options);
  run.steps(3, kTimes.size());
  return { run.host().said(), text_of(file_of(folder.path(), 4)) };
}

/// The state of step 3.
std::string sound_state()
{
  const TemporaryFolder folder;
  PathlineRun({ .output = folder.path() }).steps(0, 4);
  return text_of(file_of(folder.path(), 3, ".state"));
}

} // namespace

TEST(PathlineRestarts, GoOnFromTheStateOfTheFirstStep)
{
  const Files expected = files_of_one_run();
  EXPECT_EQ(expected.size(), kTimes.size() + 3) << "files of steps, their list, two states";
  for (const auto& [before, after] : { std::pair{ MPI_COMM_WORLD, MPI_COMM_WORLD }, { MPI_COMM_WORLD, MPI_COMM_SELF },
           { MPI_COMM_SELF, MPI_COMM_WORLD } })
  {
    for (const std::size_t at : { 0, 1, 3, 5 })
    {
      for (const std::size_t later : { 1, 2 }) // the checkpoint may be older than the last step of the run that ended
      {
        const SharedFolder folder;
        run_on(before, { .output = folder.path() }, kPathlineOptions, 0, at + later);
        run_on(after, { .output = folder.path(), .slots = 2 }, kPathlineOptions, at, kTimes.size());
        if (world_rank() == 0)
        {
          EXPECT_THAT(different(files_in(folder.path()), expected), IsEmpty()) << "at step " << at;
        }
        MPI_Barrier(MPI_COMM_WORLD);
      }
    }
  }
}

TEST(PathlineRestarts, AreServedByTheStatesThatTheOptionsAskFor)
{
  const std::string options = options_with({ { "save_every", 2 }, { "states", 2 } });
  const Files expected = files_of_one_run(options);
  EXPECT_TRUE(expected.count("pathlines-00000004.state") == 1 && expected.count("pathlines-00000006.state") == 1);
  EXPECT_EQ(expected.size(), kTimes.size() + 3);
  for (const std::size_t at : { 2, 4 })
  {
    const SharedFolder folder;
    run_on(MPI_COMM_WORLD, { .output = folder.path() }, options, 0, 6);
    run_on(MPI_COMM_WORLD, { .output = folder.path() }, options, at, kTimes.size());
    if (world_rank() == 0)
    {
      EXPECT_THAT(different(files_in(folder.path()), expected), IsEmpty()) << "at step " << at;
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  const TemporaryFolder folder;
  PathlineRun({ .output = folder.path() }, options_with({ { "save_every", 0 } })).steps(0, 3);
  EXPECT_FALSE(std::filesystem::exists(file_of(folder.path(), 2, ".state")));
}

TEST(PathlineRestarts, ReleaseAnewWithoutAStateAndSaySo)
{
  const TemporaryFolder folder;
  PathlineRun({ .output = folder.path() }).steps(0, 6);
  {
    PathlineRun run({ .output = folder.path() });
    run.steps(3, 4);
    EXPECT_THAT(run.host().said(),
        AllOf(HasSubstr("particles are released anew at step 3: the run begins with step 3"),
            HasSubstr("has left states of the steps 4, 5"), HasSubstr("let \"save_every\" be the interval")));
    EXPECT_THAT(text_of(file_of(folder.path(), 3)), HasSubstr("NumberOfVerts=\"5\" NumberOfLines=\"0\""));
    EXPECT_FALSE(std::filesystem::exists(file_of(folder.path(), 5, ".state"))) << "a state of other lines";
    run.steps(4, 5);
  }
  PathlineRun run({ .output = folder.path() });
  (void)run.flow().snapshot(4, kTimes[4]); // the first step of the run, of which the analytics gets nothing
  run.steps(5, 6);
  EXPECT_THAT(run.host().said(), HasSubstr("released anew at step 5: the run begins with step 4"));
}

TEST(PathlineRestarts, ReleaseAnewBesideAStateThatCannotBeUsed)
{
  const std::string sound = sound_state();
  const Restarted whole = restart_beside(sound);
  EXPECT_THAT(whole.said, AllOf(HasSubstr("particles go on from their state of step 3"), Not(HasSubstr("anew"))));
  std::string other_version = sound;
  other_version[7] = '2';
  std::string damaged = sound;
  damaged[100] = static_cast<char>(damaged[100] ^ 1);
  const std::vector<std::pair<std::string, std::string>> states{ { "", "too short for the state" },
    { sound.substr(0, 55), "too short for the state" }, { sound.substr(0, 56), "is cut short" },
    { sound.substr(0, 300), "is cut short" }, { sound.substr(0, sound.size() - 136), "is cut short" },
    { sound + "more", "the state is of other seeds" }, { "x" + sound.substr(1), "the file is no state of particles" },
    { other_version, "another version has written" }, { damaged, "is damaged" } };
  for (const auto& [state, reason] : states)
  {
    const Restarted restarted = restart_beside(state);
    EXPECT_THAT(restarted.said, AllOf(HasSubstr("particles are released anew at step 3, because their state cannot be"),
                                    HasSubstr("pathlines-00000003.state"), HasSubstr(reason)));
    EXPECT_NE(restarted.next, whole.next);
  }
}

TEST(PathlineRestarts, ReleaseAnewWithOtherOptions)
{
  const std::string sound = sound_state();
  const std::vector<nlohmann::json> others{ { { "steps", 99 } }, { { "points", { { 5, 3, 2.3 } } } },
    { { "points", { { 5, 3, 2.3 }, { 6, 3, 2.4 }, { 8.9, 3, 2.3 }, { 4.1, 3, 2.1 }, { 100, 0, 1 } } } } };
  for (const nlohmann::json& other : others)
  {
    EXPECT_THAT(restart_beside(sound, options_with(other)).said, HasSubstr("the state is of other ")) << other;
  }
  const nlohmann::json none = { { "attributes", { "pressure" } }, { "limit_mib", 9 }, { "states", 7 } };
  EXPECT_THAT(restart_beside(sound, options_with(none)).said, HasSubstr("go on from their state"));
  const TemporaryFolder folder;
  PathlineRun({ .output = folder.path() }).steps(0, 4);
  PathlineRun run({ .output = folder.path() });
  EXPECT_EQ(run.host().execute(run.flow().snapshot(3, 0.75)), 0);
  EXPECT_THAT(run.host().said(), HasSubstr("the state is of step 3 at the time 0.5, and this step has the time 0.75"));
}

TEST(PathlineRestarts, ContinueAfterTheLastStep)
{
  const Files expected = files_of_one_run();
  for (const std::size_t at : { 1, 3, 4 })
  {
    const SharedFolder folder;
    run_on(MPI_COMM_WORLD, { .output = folder.path() }, kPathlineOptions, 0, 5);
    run_on(MPI_COMM_WORLD, { .output = folder.path(), .start = RIVULET_CONTINUE }, kPathlineOptions, at, kTimes.size());
    if (world_rank() == 0)
    {
      EXPECT_THAT(different(files_in(folder.path()), expected), IsEmpty()) << "at step " << at;
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  // From the first step on, where there is no state but of that one.
  const std::string seldom = options_with({ { "save_every", 1000 } });
  const SharedFolder begun;
  run_on(MPI_COMM_WORLD, { .output = begun.path() }, seldom, 1, 4);
  run_on(MPI_COMM_WORLD, { .output = begun.path(), .start = RIVULET_CONTINUE }, seldom, 1, kTimes.size());
  const TemporaryFolder whole;
  PathlineRun({ .output = whole.path() }, seldom).steps(1, kTimes.size());
  EXPECT_THAT(different(files_in(begun.path()), files_in(whole.path())), IsEmpty());
  const SharedFolder empty;
  run_on(MPI_COMM_WORLD, { .output = empty.path(), .start = RIVULET_CONTINUE }, kPathlineOptions, 0, kTimes.size());
  EXPECT_THAT(different(files_in(empty.path()), expected), IsEmpty());
}

TEST(PathlineRestarts, ThatContinueWithoutAStateAreRefused)
{
  const SharedFolder folder;
  run_on(MPI_COMM_WORLD, { .output = folder.path() }, options_with({ { "save_every", 0 } }), 0, 4);
  PathlineRun run({ .output = folder.path(), .comm = MPI_COMM_WORLD, .start = RIVULET_CONTINUE });
  run.steps(2, 4);
  EXPECT_NE(run.step(4), 0);
  EXPECT_NE(run.step(5), 0);
  if (world_rank() == 0)
  {
    EXPECT_THAT(run.host().said(), AllOf(HasSubstr("particles cannot go on: an earlier run has left no states"),
                                       HasSubstr("\"start\": \"restart\" releases them anew")));
    EXPECT_FALSE(std::filesystem::exists(file_of(folder.path(), 4)));
  }
}

TEST(PathlineRestarts, OfANewRunAreRefusedBesideStates)
{
  const TemporaryFolder folder;
  write_file(file_of(folder.path(), 3, ".state"), sound_state());
  PathlineRun run({ .output = folder.path(), .start = RIVULET_NEW });
  EXPECT_NE(run.host().created(), 0);
  EXPECT_THAT(run.host().said(), AllOf(HasSubstr("00000003.state"), HasSubstr("\"start\": \"new\"")));
}

TEST(PathlineRestarts, KeepNoStateOfLinesThatWait)
{
  const TemporaryFolder folder;
  PathlineRun run({ .output = folder.path() });
  run.steps(0, 3);
  std::filesystem::create_directories(file_of(folder.path(), 3) + "/full");
  EXPECT_NE(run.step(3), 0);
  EXPECT_FALSE(std::filesystem::exists(file_of(folder.path(), 3, ".state")));
  std::filesystem::create_directories(file_of(folder.path(), 4, ".state") + "/full");
  EXPECT_NE(run.step(4), 0) << "a state that cannot be written is an error, and the lines are there";
  EXPECT_TRUE(std::filesystem::exists(file_of(folder.path(), 4)));
  run.steps(5, kTimes.size());
  EXPECT_TRUE(std::filesystem::exists(file_of(folder.path(), 6, ".state")));
}
