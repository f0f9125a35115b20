// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Indices of the datasets of a dump for index_patches: by Rivulet's parser, by libhdf5, or saved by an earlier run.
///
/// Functions throw std::runtime_error. libhdf5 is called by one thread at a time.
#pragma once

#include "Amr/FileIndex.h"

#include <hdf5.h>
#include <stdexcept>

namespace rivulet::bench
{

/// The value of a Result; ends the program with the error otherwise.
template <class T>
T must(Result<T>&& result)
{
  if (!result)
  {
    throw std::runtime_error(result.error().describe());
  }
  if constexpr (!std::is_void_v<T>)
  {
    return std::move(*result);
  }
}

/// The datasets of one file, in the order in which the patches are numbered.
struct DataFile
{
  std::string path;
  std::vector<std::pair<std::string, std::string>> names; ///< group and dataset
  std::vector<hdf5::DatasetIndex> datasets;               ///< one per name, once they are found
};

/// Finds the datasets of a file with Rivulet's parser.
void index_own(DataFile& file, hdf5::BlockPool& pool);

/// Access properties by which libhdf5 is at its best for `way`, one of "library", "tuned" and "image".
[[nodiscard]] hid_t access_for(const std::string& way);
/// Finds the datasets of a file with libhdf5.
void index_by_library(DataFile& file, hid_t access);

/// Saves addresses, numbers of forms, and chunks of the datasets of each file, as arrays of 64-bit numbers in CBOR.
void save_index(const std::vector<DataFile>& files, const std::string& path);
/// Fails if a file has changed. The datasets are those for whose names the index was saved.
void load_index(std::vector<DataFile>& files, const std::string& path);

} // namespace rivulet::bench
