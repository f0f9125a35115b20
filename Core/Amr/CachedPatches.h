// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values of patches in a local cache (Store/LocalCache/LocalCache.h): converted, as arrays hold them. A dump on slow
/// storage is then neither read nor decompressed a second time.
///
///     CachedPatches cached(cache, dump, keep_ghosts);
///     if (!cached.take(patch, variable, slabs, value)) { ... read it ...; cached.keep(patch, variable, value); }
///
/// Values are named by the identities of the file with the patch and of the file that describes the dump, by variable,
/// type and layers. Threads: any. Bytes.
#pragma once

#include "Amr/PatchReader.h"
#include "Io/Files/FileIdentity.h"
#include "Store/LocalCache/LocalCache.h"

#include <map>
#include <mutex>

namespace rivulet
{

/// Fingerprints of files, from run to run: a file that has not changed is not opened again. Threads: any.
class FileFingerprints
{
public:
  /// FileIdentity::fingerprint(); 0 if the file cannot be read.
  [[nodiscard]] std::uint64_t of(const std::string& path);

private:
  struct Known
  {
    FileIdentity identity;
    std::uint64_t fingerprint = 0;
  };
  std::mutex mutex_;
  std::map<std::string, Known> known_; ///< guarded by the mutex
};

/// For one run, within which a file is looked at once.
class CachedPatches
{
public:
  /// `dump` and `files` must outlive this object.
  CachedPatches(std::shared_ptr<LocalCache> cache, const AmrDump& dump, FileFingerprints& files, bool keep_ghosts);

  /// Fills `to` with the values of a patch if the cache has all of them. Throws std::bad_alloc.
  [[nodiscard]] bool take(std::int32_t patch, std::int32_t variable, PageSlabs& memory, PatchVariable& to);
  void keep(std::int32_t patch, std::int32_t variable, const PatchVariable& from);

private:
  [[nodiscard]] std::uint64_t fingerprint_of(const std::string& path);
  /// The key of the first piece of a patch's values; its length is that of all pieces.
  [[nodiscard]] CacheKey key_of(std::int32_t patch, std::int32_t variable, StoredType type, const Int3& size);
  [[nodiscard]] bool read(const CacheKey& key, std::byte* to);

  const std::shared_ptr<LocalCache> cache_;
  const AmrDump& dump_;
  FileFingerprints& files_;
  const bool keep_ghosts_;
  std::mutex mutex_;
  std::map<std::string, std::uint64_t> fingerprints_; ///< guarded by the mutex
};

} // namespace rivulet
