// SPDX-License-Identifier: BSD-3-Clause
#include "Base/PageSlabs.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace rivulet
{

/// The beginning of every slab. Slabs begin at multiples of kSlab, and the first byte of every array lies within
/// kSlab of its slab's beginning. So the address of an array gives its slab.
struct Slab
{
  std::atomic<std::int64_t> users{ 1 }; ///< the slab's arrays, and the PageSlabs object that cuts it
};

namespace
{

constexpr std::size_t kSlab = std::size_t{ 2 } << 20;
constexpr std::size_t kLine = 64;
constexpr std::size_t kOwn = kSlab / 2; ///< larger arrays have a slab of their own

std::size_t whole_lines(std::size_t bytes)
{
  return (bytes + kLine - 1) / kLine * kLine;
}

/// The part of `bytes` for huge pages: whole ones, and the last one, too, if that wastes little.
std::size_t in_huge_pages(std::size_t bytes)
{
  const std::size_t up = (bytes + kSlab - 1) / kSlab * kSlab;
  return up - bytes <= bytes / 16 ? up : bytes / kSlab * kSlab;
}

Slab* make_slab(std::size_t bytes)
{
  const std::size_t huge = in_huge_pages(bytes);
  void* memory = nullptr;
  // Not std::aligned_alloc, which takes multiples of the alignment only.
  if (::posix_memalign(&memory, kSlab, std::max(huge, bytes)) != 0)
  {
    throw std::bad_alloc();
  }
#ifdef MADV_HUGEPAGE
  if (huge > 0)
  {
    ::madvise(memory, huge, MADV_HUGEPAGE); // a hint: kernels without huge pages refuse it
  }
#endif
  return new (memory) Slab;
}

void leave(Slab* slab)
{
  if (slab->users.fetch_sub(1, std::memory_order_acq_rel) == 1)
  {
    slab->~Slab();
    std::free(slab);
  }
}

} // namespace

PageSlabs::~PageSlabs()
{
  if (current_ != nullptr)
  {
    leave(current_);
  }
}

void PageSlabs::expect(std::size_t bytes)
{
  const std::lock_guard lock(mutex_);
  expected_ = bytes;
}

void* PageSlabs::allocate(std::size_t bytes)
{
  static_assert(sizeof(Slab) <= kLine);
  if (bytes == 0)
  {
    return nullptr;
  }
  if (bytes > kOwn)
  {
    return reinterpret_cast<std::byte*>(make_slab(whole_lines(kLine + bytes))) + kLine;
  }
  const std::lock_guard lock(mutex_);
  const std::size_t taken = whole_lines(bytes);
  if (current_ == nullptr || used_ >= kSlab || taken > size_ - used_)
  {
    // The last array begins in the first kSlab bytes and may end beyond them. Pages that no array uses are never
    // touched.
    const std::size_t most = kSlab + kOwn - kLine;
    // After the expected bytes there may be one more array or many: a slab as large as all arrays so far.
    const std::size_t size = kLine + std::clamp(expected_ < taken ? given_ : expected_, taken, most);
    Slab* fresh = make_slab(size);
    if (current_ != nullptr)
    {
      leave(current_);
    }
    current_ = fresh;
    size_ = size;
    used_ = kLine;
  }
  std::byte* memory = reinterpret_cast<std::byte*>(current_) + used_;
  used_ += taken;
  expected_ -= std::min(expected_, taken);
  given_ += taken;
  current_->users.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

void* PageSlabs::allocate_in_page(std::size_t bytes, std::size_t behind)
{
  const std::size_t page = static_cast<std::size_t>(kPage);
  const std::size_t first = page + behind % page;
  return bytes == 0 ? nullptr : reinterpret_cast<std::byte*>(make_slab(whole_lines(first + bytes))) + first;
}

void free_slab_memory(void* memory)
{
  if (memory != nullptr)
  {
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    leave(reinterpret_cast<Slab*>(address / kSlab * kSlab));
  }
}

} // namespace rivulet
