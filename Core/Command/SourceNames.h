// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// In which order the files of a series are taken, and how it is said what is made of them.
///
///     in_order({ "s1.raw", "s10.raw", "s2.raw" })        // s1.raw, s2.raw, s10.raw
///     meaning_of(choice, info)                           // "values: 3 steps of a scalar, 8 x 8 x 8 nodes, of s1.raw
///     ..."
#pragma once

#include "Command/Source.h"

namespace rivulet::command
{

/// Names in the order of letters, as the shell lists them, in the order of the numbers in them; others as they come.
[[nodiscard]] std::vector<std::string> in_order(std::vector<std::string> names);

/// The same names, those with a * or ? that no file has replaced by the files that they stand for, in_order(). A
/// pattern without any stays.
[[nodiscard]] std::vector<std::string> expand_patterns(const std::vector<std::string>& names);

[[nodiscard]] std::string meaning_of(const SourceChoice& choice, const FieldInfo& info);

} // namespace rivulet::command
