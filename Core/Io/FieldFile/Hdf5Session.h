// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Private to Io: calls of libhdf5. One thread at a time; messages are not printed but become part of our errors;
/// identifiers are closed on every way out.
///
///     return guarded(path, Access::Read, [&]
///     {
///       const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "the file cannot be opened");
///       ...
///     });
///
/// libhdf5 reports every failure alike, and each of its calls can fail. Inside guarded() such a failure is an exception
/// (Failure), which guarded() turns into a Result. None leaves it.
#pragma once

#include "Base/Result.h"

#include <bit>
#include <hdf5.h>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

namespace rivulet::hdf5
{

struct Failure
{
  ErrorCode code;
  std::string what;
};

/// Throws a Failure.
[[noreturn]] void corrupt(const std::string& what);

/// The last, innermost message of libhdf5, in brackets; may be empty.
[[nodiscard]] std::string library_message();

/// Returns the result of a call. Throws a Failure if it is negative.
template <class Number>
Number need(Number answer, const std::string& what)
{
  if (answer < 0)
  {
    corrupt(what + library_message());
  }
  return answer;
}

/// Holds libhdf5 for this thread, with its printing off.
class Session
{
public:
  Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

private:
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t printer_ = nullptr;
  void* printer_data_ = nullptr;
};

enum class Access : std::uint8_t
{
  Read,        ///< failures concern a field file
  ReadForeign, ///< failures concern a file that another program wrote
  Write        ///< failures concern the disk
};

/// The Error for callers outside.
[[nodiscard]] Error error_of(Failure&& failure, const std::string& path, Access access);

/// Calls `work` while this thread alone is in libhdf5.
template <class Work>
auto guarded(const std::string& path, Access access, Work&& work) -> Result<decltype(work())>
{
  const Session session;
  try
  {
    if constexpr (std::is_void_v<decltype(work())>)
    {
      work();
      return {};
    }
    else
    {
      return work();
    }
  }
  catch (Failure& failure)
  {
    return tl::unexpected<Error>(error_of(std::move(failure), path, access));
  }
  catch (const std::bad_alloc&)
  {
    return fail(ErrorCode::CannotRead, "there is not enough memory for what the file describes",
        "give the program more memory, or check the file", path);
  }
}

/// One libhdf5 identifier, closed on the way out.
class Handle
{
public:
  using Close = herr_t (*)(hid_t);

  Handle(hid_t id, Close closer, const std::string& what)
    : id_(need(id, what))
    , close_(closer)
  {
  }
  Handle(Handle&& other) noexcept
    : id_(std::exchange(other.id_, -1))
    , close_(other.close_)
  {
  }
  Handle& operator=(Handle&&) = delete;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle()
  {
    if (id_ >= 0)
    {
      close_(id_);
    }
  }

  operator hid_t() const { return id_; } // NOLINT(google-explicit-constructor): it is passed to libhdf5 everywhere

  /// Closes now, to get errors of writing that was deferred.
  void close(const std::string& what) { need(close_(std::exchange(id_, -1)), what); }

private:
  hid_t id_;
  Close close_;
};

/// Number of links of a group, and the name of one of them, in the order of names.
[[nodiscard]] hsize_t links_in(hid_t group);
[[nodiscard]] std::string link_at(hid_t group, hsize_t number);

static_assert(std::endian::native == std::endian::little, "bricks are read and written as they are");

/// Type in the file, and so in memory.
template <class T>
hid_t type_of()
{
  return std::is_same_v<T, double>         ? H5T_IEEE_F64LE
         : std::is_same_v<T, float>        ? H5T_IEEE_F32LE
         : std::is_same_v<T, std::uint8_t> ? H5T_STD_U8LE
         : std::is_same_v<T, std::int32_t> ? H5T_STD_I32LE
         : std::is_same_v<T, std::int64_t> ? H5T_STD_I64LE
                                           : H5T_STD_U64LE;
}

} // namespace rivulet::hdf5
