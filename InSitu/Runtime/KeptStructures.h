// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Copies of the structures that a simulation publishes: names, lists of variables, blocks and arrays, and their
/// pointers to values. The values stay where they are. So structures of the simulation may end, or serve again, as soon
/// as they are published.
///
///     KeptStructures kept;
///     fields.push_back(kept.copy(field));          // valid until kept.clear()
///
/// One thread at a time. Structures to copy must have passed CheckData.h. Functions throw std::bad_alloc.
#pragma once

#include "rivulet_insitu_data.h"

#include <cstddef>
#include <memory_resource>

namespace rivulet::insitu
{

class KeptStructures
{
public:
  [[nodiscard]] rivulet_particles copy(const rivulet_particles& from);
  [[nodiscard]] rivulet_field copy(const rivulet_field& from);
  [[nodiscard]] rivulet_mesh copy(const rivulet_mesh& from);
  [[nodiscard]] rivulet_object copy(const rivulet_object& from);
  void clear() { memory_.release(); }

private:
  const char* text(const char* from);
  /// `count` elements, or null.
  template <class T>
  T* list(const T* from, std::int64_t count);
  const rivulet_array* arrays(const rivulet_array* from, std::int32_t count);
  const rivulet_variable* variables(const rivulet_variable* from, std::int32_t count);

  std::pmr::monotonic_buffer_resource memory_;
};

} // namespace rivulet::insitu
