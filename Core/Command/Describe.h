// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What `rivulet info` prints about a field file, from its metadata alone; and how large it is beside its values.
#pragma once

#include "Io/FieldFile.h"

namespace rivulet::command
{

/// Bytes of a variable's values over all steps, as a plain array of them would take.
[[nodiscard]] std::int64_t raw_bytes(const FieldFile& file, std::size_t variable);
/// Bytes of its brick records over all steps: shared layers, padding and trailers included.
[[nodiscard]] std::int64_t record_bytes(const FieldFile& file, std::size_t variable);

/// "444.0 KiB, 2.47 times the 179.9 KiB of the plain values": how large the finished file at `path` is.
[[nodiscard]] std::string describe_size(const std::string& path, std::int64_t plain_bytes);

[[nodiscard]] std::string describe_as_text(const FieldFile& file);
[[nodiscard]] std::string describe_as_json(const FieldFile& file);

} // namespace rivulet::command
