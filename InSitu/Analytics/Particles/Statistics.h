// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The analytics `statistics_seq` and `statistics_par`: mean, range and standard deviation of values of particles. Both
/// compute the same bits (Moments.h); the first on the one thread that calls it, the second in one parallel reduction.
///
/// Options:
///     "set"     name of the particles; needed if there are several
///     "of"      names of values; by default ["x", "y", "z", "vx", "vy", "vz"]
///     "global"  false: of each rank by itself, without messages, in NAME.RANK.csv
///               true: of all ranks, in one MPI reduction, in NAME.csv
///
/// Each step appends one row for each value: step, time, value, count, not_finite, mean, min, max, standard_deviation.
/// Values that are not finite are counted, and left out of the rest. Without any other, the rest is nan.
#pragma once

#include "Particles/Moments.h"
#include "Plugin/Analytics.h"
#include "Plugin/StepTable.h"

#include <vector>

namespace rivulet
{

class Statistics : public Analytics
{
public:
  /// Moments of whole columns, in their order.
  using Reduce = std::vector<Moments> (*)(const Host&, const std::vector<Column>&);

  [[nodiscard]] static Result<std::unique_ptr<Analytics>> create(const Host& host, Reduce reduce);
  [[nodiscard]] Result<void> execute(const rivulet_snapshot& snapshot) override;
  [[nodiscard]] bool wants(const std::string& name, const std::string& variable) const override;

private:
  Statistics(const Host& host, Reduce reduce)
    : host_(host)
    , reduce_(reduce)
  {
  }
  [[nodiscard]] Result<std::vector<Moments>> of_rank(const rivulet_snapshot& snapshot) const;
  [[nodiscard]] Result<void> write(const rivulet_snapshot& snapshot, const std::vector<Moments>& values);

  Host host_;
  Reduce reduce_;
  std::string set_;
  std::vector<std::string> of_;
  bool global_ = false;
  std::optional<StepTable> table_;
};

} // namespace rivulet
