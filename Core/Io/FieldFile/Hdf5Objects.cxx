// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/Hdf5Objects.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet::hdf5
{

std::uint64_t checksum_of(const void* values, std::size_t bytes)
{
  return XXH3_64bits(values, bytes);
}

Handle access_properties()
{
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "libhdf5 has no access properties");
  // A finished file never changes, and only its writer knows an unfinished one. So locks protect nothing, and they
  // would exclude file systems without locks.
  H5Pset_file_locking(access, false, true);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  return access;
}

void require_hard_link(hid_t parent, const std::string& name)
{
  H5L_info_t link;
  need(H5Lget_info(parent, name.c_str(), &link, H5P_DEFAULT), name + " is missing");
  if (link.type != H5L_TYPE_HARD)
  {
    corrupt(name + " is a link to somewhere else");
  }
}

Handle open_group(hid_t parent, const std::string& name)
{
  require_hard_link(parent, name);
  return Handle(H5Gopen2(parent, name.c_str(), H5P_DEFAULT), H5Gclose, "group " + name + " cannot be opened");
}

StoredRows rows_of(hid_t dataset, const std::vector<hsize_t>& dims, std::int64_t element_bytes)
{
  const haddr_t offset = H5Dget_offset(dataset);
  if (offset == HADDR_UNDEF)
  {
    corrupt("a dataset has no place in the file");
  }
  return { static_cast<std::int64_t>(offset), static_cast<std::int64_t>(dims[0]),
    static_cast<std::int64_t>(dims[1]) * element_bytes };
}

} // namespace rivulet::hdf5
