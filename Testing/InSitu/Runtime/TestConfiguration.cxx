// SPDX-License-Identifier: BSD-3-Clause
#include "InSitu/Runtime/Configuration.h"
#include "InSitu/Runtime/Plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace rivulet::insitu
{
namespace
{

using testing::HasSubstr;

TEST(Configuration, ReadsAllKeys)
{
  const auto read = parse_configuration(R"({
    // a comment
    "policy": "static", "cores": 28, "analytics_threads": 7, "workers": 20, "buffers": 2, "when_full": "drop_oldest",
    "buffer_mib": 100, "priority": "normal", "plugins": ["plugins", "/opt/analytics"], "check_plugins": false, "output": "results", "start": "continue",
    "finalize_limit": 1.5, "wait_limit": 0, "trace": "trace.json",
    "analytics": [{ "name": "a", "plugin": "radial", "every": 10, "first": 5, "repeat": 2, "on_error": "stop", "options": { "bins": 7 } },
                  { "name": "histogram" }, { "plugin": "slice" }] })",
      "/home/me/insitu.json");
  ASSERT_TRUE(read) << read.error().describe();
  EXPECT_EQ(read->policy, Policy::Static);
  EXPECT_EQ(read->cores, 28);
  EXPECT_EQ(read->analytics_threads, 7);
  EXPECT_EQ(read->workers, 20);
  EXPECT_EQ(read->buffers, 2);
  EXPECT_EQ(read->when_full, WhenFull::DropOldest);
  EXPECT_EQ(read->buffer_mib, 100);
  EXPECT_FALSE(read->low_priority);
  EXPECT_EQ(read->plugins, (std::vector<std::string>{ "/home/me/plugins", "/opt/analytics" }));
  EXPECT_FALSE(read->check_plugins);
  EXPECT_EQ(read->output, "results");
  EXPECT_EQ(read->start, Start::Continue);
  EXPECT_EQ(read->finalize_limit, 1.5);
  EXPECT_EQ(read->wait_limit, 0);
  EXPECT_EQ(read->trace, "trace.json");
  ASSERT_EQ(read->analytics.size(), 3U);
  EXPECT_EQ(read->analytics[0].plugin, "radial");
  EXPECT_EQ(read->analytics[0].every, 10);
  EXPECT_EQ(read->analytics[0].first, 5);
  EXPECT_EQ(read->analytics[0].repeat, 2);
  EXPECT_EQ(read->analytics[0].on_error, OnError::Stop);
  EXPECT_EQ(read->analytics[1].on_error, OnError::Skip);
  EXPECT_EQ(read->analytics[0].options, R"({"bins":7})");
  EXPECT_EQ(read->analytics[1].plugin, "histogram");
  EXPECT_EQ(read->analytics[1].options, "{}");
  EXPECT_EQ(read->analytics[2].name, "slice");
}

TEST(Configuration, NamesThePlaceAndTheRemedyOfErrors)
{
  const std::vector<std::pair<std::string, std::string>> cases{
    { "{\n  \"cores\": 4,\n  \"buffers\" 2\n}", "line 3, column" },
    { "", "line 1, column 1" },
    { "[]", "is not an object" },
    { R"({"start": "append"})", "\"start\" is \"append\"" },
    { R"({"cores": 4, "policy": "task", "cores": 8})", R"("cores" is given twice)" },
    { R"({"analytics": [{"name": "a", "every": 1, "every": 2}]})", R"("every" is given twice)" },
    { R"({"analytics": [{"name": "../up/a", "plugin": "a"}]})", R"("analytics[0].name" is "../up/a", with a slash)" },
    { R"({"check_plugins": "no"})", R"("check_plugins" is "no". Give true or false)" },
    { R"({"polcy": "static"})", R"("polcy" is not a key of the configuration. Known keys are)" },
    { R"({"policy": "fast"})", R"("policy" is "fast". Give one of "synchronous", "asynchronous")" },
    { R"({"cores": "four"})", R"("cores" is "four". Give a whole number from 0 to 4096)" },
    { R"({"cores": 4.5})", R"("cores" is 4.5)" },
    { R"({"cores": -1})", R"("cores" is -1)" },
    { R"({"buffers": 0})", R"("buffers" is 0. Give a whole number from 1)" },
    { R"({"buffers": 18446744073709551615})", R"("buffers" is 18446744073709551615)" },
    { R"({"analytics_threads": 0})", R"("analytics_threads" is 0)" },
    { R"({"finalize_limit": -1})", R"("finalize_limit" is -1. Give seconds)" },
    { R"({"finalize_limit": 0})", R"("finalize_limit" is 0. Give seconds, more than 0)" },
    { R"({"finalize_limit": 1e300})", R"("finalize_limit" is 1e+300)" },
    { R"({"output": ""})", R"("output" is "")" },
    { R"({"plugins": "folder"})", R"("plugins" is no list of folders)" },
    { R"({"plugins": [1]})", R"("plugins" is no list of folders)" },
    { R"({"analytics": {}})", R"("analytics" is no list)" },
    { R"({"analytics": [1]})", R"("analytics[0]" is not an object)" },
    { R"({"analytics": [{}]})", R"("analytics[0].name" is missing)" },
    { R"({"analytics": [{"name": "a"}, {"name": "b", "every": 0}]})", R"("analytics[1].every" is 0)" },
    { R"({"analytics": [{"name": "a"}, {"name": "a"}]})", R"("analytics[1].name" is "a" for the second time)" },
    { R"({"analytics": [{"name": "a", "option": {}}]})", R"("analytics[0].option" is not a key)" },
    { R"({"analytics": [{"name": "a", "options": []}]})", R"("analytics[0].options" is [])" },
    { R"({"analytics": [{"name": "../evil"}]})", R"("analytics[0].plugin" is "../evil", with a slash)" },
  };
  for (const auto& [text, message] : cases)
  {
    const auto read = parse_configuration(text, "insitu.json");
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().describe(), testing::AllOf(HasSubstr("insitu.json: "), HasSubstr(message)));
  }
  EXPECT_THAT(
      read_configuration("/nowhere.json").error().describe(), HasSubstr("/nowhere.json: the configuration cannot"));
  EXPECT_FALSE(read_configuration("/tmp"));
}

TEST(Configuration, HasAFingerprintOfItsContents)
{
  const auto fingerprint = [](const char* text)
  {
    return parse_configuration(text, "")->fingerprint;
  };
  EXPECT_EQ(fingerprint(R"({"cores": 4, "buffers": 2})"), fingerprint("{ \"buffers\":2,\n\"cores\":4 } // same"));
  EXPECT_NE(fingerprint(R"({"cores": 4})"), fingerprint(R"({"cores": 5})"));
}

struct Sizes
{
  int workers;
  int simulation;
  int analytics;
  bool operator==(const Sizes&) const = default;
};

Cores cores(int count)
{
  Cores list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), 10);
  return list;
}

Plan plan_of(const std::string& text, const Cores& allowed, int sharing = 1)
{
  return make_plan(*parse_configuration(text, ""), allowed, sharing).value();
}

Sizes sizes_of(const std::string& policy)
{
  const Plan plan = plan_of(R"({"cores": 28, "analytics_threads": 7, "policy": ")" + policy + "\"}", cores(28));
  return { plan.workers, plan.simulation, plan.analytics };
}

TEST(Plan, HasTheSizesOfThePaper)
{
  EXPECT_EQ(sizes_of("synchronous"), (Sizes{ 27, 28, 28 }));
  EXPECT_EQ(sizes_of("asynchronous"), (Sizes{ 26, 28, 28 }));
  EXPECT_EQ(sizes_of("static"), (Sizes{ 26, 21, 7 }));
  EXPECT_EQ(sizes_of("dynamic"), (Sizes{ 26, 27, 7 }));
  EXPECT_EQ(sizes_of("task"), (Sizes{ 27, 28, 7 }));
}

TEST(Plan, BindsAnalyticsToTheFirstCores)
{
  const Plan fixed = plan_of(R"({"policy": "static", "analytics_threads": 2})", cores(6));
  EXPECT_EQ(fixed.analytics_cores, (Cores{ 10, 11 }));
  EXPECT_EQ(fixed.simulation_cores, (Cores{ 12, 13, 14, 15 }));
  EXPECT_EQ(fixed.master_cores, fixed.analytics_cores);
  const Plan dynamic = plan_of(R"({"policy": "dynamic", "analytics_threads": 2})", cores(6));
  EXPECT_EQ(dynamic.master_cores, (Cores{ 10 }));
  EXPECT_TRUE(dynamic.analytics_cores.empty() && dynamic.simulation_cores.empty());
  EXPECT_TRUE(dynamic.notes.empty());
}

TEST(Plan, BindsNothingWithoutACoreForEachThread)
{
  const Plan more = plan_of(R"({"policy": "static", "cores": 7})", cores(6));
  EXPECT_TRUE(more.analytics_cores.empty() && more.simulation_cores.empty() && more.master_cores.empty());
  ASSERT_EQ(more.notes.size(), 1U);
  EXPECT_THAT(more.notes[0], HasSubstr("7 virtual cores, but this process may use only 6"));
  const Plan shared = plan_of(R"({"policy": "static"})", cores(8), 2);
  EXPECT_EQ(shared.cores, 4);
  EXPECT_TRUE(shared.analytics_cores.empty());
  EXPECT_THAT(shared.notes.at(0), HasSubstr("2 ranks may use the same cores"));
  EXPECT_EQ(plan_of("{}", cores(1)).cores, 2); // a thread for either side
}

TEST(Plan, RefusesSizesThatCannotBe)
{
  const auto refusal = [](const char* text)
  {
    return make_plan(*parse_configuration(text, ""), cores(8), 1).error().describe();
  };
  EXPECT_THAT(refusal(R"({"policy": "static", "cores": 4, "analytics_threads": 4})"), HasSubstr("Give 3 at most"));
  EXPECT_THAT(refusal(R"({"policy": "dynamic", "cores": 1})"), HasSubstr("needs a core for either side"));
  EXPECT_EQ(plan_of(R"({"policy": "dynamic", "cores": 4, "analytics_threads": 3})", cores(8)).analytics, 3);
  EXPECT_EQ(plan_of(R"({"policy": "synchronous", "cores": 1})", cores(8)).workers, 0);
}

} // namespace
} // namespace rivulet::insitu
