// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Read/ExtentReader.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <cerrno>
#include <sys/uio.h>

namespace rivulet
{

namespace
{

constexpr std::int64_t kMostStaged = StagingMemory::kLargest - 2 * kPage; ///< a direct read begins and ends at pages

std::int64_t wait_for(const FileRead& read)
{
  const ssize_t got = ::preadv(read.descriptor, read.parts.data(), static_cast<int>(read.parts.size()), read.offset);
  return got < 0 ? -errno : got;
}

} // namespace

ExtentReader::ExtentReader(const Setup& setup)
  : locator_(setup.locator)
  , direct_(setup.direct)
  , limits_{ setup.gap, kMostStaged }
  , files_(setup.direct, setup.seen, locator_->consecutive() ? DataFiles::Order::Random : DataFiles::Order::Any)
  , staging_(0)
{
}

Result<void> ExtentReader::open_files()
{
  const std::int64_t files =
      locator_->consecutive() ? locator_->file_count() : 0; // files of blocks may be opened later
  std::int64_t number = 0;
  while (number + 1 < files && locator_->file(number).defect != nullptr)
  {
    ++number;
  }
  bool pinned = true;
  for (const std::int64_t end = std::min(files, number + kFewFiles); number < end && pinned; ++number)
  {
    Result<std::shared_ptr<const DataFile>> opened = file(number);
    if (!opened)
    {
      return forward_error(opened);
    }
    pinned = number == static_cast<std::int64_t>(opened_.size()) && files_.pin((*opened)->path());
    if (pinned)
    {
      opened_.push_back(std::move(*opened));
      pinned = number + 1 == files || locator_->file(number + 1).defect == nullptr;
    }
  }
  return {};
}

Result<std::shared_ptr<const DataFile>> ExtentReader::file(std::int64_t number)
{
  if (number < static_cast<std::int64_t>(opened_.size()))
  {
    return opened_[static_cast<std::size_t>(number)];
  }
  const LocatedFile located = locator_->file(number);
  if (located.defect != nullptr)
  {
    return tl::unexpected(*located.defect);
  }
  return files_.open(located.path, located.bytes);
}

void ExtentReader::plan(BrickLoad& load) const
{
  locator_->find_extents(load.wanted.key, limits_, load.extents);
}

/// Direct reads of extents that are not whole bricks go through staging memory, because they begin and end at pages. So
/// do reads that no thread waits for: staging memory limits the number of slots being filled, which cannot be
/// reclaimed.
ExtentRead::Piece ExtentReader::piece_of(BrickLoad& load, std::size_t extent, Memory memory) const
{
  const Extent& where = load.extents[extent];
  ExtentRead::Piece piece{ &load, extent, where.offset, where.bytes, where.bytes, nullptr, false };
  const bool waited_for = memory == Memory::Wait && !direct_;
  const bool in_slot = where.to != Extent::kConverted && (waited_for || locator_->consecutive());
  if (in_slot)
  {
    piece.memory = load.memory + where.to;
    return piece;
  }
  piece.staged = true;
  if (direct_)
  {
    piece.begin = where.offset / kPage * kPage;
    piece.wanted = where.offset + where.bytes - piece.begin;
    piece.length = round_up(piece.wanted, kPage);
  }
  return piece;
}

Result<std::unique_ptr<ExtentRead>> ExtentReader::begin(BrickLoad& load, std::size_t extent, Memory memory)
{
  ExtentRead::Piece piece = piece_of(load, extent, memory);
  if (piece.staged)
  {
    piece.memory = memory == Memory::Wait ? staging_.take_or_wait(piece.length) : staging_.take(piece.length);
    if (piece.memory == nullptr && staging_.idle())
    {
      return fail(ErrorCode::CannotRead, "there is no memory to read into", "close other programs", locator_->path());
    }
    if (piece.memory == nullptr)
    {
      return std::unique_ptr<ExtentRead>();
    }
  }
  Result<std::shared_ptr<const DataFile>> opened = file(load.extents[extent].file);
  if (!opened)
  {
    release(piece);
    return forward_error(opened);
  }
  return read_of(std::move(*opened), piece);
}

void ExtentReader::add(ExtentRead& read, BrickLoad& load, bool behind)
{
  const Extent& where = load.extents.front();
  const ExtentRead::Piece piece{ &load, 0, where.offset, where.bytes, where.bytes, load.memory + where.to, false };
  behind ? read.add_behind(piece) : read.add_before(piece);
}

std::unique_ptr<ExtentRead> ExtentReader::alone(const ExtentRead& read, const ExtentRead::Piece& piece) const
{
  return read_of(read.data_file(), piece);
}

std::unique_ptr<ExtentRead> ExtentReader::read_of(
    std::shared_ptr<const DataFile> file, const ExtentRead::Piece& piece) const
{
  const std::uint64_t contents = names_contents_ ? file->fingerprint() : 0;
  auto read = std::make_unique<ExtentRead>(std::move(file), direct_);
  read->contents = contents;
  read->add_behind(piece);
  return read;
}

void ExtentReader::release(const ExtentRead::Piece& piece)
{
  if (piece.staged)
  {
    staging_.give_back(piece.memory, piece.length);
  }
}

void ExtentReader::take_in(const ExtentRead& read)
{
  std::int64_t waste = read.gaps();
  for (const ExtentRead::Piece& piece : read.pieces())
  {
    BrickLoad& load = *piece.load;
    const Extent& extent = load.extents[piece.extent];
    Result<void> there = read.outcome(piece);
    if (there && locator_->converts())
    {
      // If the file is cut short during a read, the system may count all bytes, some of them zeros. Records have
      // checksums; other values are checked here.
      there = read.data_file()->reaches(piece.begin + piece.wanted);
    }
    if (!there)
    {
      const bool ends = there.error().code == ErrorCode::Truncated;
      const Error error = ends ? locator_->too_short(extent.file, there.error().offset) : there.error();
      load.error = load.error ? load.error : error;
    }
    else if (extent.to == Extent::kConverted)
    {
      locator_->place(load.wanted.key, extent, piece.memory + (extent.offset - piece.begin), load.memory);
    }
    else if (piece.staged)
    {
      std::copy_n(piece.memory + (extent.offset - piece.begin), extent.bytes, load.memory + extent.to);
    }
    load.bytes_read += piece.length + std::exchange(waste, 0);
    release(piece);
  }
}

void ExtentReader::give_up(const ExtentRead& read, const Error& error)
{
  for (const ExtentRead::Piece& piece : read.pieces())
  {
    piece.load->error = piece.load->error ? piece.load->error : error;
    release(piece);
  }
}

Result<LoadedBrick> ExtentReader::finish(BrickLoad& load) const
{
  if (load.error)
  {
    return tl::unexpected(std::move(*load.error));
  }
  Result<BrickView> view = locator_->finish(load.wanted.key, load.memory);
  return view ? Result<LoadedBrick>(LoadedBrick{ *view, load.bytes_read }) : forward_error(view);
}

Result<void> ExtentReader::read_extent(BrickLoad& load, std::size_t extent)
{
  Result<std::unique_ptr<ExtentRead>> read = begin(load, extent, Memory::Wait);
  if (!read)
  {
    return forward_error(read);
  }
  while ((*read)->judge(wait_for((*read)->prepare())) == ExtentRead::Next::Again)
  {
  }
  take_in(**read);
  return {};
}

Result<LoadedBrick> ExtentReader::read_now(const BrickKey& key, std::byte* slot)
{
  BrickLoad load{ .wanted = { key, 0 }, .memory = slot };
  plan(load);
  for (std::size_t extent = 0; extent < load.extents.size() && !load.error; ++extent)
  {
    if (Result<void> read = read_extent(load, extent); !read)
    {
      return forward_error(read);
    }
  }
  return finish(load);
}

std::int64_t ExtentReader::staging_share(std::int64_t budget, std::int64_t most) const
{
  return locator_->converts() ? std::clamp(budget / 8, StagingMemory::kLargest, std::max(most, StagingMemory::kLargest))
                              : 0;
}

std::int64_t ExtentReader::working_minimum(int workers, std::int64_t slot_bytes) const
{
  const std::int64_t slots = workers * slot_bytes;
  return locator_->converts() ? slots + slots / 7 + StagingMemory::kLargest : slots; // an eighth is staging memory
}

} // namespace rivulet
