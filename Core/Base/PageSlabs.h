// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Many arrays of a few kilobytes, each of which is handed over and freed by itself. They are cut from slabs of a huge
/// page, so that the system is asked for memory once for hundreds of arrays. (Small pages, as the heap takes them, can
/// cost more than reading the values.) A slab is freed with the last of its arrays. A large array has a slab of its
/// own.
///
///     PageSlabs slabs;
///     SlabBuffer values(slabs, 4096);
///     void* taken = values.release();           // free_slab_memory(taken) when done: from any thread
///
/// Any thread. A PageSlabs object may be destroyed before its arrays.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

namespace rivulet
{

struct Slab;

class PageSlabs
{
public:
  PageSlabs() = default;
  PageSlabs(const PageSlabs&) = delete;
  PageSlabs& operator=(const PageSlabs&) = delete;
  ~PageSlabs();

  /// Announces about `bytes` bytes of arrays from now on, so that slabs are no larger. Without it any number may come.
  void expect(std::size_t bytes);

  /// Uninitialised memory at a multiple of 64, for free_slab_memory(); nullptr for no bytes. Throws std::bad_alloc.
  [[nodiscard]] void* allocate(std::size_t bytes);

  /// The same, `behind` bytes (modulo 4096) after the beginning of a page, in a slab of its own.
  [[nodiscard]] static void* allocate_in_page(std::size_t bytes, std::size_t behind);

private:
  std::mutex mutex_; ///< guards the members below
  Slab* current_ = nullptr;
  std::size_t used_ = 0;  ///< bytes of the current slab that are in use
  std::size_t size_ = 0;  ///< bytes of the current slab for arrays
  std::size_t given_ = 0; ///< bytes of all arrays so far
  std::size_t expected_ = std::numeric_limits<std::size_t>::max();
};

/// Any thread. Does nothing for nullptr.
void free_slab_memory(void* memory);

/// Bytes from a slab.
class SlabBuffer
{
public:
  SlabBuffer() = default;
  SlabBuffer(PageSlabs& slabs, std::size_t size)
    : SlabBuffer(slabs.allocate(size), size)
  {
  }
  [[nodiscard]] static SlabBuffer in_page(std::size_t size, std::size_t behind)
  {
    return { PageSlabs::allocate_in_page(size, behind), size };
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
