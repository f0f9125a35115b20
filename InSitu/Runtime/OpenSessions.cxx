// SPDX-License-Identifier: BSD-3-Clause
#include "OpenSessions.h"

#include "Parallel/CalmFloats.h"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>
#include <vector>

namespace rivulet::insitu
{

namespace
{

struct Open
{
  std::vector<std::unique_ptr<Session>*> sessions;
  pid_t process = 0;
};

/// Never destroyed: exit() may come at any time.
Open& open_ones()
{
  static auto* const all = new Open;
  return *all;
}

void end_all() noexcept
{
  Open& open = open_ones();
  if (open.process != ::getpid())
  {
    return;
  }
  const CalmFloats calm;
  while (!open.sessions.empty())
  {
    std::unique_ptr<Session> session = std::move(*open.sessions.back());
    open.sessions.pop_back();
    try
    {
      (void)Session::close_forgotten(std::move(session));
    }
    catch (...) // std::bad_alloc
    {
    }
  }
}

int end_with_mpi(MPI_Comm /*comm*/, int /*key*/, void* /*value*/, void* /*more*/)
{
  end_all();
  return MPI_SUCCESS;
}

/// So that all end with the process. Both are tried, since either may come first.
void arrange_the_end()
{
  static const bool once = []
  {
    int key = MPI_KEYVAL_INVALID;
    if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end_with_mpi, &key, nullptr) == MPI_SUCCESS)
    {
      (void)MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
      MPI_Comm_free_keyval(&key); // the attribute keeps it
    }
    return true;
  }();
  (void)once;
  (void)std::atexit(end_all); // again for each session: before the ends of the libraries that came with it
}

} // namespace

void add_open(std::unique_ptr<Session>& session)
{
  Open& open = open_ones();
  open.process = ::getpid();
  open.sessions.push_back(&session);
  arrange_the_end();
}

void remove_open(std::unique_ptr<Session>& session)
{
  std::erase(open_ones().sessions, &session);
}

} // namespace rivulet::insitu
