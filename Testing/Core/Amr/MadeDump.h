// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A dump made by Data/make_samrai.py, whose values are known in closed form.
///
///     MadeDump made("--dimensions 2 --levels 3");
///     AmrDump dump = made.open();
///     expect_linear(dump, made.read(dump, {}));
#pragma once

#include "Amr/ReadPatchData.h"
#include "Amr/SamraiSummary.h"
#include "Support/TemporaryFolder.h"

#include <gtest/gtest.h>

namespace rivulet::test
{

class MadeDump
{
public:
  explicit MadeDump(const std::string& options);

  /// The file that describes a dump: a summary, or a plot file.
  [[nodiscard]] std::string summary(int step = 0) const;
  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] AmrDump open(int step = 0) const;

  /// All variables of all patches.
  [[nodiscard]] static PatchData read(AmrDump& dump, const PatchReadOptions& options);

private:
  TemporaryFolder temporary_;
  std::string folder_;
};

/// That all values are the same to the last bit.
void expect_same_values(const PatchData& a, const PatchData& b);

/// The value of component `c` of the function "linear" at a place and time.
[[nodiscard]] double linear(const Vec3& at, double time, int c);

/// Where value (i, j, k) of a patch's array is.
[[nodiscard]] Vec3 place_of(
    const AmrDump& dump, const AmrPatch& patch, const AmrVariable& variable, bool ghosts, const Int3& at);

/// One value of an array as a double.
[[nodiscard]] double value_of(const PatchVariable& array, std::int64_t point, std::int64_t component);

/// That every value that was read is that of "linear", to the rounding of its type; how many values that were.
std::int64_t expect_linear(
    const AmrDump& dump, PatchData& data, bool ghosts = false, double tolerance_of_floats = 6e-8);

} // namespace rivulet::test
