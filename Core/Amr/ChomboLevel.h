// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Attributes and tables of a plot file of Chombo or AMReX and of its levels. Each value is checked by itself;
/// ChomboFile.h checks the values against each other.
///
/// Uses libhdf5: only the thread of the pipeline may call it.
#pragma once

#include "Amr/Dump.h"
#include "Hdf5/LibraryFile.h"

#include <optional>

namespace rivulet
{

/// Reads attributes and keeps the first error, so that the caller can read many in a row. `file` must outlive it.
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
  /// The value of `result`; a default value after any error.
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
  /// Attribute of one number.
  double number(const std::string& object, const std::string& name);
  double number_or(const std::string& object, const std::string& name, double otherwise)
  {
    return has(object, name) ? number(object, name) : otherwise;
  }
  /// Attribute of one integer from `least` to `most`.
  std::int64_t count(const std::string& object, const std::string& name, std::int64_t least, std::int64_t most);
  /// One number per dimension: an array, a compound, or one number for all dimensions. Nothing if there is no such
  /// attribute.
  std::optional<Vec3> axes(const std::string& object, const std::string& name, int dimensions);
  std::string text(const std::string& object, const std::string& name);

private:
  const hdf5::LibraryFile& file_;
  std::optional<Error> error_;
};

struct ChomboLevel
{
  Vec3 spacing{ 0, 0, 0 };           ///< size of a cell
  std::optional<Vec3> ratio;         ///< cells of the next finer level per cell of this one
  std::optional<Box> domain;         ///< in cells of this level
  std::vector<Box> boxes;            ///< in cells of this level, without ghosts
  std::vector<std::int64_t> offsets; ///< index of the first value of each box, and the end of the last box
  std::vector<Int3> ghosts;          ///< candidates for the number of ghost layers along each axis
};

[[nodiscard]] std::string chombo_level_name(std::int64_t level);

/// Reads one level; `attributes` keeps the first error.
[[nodiscard]] ChomboLevel read_chombo_level(ChomboAttributes& attributes, std::int64_t level, int dimensions);

} // namespace rivulet
