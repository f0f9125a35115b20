// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Private to Io: datatype messages of HDF5 files, as stored in headers of objects and attributes. libhdf5 parses every
/// type on its way to the requested one, so all of them must be consistent: sizes of members inside their compound,
/// names inside the message, nesting at most kMostDepth.
///
///     std::optional<std::uint64_t> bytes = bytes_of_type(message);
///
/// Plain functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace rivulet::hdf5
{

inline constexpr std::uint64_t kMostText = 65536;

/// Bytes of a value: integers, floats, texts, enumerations (h5py's bool is one), compounds and arrays of them, opaque
/// values and references; for values stored elsewhere in the file, bytes of their address. Empty for any other or
/// inconsistent type.
[[nodiscard]] std::optional<std::uint64_t> bytes_of_type(std::span<const std::byte> message);

} // namespace rivulet::hdf5
