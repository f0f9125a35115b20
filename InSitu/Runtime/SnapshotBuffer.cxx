// SPDX-License-Identifier: BSD-3-Clause
#include "SnapshotBuffer.h"

#include "Base/Bytes.h"
#include "CheckData.h"
#include "Parallel/TaskOrder.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>
#include <sys/mman.h>

namespace rivulet::insitu
{

namespace
{

constexpr std::size_t kAlignment = 64;        // a cache line, and the widest vector
constexpr std::int64_t kPartBytes = 1 << 20;  // of a task
constexpr std::size_t kHugeBytes = 2U << 20U; // from here on huge pages are worth asking for
constexpr std::size_t kTooMany = std::numeric_limits<std::ptrdiff_t>::max();

} // namespace

/// Places arrays one after the other. Without memory it only counts, so that sizes and places come from one walk.
class SnapshotBuffer::Layout
{
public:
  Layout(const Choice& choice, std::byte* memory, std::vector<Part>* parts)
    : choice_(choice)
    , memory_(memory)
    , parts_(parts)
  {
  }

  rivulet_snapshot place(const rivulet_snapshot& from)
  {
    rivulet_snapshot to = from;
    to.particles = place_each(from.particles, from.particle_sets, [this](const auto& each) { return particles(each); });
    to.field = place_each(from.field, from.fields, [this](const auto& each) { return field(each); });
    to.mesh = place_each(from.mesh, from.meshes, [this](const auto& each) { return mesh(each); });
    to.object = copies_all() ? place_each(from.object, from.objects, [this](const auto& each) { return object(each); })
                             : from.object;
    return to;
  }

  [[nodiscard]] std::size_t used() const { return used_; }

private:
  /// An array of the simulation: `count` elements, `stride` bytes from one to the next.
  struct Array
  {
    std::int64_t count = 0;
    std::int64_t bytes = 0;  ///< of an element
    std::int64_t stride = 0; ///< 0: packed
    bool widens = false;     ///< an element is a float, which becomes a double
  };

  [[nodiscard]] bool copies_all() const { return choice_.copies == Copies::All; }
  [[nodiscard]] bool wants(const char* name, const char* variable) const { return choice_.wants(name, variable); }

  /// The place of the next `bytes`; nullptr while counting.
  std::byte* take(std::size_t bytes)
  {
    const std::size_t begin = used_;
    const bool over = bytes > kTooMany - kAlignment || begin > kTooMany - kAlignment - bytes;
    used_ = over ? kTooMany : (begin + bytes + kAlignment - 1) / kAlignment * kAlignment;
    return memory_ == nullptr ? nullptr : memory_ + begin;
  }

  /// Room for an array of structures, of which `make` makes each.
  template <class T, class Make>
  const T* place_each(const T* from, std::int64_t count, const Make& make)
  {
    if (count <= 0)
    {
      return nullptr;
    }
    T* const to = reinterpret_cast<T*>(take(static_cast<std::size_t>(count) * sizeof(T)));
    for (std::int64_t i = 0; i < count; ++i)
    {
      const T made = make(from[i]);
      if (to != nullptr)
      {
        to[i] = made;
      }
    }
    return to;
  }

  /// Has elements copied later, in parts that threads can share.
  void copy_later(std::byte* to, const void* from, const Array& array, std::int64_t to_stride)
  {
    if (to == nullptr || array.bytes == 0)
    {
      return;
    }
    const std::int64_t stride = array.stride == 0 ? array.bytes : array.stride;
    const std::int64_t in_part = std::max<std::int64_t>(1, kPartBytes / array.bytes);
    const auto* const first = static_cast<const std::byte*>(from);
    for (std::int64_t begin = 0; begin < array.count; begin += in_part)
    {
      parts_->push_back({ to + begin * to_stride, first + begin * stride, std::min(in_part, array.count - begin),
          array.bytes, stride, to_stride, array.widens });
    }
  }

  /// A packed array of the values, which are copied later if need be. A null pointer stays one.
  template <class T>
  const T* values(const T* from, const Array& array)
  {
    const bool packed = (array.stride == 0 || array.stride == array.bytes) && !array.widens;
    if (from == nullptr || (packed && !copies_all()))
    {
      return from;
    }
    const std::int64_t bytes = array.widens ? 2 * array.bytes : array.bytes;
    std::byte* const to = take(static_cast<std::size_t>(array.count * bytes));
    copy_later(to, from, array, bytes);
    return reinterpret_cast<const T*>(to);
  }

  const char* text(const char* from)
  {
    if (!copies_all())
    {
      return from;
    }
    const std::size_t size = std::strlen(from) + 1;
    std::byte* const to = take(size);
    if (to != nullptr)
    {
      std::memcpy(to, from, size);
    }
    return reinterpret_cast<const char*>(to);
  }

  /// The wanted arrays of the set or mesh `name`, packed.
  const rivulet_array* arrays(const char* name, const rivulet_array* from, std::int32_t& number, std::int64_t count)
  {
    std::vector<rivulet_array> wanted;
    std::copy_if(from, from + number, std::back_inserter(wanted),
        [&](const rivulet_array& each) { return wants(name, each.name); });
    number = static_cast<std::int32_t>(wanted.size());
    return place_each(wanted.data(), number,
        [&](const rivulet_array& each)
        {
          rivulet_array array = each;
          array.name = text(each.name);
          array.data = values(static_cast<const std::byte*>(each.data),
              Array{ count, bytes_of_type(each.type) * each.components, each.stride });
          array.stride = 0;
          array.size = 0;
          return array;
        });
  }

  rivulet_particles particles(const rivulet_particles& from)
  {
    rivulet_particles to = from;
    const bool narrow = from.real == RIVULET_FLOAT32;
    const auto real = [&](const char* variable, const double* values_of)
    {
      return wants(from.name, variable) ? values(values_of, Array{ from.count, narrow ? 4 : 8, from.stride, narrow })
                                        : nullptr;
    };
    to.id = wants(from.name, "id") ? values(from.id, Array{ from.count, 8, from.tag_stride }) : nullptr;
    to.type = wants(from.name, "type") ? values(from.type, Array{ from.count, 4, from.tag_stride }) : nullptr;
    to.x = real("x", from.x);
    to.y = real("y", from.y);
    to.z = real("z", from.z);
    to.vx = real("vx", from.vx);
    to.vy = real("vy", from.vy);
    to.vz = real("vz", from.vz);
    to.array = arrays(from.name, from.array, to.arrays, from.count);
    to.name = text(from.name);
    to.real = RIVULET_FLOAT64;
    to.stride = 0;
    to.tag_stride = 0;
    return to;
  }

  rivulet_variable packed(const rivulet_variable& from)
  {
    rivulet_variable variable = from;
    variable.name = from.name == nullptr ? nullptr : text(from.name);
    variable.separate = 0;
    variable.stride = 0;
    return variable;
  }

  rivulet_field field(const rivulet_field& from)
  {
    rivulet_field to = from;
    std::vector<Pointers> wanted;
    std::vector<rivulet_variable> variables;
    std::int32_t pointer = 0;
    for (std::int32_t i = 0; i < from.variables; ++i)
    {
      if (wants(from.name, from.variable[i].name))
      {
        wanted.push_back({ &from.variable[i], pointer });
        variables.push_back(from.variable[i]);
      }
      pointer += pointers_of(from.variable[i]);
    }
    to.variables = static_cast<std::int32_t>(variables.size());
    to.name = text(from.name);
    to.ratio = from.levels > 1 ? values(from.ratio, Array{ 3 * std::int64_t{ from.levels - 1 }, 4 }) : nullptr;
    to.variable =
        place_each(variables.data(), to.variables, [this](const rivulet_variable& each) { return packed(each); });
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      to.coordinates[axis] = values(from.coordinates[axis], Array{ from.cells[axis] + 1, 8 });
    }
    to.points = from.points == nullptr ? nullptr
                                       : place_each(from.points, 1, [this](const auto& each) { return packed(each); });
    to.block =
        place_each(from.block, from.blocks, [&](const rivulet_block& each) { return block(from, each, wanted); });
    return to;
  }

  /// A variable, and its first pointer in the `data` of each block.
  struct Pointers
  {
    const rivulet_variable* variable = nullptr;
    std::int32_t first = 0;
  };

  rivulet_block block(const rivulet_field& field, const rivulet_block& from, const std::vector<Pointers>& wanted)
  {
    rivulet_block to = from;
    const std::int64_t count = values_of_block(field.centring, from);
    std::vector<const void*> data;
    data.reserve(wanted.size());
    for (const Pointers& each : wanted)
    {
      data.push_back(tuples(count, *each.variable, from.data + each.first));
    }
    const auto same = [](const void* each)
    {
      return each;
    };
    to.data = place_each(data.data(), static_cast<std::int64_t>(data.size()), same);
    to.size = nullptr;
    if (field.points != nullptr)
    {
      const void* const points = tuples(values_of_block(RIVULET_NODES, from), *field.points, from.points);
      to.points = place_each(&points, 1, same);
    }
    return to;
  }

  /// The values of one variable of a block, in tuples.
  const void* tuples(std::int64_t count, const rivulet_variable& variable, const void* const* data)
  {
    const std::int64_t value = bytes_of_type(variable.type);
    const std::int64_t tuple = value * variable.components;
    if (variable.separate == 0 || variable.components == 1)
    {
      return values(static_cast<const std::byte*>(data[0]), Array{ count, tuple, variable.stride });
    }
    std::byte* const to = take(static_cast<std::size_t>(count * tuple));
    for (std::int32_t i = 0; to != nullptr && i < variable.components; ++i)
    {
      copy_later(to + i * value, data[i], Array{ count, value, variable.stride }, tuple);
    }
    return to;
  }

  rivulet_mesh mesh(const rivulet_mesh& from)
  {
    rivulet_mesh to = from;
    to.at_point = arrays(from.name, from.at_point, to.point_arrays, from.points);
    to.at_cell = arrays(from.name, from.at_cell, to.cell_arrays, from.cells);
    to.name = text(from.name);
    if (to.point_arrays + to.cell_arrays == 0 && !wants(from.name, nullptr))
    {
      to.points = 0;
      to.cells = 0;
      return to;
    }
    const std::int64_t index = from.index == RIVULET_INT32 ? 4 : 8;
    const std::int64_t all = from.cells == 0 ? 0
                             : index == 4    ? static_cast<const std::int32_t*>(from.offset)[from.cells]
                                             : static_cast<const std::int64_t*>(from.offset)[from.cells];
    const auto bytes = [&](const void* of, std::int64_t count, std::int64_t size)
    {
      return values(static_cast<const std::byte*>(of), Array{ count, size });
    };
    to.point = bytes(from.point, from.points, from.real == RIVULET_FLOAT32 ? 12 : 24);
    to.type = values(from.type, Array{ from.cells, 1 });
    to.offset = bytes(from.offset, from.cells == 0 ? 0 : from.cells + 1, index);
    to.connectivity = bytes(from.connectivity, all, index);
    to.ghost_cells = values(from.ghost_cells, Array{ from.cells, 1 });
    return to;
  }

  /// Its data are cloned later.
  rivulet_object object(const rivulet_object& from)
  {
    rivulet_object to = from;
    to.name = text(from.name);
    to.type = text(from.type);
    to.data = nullptr;
    return to;
  }

  const Choice& choice_;
  std::byte* memory_;
  std::vector<Part>* parts_;
  std::size_t used_ = 0;
};

std::int64_t SnapshotBuffer::bytes_for(const rivulet_snapshot& published, const Choice& choice)
{
  Layout counted(choice, nullptr, nullptr);
  (void)counted.place(published);
  return static_cast<std::int64_t>(counted.used());
}

namespace
{

bool are_packed(const rivulet_array* arrays, std::int32_t count)
{
  return std::all_of(arrays, arrays + count, [](const rivulet_array& each) { return each.stride == 0; });
}

bool is_packed(const rivulet_variable& variable)
{
  return variable.stride == 0 && variable.separate == 0;
}

} // namespace

bool SnapshotBuffer::is_packed(const rivulet_snapshot& published)
{
  return std::all_of(published.particles, published.particles + published.particle_sets,
             [](const rivulet_particles& set)
             {
               return set.real != RIVULET_FLOAT32 && set.stride == 0 && set.tag_stride == 0 &&
                      are_packed(set.array, set.arrays);
             }) &&
         std::all_of(published.field, published.field + published.fields,
             [](const rivulet_field& field)
             {
               return (field.points == nullptr || insitu::is_packed(*field.points)) &&
                      std::all_of(field.variable, field.variable + field.variables,
                          [](const rivulet_variable& each) { return insitu::is_packed(each); });
             }) &&
         std::all_of(published.mesh, published.mesh + published.meshes,
             [](const rivulet_mesh& mesh)
             { return are_packed(mesh.at_point, mesh.point_arrays) && are_packed(mesh.at_cell, mesh.cell_arrays); });
}

namespace
{

/// Copies the elements of one part.
template <class Part>
void copy_part(const Part& part)
{
  if (part.widens)
  {
    for (std::int64_t i = 0; i < part.count; ++i)
    {
      float value = 0;
      std::memcpy(&value, part.from + i * part.from_stride, sizeof(value));
      const double wide = value;
      std::memcpy(part.to + i * part.to_stride, &wide, sizeof(wide));
    }
  }
  else if (part.from_stride == part.bytes && part.to_stride == part.bytes)
  {
    std::memcpy(part.to, part.from, static_cast<std::size_t>(part.count * part.bytes));
  }
  else
  {
    for (std::int64_t i = 0; i < part.count; ++i)
    {
      std::memcpy(part.to + i * part.to_stride, part.from + i * part.from_stride, static_cast<std::size_t>(part.bytes));
    }
  }
}

} // namespace

SnapshotBuffer::~SnapshotBuffer()
{
  release_objects();
  release();
}

void SnapshotBuffer::release_objects()
{
  for (const rivulet_object& object : objects_)
  {
    object.release(object.data);
  }
  objects_.clear();
}

void SnapshotBuffer::clone_objects(const rivulet_snapshot& published)
{
  objects_.reserve(static_cast<std::size_t>(published.objects));
  for (std::int32_t i = 0; i < published.objects; ++i)
  {
    rivulet_object object = snapshot_.object[i];
    object.data = object.clone(published.object[i].data);
    if (object.data == nullptr)
    {
      throw std::bad_alloc();
    }
    objects_.push_back(object);
  }
  snapshot_.object = objects_.data();
}

void SnapshotBuffer::release()
{
  if (memory_ != nullptr)
  {
    ::munmap(memory_, static_cast<std::size_t>(capacity_));
  }
  memory_ = nullptr;
  capacity_ = 0;
}

Result<void> SnapshotBuffer::reserve(std::int64_t bytes)
{
  if (bytes <= capacity_)
  {
    return {};
  }
  const bool grows = capacity_ > 0;
  release();
  const std::int64_t ample = grows && bytes < std::numeric_limits<std::int64_t>::max() / 2 ? bytes + bytes / 4 : bytes;
  for (const std::int64_t size : { ample, bytes })
  {
    // No check against the address space's end is needed: mmap refuses.
    void* const memory =
        ::mmap(nullptr, static_cast<std::size_t>(size), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED)
    {
      memory_ = static_cast<std::byte*>(memory);
      capacity_ = size;
      untouched_ = true;
      if (static_cast<std::size_t>(size) >= kHugeBytes)
      {
        (void)::madvise(memory, static_cast<std::size_t>(size), MADV_HUGEPAGE);
      }
      return {};
    }
  }
  return fail(ErrorCode::BudgetTooSmall, "there is no memory for a copy of " + format_bytes(bytes),
      "give the process more memory, fewer \"buffers\", or the policy \"synchronous\", which copies nothing", {}, -1,
      errno);
}

void SnapshotBuffer::touch()
{
  for (std::int64_t at = 0; at < capacity_; at += kPage)
  {
    // Volatile: the byte is never read, and the write must be made.
    *static_cast<volatile std::byte*>(memory_ + at) = std::byte{ 0 };
  }
  untouched_ = false;
}

std::int64_t SnapshotBuffer::copy(const rivulet_snapshot& published, const Choice& choice)
{
  release_objects();
  parts_.clear();
  Layout layout(choice, memory_, &parts_);
  snapshot_ = layout.place(published);
  untouched_ = false;
  if (choice.copies == Copies::All)
  {
    clone_objects(published);
  }
  TaskOrder order;
  tbb::parallel_for(std::size_t{ 0 }, parts_.size(),
      [&](std::size_t i) RIVULET_NOT_SANITIZED
      {
        const TaskOrder::Task task(order);
        copy_part(parts_[i]);
      });
  return static_cast<std::int64_t>(layout.used());
}

} // namespace rivulet::insitu
