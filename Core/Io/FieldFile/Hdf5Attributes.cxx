// SPDX-License-Identifier: BSD-3-Clause
#include "Io/FieldFile/Hdf5Attributes.h"

#include <algorithm>

namespace rivulet::hdf5
{

void put_text(hid_t object, const char* name, const std::string& text)
{
  const std::string what = std::string("attribute ") + name + " cannot be written";
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, what);
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, what);
  need(H5Tset_size(type, std::max<std::size_t>(1, text.size())), what);
  need(H5Tset_strpad(type, H5T_STR_NULLPAD), what);
  need(H5Tset_cset(type, H5T_CSET_UTF8), what);
  const Handle attribute(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  need(H5Awrite(attribute, type, text.c_str()), what);
}

std::string get_text(hid_t object, const char* name)
{
  const std::string what = std::string("attribute ") + name + " is missing or unreadable";
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, what);
  const Handle type(H5Aget_type(attribute), H5Tclose, what);
  const Handle space(H5Aget_space(attribute), H5Sclose, what);
  const std::size_t bytes = H5Tget_size(type);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 || bytes > 1024 ||
      H5Sget_simple_extent_npoints(space) != 1)
  {
    corrupt(std::string("attribute ") + name + " is not a short text");
  }
  std::string text(bytes, '\0');
  need(H5Aread(attribute, type, text.data()), what);
  return text.c_str();
}

} // namespace rivulet::hdf5
