// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Hdf5/Hdf5Files.h"

namespace rivulet::test
{

Hdf5File::Hdf5File(const std::string& path, bool latest, hid_t creation)
  : file_(create_hdf5(path, latest, creation))
{
}

void Hdf5File::put(const std::string& name, const std::vector<double>& values, const std::vector<hsize_t>& dims,
    const DatasetOptions& options)
{
  const hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  if (options.compact)
  {
    H5Pset_layout(properties, H5D_COMPACT);
  }
  if (!options.chunk.empty())
  {
    H5Pset_chunk(properties, static_cast<int>(options.chunk.size()), options.chunk.data());
  }
  if (options.shuffle)
  {
    H5Pset_shuffle(properties);
  }
  if (options.deflate > 0)
  {
    H5Pset_deflate(properties, static_cast<unsigned>(options.deflate));
  }
  if (options.fletcher32)
  {
    H5Pset_fletcher32(properties);
  }
  if (options.fill != 0.0)
  {
    H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, &options.fill);
  }
  const hid_t space =
      dims.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr);
  const hid_t dataset = H5Dcreate2(file_, name.c_str(), options.file_type, space, links, properties, H5P_DEFAULT);
  EXPECT_GE(dataset, 0) << name;
  if (options.sparse)
  {
    const std::vector<hsize_t> first(dims.size(), 0);
    const std::vector<hsize_t> one(dims.size(), 1);
    const hid_t here = H5Scopy(space);
    H5Sselect_hyperslab(here, H5S_SELECT_SET, first.data(), nullptr, one.data(), nullptr);
    const hid_t value = H5Screate_simple(static_cast<int>(one.size()), one.data(), nullptr);
    EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, value, here, H5P_DEFAULT, values.data()), 0);
    H5Sclose(value);
    H5Sclose(here);
  }
  else if (!options.unwritten)
  {
    EXPECT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
  }
  H5Dclose(dataset);
  H5Sclose(space);
  H5Pclose(properties);
  H5Pclose(links);
}

void Hdf5File::put_chunk(
    const std::string& name, const std::vector<hsize_t>& first, std::uint32_t skipped, const std::string& stored) const
{
  const hid_t dataset = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
  EXPECT_GE(H5Dwrite_chunk(dataset, H5P_DEFAULT, skipped, first.data(), stored.size(), stored.data()), 0) << name;
  H5Dclose(dataset);
}

void Hdf5File::make_group(const std::string& name)
{
  const hid_t group = H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(group, 0) << name;
  H5Gclose(group);
}

void Hdf5File::close()
{
  if (file_ >= 0)
  {
    H5Fclose(file_);
    file_ = -1;
  }
}

std::string values_by_library(const std::string& path, const std::string& name, std::size_t bytes)
{
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  const hid_t type = H5Dget_type(dataset);
  std::string values(bytes, '#');
  EXPECT_GE(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
  H5Tclose(type);
  H5Dclose(dataset);
  H5Fclose(file);
  return values;
}

std::vector<hdf5::Chunk> chunks_by_library(const std::string& path, const std::string& name)
{
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  std::vector<hsize_t> first(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  hsize_t count = 0;
  EXPECT_GE(H5Dget_num_chunks(dataset, space, &count), 0) << name;
  std::vector<hdf5::Chunk> chunks;
  for (hsize_t i = 0; i < count; ++i)
  {
    unsigned skipped = 0;
    haddr_t address = 0;
    hsize_t bytes = 0;
    EXPECT_GE(H5Dget_chunk_info(dataset, space, i, first.data(), &skipped, &address, &bytes), 0) << name;
    chunks.push_back({ address, static_cast<std::uint32_t>(bytes), skipped, { first.begin(), first.end() } });
  }
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return chunks;
}

} // namespace rivulet::test
