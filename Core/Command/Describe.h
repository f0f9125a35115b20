// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What `rivulet info` prints about a field file: from its metadata alone.
#pragma once

#include "Io/FieldFile.h"

namespace rivulet::command
{

/// Bytes of a variable's values over all steps, as a plain array of them would take.
[[nodiscard]] std::int64_t raw_bytes(const FieldFile& file, std::size_t variable);
/// Bytes of its brick records over all steps: shared layers, padding and trailers included.
[[nodiscard]] std::int64_t record_bytes(const FieldFile& file, std::size_t variable);

[[nodiscard]] std::string describe_as_text(const FieldFile& file);
[[nodiscard]] std::string describe_as_json(const FieldFile& file);

} // namespace rivulet::command
