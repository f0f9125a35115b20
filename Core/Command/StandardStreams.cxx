// SPDX-License-Identifier: BSD-3-Clause
#include "Command/StandardStreams.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <unistd.h>

namespace rivulet::command
{

namespace
{

bool reader_has_gone()
{
  pollfd state{ STDOUT_FILENO, POLLOUT, 0 };
  return ::poll(&state, 1, 0) == 1 && (state.revents & POLLERR) != 0;
}

} // namespace

void open_standard_streams()
{
  for (const int stream : { STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO })
  {
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
    {
      (void)::open("/dev/null", O_RDONLY); // gets the lowest free number, which is this one
    }
  }
}

ExitCode finish_output(ExitCode code)
{
  errno = 0;
  std::cout.flush();
  const bool arrived = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
  const int number = errno;
  if (arrived || reader_has_gone())
  {
    return code;
  }
  const ExitCode failed = report({ ErrorCode::CannotWrite, "the standard output cannot be written",
      "make room, or choose another place for it", {}, -1, number });
  return code == ExitCode::Ok ? failed : code;
}

} // namespace rivulet::command
