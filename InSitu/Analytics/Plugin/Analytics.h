// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// An analytics as a class in C++, behind the C interface of rivulet_analytics.h.
///
///     class Counter final : public Analytics
///     {
///     public:
///       static Result<std::unique_ptr<Analytics>> create(const Host& host);        // reads the options
///       Result<void> execute(const rivulet_snapshot& snapshot) override;           // an error switches it off
///     };
///     RIVULET_ANALYTICS(Counter, uses_mpi)                                         // the one exported symbol
///
/// Errors and exceptions become one message each, which names the analytics.
#pragma once

#include "Base/Result.h"
#include "Plugin/Host.h"

#include <exception>
#include <memory>

namespace rivulet
{

class Analytics
{
public:
  Analytics() = default;
  Analytics(const Analytics&) = delete;
  Analytics& operator=(const Analytics&) = delete;
  virtual ~Analytics() = default;

  [[nodiscard]] virtual Result<void> execute(const rivulet_snapshot& snapshot) = 0;
  /// Whether it uses a variable of a field, a mesh or a set of particles; others may be missing in snapshots. An empty
  /// variable: the points and cells of a mesh. Called by the simulation's thread, also while execute() runs: it reads
  /// only members that create() has set.
  [[nodiscard]] virtual bool wants(const std::string& /*name*/, const std::string& /*variable*/) const { return true; }
};

/// An analytics and the runtime that it was made for.
struct HostedAnalytics
{
  Host host;
  std::unique_ptr<Analytics> analytics;
};

/// Calls `work`, reports its error or exception, and returns the code of the C interface.
template <class Work>
int report_failure_of(const Host& host, const Work& work)
{
  try
  {
    const Result<void> done = work();
    if (!done)
    {
      host.error(done.error().describe());
    }
    return done ? 0 : 1;
  }
  catch (const std::exception& exception)
  {
    host.error(host.name() + " failed: " + exception.what());
    return 1;
  }
}

template <class T>
int create_analytics(const rivulet_analytics_host* host, void** self)
{
  const Host seen(*host);
  return report_failure_of(seen,
      [&]() -> Result<void>
      {
        auto made = T::create(seen);
        if (!made)
        {
          return forward_error(made);
        }
        *self = new HostedAnalytics{ seen, std::move(*made) };
        return {};
      });
}

inline int execute_analytics(void* self, const rivulet_snapshot* snapshot)
{
  auto& hosted = *static_cast<HostedAnalytics*>(self);
  return report_failure_of(hosted.host, [&] { return hosted.analytics->execute(*snapshot); });
}

inline std::int32_t analytics_want(const void* self, const char* name, const char* variable)
{
  return static_cast<const HostedAnalytics*>(self)->analytics->wants(name, variable == nullptr ? "" : variable) ? 1 : 0;
}

/// T::asks_mpi(options), where the class has it.
template <class T>
constexpr auto asks_mpi_of() -> std::int32_t (*)(const char*)
{
  if constexpr (requires { T::asks_mpi(""); })
  {
    return [](const char* options) -> std::int32_t
    {
      return T::asks_mpi(options) ? 1 : 0;
    };
  }
  else
  {
    return nullptr;
  }
}

inline void destroy_analytics(void* self)
{
  delete static_cast<HostedAnalytics*>(self);
}

} // namespace rivulet

/// `uses_mpi`: 1 if create, execute or the destructor take part in calls of MPI with other ranks. A class where this
/// depends on the options has `static bool asks_mpi(const char* options)`, which decides.
#define RIVULET_ANALYTICS(Type, uses_mpi)                                                                              \
  RIVULET_ANALYTICS_EXPORT const rivulet_analytics* rivulet_analytics_entry(void)                                      \
  {                                                                                                                    \
    static const rivulet_analytics analytics = { RIVULET_ANALYTICS_ABI, uses_mpi, rivulet::create_analytics<Type>,     \
      rivulet::execute_analytics, rivulet::destroy_analytics, rivulet::asks_mpi_of<Type>(), rivulet::analytics_want }; \
    return &analytics;                                                                                                 \
  }
