// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One execution of the search for vortex seeds: from the input to points. The last result is kept, and given again
/// while nothing that it depends on has changed.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Filters/Input/MeshCache.h"
#include "Filters/Run/FieldRun.h"
#include "Filters/Run/FilterRun.h"
#include "Filters/Run/LastRun.h"
#include "Trace/VortexSeeds.h"
#include "vtkNew.h"

#include <array>
#include <memory>
#include <optional>
#include <vector>

class vtkPolyData;

namespace rivulet
{

/// The user's choices.
struct VortexSeedsSettings
{
  FilterSettings of_all;
  VortexSeedOptions options; ///< without speed ranges and parts
};

struct VortexSeedsResult : LastRun
{
  std::vector<VortexSeed> seeds; ///< of all ranks
};

class VortexSeedsRun
{
public:
  /// `last`: the last result, kept from execution to execution.
  VortexSeedsRun(vtkAlgorithm& filter, const VortexSeedsSettings& settings, std::unique_ptr<VortexSeedsResult>& last,
      vtkInformationVector** inputs, vtkInformationVector& outputs);

  /// Fills the output. Fails on all ranks. Collective.
  [[nodiscard]] Result<void> run(FilterFacts& facts);

private:
  [[nodiscard]] Result<void> open();
  [[nodiscard]] Result<VortexSeeds> find(int threads);
  [[nodiscard]] std::vector<std::array<float, 2>> speed_ranges() const;
  [[nodiscard]] Result<void> join(VortexSeeds& found) const;
  void fill(const std::vector<VortexSeed>& seeds);
  [[nodiscard]] Result<void> run_anew(FilterFacts& facts);
  [[nodiscard]] bool is_answered() const;
  void give(const VortexSeedsResult& result);

  vtkAlgorithm& filter_;
  const VortexSeedsSettings& settings_;
  std::unique_ptr<VortexSeedsResult>& last_;
  RunReport report_;
  FilterRun run_;
  vtkInformation& connection_;
  vtkInformation& request_;
  vtkSmartPointer<vtkDataObject> input_;
  vtkPolyData& output_;
  MeshCache cache_; ///< cache for this execution only
  std::optional<FlowInput> flow_;
};

} // namespace rivulet
