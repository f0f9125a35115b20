// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A graph of hints as one small file with a checksum, for one field.
///
///     Result<HintGraph> hints = read_hints(path, identity);
///     Result<void> merged = merge_hints(path, identity, learnt);   // of many processes, one after the other
///
/// Layout: 8 bytes "RVHINTS1", the field's identity, the number of hints, the checksum (XXH3) of all other bytes, eight
/// bytes each; then for each hint three keys (variable, step: 4 bytes; index: 8 bytes), its weight (4 bytes) and 4
/// bytes of zeros. Numbers are little-endian.
///
/// No state; any thread.
#pragma once

#include "Base/Result.h"
#include "Store/Hints/HintGraph.h"

#include <cstddef>
#include <span>
#include <string>

namespace rivulet
{

[[nodiscard]] std::vector<std::byte> pack_hints(const HintGraph& hints, std::uint64_t identity);
/// Fails with Corrupt if the bytes are damaged, of another field or of another kind.
[[nodiscard]] Result<HintGraph> unpack_hints(std::span<const std::byte> bytes, std::uint64_t identity);

/// The hints in a file; none if there is no file.
[[nodiscard]] Result<HintGraph> read_hints(const std::string& path, std::uint64_t identity);

/// Adds hints to a file; hints already in it fade first. Makes its folder if need be. A file that cannot be used is
/// replaced. Waits while another process does the same; a reader sees the old file or the new one.
[[nodiscard]] Result<void> merge_hints(const std::string& path, std::uint64_t identity, const HintGraph& learnt);

/// `$XDG_CACHE_HOME/rivulet/hints`, or the same in `~/.cache`; empty if there is neither.
[[nodiscard]] std::string user_hints_folder();

/// Folders of the hints of a field; empty: there is none.
struct HintFolders
{
  std::string kept; ///< for hints that runs learn
  std::string more; ///< of hints that are used, too, and never changed
};

/// A store keeps its hints in its own folder `hints`, so that they go with it; the user's are used, too. Where that
/// folder cannot be written, and for other files, it is the other way round. `path`: of the file, or of the store.
[[nodiscard]] HintFolders hint_folders(const std::string& path);

} // namespace rivulet
