// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/Hdf5Session.h"

#include <array>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace rivulet::hdf5
{

namespace
{

std::mutex only_one; // held by the thread in libhdf5

extern "C" herr_t rivulet_keep_innermost(unsigned, const H5E_error2_t* entry, void* text)
{
  if (entry->desc != nullptr)
  {
    *static_cast<std::string*>(text) = entry->desc;
  }
  return 1; // stop at the first
}

/// After a damaged header libhdf5 (1.10.8) cannot free everything at the end of the process, and prints long messages
/// if printing is on. Exit handlers run in reverse order: this one before libhdf5's.
void stay_quiet_at_exit()
{
  static const int registered = std::atexit([] { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); });
  static_cast<void>(registered);
}

/// Starts the library, under the lock. It (1.10.8) crashes where the system lacks memory for its own tables.
/// Throws std::bad_alloc.
void start_library()
{
  static bool started = false;
  if (started)
  {
    return;
  }
  static constexpr std::size_t kTables = std::size_t{ 4 } << 20; // several times their size
  void* const room = ::mmap(nullptr, kTables, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED)
  {
    throw std::bad_alloc();
  }
  ::munmap(room, kTables);
  if (H5open() < 0)
  {
    throw std::bad_alloc();
  }
  started = true;
}

const char* remedy_for(ErrorCode code, Access access)
{
  if (access == Access::ReadForeign)
  {
    return code == ErrorCode::Unsupported     ? "install the filter, or convert the file with h5repack"
           : code == ErrorCode::NotThisFormat ? "choose another file"
                                              : "check the program that wrote the file, or copy it again";
  }
  switch (code)
  {
  case ErrorCode::NotThisFormat:
    return "convert it to a field file first";
  case ErrorCode::OtherVersion:
    return "use a matching version, or convert the field again";
  case ErrorCode::Unsupported:
    return "use a newer version";
  default:
    return "convert the field again from its source";
  }
}

} // namespace

void corrupt(const std::string& what)
{
  throw Failure{ ErrorCode::Corrupt, what };
}

std::string library_message()
{
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, rivulet_keep_innermost, &text);
  return text.empty() ? text : " (" + text + ")";
}

hsize_t links_in(hid_t group)
{
  H5G_info_t info;
  need(H5Gget_info(group, &info), "a group cannot be read");
  return info.nlinks;
}

std::string link_at(hid_t group, hsize_t number)
{
  std::array<char, 1024> name{};
  const ssize_t length =
      H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, number, name.data(), name.size(), H5P_DEFAULT);
  if (length < 0 || static_cast<std::size_t>(length) >= name.size())
  {
    corrupt("the name of a link cannot be read" + library_message());
  }
  return name.data();
}

Session::Session()
  : lock_(only_one)
{
  start_library();
  H5Eget_auto2(H5E_DEFAULT, &printer_, &printer_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session()
{
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, printer_, printer_data_);
}

Error error_of(Failure&& failure, const std::string& path, Access access)
{
  stay_quiet_at_exit();
  if (access == Access::Write)
  {
    return fail(ErrorCode::CannotWrite, std::move(failure.what), "check the disk and its free space", path).value();
  }
  return fail(failure.code, std::move(failure.what), remedy_for(failure.code, access), path).value();
}

} // namespace rivulet::hdf5
