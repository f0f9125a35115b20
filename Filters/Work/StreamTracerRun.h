// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One execution of the stream tracer: from its inputs to lines and seeds. The last result is kept, and given again
/// while nothing that it depends on has changed.
///
///     StreamTracerKept kept;                             // from execution to execution
///     FilterFacts facts;
///     Result<void> done = StreamTracerRun(filter, settings, kept, inputs, outputs).run(facts);
///
/// Threads: the one that called RequestData.
#pragma once

#include "Filters/Input/MeshCache.h"
#include "Filters/Run/FilterRun.h"
#include "Filters/Run/LastRun.h"
#include "Filters/Work/LinesOfBlocks.h"
#include "vtkNew.h"
#include "vtkPolyData.h"

#include <memory>
#include <vector>

class vtkDataSet;

namespace rivulet
{

/// The user's choices.
struct StreamTracerSettings
{
  FilterSettings of_all;
  StreamlineOptions options;
  bool on_surface = false; ///< of vtkStreamTracer's; refused
};

struct StreamTracerKept
{
  struct Result : LastRun
  {
    std::vector<Vec3> positions; ///< this rank's seeds
    std::int64_t first_seed = 0;
    vtkNew<vtkPolyData> lines;
    vtkNew<vtkPolyData> seeds;
  };

  std::unique_ptr<Result> last;
  MeshCache cache;
};

class StreamTracerRun
{
public:
  StreamTracerRun(vtkAlgorithm& filter, const StreamTracerSettings& settings, StreamTracerKept& kept,
      vtkInformationVector** inputs, vtkInformationVector& outputs);

  /// Fills the outputs. Fails on all ranks. Collective.
  [[nodiscard]] Result<void> run(FilterFacts& facts);

private:
  [[nodiscard]] Result<void> open();
  [[nodiscard]] Result<void> check_settings() const;
  [[nodiscard]] Result<void> read_seeds();
  [[nodiscard]] Result<void> check_seeds(std::int64_t count);
  [[nodiscard]] double longest_side() const;
  [[nodiscard]] Result<void> trace(LinesOfBlocks& lines);
  [[nodiscard]] Result<void> run_anew(FilterFacts& facts);
  void fill(LinesOfBlocks& lines);
  void warn(const LinesOfBlocks& lines);
  void add_field_data(vtkFieldData& statistics);
  [[nodiscard]] bool is_answered() const;
  void keep(bool unfinished);

  vtkAlgorithm& filter_;
  const StreamTracerSettings& settings_;
  StreamTracerKept& kept_;
  RunReport report_;
  FilterRun run_;
  vtkInformation& connection_;
  vtkInformationVector& outputs_;
  vtkSmartPointer<vtkDataObject> input_;
  vtkDataSet* source_;
  vtkPolyData& lines_;
  vtkPolyData& seeds_;
  OpenedInput opened_;
  vtkNew<vtkFieldData> statistics_;
  std::vector<Vec3> positions_; ///< this rank's seeds
  std::int64_t first_seed_ = 0; ///< number of this rank's first seed
};

} // namespace rivulet
