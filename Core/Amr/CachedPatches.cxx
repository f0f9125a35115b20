// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/CachedPatches.h"

#include <algorithm>
#include <array>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

namespace
{

constexpr std::array<StoredType, 10> kTypes{ StoredType::Float64, StoredType::Float32, StoredType::Int32,
  StoredType::UInt32, StoredType::Int8, StoredType::UInt8, StoredType::Int16, StoredType::UInt16, StoredType::Int64,
  StoredType::UInt64 };

/// Pieces of at most CacheShape::kMostValue bytes.
template <class Use>
bool all_pieces(const CacheKey& whole, const Use& use)
{
  for (std::int64_t begin = 0; begin < whole.bytes; begin += CacheShape::kMostValue)
  {
    const std::int64_t bytes = std::min(CacheShape::kMostValue, whole.bytes - begin);
    if (!use(CacheKey{ whole.contents, whole.offset + begin, bytes }, begin))
    {
      return false;
    }
  }
  return true;
}

} // namespace

std::uint64_t FileFingerprints::of(const std::string& path)
{
  const std::optional<FileIdentity> now = FileIdentity::of(path);
  {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(path);
    if (now && known != known_.end() && known->second.fingerprint != 0 && known->second.identity.same_as(*now) &&
        known->second.identity.changed().tv_sec == now->changed().tv_sec &&
        known->second.identity.changed().tv_nsec == now->changed().tv_nsec)
    {
      return known->second.fingerprint;
    }
  }
  Result<File> file = File::open(path, File::Mode::Read);
  Result<FileIdentity> identity = file ? FileIdentity::of(*file) : forward_error(file);
  if (!identity)
  {
    return 0;
  }
  const std::uint64_t fingerprint = identity->fingerprint(*file);
  const std::lock_guard lock(mutex_);
  known_.insert_or_assign(path, Known{ *identity, fingerprint });
  return fingerprint;
}

CachedPatches::CachedPatches(
    std::shared_ptr<LocalCache> cache, const AmrDump& dump, FileFingerprints& files, bool keep_ghosts)
  : cache_(std::move(cache))
  , dump_(dump)
  , files_(files)
  , keep_ghosts_(keep_ghosts)
{
}

std::uint64_t CachedPatches::fingerprint_of(const std::string& path)
{
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = fingerprints_.find(path); known != fingerprints_.end())
    {
      return known->second;
    }
  }
  const std::uint64_t fingerprint = files_.of(path);
  const std::lock_guard lock(mutex_);
  return fingerprints_.emplace(path, fingerprint).first->second;
}

CacheKey CachedPatches::key_of(std::int32_t patch, std::int32_t variable, StoredType type, const Int3& size)
{
  const AmrPatch& of = dump_.patches[static_cast<std::size_t>(patch)];
  const AmrVariable& values = dump_.variables[static_cast<std::size_t>(variable)];
  const std::uint64_t file = fingerprint_of(dump_.files[static_cast<std::size_t>(of.file)]);
  const std::uint64_t description = fingerprint_of(dump_.path);
  const std::int64_t bytes = volume(size) * static_cast<std::int64_t>(values.components.size() * size_of(type));
  if (file == 0 || description == 0 || bytes <= 0)
  {
    return {};
  }
  const std::array<std::int64_t, 12> facts{ static_cast<std::int64_t>(file), static_cast<std::int64_t>(description),
    static_cast<std::int64_t>(XXH3_64bits(values.name.data(), values.name.size())), static_cast<std::int64_t>(type),
    keep_ghosts_ ? 1 : 0, bytes, of.cut_lower[0], of.cut_lower[1], of.cut_lower[2], of.cut_upper[0], of.cut_upper[1],
    of.cut_upper[2] };
  // Patches of one size lie side by side.
  return { XXH3_64bits(facts.data(), sizeof facts), patch * round_up(bytes, kPage), bytes };
}

bool CachedPatches::read(const CacheKey& key, std::byte* to)
{
  return all_pieces(key, [&](const CacheKey& piece, std::int64_t begin) { return cache_->read(piece, to + begin); });
}

bool CachedPatches::take(std::int32_t patch, std::int32_t variable, PageSlabs& memory, PatchVariable& to)
{
  const AmrPatch& of = dump_.patches[static_cast<std::size_t>(patch)];
  const AmrVariable& values = dump_.variables[static_cast<std::size_t>(variable)];
  const Int3 size = keep_ghosts_ ? values.stored_size(of, dump_.dimensions) : values.own_size(of, dump_.dimensions);
  for (const StoredType type : kTypes)
  {
    const CacheKey key = key_of(patch, variable, type, size);
    const bool there = key.contents != 0 && all_pieces(key, [&](const CacheKey& piece, std::int64_t)
                                                { return cache_->file().find(piece).has_value(); });
    if (!there)
    {
      continue;
    }
    SlabBuffer bytes(memory, static_cast<std::size_t>(key.bytes));
    if (!read(key, bytes.data()))
    {
      return false;
    }
    to.type = type;
    to.components = static_cast<std::int32_t>(values.components.size());
    to.size = size;
    to.values = std::move(bytes);
    return true;
  }
  return false;
}

void CachedPatches::keep(std::int32_t patch, std::int32_t variable, const PatchVariable& from)
{
  const CacheKey key = key_of(patch, variable, from.type, from.size);
  if (key.contents == 0 || key.bytes != static_cast<std::int64_t>(from.values.size()))
  {
    return;
  }
  all_pieces(key,
      [&](const CacheKey& piece, std::int64_t begin) {
        return cache_->keep(piece, { from.values.data() + begin, static_cast<std::size_t>(piece.bytes) });
      });
}

} // namespace rivulet
