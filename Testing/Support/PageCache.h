// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What the page cache holds of a file, and files of which it holds nothing.
///
///     const std::optional<File> file = cold_file(path);
///     if (!file) GTEST_SKIP() << "files are always in memory here";
///     file->will_need(0, 4096);
///     EXPECT_TRUE(comes_into_cache(path, 0, 4096));
#pragma once

#include "Io/Files/File.h"

#include <optional>
#include <string>

namespace rivulet::test
{

/// The share of a file's pages from `begin` to `end` that are there, with none of them still to be written; -1 where
/// the system does not say.
[[nodiscard]] double cached_pages(const std::string& path, std::int64_t begin, std::int64_t end);

/// Whether they are all there, now or within 100 s: a busy disk takes its time.
[[nodiscard]] bool comes_into_cache(const std::string& path, std::int64_t begin, std::int64_t end);

/// A file of which nothing is there; nothing where that cannot be.
[[nodiscard]] std::optional<File> cold_file(const std::string& path);

} // namespace rivulet::test
