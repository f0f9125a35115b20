// SPDX-License-Identifier: BSD-3-Clause
#include "MpiErrors.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace rivulet::insitu
{

namespace
{

/// All objects that watch a communicator: MPI tells a handler the communicator alone.
struct Watching
{
  std::mutex mutex;
  std::vector<std::pair<MPI_Comm, MpiErrors*>> all;
};

Watching& watching()
{
  static Watching here;
  return here;
}

} // namespace

void MpiErrors::on_error(MPI_Comm* comm, int* code, ...)
{
  Watching& here = watching();
  const std::lock_guard lock(here.mutex);
  const auto found =
      std::find_if(here.all.begin(), here.all.end(), [comm](const auto& each) { return each.first == *comm; });
  if (found != here.all.end()) // else it is one that analytics have made of theirs
  {
    const std::lock_guard own_lock(found->second->mutex_);
    int& first = found->second->code_;
    first = first == MPI_SUCCESS ? *code : first;
  }
}

void MpiErrors::watch(MPI_Comm comm)
{
  Watching& here = watching();
  {
    const std::lock_guard lock(here.mutex);
    here.all.erase(
        std::remove_if(here.all.begin(), here.all.end(), [this](const auto& each) { return each.second == this; }),
        here.all.end());
    if (comm == MPI_COMM_NULL)
    {
      return;
    }
    here.all.emplace_back(comm, this);
  }
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (MPI_Comm_create_errhandler(&on_error, &handler) == MPI_SUCCESS)
  {
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler); // the communicator keeps it
  }
}

std::string MpiErrors::take()
{
  int code = MPI_SUCCESS;
  {
    const std::lock_guard lock(mutex_);
    code = std::exchange(code_, MPI_SUCCESS);
  }
  if (code == MPI_SUCCESS)
  {
    return {};
  }
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  const bool known = MPI_Error_string(code, text.data(), &length) == MPI_SUCCESS;
  return known ? std::string(text.data(), static_cast<std::size_t>(length)) : "error " + std::to_string(code);
}

} // namespace rivulet::insitu
