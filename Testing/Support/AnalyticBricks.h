// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bricks of an analytic field, computed when asked for: a BrickSource of any size and brick edge without a file.
///
///     AnalyticBricks source(analytic_field("rotation"), uniform_grid({ 33, 33, 33 }, domain), { .brick_cells = { 8, 8,
///     8 } });
///
/// Every pin has a copy of its own that goes when the pin does, so that the address sanitizer finds values used without
/// a pin. With a tuple stride, values are padded by NaN, which shows up in results if it is ever used. Variable 0 is
/// the velocity, variable 1 its magnitude ("speed").
#pragma once

#include "Generate/AnalyticField.h"
#include "Store/Source/BrickSource.h"

#include <atomic>

namespace rivulet::test
{

struct AnalyticBricksOptions
{
  Int3 brick_cells{ 8, 8, 8 };
  ScalarType type = ScalarType::Float32;
  Centering centering = Centering::Node;
  std::vector<double> times{ 0.0 };
  std::int64_t tuple_stride = 0; ///< scalars from one velocity to the next; 0 = dense
};

class AnalyticBricks final : public BrickSource
{
public:
  /// `grid` is uniform with direction identity, or rectilinear.
  AnalyticBricks(
      std::shared_ptr<const AnalyticField> field, const Grid& grid, const AnalyticBricksOptions& options = {});
  ~AnalyticBricks() override; ///< ends the program if a brick is still pinned

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return bricks_; }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override; ///< Failed (BadArgument) for a key that does not exist
  [[nodiscard]] std::int64_t working_minimum(int workers) const override;
  [[nodiscard]] SourceStatistics statistics() const override;

  [[nodiscard]] int pinned() const { return pinned_; }
  [[nodiscard]] int most_pinned() const { return most_pinned_; }

private:
  void unpin(void* token) override;
  [[nodiscard]] bool exists(const BrickKey& key) const;
  [[nodiscard]] Box lattice_of(std::int64_t index) const;
  [[nodiscard]] BrickView view_of(const BrickKey& key, const Box& lattice) const;

  std::shared_ptr<const AnalyticField> field_;
  AnalyticBricksOptions options_;
  FieldInfo info_;
  BrickGrid bricks_;
  std::atomic<int> pinned_{ 0 };
  std::atomic<int> most_pinned_{ 0 };
  std::atomic<std::int64_t> reads_{ 0 };
};

/// Makes a field by name; ends the test program with the error's text where that fails.
[[nodiscard]] std::shared_ptr<const AnalyticField> analytic_field(
    std::string_view name, const FieldParameters& parameters = {});

/// The uniform grid whose corner nodes lie on the corners of `domain`.
[[nodiscard]] Grid uniform_grid(const Int3& nodes, const FieldDomain& domain);

/// All values of one step on a grid: three scalars per point, x fastest.
[[nodiscard]] std::vector<float> sample_floats(
    const AnalyticField& field, const Grid& grid, Centering centering = Centering::Node, double time = 0.0);

} // namespace rivulet::test
