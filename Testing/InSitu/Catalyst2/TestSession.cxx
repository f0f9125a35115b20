// SPDX-License-Identifier: BSD-3-Clause
// Run on any number of ranks. Sessions whose calls fail on one rank, or for lack of memory.
#include "InSitu/Catalyst2/Session.h"
#include "ScarceMemory.h"
#include "Support/TemporaryFolder.h"
#include "Tree.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <new>
#include <optional>

namespace
{

using namespace rivulet::catalyst2;
using testing::HasSubstr;

class Sessions : public testing::Test
{
protected:
  Sessions()
  {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char path[1000] = {};
    if (rank == 0)
    {
      folder.emplace();
      folder->path().string().copy(path, sizeof(path) - 1);
    }
    MPI_Bcast(path, sizeof(path), MPI_CHAR, 0, MPI_COMM_WORLD);
    place = path;
    if (rank == 0)
    {
      write_configuration();
    }
    unsetenv("RIVULET_INSITU_CONFIG");
    MPI_Barrier(MPI_COMM_WORLD);
  }
  ~Sessions() override { unsetenv("RIVULET_INSITU_CONFIG"); }
  Sessions(const Sessions&) = delete;
  Sessions& operator=(const Sessions&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return place + "/" + name; }
  void write_configuration() const
  {
    std::ofstream(file("insitu.json")) << R"({ "policy": "synchronous", "cores": 2, "plugins": [")" << RECORDER_FOLDER
                                       << R"("], "output": ")" << file("out")
                                       << R"(", "analytics": [ { "name": "recorder" } ] })";
  }

  int initialize()
  {
    session.teller().begin_call();
    return session.initialize(Tree().root());
  }
  int execute(const Tree& tree)
  {
    session.teller().begin_call();
    return session.execute(tree.root());
  }
  /// With the configuration on all ranks.
  void begin()
  {
    setenv("RIVULET_INSITU_CONFIG", file("insitu.json").c_str(), 1);
    ASSERT_EQ(initialize(), RIVULET_OK) << session.message();
  }

  int rank = 0;
  int ranks = 1;
  std::optional<rivulet::test::TemporaryFolder> folder; ///< of rank 0
  std::string place;                                    ///< its path, on all ranks
  Session session;
};

void set_state(Tree& tree, std::int64_t step)
{
  tree.set("catalyst/state/timestep", step).set("catalyst/state/time", 0.5);
}

/// A channel with cells of a box.
void set_box(Tree& tree)
{
  const std::string box = "catalyst/channels/box/";
  tree.set(box + "type", "mesh").set(box + "data/coordsets/c/type", "uniform");
  tree.set(box + "data/coordsets/c/dims/i", std::int64_t{ 4 }).set(box + "data/topologies/t/type", "uniform");
  tree.set(box + "data/topologies/t/coordset", "c").set(box + "data/fields/p/topology", "t");
  tree.set(box + "data/fields/p/association", "element")
      .set(box + "data/fields/p/values", std::vector<double>{ 1.0, 2.0, 3.0 });
}

/// The same, and two channels with points.
void set_channels(Tree& tree)
{
  set_box(tree);
  for (const char* const name : { "dots", "more" })
  {
    const std::string dots = std::string("catalyst/channels/") + name + "/";
    tree.set(dots + "type", "mesh").set(dots + "data/coordsets/c/type", "explicit");
    tree.set(dots + "data/coordsets/c/values/x", std::vector<double>{ 1.0, 2.0 })
        .set(dots + "data/coordsets/c/values/y", std::vector<double>{ 1.0, 2.0 });
    tree.set(dots + "data/topologies/t/type", "points").set(dots + "data/topologies/t/coordset", "c");
    tree.set(dots + "data/fields/v/topology", "t").set(dots + "data/fields/v/association", "vertex");
    tree.set(dots + "data/fields/v/values/x", std::vector<double>{ 1.0, 2.0 })
        .set(dots + "data/fields/v/values/y", std::vector<double>{ 3.0, 4.0 });
  }
}

TEST_F(Sessions, AConfigurationOnSomeRanksIsRefusedOnAll)
{
  if (rank == 0)
  {
    setenv("RIVULET_INSITU_CONFIG", file("insitu.json").c_str(), 1);
  }
  EXPECT_EQ(initialize(), ranks == 1 ? RIVULET_OK : RIVULET_ERROR_CONFIG);
  EXPECT_EQ(session.message().empty(), ranks == 1);
  session.finalize();
}

TEST_F(Sessions, LaterCallsSayWhyThereIsNoSession)
{
  Tree tree;
  set_state(tree, 0);
  EXPECT_EQ(execute(tree), RIVULET_ERROR_ORDER);
  EXPECT_THAT(session.message(), HasSubstr("catalyst_initialize was not called"));
  EXPECT_EQ(initialize(), RIVULET_ERROR_CONFIG);
  EXPECT_THAT(session.message(), HasSubstr("there is no configuration"));
  EXPECT_EQ(execute(tree), RIVULET_ERROR_ORDER);
  EXPECT_THAT(session.message(), HasSubstr("there is no configuration"));
  setenv("RIVULET_INSITU_CONFIG", "/nowhere/insitu.json", 1);
  EXPECT_EQ(initialize(), RIVULET_ERROR_CONFIG);
  EXPECT_EQ(execute(tree), RIVULET_ERROR_ORDER);
  EXPECT_THAT(session.message(), HasSubstr("/nowhere/insitu.json"));
}

TEST_F(Sessions, AStateOnSomeRanksIsRefusedOnAll)
{
  begin();
  Tree tree;
  if (rank < ranks - 1)
  {
    set_state(tree, 0);
  }
  EXPECT_EQ(execute(tree), RIVULET_ERROR_DATA);
  EXPECT_THAT(session.message(), HasSubstr(rank < ranks - 1 ? "another rank has no step" : "catalyst/state"));
  session.finalize();
}

/// Lines of the recorder, from the hash on.
std::vector<std::string> recorded(const std::string& path)
{
  std::vector<std::string> lines;
  std::ifstream from(path);
  for (std::string line; std::getline(from, line);)
  {
    lines.push_back(line.substr(line.find("hash")));
  }
  return lines;
}

TEST_F(Sessions, TopologiesOfOneRankLeaveTheOthersWhole)
{
  begin();
  Tree tree;
  set_state(tree, 0);
  set_box(tree);
  if (rank == ranks - 1)
  {
    const std::string data = "catalyst/channels/box/data/";
    tree.set(data + "topologies/bed/type", "uniform").set(data + "topologies/bed/coordset", "c");
    tree.set(data + "fields/q/topology", "bed").set(data + "fields/q/association", "element");
    tree.set(data + "fields/q/values", std::vector<double>{ 1.0, 2.0, 3.0 });
  }
  EXPECT_EQ(execute(tree), RIVULET_OK) << session.message();
  EXPECT_THAT(recorded(file("out/recorder-" + std::to_string(rank) + ".txt")).back(), HasSubstr("fields 2 meshes 0"));
  session.finalize();
}

TEST_F(Sessions, AGridWithoutFieldsIsToldOf)
{
  begin();
  Tree tree;
  set_state(tree, 0);
  set_box(tree);
  tree.set("catalyst/state/parameters", "height=3");
  tree.set("catalyst/channels/box/data/fields/p/topology", "other");
  EXPECT_EQ(execute(tree), RIVULET_OK);
  EXPECT_THAT(session.message(), HasSubstr("catalyst/channels/box: it has no fields"));
  session.finalize();
}

TEST_F(Sessions, ParametersAreToldOf)
{
  begin();
  Tree tree;
  set_state(tree, 0);
  tree.set("catalyst/state/parameters", "height=3");
  EXPECT_EQ(execute(tree), RIVULET_OK);
  EXPECT_THAT(session.message(), HasSubstr("catalyst/state/parameters: scripts do not get it"));
  session.finalize();
}

TEST_F(Sessions, AStepWithoutMemoryLeavesNothingBehind)
{
  if (ranks > 1)
  {
    GTEST_SKIP() << "a rank that runs out of memory leaves others waiting";
  }
  begin();
  Tree tree;
  set_channels(tree);
  set_state(tree, 0);
  ASSERT_EQ(execute(tree), RIVULET_OK);
  Tree nothing;
  set_state(nothing, 0);
  bool failed = true;
  for (long left = 0; failed; ++left)
  {
    rivulet::test::set_allocations_left(left);
    try
    {
      session.execute(tree.root());
    }
    catch (const std::bad_alloc&)
    {
    }
    failed = !rivulet::test::set_allocations_left(-1);
    ASSERT_EQ(execute(nothing), RIVULET_OK) << "after " << left << " allocations: " << session.message();
    const std::string line = recorded(file("out/recorder-0.txt")).back();
    ASSERT_THAT(line, HasSubstr("fields 0 meshes 0")) << "after " << left << " allocations";
  }
  ASSERT_EQ(execute(tree), RIVULET_OK);
  const std::vector<std::string> lines = recorded(file("out/recorder-0.txt"));
  EXPECT_EQ(lines.back(), lines.front());
  session.finalize();
}

} // namespace
