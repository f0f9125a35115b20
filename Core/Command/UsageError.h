// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What is wrong with options and arguments, in a sentence that says where to look.
///
///     describe_usage(app, error)    // "\"--sizee\" is no option of `rivulet generate abc`; the nearest is \"--size\".
///     ..."
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace rivulet::command
{

/// After app.parse() threw `error`.
[[nodiscard]] std::string describe_usage(const CLI::App& app, const CLI::ParseError& error);

} // namespace rivulet::command
