// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Order of the files of a series, and the line that describes the conversion.
///
///     in_order({ "s1.raw", "s10.raw", "s2.raw" })        // s1.raw, s2.raw, s10.raw
///     meaning_of(choice, info)          // "values: 3 steps of a scalar, 8 x 8 x 8 nodes, of s1.raw, s2.raw, s10.raw"
#pragma once

#include "Command/Source.h"

namespace rivulet::command
{

/// Names sorted by the numbers in them if they are in alphabetical order (a shell's pattern); other orders stay.
[[nodiscard]] std::vector<std::string> in_order(std::vector<std::string> names);

/// Names with patterns (* or ?) replaced by the matching files, in_order(). A name of an existing file stays, and so
/// does a pattern without matches.
[[nodiscard]] std::vector<std::string> expand_patterns(const std::vector<std::string>& names);

[[nodiscard]] std::string meaning_of(const SourceChoice& choice, const FieldInfo& info);

} // namespace rivulet::command
