// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads the bytes of blocks past the page cache.
///
///     DirectAccess direct(files, 256 * kKiB);            assemble(variable, step, box, direct, out);
///
/// An access serves one thread at a time. Bytes.
#pragma once

#include "Io/Blocks/BlockAssembly.h"

#include <cstdlib>
#include <memory>

namespace rivulet
{

class DirectAccess final : public BlockAccess
{
public:
  /// `files` must be opened for direct reads. Reads up to `most` bytes and two pages at once through a buffer of its
  /// own.
  DirectAccess(DataFiles& files, std::int64_t most);
  [[nodiscard]] Result<const std::byte*> fetch(const BlockSpan& span) override;

private:
  struct Free
  {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  DataFiles& files_;
  std::unique_ptr<std::byte, Free> buffer_;
  std::int64_t buffer_bytes_;
};

} // namespace rivulet
