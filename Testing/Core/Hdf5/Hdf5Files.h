// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// HDF5 files written by the library, for a reader without it to read.
///
///     Hdf5File file(folder.path("a.h5"));
///     file.put("/patch.00000/density", values, { 3, 4 }, { .file_type = H5T_IEEE_F32BE });
///     file.close();
#pragma once

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
/// depends on the library's version.
inline hid_t create_hdf5(const std::string& path, bool latest = false)
{
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, latest ? H5F_LIBVER_LATEST : H5F_LIBVER_EARLIEST, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  EXPECT_GE(file, 0) << path;
  H5Pclose(access);
  return file;
}

class Hdf5File
{
public:
  /// As create_hdf5().
  explicit Hdf5File(const std::string& path, bool latest = false);
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;
  ~Hdf5File() { close(); }

  /// Intermediate groups are made.
  void put(const std::string& name, const std::vector<double>& values, const std::vector<hsize_t>& dims,
      const DatasetOptions& options = {});
  void make_group(const std::string& name);
  [[nodiscard]] hid_t id() const { return file_; }
  void close();

private:
  hid_t file_ = -1;
};

} // namespace rivulet::test
