// SPDX-License-Identifier: BSD-3-Clause
#include "InSitu/Analytics/PluginHost.h"

#include "Parallel/TaskOrder.h"

#include <algorithm>
#include <dlfcn.h>
#include <oneapi/tbb/parallel_for.h>
#include <stdexcept>

namespace rivulet::test
{

PluginHost::PluginHost(const std::string& name, const std::string& options, const PluginSettings& settings)
  : arena_(settings.slots, 1)
  , name_(name)
  , options_(options)
  , output_(settings.output)
{
  const std::string path = settings.folder + "/" + name + ".so";
  library_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr)
  {
    throw std::runtime_error(::dlerror());
  }
  const auto entry = reinterpret_cast<rivulet_analytics_entry_function>(::dlsym(library_, "rivulet_analytics_entry"));
  if (entry == nullptr)
  {
    throw std::runtime_error(::dlerror());
  }
  analytics_ = entry();
  MPI_Comm_dup(settings.comm, &comm_);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm_, &rank);
  MPI_Comm_size(comm_, &ranks);
  // As the runtime does: only analytics that use MPI get a communicator.
  const bool uses_mpi =
      analytics_->asks_mpi != nullptr ? analytics_->asks_mpi(options_.c_str()) != 0 : analytics_->uses_mpi != 0;
  const MPI_Comm given = uses_mpi ? comm_ : MPI_COMM_NULL;
  host_ = { RIVULET_ANALYTICS_ABI, settings.slots, rank, ranks, given, name_.c_str(), options_.c_str(), output_.c_str(),
    this, parallel, message, stopped, settings.start };
  created_ = analytics_->create(&host_, &self_);
}

PluginHost::~PluginHost()
{
  if (created_ == 0)
  {
    analytics_->destroy(self_);
  }
  MPI_Comm_free(&comm_);
  ::dlclose(library_);
}

int PluginHost::execute(const rivulet_snapshot& snapshot)
{
  return created_ == 0 ? analytics_->execute(self_, &snapshot) : created_;
}

std::string PluginHost::said() const
{
  std::string all;
  for (const std::string& text : messages_)
  {
    all += text + "\n";
  }
  return all;
}

void PluginHost::parallel(void* runtime, int64_t count, int64_t grain, rivulet_loop_body body, void* data)
{
  auto& host = *static_cast<PluginHost*>(runtime);
  const int64_t piece = std::max<int64_t>(1, grain);
  const int64_t pieces = (count + piece - 1) / piece;
  TaskOrder order;
  host.arena_.execute(
      [&]
      {
        oneapi::tbb::parallel_for(int64_t{ 0 }, pieces,
            [&](int64_t number) RIVULET_NOT_SANITIZED
            {
              const TaskOrder::Task task(order);
              body(data, number * piece, std::min(count, (number + 1) * piece),
                  oneapi::tbb::this_task_arena::current_thread_index());
            });
      });
}

void PluginHost::message(void* runtime, int32_t, const char* text)
{
  auto& host = *static_cast<PluginHost*>(runtime);
  const std::lock_guard lock(host.mutex_);
  host.messages_.emplace_back(text);
}

int32_t PluginHost::stopped(void* runtime)
{
  return static_cast<PluginHost*>(runtime)->stopped_;
}

} // namespace rivulet::test
