// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Description of a field file for `rivulet info`, from its metadata alone, and its size relative to its values.
#pragma once

#include "Io/FieldFile/FieldFile.h"

namespace rivulet::command
{

/// Bytes of a variable's values over all steps in a plain array.
[[nodiscard]] std::int64_t raw_bytes(const FieldFile& file, std::size_t variable);
/// Bytes of a variable's brick records over all steps, with shared layers, padding and trailers.
[[nodiscard]] std::int64_t record_bytes(const FieldFile& file, std::size_t variable);

/// Size of the finished file at `path`, as in "444.0 KiB, 2.47 times the 179.9 KiB of the plain values".
[[nodiscard]] std::string describe_size(const std::string& path, std::int64_t plain_bytes);

[[nodiscard]] std::string describe_as_text(const FieldFile& file);
[[nodiscard]] std::string describe_as_json(const FieldFile& file);

} // namespace rivulet::command
