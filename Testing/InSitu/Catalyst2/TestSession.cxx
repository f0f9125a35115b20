// SPDX-License-Identifier: BSD-3-Clause
// Run on any number of ranks. Sessions whose calls fail on one rank.
#include "InSitu/Catalyst2/Session.h"
#include "Support/TemporaryFolder.h"
#include "Tree.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
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

} // namespace
