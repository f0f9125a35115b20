// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Private to Io: datatype messages of HDF5 files, as they lie in headers of objects and attributes. libhdf5 takes
/// apart every type that it meets on its way to the one it is asked for, so that all of them must hold together: sizes
/// of members inside their compound, names inside the message, no deeper than kMostDepth.
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

/// Bytes of a value: whole numbers, floats, texts, enumerations (h5py's bool is one), compounds and arrays of them,
/// opaque values and references; of what lies elsewhere in the file, of its address. Nothing for any other type, and
/// for one that does not hold together.
[[nodiscard]] std::optional<std::uint64_t> bytes_of_type(std::span<const std::byte> message);

} // namespace rivulet::hdf5
