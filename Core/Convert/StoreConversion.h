// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Converts any LatticeReader to a store, step by step, so that readers see each step as soon as it is written.
///
///     Result<StoreReport> done = convert_to_store(reader, "flow.rvs", { .store = { .start = StoreStart::Append } });
/// With StoreStart::Replace they see the old store until all steps are written.
///
/// With StoreStart::Append the steps whose times the store has (StepTimes.h) are left as they are, and later ones are
/// added: a conversion that was stopped or killed goes on where it was, and a series that has grown is followed. Steps
/// are written in the order of time. Threads, memory and cancelling as in Converter.h; one step at a time.
#pragma once

#include "Convert/Converter.h"
#include "Io/Series/StoreWriter.h"

namespace rivulet
{

struct StoreConversion
{
  ConvertOptions convert; ///< without `file`
  StoreOptions store;
};

struct StoreReport
{
  ConvertReport written; ///< sums over the steps that were written; threads and memory: the most of any step
  int steps_written = 0;
  int steps_kept = 0; ///< steps that the store had
};

/// Fails as convert() and StoreWriter do, and with BadArgument if the store lacks a source step before its last.
/// Steps that were finished before an error stay, unless a store is replaced: the old one then stays.
[[nodiscard]] Result<StoreReport> convert_to_store(
    LatticeReader& reader, const std::string& path, const StoreConversion& options);

} // namespace rivulet
