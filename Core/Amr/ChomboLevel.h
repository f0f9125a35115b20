// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What a plot file of Chombo or AMReX says of itself and of one of its levels, taken from attributes and tables and
/// checked one by one, but not yet against each other.
///
/// Uses the HDF5 library: call it from the pipeline's thread.
#pragma once

#include "Amr/Dump.h"
#include "Hdf5/LibraryFile.h"

#include <optional>

namespace rivulet
{

/// Reads attributes and remembers the first complaint, so that the caller can ask for many in a row.
class ChomboAttributes
{
public:
  explicit ChomboAttributes(const hdf5::LibraryFile& file)
    : file_(file)
  {
  }

  [[nodiscard]] const hdf5::LibraryFile& file() const { return file_; }
  [[nodiscard]] bool good() const { return !error_; }
  [[nodiscard]] tl::unexpected<Error> error() { return tl::unexpected<Error>(std::move(*error_)); }
  void complain(ErrorCode code, const std::string& what, const std::string& remedy = "check the program that wrote it");
  /// What was asked for, or nothing and a complaint.
  template <class T>
  T take(Result<T>&& result)
  {
    if (!result && !error_)
    {
      error_ = std::move(result.error());
    }
    return result && !error_ ? std::move(*result) : T();
  }

  [[nodiscard]] bool has(const std::string& object, const std::string& name) const
  {
    return file_.has_attribute(object, name);
  }
  /// One number.
  double number(const std::string& object, const std::string& name);
  double number_or(const std::string& object, const std::string& name, double otherwise)
  {
    return has(object, name) ? number(object, name) : otherwise;
  }
  /// A whole number within limits.
  std::int64_t count(const std::string& object, const std::string& name, std::int64_t least, std::int64_t most);
  /// One number for each dimension: an array, a compound, or one number for all of them. Nothing if there is no such
  /// attribute.
  std::optional<Vec3> axes(const std::string& object, const std::string& name, int dimensions);
  std::string text(const std::string& object, const std::string& name);

private:
  const hdf5::LibraryFile& file_;
  std::optional<Error> error_;
};

struct ChomboLevel
{
  Vec3 spacing{ 0, 0, 0 };
  std::optional<Vec3> ratio; ///< cells of the next finer level in one of this
  std::optional<Box> domain;
  std::vector<Box> boxes;
  std::vector<std::int64_t> offsets; ///< where the values of each box begin, and where those of the last end
  std::vector<Int3> ghosts;          ///< layers around the boxes; several: whichever fit
};

[[nodiscard]] std::string chombo_level_name(std::int64_t level);

/// Complains about what does not hold.
[[nodiscard]] ChomboLevel read_chombo_level(ChomboAttributes& attributes, std::int64_t level, int dimensions);

} // namespace rivulet
