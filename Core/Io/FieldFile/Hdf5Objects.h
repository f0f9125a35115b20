// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Private to Io: names of objects in a field file, and steps that writing and reading have in common.
///
/// Functions throw Failure (Hdf5Session.h), and are called in guarded() only.
#pragma once

#include "Io/FieldFile/FieldFileHdf5.h"
#include "Io/FieldFile/Hdf5Attributes.h"

#include <array>
#include <string>
#include <vector>

namespace rivulet::hdf5
{

inline constexpr const char* kFormatName = "rivulet-field";
inline constexpr const char* kCurveName = "hilbert-box";
inline constexpr const char* kPlainName = "plain";
inline constexpr const char* kFixed16Name = "fixed16";
inline constexpr const char* kWholeNumbers = "whole_numbers"; // an attribute that other versions pass over
inline constexpr std::array<const char*, 3> kAxisNames{ "x", "y", "z" };
inline constexpr std::array<const char*, 3> kKindNames{ "uniform", "rectilinear", "curvilinear" }; // by Grid::Kind
inline constexpr const char* kPoints = "points";
inline constexpr const char* kPointsIn = "points_in";                          // only where another file has them
inline constexpr std::array<const char*, 2> kHiddenNames{ "points", "cells" }; // by centring

/// XXH3-64, of the bytes of a small dataset.
[[nodiscard]] std::uint64_t checksum_of(const void* values, std::size_t bytes);

/// Of every field file: without locks.
[[nodiscard]] Handle access_properties();

/// Fails unless the link is a hard one: a field file needs no links to other files.
void require_hard_link(hid_t parent, const std::string& name);
[[nodiscard]] Handle open_group(hid_t parent, const std::string& name);

/// The place of a dataset of two dimensions.
[[nodiscard]] StoredRows rows_of(hid_t dataset, const std::vector<hsize_t>& dims, std::int64_t element_bytes);

} // namespace rivulet::hdf5
