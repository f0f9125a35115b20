// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A small runtime for tests of analytics: loads NAME.so, and calls it with loops on TBB and messages that are kept.
///
///     PluginHost host("histogram", R"({"bins": 10})", { .output = folder, .slots = 3 });
///     EXPECT_EQ(host.execute(snapshot), 0);
///     EXPECT_THAT(host.messages(), IsEmpty());
#pragma once

#include "rivulet_analytics.h"

#include <atomic>
#include <mutex>
#include <oneapi/tbb/task_arena.h>
#include <string>
#include <vector>

namespace rivulet::test
{

struct PluginSettings
{
  std::string output;            ///< folder
  int slots = 1;                 ///< threads in the arena of analytics
  MPI_Comm comm = MPI_COMM_SELF; ///< duplicated
  std::int32_t start = RIVULET_RESTART;
  std::string folder = RIVULET_TEST_ANALYTICS;
};

class PluginHost
{
public:
  /// Throws std::runtime_error where there is no such plugin.
  PluginHost(const std::string& name, const std::string& options, const PluginSettings& settings);
  PluginHost(const PluginHost&) = delete;
  PluginHost& operator=(const PluginHost&) = delete;
  ~PluginHost(); ///< destroys the analytics

  /// Code of create().
  [[nodiscard]] int created() const { return created_; }
  /// Code of execute(); that of create() if it failed.
  int execute(const rivulet_snapshot& snapshot);

  /// Whether it wants a variable of what has this name.
  [[nodiscard]] bool wants(const char* name, const char* variable) const
  {
    return analytics_->wants(self_, name, variable) != 0;
  }
  /// Whether the session has ended.
  void stop(bool ended = true) { stopped_ = ended ? 1 : 0; }
  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }
  /// All messages, with a line each.
  [[nodiscard]] std::string said() const;

private:
  static void parallel(void* runtime, int64_t count, int64_t grain, rivulet_loop_body body, void* data);
  static void message(void* runtime, int32_t severity, const char* text);
  static int32_t stopped(void* runtime);

  oneapi::tbb::task_arena arena_;
  std::string name_;
  std::string options_;
  std::string output_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  rivulet_analytics_host host_{};
  void* library_ = nullptr;
  const rivulet_analytics* analytics_ = nullptr;
  void* self_ = nullptr;
  int created_ = -1;
  std::atomic<int> stopped_{ 0 };
  std::mutex mutex_;
  std::vector<std::string> messages_;
};

} // namespace rivulet::test
