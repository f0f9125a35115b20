// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The field on a lattice that a reader has open, and a part of it as VTK's data, whose arrays page in their values on
/// access. Private to the module.
///
///     OpenLattice lattice(reader);
///     if (lattice.open(paths, options))             // again at every update: does nothing if they are the same
///     {
///       lattice.show({ .step = 0, .nodes = box, .enabled = ... }, output);
///     }
///
/// Errors and notices are shown as the reader's. Ranks: each opens the files on its own. Threads: the one of the
/// pipeline.
#pragma once

#include "Pipeline/LazyField.h"

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

class vtkAlgorithm;
class vtkDataSet;

namespace rivulet
{

/// The part of a field that is shown.
struct LatticePart
{
  int step = 0;
  Box nodes;
  std::function<bool(const Variable&)> enabled; ///< whether a variable is shown
};

class OpenLattice
{
public:
  /// `reader`: shows errors and notices; must outlive this.
  explicit OpenLattice(vtkAlgorithm& reader)
    : reader_(reader)
  {
  }

  /// The next open() opens the files again.
  void forget();
  /// Opens the files, at least one, unless they are open with the same options but for the budget. False if that fails.
  /// An error is shown once for the same files.
  bool open(const std::vector<std::string>& paths, OpenOptions options, bool exact_ranges);
  /// nullptr if nothing is open.
  [[nodiscard]] const std::shared_ptr<LazyField>& field() const { return field_; }

  /// Changes of the open field. One that is not possible is shown, and the field stays as it is.
  void set_memory_budget(std::int64_t bytes);
  void set_strategy(AccessStrategy strategy);

  /// Shows that a file was changed while it was open, once. Only in the thread that made this object.
  void show_changes();

  /// Fills the output, vtkImageData, vtkRectilinearGrid or vtkStructuredGrid as the grid asks for. If the hidden points
  /// or cells cannot be read it shows the error and returns false, with an empty output: hidden values would be shown.
  bool show(const LatticePart& part, vtkDataSet& output);

  /// Of the open field; zeros if there is none.
  [[nodiscard]] SourceStatistics statistics() const;

private:
  [[nodiscard]] bool is_open(const std::vector<std::string>& paths, const OpenOptions& options) const;
  void show_failure(const std::vector<std::string>& paths, const Error& error);
  bool add_hidden(const LatticePart& part, vtkDataSet& output);

  vtkAlgorithm& reader_;
  std::shared_ptr<LazyField> field_;
  std::vector<std::string> paths_; ///< of field_
  OpenOptions options_;            ///< of field_
  std::string shown_;              ///< the last failure to open, and its files
  std::vector<std::string> shown_paths_;
  std::thread::id home_ = std::this_thread::get_id();
};

} // namespace rivulet
