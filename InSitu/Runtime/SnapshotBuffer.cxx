// SPDX-License-Identifier: BSD-3-Clause
#include "SnapshotBuffer.h"

#include "Base/Bytes.h"
#include "CheckData.h"
#include "Parallel/TaskOrder.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <sys/mman.h>

namespace rivulet::insitu
{

namespace
{

constexpr std::size_t kAlignment = 64;        // a cache line, and the widest vector
constexpr std::size_t kPartBytes = 1U << 20U; // of a task
constexpr std::size_t kHugeBytes = 2U << 20U; // from here on huge pages are worth asking for
constexpr std::size_t kTooMany = std::numeric_limits<std::ptrdiff_t>::max();

} // namespace

/// Places arrays one after the other. Without memory it only counts, so that sizes and places come from one walk.
class SnapshotBuffer::Layout
{
public:
  Layout(std::byte* memory, std::vector<Part>* parts)
    : memory_(memory)
    , parts_(parts)
  {
  }

  rivulet_snapshot place(const rivulet_snapshot& from)
  {
    rivulet_snapshot to = from;
    to.particles = place_each(from.particles, from.particle_sets, [this](const auto& each) { return particles(each); });
    to.field = place_each(from.field, from.fields, [this](const auto& each) { return field(each); });
    to.object = place_each(from.object, from.objects, [this](const auto& each) { return object(each); });
    return to;
  }

  [[nodiscard]] std::size_t used() const { return used_; }

private:
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

  /// Room for values, which are copied later. A null pointer stays one.
  template <class T>
  const T* values(const T* from, std::int64_t bytes)
  {
    if (from == nullptr)
    {
      return nullptr;
    }
    const auto size = static_cast<std::size_t>(bytes);
    std::byte* const to = take(size);
    for (std::size_t begin = 0; to != nullptr && begin < size; begin += kPartBytes)
    {
      parts_->push_back(
          { to + begin, reinterpret_cast<const std::byte*>(from) + begin, std::min(kPartBytes, size - begin) });
    }
    return reinterpret_cast<const T*>(to);
  }

  const char* text(const char* from)
  {
    const std::size_t size = std::strlen(from) + 1;
    std::byte* const to = take(size);
    if (to != nullptr)
    {
      std::memcpy(to, from, size);
    }
    return reinterpret_cast<const char*>(to);
  }

  rivulet_particles particles(const rivulet_particles& from)
  {
    rivulet_particles to = from;
    const std::int64_t wide = 8 * from.count;
    to.name = text(from.name);
    to.id = values(from.id, wide);
    to.type = values(from.type, 4 * from.count);
    to.x = values(from.x, wide);
    to.y = values(from.y, wide);
    to.z = values(from.z, wide);
    to.vx = values(from.vx, wide);
    to.vy = values(from.vy, wide);
    to.vz = values(from.vz, wide);
    to.array = place_each(from.array, from.arrays,
        [&](const rivulet_array& each)
        {
          rivulet_array array = each;
          array.name = text(each.name);
          array.data =
              values(static_cast<const std::byte*>(each.data), from.count * bytes_of_type(each.type) * each.components);
          return array;
        });
    return to;
  }

  rivulet_field field(const rivulet_field& from)
  {
    rivulet_field to = from;
    to.name = text(from.name);
    to.ratio = from.levels > 1 ? values(from.ratio, 12 * std::int64_t{ from.levels - 1 }) : nullptr;
    to.variable = place_each(from.variable, from.variables,
        [&](const rivulet_variable& each)
        {
          rivulet_variable variable = each;
          variable.name = text(each.name);
          return variable;
        });
    to.block = place_each(from.block, from.blocks, [&](const rivulet_block& each) { return block(from, each); });
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

  rivulet_block block(const rivulet_field& field, const rivulet_block& from)
  {
    rivulet_block to = from;
    const std::int64_t count = values_of_block(field.centring, from);
    const rivulet_variable* variable = field.variable;
    to.data = place_each(from.data, field.variables,
        [&](const void* each) -> const void*
        {
          const std::int64_t bytes = count * bytes_of_type(variable->type) * variable->components;
          ++variable;
          return values(static_cast<const std::byte*>(each), bytes);
        });
    return to;
  }

  std::byte* memory_;
  std::vector<Part>* parts_;
  std::size_t used_ = 0;
};

std::int64_t SnapshotBuffer::bytes_for(const rivulet_snapshot& published)
{
  Layout counted(nullptr, nullptr);
  (void)counted.place(published);
  return static_cast<std::int64_t>(counted.used());
}

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
    // Volatile: nobody reads the byte, and the write must be made.
    *static_cast<volatile std::byte*>(memory_ + at) = std::byte{ 0 };
  }
  untouched_ = false;
}

std::int64_t SnapshotBuffer::copy(const rivulet_snapshot& published)
{
  release_objects();
  parts_.clear();
  Layout layout(memory_, &parts_);
  snapshot_ = layout.place(published);
  untouched_ = false;
  clone_objects(published);
  TaskOrder order;
  tbb::parallel_for(std::size_t{ 0 }, parts_.size(),
      [&](std::size_t i) RIVULET_NOT_SANITIZED
      {
        const TaskOrder::Task task(order);
        const Part& part = parts_[i];
        std::memcpy(part.to, part.from, part.bytes);
      });
  return static_cast<std::int64_t>(layout.used());
}

} // namespace rivulet::insitu
