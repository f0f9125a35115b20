// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Options that several commands share, and how the values that people type are read.
#pragma once

#include "Base/Box.h"
#include "Base/Bytes.h"
#include "CommandLine/CommandLine.h"
#include "Convert/Converter.h"

#include <optional>
#include <string>

namespace rivulet::command
{

/// "512,512,768", "512x512x768"; two numbers have `third` as third, one number stands for all three if `cube`.
struct TripleRule
{
  bool cube = false;
  double third = 1;
};
[[nodiscard]] Result<Vec3> parse_triple(const std::string& text, const TripleRule& rule);
/// The same for whole numbers of at least 1.
[[nodiscard]] Result<Int3> parse_counts(const std::string& text, const TripleRule& rule);

/// Options that read such values into `into`.
cli::Option add_triple(const cli::Command& command, const std::string& name, Vec3& into, const std::string& help,
    const TripleRule& rule = {});
cli::Option add_triple(
    const cli::Command& command, const std::string& name, std::optional<Vec3>& into, const std::string& help);
cli::Option add_counts(const cli::Command& command, const std::string& name, Int3& into, const std::string& help,
    const TripleRule& rule = {});
cli::Option add_counts(const cli::Command& command, const std::string& name, std::optional<Int3>& into,
    const std::string& help, const TripleRule& rule = {});
cli::Option add_bytes(
    const cli::Command& command, const std::string& name, std::int64_t& into, const std::string& help);

/// What every command that writes a field takes.
struct WriteOptions
{
  std::int64_t memory = kGiB;
  int threads = 0;
  bool quiet = false;
  bool sync = false;
  bool force = false;
  std::optional<Int3> brick; ///< else usual_brick_cells()
  Encoding encoding = Encoding::Plain;
};
void add_write_options(const cli::Command& command, WriteOptions& options);
/// For the converter, with Ctrl-C as its cancel flag.
[[nodiscard]] ConvertOptions convert_options(const WriteOptions& options, const ByteProgress& progress);

void add_threads(const cli::Command& command, int& threads);
void add_quiet(const cli::Command& command, bool& quiet);

/// Refuses a target that is one of the files that are read from, under whatever name.
[[nodiscard]] Result<void> check_target(const std::string& target, const std::vector<std::string>& sources);
/// Refuses names that say that a file is something else than a field file: ParaView, and people, would take it for
/// that. `raw`: names of raw files, too. (That of one behind a header is refused as one that the source is read from.)
[[nodiscard]] Result<void> check_field_name(const std::string& target, bool raw);
/// Refuses to write over a file that is there, unless it is to be. Removes what killed runs left of this target, and
/// says so.
[[nodiscard]] Result<void> prepare_target(const std::string& target, const WriteOptions& options);

/// Whether `path` ends with `ending`, in small or capital letters.
[[nodiscard]] bool ends_with(const std::string& path, const std::string& ending);

} // namespace rivulet::command
