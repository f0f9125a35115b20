// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A plain array on the C heap that can be handed over: the owner after release() frees it with std::free, as VTK
/// arrays do (VTK_DATA_ARRAY_FREE). Unlike std::vector it leaves new elements uninitialised, so that large results are
/// written once. Large arrays ask for huge pages, because the first touch of small pages can cost as much as the
/// results.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <type_traits>

namespace rivulet
{

/// Memory to be freed by std::free; nullptr for no bytes. Throws std::bad_alloc.
[[nodiscard]] void* allocate_on_heap(std::size_t bytes);

template <class T>
class Buffer
{
  static_assert(std::is_trivially_copyable_v<T>);

public:
  Buffer() = default;
  /// Throws std::bad_alloc.
  explicit Buffer(std::size_t size)
    : values_(static_cast<T*>(allocate_on_heap(size * sizeof(T))))
    , size_(size)
  {
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] T* data() { return values_.get(); }
  [[nodiscard]] const T* data() const { return values_.get(); }
  [[nodiscard]] T& operator[](std::size_t i) { return values_.get()[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const { return values_.get()[i]; }
  [[nodiscard]] T* begin() { return data(); }
  [[nodiscard]] T* end() { return data() + size_; }
  [[nodiscard]] const T* begin() const { return data(); }
  [[nodiscard]] const T* end() const { return data() + size_; }

  /// Hands the memory over; the caller frees it with std::free. nullptr when empty.
  [[nodiscard]] T* release()
  {
    size_ = 0;
    return values_.release();
  }

private:
  struct Free
  {
    void operator()(T* values) const { std::free(values); }
  };
  std::unique_ptr<T[], Free> values_;
  std::size_t size_ = 0;
};

} // namespace rivulet
