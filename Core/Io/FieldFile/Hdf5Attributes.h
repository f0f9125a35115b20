// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Private to Io: attributes of HDF5 objects, in calls of guarded() (Hdf5Session.h).
///
///     put(group, "nodes", grid.nodes);
///     const auto components = get<std::int32_t>(group, "components");
///
/// Numbers have the type in the file that they have in memory. An attribute that is missing, or of another type or
/// count, is a Failure.
#pragma once

#include "Io/FieldFile/Hdf5Session.h"

#include <array>
#include <string>
#include <vector>

namespace rivulet::hdf5
{

template <class T>
void put(hid_t object, const char* name, const T* values, const std::vector<hsize_t>& dims)
{
  const std::string what = std::string("attribute ") + name + " cannot be written";
  const Handle space(
      dims.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr),
      H5Sclose, what);
  const Handle attribute(H5Acreate2(object, name, type_of<T>(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, what);
  need(H5Awrite(attribute, type_of<T>(), values), what);
}

template <class T>
void put(hid_t object, const char* name, T value)
{
  put(object, name, &value, {});
}

template <class T, std::size_t N>
void put(hid_t object, const char* name, const std::array<T, N>& values)
{
  put(object, name, values.data(), { N });
}

/// In UTF-8, without a zero at the end.
void put_text(hid_t object, const char* name, const std::string& text);

/// Changes the value of an existing attribute.
template <class T>
void change(hid_t object, const char* name, const T* values)
{
  const std::string what = std::string("attribute ") + name + " cannot be written";
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, what);
  need(H5Awrite(attribute, type_of<T>(), values), what);
}

/// Reads an attribute with exactly this count and type of numbers. The size that the file claims allocates nothing.
template <class T>
void get(hid_t object, const char* name, T* values, std::size_t count)
{
  const std::string what = std::string("attribute ") + name + " is missing or unreadable";
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, what);
  const Handle type(H5Aget_type(attribute), H5Tclose, what);
  const Handle space(H5Aget_space(attribute), H5Sclose, what);
  if (H5Tequal(type, type_of<T>()) <= 0 || H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(count))
  {
    corrupt(std::string("attribute ") + name + " has the wrong type or size");
  }
  need(H5Aread(attribute, type_of<T>(), values), what);
}

template <class T>
T get(hid_t object, const char* name)
{
  T value{};
  get(object, name, &value, 1);
  return value;
}

/// At most 1024 bytes.
[[nodiscard]] std::string get_text(hid_t object, const char* name);

} // namespace rivulet::hdf5
