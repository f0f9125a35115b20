// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Writes/PublishFile.h"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace rivulet
{

namespace
{

/// 0, or errno.
int errno_of(int answer)
{
  return answer == 0 ? 0 : errno;
}

bool unknown_way(int number)
{
  return number == EINVAL || number == ENOSYS || number == EOPNOTSUPP || number == EPERM || number == EMLINK;
}

int by_link(const std::string& from, const std::string& to)
{
  const int refused = errno_of(::link(from.c_str(), to.c_str()));
  if (refused == 0)
  {
    ::unlink(from.c_str());
  }
  return refused;
}

/// For file systems without links: the process that makes the empty file has the name, and may replace it.
int by_claim(const std::string& from, const std::string& to)
{
  const int claimed = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (claimed < 0)
  {
    return errno;
  }
  ::close(claimed);
  const int refused = errno_of(::rename(from.c_str(), to.c_str()));
  if (refused != 0)
  {
    ::unlink(to.c_str());
  }
  return refused;
}

int without_replacing(const std::string& from, const std::string& to, NamePolicy first)
{
  int refused = ENOSYS;
#ifdef RENAME_NOREPLACE
  if (first == NamePolicy::Rename)
  {
    refused = errno_of(::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE));
  }
#endif
  if (unknown_way(refused) && first != NamePolicy::Claim)
  {
    refused = by_link(from, to);
  }
  return unknown_way(refused) ? by_claim(from, to) : refused;
}

int rename_to(const std::string& from, const std::string& to)
{
  return errno_of(::rename(from.c_str(), to.c_str()));
}

int in_turn(const std::string& from, const std::string& to, const std::string& aside)
{
  int refused = rename_to(to, aside);
  if (refused != 0)
  {
    return refused;
  }
  refused = rename_to(from, to);
  (void)rename_to(aside, refused == 0 ? from : to);
  return refused;
}

int exchanged(const std::string& from, const std::string& to, const std::string& aside, ExchangeWay way)
{
  int refused = ENOSYS;
#ifdef RENAME_EXCHANGE
  if (way == ExchangeWay::AtOnce)
  {
    refused = errno_of(::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE));
  }
#endif
  refused = unknown_way(refused) ? in_turn(from, to, aside) : refused;
  return refused == ENOENT ? rename_to(from, to) : refused;
}

} // namespace

Result<void> exchange_names(const std::string& from, const std::string& to, const std::string& aside, ExchangeWay way)
{
  if (const int refused = exchanged(from, to, aside, way); refused != 0)
  {
    return fail(ErrorCode::CannotWrite, "what is there cannot be replaced",
        "check the permissions of its folder, or give another name", to, -1, refused);
  }
  return {};
}

Result<void> publish_file(const std::string& from, const std::string& to, OnExisting existing, NamePolicy first)
{
  const int refused = existing == OnExisting::Replace ? errno_of(::rename(from.c_str(), to.c_str()))
                                                      : without_replacing(from, to, first);
  if (refused == EEXIST)
  {
    return fail(ErrorCode::CannotWrite, "a file of this name exists", "give another name, or remove the file", to);
  }
  if (refused != 0)
  {
    return fail(ErrorCode::CannotWrite, "the finished file cannot get its name", "check the folder's permissions", to,
        -1, refused);
  }
  return {};
}

} // namespace rivulet
