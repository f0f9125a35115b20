// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Files/BusErrors.h"

#include "Base/Bytes.h"
#include "Io/Files/FaultSignals.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rivulet
{

namespace
{

static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uintptr_t>::is_always_lock_free,
    "the signal handler must not wait for a lock");

/// A quiet NaN as a float and, twice in sequence, as a double, in either order of the two halves.
constexpr std::uint32_t kNanWord = 0x7ff80000U;
constexpr int kBitsPerWord = 64;

/// A process may have about 65000 mappings, and every repaired piece is one. So pieces are large, and larger the more
/// there are: 12000 of them cover more than a terabyte.
constexpr std::int64_t kPiecesOfASize = 4096;
constexpr std::array<std::int64_t, 3> kPieceBytes{ kMiB, 16 * kMiB, 256 * kMiB };

std::int64_t page_bytes()
{
  static const std::int64_t bytes = ::sysconf(_SC_PAGESIZE);
  return bytes;
}

std::atomic<BusErrorRegion*> all_regions{ nullptr };
std::atomic<std::int64_t> repaired_pieces{ 0 };                    ///< of all watched regions
std::atomic<int> nan_file{ -1 };                                   ///< memory file of NaN ...
std::atomic<std::int64_t> nan_bytes{ 0 };                          ///< ... and its length so far
std::array<std::uint32_t, 64 * kKiB / sizeof(kNanWord)> nan_words; ///< its contents

std::size_t note_bytes(std::int64_t mapped)
{
  const std::int64_t pages = (mapped + page_bytes() - 1) / page_bytes();
  return static_cast<std::size_t>((pages + kBitsPerWord - 1) / kBitsPerWord) * sizeof(std::uint64_t);
}

/// Extends the file of NaN to `bytes`; returns its length. Threads that do it at the same time write the same.
std::int64_t grow_nan_file(std::int64_t bytes)
{
  const auto block = static_cast<std::int64_t>(sizeof(nan_words));
  for (std::int64_t at = nan_bytes.load(); at < bytes; at += block)
  {
    if (::pwrite(nan_file.load(), nan_words.data(), sizeof(nan_words), at) != block)
    {
      break;
    }
    std::int64_t known = nan_bytes.load();
    while (known < at + block && !nan_bytes.compare_exchange_weak(known, at + block))
    {
    }
  }
  return nan_bytes.load();
}

bool make_nan_file()
{
  const int descriptor = ::memfd_create("rivulet-nan", MFD_CLOEXEC);
  if (descriptor < 0)
  {
    return false;
  }
  nan_words.fill(kNanWord);
  nan_file.store(descriptor);
  if (grow_nan_file(1) < page_bytes())
  {
    nan_file.store(-1);
    ::close(descriptor);
    return false;
  }
  return true;
}

bool show_nan(void* target, std::int64_t bytes)
{
  // Private: a write to such a page stays with the writer.
  constexpr int kFlags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
#ifdef __SANITIZE_THREAD__
  // Other threads may read the pages meanwhile: the kernel replaces each as a whole. The sanitizer would take mmap()
  // for a write.
  return ::syscall(SYS_mmap, target, bytes, PROT_READ, kFlags, nan_file.load(), 0) != -1;
#else
  return ::mmap(target, static_cast<std::size_t>(bytes), PROT_READ, kFlags, nan_file.load(), 0) != MAP_FAILED;
#endif
}

} // namespace

bool ensure_bus_error_handler()
{
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  return (nan_file.load() >= 0 || make_nan_file()) && ensure_fault_handler(Fault::Missing, repair_bus_error);
}

BusErrorRegion* watch_for_bus_errors(
    const void* begin, std::int64_t bytes, const FileIdentity& identity, const char* path)
{
  void* notes =
      ::mmap(nullptr, note_bytes(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (notes == MAP_FAILED)
  {
    return nullptr;
  }
  BusErrorRegion* region = all_regions.load();
  while (region != nullptr && region->in_use_.exchange(true))
  {
    region = region->next_;
  }
  if (region == nullptr)
  {
    region = new BusErrorRegion;
    region->in_use_.store(true);
    region->next_ = all_regions.load();
    while (!all_regions.compare_exchange_weak(region->next_, region))
    {
    }
  }
  region->bytes_.store(bytes);
  region->path_.store(path);
  region->identity_.store(&identity);
  region->any_damage_.store(false);
  region->first_fault_.store(-1);
  region->pieces_.store(0);
  region->end_.store(bytes);
  region->faults_ = static_cast<std::atomic<std::uint64_t>*>(notes);
  region->begin_.store(reinterpret_cast<std::uintptr_t>(begin)); // last: now the handler finds the region
  return region;
}

void stop_watching(BusErrorRegion* region)
{
  region->begin_.store(0);
  repaired_pieces.fetch_sub(region->pieces_.load());
  ::munmap(static_cast<void*>(region->faults_), note_bytes(region->bytes_.load()));
  region->in_use_.store(false);
}

bool BusErrorRegion::damaged(std::int64_t offset, std::int64_t bytes) const
{
  if (!any_damage_.load())
  {
    return false;
  }
  bool found = offset + bytes > end_.load();
  for (std::int64_t page = offset / page_bytes(); !found && page * page_bytes() < offset + bytes; ++page)
  {
    found = ((faults_[page / kBitsPerWord].load() >> (page % kBitsPerWord)) & 1U) != 0;
  }
  return found;
}

void BusErrorRegion::note_end(std::int64_t end)
{
  std::int64_t known = end_.load();
  while (end < known && !end_.compare_exchange_weak(known, end))
  {
  }
  any_damage_.store(true);
}

/// The pages to repair with the one at `fault`. Beyond the file's end: a large piece, as nothing there can be read.
/// Within the file: that page only, until there were too many repairs.
BusErrorRegion::Piece BusErrorRegion::piece_at(std::int64_t fault) const
{
  const std::int64_t length = identity_.load()->length_now(path_.load());
  const std::int64_t file_end = length >= 0 ? length : bytes_.load();
  const std::int64_t missing = round_up(file_end, page_bytes());
  const bool behind = fault >= missing;
  const std::int64_t used = repaired_pieces.load() / kPiecesOfASize - (behind ? 0 : 1);
  const auto last = static_cast<std::int64_t>(kPieceBytes.size()) - 1;
  std::int64_t bytes = used < 0 ? page_bytes() : kPieceBytes[static_cast<std::size_t>(std::min(used, last))];
  bytes = std::min(bytes, grow_nan_file(bytes) / page_bytes() * page_bytes());
  const std::int64_t begin = fault / bytes * bytes;
  const std::int64_t end = round_up(bytes_.load(), page_bytes());
  return { behind ? std::max(begin, missing) : begin, std::min(begin + bytes, behind ? end : missing), file_end };
}

void BusErrorRegion::note(const Piece& piece, std::int64_t fault)
{
  for (std::int64_t page = piece.begin / page_bytes(); page * page_bytes() < piece.end; ++page)
  {
    faults_[page / kBitsPerWord].fetch_or(std::uint64_t{ 1 } << (page % kBitsPerWord));
  }
  std::int64_t none = -1;
  first_fault_.compare_exchange_strong(none, fault);
  note_end(piece.file_end); // readers beyond the end need not try
  pieces_.fetch_add(1);
  repaired_pieces.fetch_add(1);
}

bool repair_bus_error(std::uintptr_t address)
{
  for (BusErrorRegion* region = all_regions.load(); region != nullptr; region = region->next_)
  {
    const std::uintptr_t begin = region->begin_.load();
    if (begin == 0 || address < begin || address - begin >= static_cast<std::uintptr_t>(region->bytes_.load()))
    {
      continue;
    }
    const std::int64_t fault = static_cast<std::int64_t>(address - begin) / page_bytes() * page_bytes();
    const BusErrorRegion::Piece piece = region->piece_at(fault);
    // Noted before the repair: a reader that gets NaN from the piece must find the note.
    region->note(piece, fault);
    return show_nan(reinterpret_cast<void*>(begin + static_cast<std::uintptr_t>(piece.begin)), piece.end - piece.begin);
  }
  return false;
}

} // namespace rivulet
