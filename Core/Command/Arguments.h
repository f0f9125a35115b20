// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Options that several commands share, and the parsing of their values.
#pragma once

#include "Base/Box.h"
#include "Base/Bytes.h"
#include "CommandLine/CommandLine.h"
#include "Convert/Converter.h"

#include <optional>
#include <string>

namespace rivulet::command
{

/// Three numbers, as in "512,512,768" or "512x512x768". Two numbers get `third` as the third one. If `cube`, one number
/// stands for all three.
struct TripleRule
{
  bool cube = false;
  double third = 1;
};
[[nodiscard]] Result<Vec3> parse_triple(const std::string& text, const TripleRule& rule);
/// Three whole numbers of at least 1, by the same rule.
[[nodiscard]] Result<Int3> parse_counts(const std::string& text, const TripleRule& rule);

/// Options that store such values in `into`: a Vec3 for add_triple(), an Int3 for add_counts(), or an optional one.
template <class T>
cli::Option add_triple(const cli::Command& command, const std::string& name, T& into, const std::string& help,
    const TripleRule& rule = {});
template <class T>
cli::Option add_counts(const cli::Command& command, const std::string& name, T& into, const std::string& help,
    const TripleRule& rule = {});
/// An option for a number of bytes, as in "512MiB".
cli::Option add_bytes(
    const cli::Command& command, const std::string& name, std::int64_t& into, const std::string& help);

/// Options of every command that writes a field.
struct WriteOptions
{
  std::int64_t memory = kGiB;
  int threads = 0;
  bool quiet = false;
  bool sync = false;
  bool force = false;
  bool append = false;                ///< to a store
  std::optional<Int3> brick;          ///< cells along each axis; by default usual_brick_cells()
  std::optional<Encoding> encoding{}; ///< plain by default
};
void add_write_options(const cli::Command& command, WriteOptions& options);
void add_threads(const cli::Command& command, int& threads);
void add_quiet(const cli::Command& command, bool& quiet);

/// Refuses a target that is one of the source files, also under another name (a link), or a store that has one.
[[nodiscard]] Result<void> check_target(const std::string& target, const std::vector<std::string>& sources);
/// Refuses target names with the ending of another format, because ParaView would open the file as that format. `raw`:
/// refuses the ending of raw files, too. check_target() refuses raw files that a source's header names.
[[nodiscard]] Result<void> check_field_name(const std::string& target, bool raw);
/// Refuses to replace an existing file or store without --force, and --append to anything but a store. Removes
/// unfinished files of this target that killed runs left, and prints their names.
[[nodiscard]] Result<void> prepare_target(const std::string& target, const WriteOptions& options);

/// Whether the name is that of a store: a folder, .rvs.
[[nodiscard]] bool names_store(const std::string& path);

/// Whether `path` ends with `ending`. The case of letters does not matter.
[[nodiscard]] bool ends_with(const std::string& path, const std::string& ending);

} // namespace rivulet::command
