// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Description of a field file or a store for `rivulet info`, from its metadata alone, and its size relative to its
/// values.
#pragma once

#include "Command/ExitCode.h"
#include "Io/Series/FieldSeries.h"

namespace rivulet::command
{

/// Bytes of a variable's values over all steps in a plain array.
[[nodiscard]] std::int64_t raw_bytes(const FieldSeries& series, std::size_t variable);
/// Bytes of a variable's brick records over all steps, with shared layers, padding and trailers.
[[nodiscard]] std::int64_t record_bytes(const FieldSeries& series, std::size_t variable);

/// As in "444.0 KiB, 2.47 times the 179.9 KiB of the plain values".
[[nodiscard]] std::string describe_size(std::int64_t stored_bytes, std::int64_t plain_bytes);
/// The same of the finished file at `path`.
[[nodiscard]] std::string describe_file_size(const std::string& path, std::int64_t plain_bytes);

/// Prints an error for each of the first bad steps of a store. Returns the exit code of the first; Ok if all are sound.
ExitCode report_defects(const FieldSeries& series);

[[nodiscard]] std::string describe_as_text(const FieldSeries& series);
[[nodiscard]] std::string describe_as_json(const FieldSeries& series);

} // namespace rivulet::command
