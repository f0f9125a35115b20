// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The dumps of a run that a reader has found, the one that is open, and its patches as VTK's data. Private to the
/// module.
///
///     OpenDump dump(reader);
///     dump.find(format, paths, true);               // once; again after forget()
///     dump.open(step_at(dump.times(), time));       // once for a step
///     dump.show(choice, output);
///
/// Ranks: all functions that return a Result are collective, and give the same answer on all ranks. Warnings are shown
/// on the first one, but for patches that cannot be read, of which each rank tells its own. Threads: the one of the
/// pipeline. Bytes.
#pragma once

#include "Amr/DumpIndex.h"
#include "Amr/PatchReader.h"
#include "Amr/PatchStore.h"
#include "Readers/DumpFormat.h"
#include "Store/LocalCache/LocalCache.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

class vtkAlgorithm;
class vtkDataObject;

namespace rivulet
{

/// The user's choice of patches and of the way to read them.
struct PatchChoice
{
  enum class OnDemand : std::uint8_t
  {
    Automatic, ///< for more than 1 GiB of values
    Never,
    Always
  };
  std::vector<int> variables; ///< numbers; for deformed meshes that of the coordinates, too
  int finest = 0;             ///< level
  int piece = 0;              ///< of `pieces`
  int pieces = 1;
  bool ghost_layers = false;    ///< whether ghost layers of the files are shown
  bool skip_unreadable = false; ///< whether a patch that cannot be read is a warning, or an error
  OnDemand on_demand = OnDemand::Automatic;
  std::int64_t memory_budget = 0; ///< of patches read on demand; 0: the default
  int threads = 0;                ///< that read at once; 0: as storage bears
  LocalCacheOptions local_cache{};
};

class OpenDump
{
public:
  /// `reader`: shows progress and warnings; must outlive this.
  explicit OpenDump(vtkAlgorithm& reader)
    : reader_(reader)
  {
  }

  /// Forgets the descriptions of the files.
  void forget();
  /// Finds the steps in files, folders or patterns, unless they are known. `format` must outlive this.
  [[nodiscard]] Result<void> find(DumpFormat& format, const std::vector<std::string>& paths, bool only_complete);
  [[nodiscard]] bool is_found() const { return index_.has_value(); }
  /// Only if is_found(); increasing, at least one.
  [[nodiscard]] std::vector<double> times() const;
  /// Opens a step that was found, unless it is open.
  [[nodiscard]] Result<void> open(std::size_t step);
  /// The step that is open.
  [[nodiscard]] const AmrDump& dump() const { return *dump_; }
  /// Of its variables, without the coordinates of deformed meshes.
  [[nodiscard]] std::vector<std::string> names(Centering centering) const;
  /// The finest of the levels up to `level`; -1: of all.
  [[nodiscard]] int finest_of(int level) const;

  /// Fills the output with this rank's patches of the step that is open: vtkOverlappingAMR or vtkMultiBlockDataSet.
  /// Fails with Unsupported if the mesh is not one of overlapping AMR, and the output is.
  [[nodiscard]] Result<void> show(const PatchChoice& choice, vtkDataObject& output);

  /// By the last show(), reads of patches on demand since then included.
  [[nodiscard]] std::int64_t bytes_read() const
  {
    return bytes_read_ + (store_ ? store_->statistics().bytes_read - bytes_before_ : 0);
  }
  /// Threads that read at once in the last show(), and the reason for their number.
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] const std::string& threads_because() const { return threads_because_; }
  /// Of patches read on demand; 0: the default.
  void set_memory_budget(std::int64_t bytes);

private:
  /// Patches of this rank, and the dump that is shown.
  struct Request
  {
    const PatchChoice& choice;
    std::vector<int> patches;
    Int3 layers{ 0, 0, 0 };
    std::optional<AmrDump> with_layers; ///< if there are any
  };

  void forget_dump();
  void open_local_cache(const LocalCacheOptions& options);
  [[nodiscard]] Result<void> find_ranges(const std::vector<int>& variables);
  void add_layers(Request& request) const;
  [[nodiscard]] bool offers_on_demand(const PatchChoice& choice) const;
  [[nodiscard]] Result<bool> show_on_demand(Request& request, vtkDataObject& output);
  [[nodiscard]] Result<void> show_at_once(Request& request, vtkDataObject& output);
  [[nodiscard]] Result<void> accept_failures(const PatchData& data, bool skip);
  void warn(const std::string& text);

  vtkAlgorithm& reader_;
  DumpFormat* format_ = nullptr;
  std::optional<DumpIndex> index_;
  std::optional<AmrDump> dump_;
  std::size_t step_ = 0;       ///< of dump_
  std::set<int> ranges_found_; ///< variables of dump_ whose ranges were looked for: the same on all ranks
  PatchReader patches_;
  std::shared_ptr<PatchStore> store_; ///< of dump_, if patches are read on demand
  Int3 store_layers_{ 0, 0, 0 };      ///< ghost layers in store_
  std::shared_ptr<LocalCache> cache_; ///< of dump_; nullptr: none
  std::string cache_trouble_;         ///< the last one shown
  bool noted_ = false;                ///< whether the note on parts left out was shown
  std::int64_t bytes_read_ = 0;       ///< by the last show() itself
  std::int64_t bytes_before_ = 0;     ///< by store_ before it
  int threads_ = 0;
  std::string threads_because_;
};

} // namespace rivulet
