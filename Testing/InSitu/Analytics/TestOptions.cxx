// SPDX-License-Identifier: BSD-3-Clause
// Options of all analytics: unknown keys and wrong values are refused by name.
#include "InSitu/Analytics/Atoms.h"
#include "InSitu/Analytics/PluginHost.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace
{

using namespace rivulet::test;
using ::testing::HasSubstr;

struct Wrong
{
  const char* analytics;
  const char* options;
  std::vector<const char*> words; ///< of the message
};

std::ostream& operator<<(std::ostream& out, const Wrong& wrong)
{
  return out << wrong.analytics << " " << wrong.options;
}

class Options : public ::testing::TestWithParam<Wrong>
{
};

TEST_P(Options, AreRefusedByName)
{
  const TemporaryFolder folder;
  const PluginHost host(GetParam().analytics, GetParam().options, { .output = folder.path() });
  EXPECT_NE(host.created(), 0);
  ASSERT_EQ(host.messages().size(), 1U);
  EXPECT_THAT(host.said(), HasSubstr(GetParam().analytics));
  for (const char* word : GetParam().words)
  {
    EXPECT_THAT(host.said(), HasSubstr(word));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

INSTANTIATE_TEST_SUITE_P(All, Options,
    ::testing::Values(Wrong{ "write_dat", R"({"speed": true})", { "no option \"speed\"", "\"velocities\"" } },
        Wrong{ "write_dat", R"({"velocities": 1})", { "\"velocities\"", "true or false" } },
        Wrong{ "write_dat", R"({"set": ""})", { "\"set\"", "a text" } },
        Wrong{ "write_dat", R"([1, 2])", { "not a JSON object" } },
        Wrong{ "statistics", R"({"repeat": 1000})", { "no option \"repeat\"" } },
        Wrong{ "statistics", R"({"of": []})", { "\"of\"", "one or more different names" } },
        Wrong{ "statistics", R"({"of": ["x", "x"]})", { "\"of\"", "different" } },
        Wrong{ "statistics", R"({"of": ["x", 3]})", { "\"of\"", "names" } },
        Wrong{ "histogram", R"({"bins": 0})", { "\"bins\"", "from 1 to 100000000" } },
        Wrong{ "histogram", R"({"bins": 10.5})", { "\"bins\"", "an integer" } },
        Wrong{ "histogram", R"({"bins": 18446744073709551615})", { "\"bins\"", "an integer" } },
        Wrong{ "histogram", R"({"range": [1, 1]})", { "\"range\"", "the smaller one first" } },
        Wrong{ "histogram", R"({"range": [1]})", { "\"range\"", "a list of 2 numbers" } },
        Wrong{ "histogram", R"({"component": -1})", { "\"component\"" } },
        Wrong{ "radial", R"({})", { "\"cutoff\"", "unless \"all_pairs\"" } },
        Wrong{ "radial", R"({"cutoff": 0})", { "\"cutoff\"", "a number above 0" } },
        Wrong{ "radial", R"({"all_pairs": true, "global": true})", { "\"cutoff\"", "\"global\"" } },
        Wrong{ "store", R"({"type": "int32"})", { "\"type\"", "one of \"float32\", \"float64\"" } },
        Wrong{ "store", R"({"cells": true})", { "\"cells\"", "\"nodes\"" } },
        Wrong{ "store", R"({"start": "new"})", { "\"start\"" } },
        Wrong{ "store", R"({"brick": [0, 1, 1]})", { "\"brick\"", "from 1 to 1024" } },
        Wrong{ "store", R"({"brick": [9, 9]})", { "\"brick\"", "3 numbers" } },
        Wrong{ "store", R"({"variable": "velocity"})", { "no option \"variable\"", "\"variables\"" } },
        Wrong{ "streamlines", R"({})", { "\"points\"", "\"line\" and \"plane\"" } },
        Wrong{ "streamlines", R"({"points": [[0, 0]]})", { "\"points\"", "3 numbers each" } },
        Wrong{
            "streamlines", R"({"points": [[0, 0, 0]], "line": [[0, 0, 0], [1, 1, 1]]})", { "\"points\"", "no other" } },
        Wrong{ "streamlines", R"({"line": [[0, 0, 0]]})", { "\"line\"", "2 points" } },
        Wrong{ "streamlines", R"({"plane": [[0, 0, 0], [1, 0, 0]]})", { "\"plane\"", "3 points" } },
        Wrong{ "streamlines", R"({"points": [[0, 0, 0]], "direction": "up"})", { "\"direction\"", "\"backward\"" } },
        Wrong{ "streamlines", R"({"points": [[0, 0, 0]], "attributes": ["velocity"]})", { "\"attributes\"" } },
        Wrong{ "streamlines", R"({"points": [[0, 0, 0]], "limit_mib": 0})", { "\"limit_mib\"", "from 1" } }));

} // namespace
