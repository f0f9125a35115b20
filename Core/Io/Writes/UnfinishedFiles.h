// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Remembers which files and folders are being written under temporary names, so that a signal handler can remove them.
///
///     add_unfinished_file(temporary);        // before or just after creating it
///     ...
///     forget_unfinished_file(temporary);     // once it is renamed or removed
///
/// remove_unfinished_files() is async-signal-safe: it goes through a fixed table and calls unlink() and rmdir(). The
/// other two may be called from any thread. At most 64 files with paths of at most 4095 bytes are remembered. Any other
/// file is written all the same, but a signal leaves it behind.
#pragma once

#include <string>

namespace rivulet
{

/// Whether the file could be remembered.
bool add_unfinished_file(const std::string& path);
void forget_unfinished_file(const std::string& path);

/// For handlers of fatal signals: writers must not go on afterwards.
void remove_unfinished_files() noexcept;

} // namespace rivulet
