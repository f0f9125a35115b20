// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Many arrays of a few kilobytes, each of which is handed on and freed on its own: cut from slabs of a huge page, so
/// that the system is asked for memory once for hundreds of them. (Taking it page by page, as the heap does, can cost
/// more than to read what goes into it.) A slab goes when the last of its arrays does; larger arrays have one to
/// themselves.
///
///     Slabs slabs;
///     SlabBuffer values(slabs, 4096);
///     void* taken = values.release();           // free_slab_memory(taken) when done: from any thread
///
/// Any thread. Slabs may go before the arrays that were cut from them.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

namespace rivulet
{

struct Slab;

class Slabs
{
public:
  Slabs() = default;
  Slabs(const Slabs&) = delete;
  Slabs& operator=(const Slabs&) = delete;
  ~Slabs();

  /// About so many bytes will be asked for from now on: slabs need be no larger. Else there is no end in sight.
  void expect(std::size_t bytes);

  /// Memory of no meaning at a multiple of 64, for free_slab_memory(); nullptr for no bytes. Throws std::bad_alloc.
  [[nodiscard]] void* allocate(std::size_t bytes);

  /// The same so many bytes behind the beginning of a page of 4096, in a slab of its own.
  [[nodiscard]] static void* allocate_in_page(std::size_t bytes, std::size_t behind);

private:
  std::mutex mutex_; ///< guards what follows
  Slab* current_ = nullptr;
  std::size_t used_ = 0;  ///< bytes of the current one
  std::size_t size_ = 0;  ///< of it; arrays end there at the latest
  std::size_t given_ = 0; ///< in all
  std::size_t expected_ = std::numeric_limits<std::size_t>::max();
};

/// Any thread. nullptr is nothing.
void free_slab_memory(void* memory);

/// Bytes from a slab.
class SlabBuffer
{
public:
  SlabBuffer() = default;
  SlabBuffer(Slabs& slabs, std::size_t size)
    : SlabBuffer(slabs.allocate(size), size)
  {
  }
  [[nodiscard]] static SlabBuffer in_page(std::size_t size, std::size_t behind)
  {
    return { Slabs::allocate_in_page(size, behind), size };
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::byte* data() { return values_.get(); }
  [[nodiscard]] const std::byte* data() const { return values_.get(); }
  [[nodiscard]] const std::byte* begin() const { return data(); }
  [[nodiscard]] const std::byte* end() const { return data() + size_; }

  /// Hands the memory over; the caller frees it with free_slab_memory(). nullptr when empty.
  [[nodiscard]] std::byte* release()
  {
    size_ = 0;
    return values_.release();
  }

private:
  SlabBuffer(void* values, std::size_t size)
    : values_(static_cast<std::byte*>(values))
    , size_(size)
  {
  }

  struct Free
  {
    void operator()(std::byte* values) const { free_slab_memory(values); }
  };
  std::unique_ptr<std::byte[], Free> values_;
  std::size_t size_ = 0;
};

} // namespace rivulet
