// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// HDF5 files written by the library, for a reader without it to read, and what the library reads from them.
///
///     Hdf5File file(folder.path("a.h5"));
///     file.put("/patch.00000/density", values, { 3, 4 }, { .file_type = H5T_IEEE_F32BE });
///     file.close();
#pragma once

#include "Hdf5/Layout.h"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

namespace rivulet::test
{

struct DatasetOptions
{
  hid_t file_type = H5T_IEEE_F32BE;
  std::vector<hsize_t> chunk{}; ///< empty: contiguous
  bool compact = false;
  bool shuffle = false;
  int deflate = 0; ///< level
  bool fletcher32 = false;
  bool sparse = false;    ///< only the first value's chunk is written
  bool unwritten = false; ///< no space is given at all
  double fill = 0.0;      ///< written into the file if not 0
};

/// A new file in the style "earliest", as SAMRAI writes, or the library's latest. Said outright: what is the default
/// depends on the library's version. `creation` are the properties of the file.
inline hid_t create_hdf5(const std::string& path, bool latest = false, hid_t creation = H5P_DEFAULT)
{
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, latest ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, access);
  EXPECT_GE(file, 0) << path;
  H5Pclose(access);
  return file;
}

class Hdf5File
{
public:
  /// As create_hdf5().
  explicit Hdf5File(const std::string& path, bool latest = false, hid_t creation = H5P_DEFAULT);
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  ~Hdf5File() { close(); }

  /// Intermediate groups are made.
  void put(const std::string& name, const std::vector<double>& values, const std::vector<hsize_t>& dims,
      const DatasetOptions& options = {});
  /// Stores bytes as those of the chunk that begins at `first`; bit k of `skipped` is set if filter k was not applied.
  void put_chunk(const std::string& name, const std::vector<hsize_t>& first, std::uint32_t skipped,
      const std::string& stored) const;
  void make_group(const std::string& name);
  [[nodiscard]] hid_t id() const { return file_; }
  void close();

private:
  hid_t file_ = -1;
};

/// The `bytes` bytes of all values, in the order of bytes of the file.
[[nodiscard]] std::string values_by_library(const std::string& path, const std::string& name, std::size_t bytes);
[[nodiscard]] std::vector<hdf5::Chunk> chunks_by_library(const std::string& path, const std::string& name);

} // namespace rivulet::test
