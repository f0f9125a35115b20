// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One of VTK's files through VTK's own reader: geometry without values, then any box of one array.
///
///     Result<std::unique_ptr<VtkFileReader>> reader = VtkFileReader::open("flow.vti");
///     Result<vtkDataSet*> outline = (*reader)->outline();                   // its extent, geometry and field data
///     Result<vtkDataSet*> part = (*reader)->fetch("velocity", Centering::Node, extent);
///
/// XML files (.vti, .vtr, .vts and their parallel forms) are read box by box; of one whose values are text, and of
/// legacy files (.vtk), VTK keeps all of an array, or of the file, in memory. Stay with one array: another one makes
/// VTK read the file's structure again.
///
/// Datasets are the reader's own, and valid until it reads again. Errors are VTK's own words, with the file's name.
/// Threads: one at a time, as collect_vtk_messages() has it.
#pragma once

#include "Base/Field.h"
#include "Base/Result.h"

#include <array>
#include <memory>
#include <set>

class vtkAlgorithm;
class vtkDataSet;

namespace rivulet
{

enum class VtkFormat : std::uint8_t
{
  Image,
  Rectilinear,
  Curvilinear,
  ParallelImage,
  ParallelRectilinear,
  ParallelCurvilinear,
  LegacyImage,
  LegacyRectilinear,
  LegacyCurvilinear,
  Collection, ///< .pvd
  Series      ///< .vti.series
};

/// By the file's first bytes. Unsupported, naming the kind of dataset, for all others of VTK's.
[[nodiscard]] Result<VtkFormat> format_of(const std::string& path);

/// Data that VTK keeps in memory to give one piece of an array.
enum class VtkHolds : std::uint8_t
{
  Piece,
  Array, ///< values that are text
  File   ///< legacy files
};

using Extent = std::array<int, 6>;

/// Fails with CannotRead if a file is not there, and with BudgetTooSmall if it is larger than the free memory and VTK
/// would hold it whole. `kind`: of the file, for the message: "legacy files".
[[nodiscard]] Result<void> check_room(const std::string& path, const std::string& kind);

class VtkFileReader
{
public:
  /// Fails as format_of(), with Unsupported for a list, and with BudgetTooSmall if a legacy file is larger than the
  /// free memory.
  [[nodiscard]] static Result<std::unique_ptr<VtkFileReader>> open(const std::string& path);

  VtkFileReader() = default;
  VtkFileReader(const VtkFileReader&) = delete;
  VtkFileReader& operator=(const VtkFileReader&) = delete;
  virtual ~VtkFileReader() = default;

  /// The whole grid; arrays may be missing.
  [[nodiscard]] virtual Result<vtkDataSet*> outline() = 0;
  /// A few points at the corner of `whole` with all arrays, or more of it.
  [[nodiscard]] virtual Result<vtkDataSet*> sample(const Extent& whole) = 0;
  /// The points of `extent` and an array, or more of them. The array may be missing if the file has none. An empty
  /// name: the points alone.
  [[nodiscard]] virtual Result<vtkDataSet*> fetch(
      const std::string& array, Centering centering, const Extent& extent) = 0;

  /// The files that it is made of.
  [[nodiscard]] virtual std::vector<std::string> files() const = 0;
  [[nodiscard]] virtual VtkHolds holds() const = 0;
  /// Whether there is such an array. After outline().
  [[nodiscard]] virtual bool has(const std::string& array, Centering centering) = 0;
  /// Warnings of VTK so far.
  [[nodiscard]] const std::set<std::string>& warnings() const { return warnings_; }

protected:
  /// The dataset of the last update. Fails with VTK's error, or if it is missing although VTK gave no error.
  [[nodiscard]] Result<vtkDataSet*> checked(const std::string& path, vtkAlgorithm& reader, vtkDataSet* dataset);

private:
  std::set<std::string> warnings_;
};

} // namespace rivulet
