// SPDX-License-Identifier: BSD-3-Clause
#include "Readers/Command/VtkLattice.h"

#include "Command/SourceNames.h"
#include "Io/FieldFile/FieldRules.h"
#include "Io/FieldFile/PlacesHash.h"
#include "Io/Files/FileChangeGuard.h"
#include "Pipeline/GridConversion.h"
#include "Pipeline/KeptArrays.h"
#include "Pipeline/Rows.h"
#include "Pipeline/SourceArrays.h"
#include "Readers/Command/Plot3dFile.h"
#include "Readers/Command/VtkFileReader.h"
#include "Readers/Command/VtkSteps.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkFieldData.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <optional>
#include <set>

namespace rivulet
{

namespace
{

constexpr int kGhosts = -1;             // in the place of a variable's number: of points; of cells one less
constexpr std::size_t kMostReaders = 2; // workers at the border of two variables, or steps, ask for either in turn

struct Step
{
  std::string path;
  double time = 0.0;
  VtkHolds holds = VtkHolds::Piece;
  bool hides_points = false;
  bool hides_cells = false;
};
using Steps = std::vector<Step>;

/// The points that values at `box`, counted from the grid's corner, need.
Extent extent_of_values(const Grid& grid, Centering centering, const Box& box)
{
  Box nodes = box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    nodes.end[axis] += centering == Centering::Cell && grid.nodes[axis] > 1 ? 1 : 0;
  }
  return extent_of(grid, nodes);
}

using OpenFile = std::function<Result<std::unique_ptr<VtkFileReader>>(const std::string& path)>;

class VtkLattice final : public LatticeReader
{
public:
  VtkLattice(
      FieldInfo info, Steps steps, OpenFile open, std::shared_ptr<FileChangeGuard> seen, std::vector<std::string> files)
    : open_(std::move(open))
    , info_(std::move(info))
    , steps_(std::move(steps))
    , seen_(std::move(seen))
    , files_(std::move(files))
  {
  }

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  /// A step may have ghosts and hide nothing: then it shall not say that it does.
  [[nodiscard]] Result<void> look_for_hidden();
  /// Reads the places of the nodes of all steps, and notes at which steps they change.
  [[nodiscard]] Result<void> look_for_moves();

  [[nodiscard]] Result<void> read(int variable, int step, const Box& box, void* out) override;
  [[nodiscard]] bool hides(Centering centering, int step) const override;
  [[nodiscard]] Result<void> read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out) override;
  [[nodiscard]] std::int64_t source_bytes() const override;
  [[nodiscard]] std::vector<std::string> files() const override { return files_; }
  [[nodiscard]] Result<void> check_unchanged() override { return seen_->check_all(); }
  [[nodiscard]] Int3 preferred_box() const override { return { info_.grid.nodes[0], 0, 0 }; }

private:
  struct Held
  {
    int step;
    int variable;
    std::unique_ptr<VtkFileReader> reader;
  };
  struct Part
  {
    vtkDataArray* array; ///< none if the file has no such array
    vtkDataSet* dataset;
    Grid grid; ///< of the dataset, which may be more than was asked for
    Box box;   ///< requested values, in the dataset's lattice
  };
  Result<VtkFileReader*> reader_of(int variable, int step);
  Result<Part> fetch(int variable, const std::string& name, Centering centering, int step, const Box& box);

  OpenFile open_;
  FieldInfo info_;
  Steps steps_;
  std::shared_ptr<FileChangeGuard> seen_;
  std::vector<std::string> files_;
  std::mutex mutex_; // guards held_, and VTK
  std::vector<Held> held_;
};

Result<VtkFileReader*> VtkLattice::reader_of(int variable, int step)
{
  variable = steps_[static_cast<std::size_t>(step)].holds == VtkHolds::File ? 0 : variable;
  const auto found = std::find_if(
      held_.begin(), held_.end(), [&](const Held& held) { return held.step == step && held.variable == variable; });
  if (found != held_.end())
  {
    return found->reader.get();
  }
  if (held_.size() == kMostReaders)
  {
    held_.erase(held_.begin());
  }
  Result<std::unique_ptr<VtkFileReader>> reader = open_(steps_[static_cast<std::size_t>(step)].path);
  if (!reader)
  {
    return forward_error(reader);
  }
  held_.push_back({ step, variable, std::move(*reader) });
  return held_.back().reader.get();
}

Result<VtkLattice::Part> VtkLattice::fetch(
    int variable, const std::string& name, Centering centering, int step, const Box& box)
{
  const std::string& path = steps_[static_cast<std::size_t>(step)].path;
  Result<VtkFileReader*> reader = reader_of(variable, step);
  if (!reader)
  {
    return forward_error(reader);
  }
  const Extent extent = extent_of_values(info_.grid, centering, box);
  Result<vtkDataSet*> dataset = (*reader)->fetch(name, centering, extent);
  Result<Grid> grid = dataset ? stored_grid_of(*dataset) : Result<Grid>(tl::unexpected(dataset.error()));
  if (!grid)
  {
    return tl::unexpected(std::move(grid.error()).at_path(path));
  }
  vtkDataArray* const array = variable >= 0 && variable == info_.points
                                  ? places_of(**dataset)
                                  : attributes_of(**dataset, centering)->GetArray(name.c_str());
  Part part{ array, *dataset, std::move(*grid), box };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int32_t shift = part.grid.first[axis] - info_.grid.first[axis];
    part.box.begin[axis] -= shift;
    part.box.end[axis] -= shift;
  }
  if (intersect(part.box, { { 0, 0, 0 }, part.grid.lattice(centering) }) != part.box)
  {
    return fail(ErrorCode::CannotRead, "VTK's reader gives fewer values than it was asked for",
        "see whether the file is whole, or write it again", path);
  }
  return part;
}

Result<void> VtkLattice::read(int variable, int step, const Box& box, void* out)
{
  const std::lock_guard lock(mutex_);
  const Variable& wanted = info_.variables[static_cast<std::size_t>(variable)];
  const std::string& path = steps_[static_cast<std::size_t>(step)].path;
  const std::string name = variable == info_.points ? std::string() : wanted.name; // points come without being named
  Result<Part> part = fetch(variable, name, wanted.centering, step, box);
  if (!part)
  {
    return forward_error(part);
  }
  if (part->array == nullptr || plain_type_of(*part->array) != wanted.type ||
      part->array->GetNumberOfComponents() != wanted.components)
  {
    return fail(ErrorCode::CannotRead,
        "the array \"" + wanted.name + "\" is not there, or not of the type it has in the first step",
        "convert steps of the same arrays, or choose others with --variable", path);
  }
  Result<PipelineArray> values = make_source(part->array, part->grid, wanted.centering);
  Result<void> copied = values ? read_box(*values->source, { values->array.variable, values->array.step, part->box },
                                     static_cast<std::byte*>(out))
                               : tl::unexpected(values.error());
  return copied ? copied : tl::unexpected(std::move(copied.error()).at_path(path));
}

bool VtkLattice::hides(Centering centering, int step) const
{
  const Step& at = steps_[static_cast<std::size_t>(step)];
  return centering == Centering::Node ? at.hides_points : at.hides_cells;
}

Result<void> VtkLattice::read_hidden(Centering centering, int step, const Box& box, std::uint8_t* out)
{
  const std::lock_guard lock(mutex_);
  const int number = centering == Centering::Node ? kGhosts : kGhosts - 1;
  Result<Part> part = fetch(number, vtkDataSetAttributes::GhostArrayName(), centering, step, box);
  if (!part)
  {
    return forward_error(part);
  }
  Result<const std::uint8_t*> ghosts = ghosts_of(*part->dataset, part->grid, centering);
  if (!ghosts)
  {
    return tl::unexpected(std::move(ghosts.error()).at_path(steps_[static_cast<std::size_t>(step)].path));
  }
  const Int3 lattice = part->grid.lattice(centering);
  for (std::int32_t k = part->box.begin[2]; k < part->box.end[2]; ++k)
  {
    for (std::int32_t j = part->box.begin[1]; j < part->box.end[1]; ++j)
    {
      for (std::int32_t i = part->box.begin[0]; i < part->box.end[0]; ++i)
      {
        *out++ =
            *ghosts != nullptr && ((*ghosts)[row_major({ i, j, k }, lattice)] & hiding_bits(centering)) != 0 ? 1 : 0;
      }
    }
  }
  return {};
}

Result<void> VtkLattice::look_for_hidden()
{
  for (int number = 0; number < static_cast<int>(steps_.size()); ++number)
  {
    Step& step = steps_[static_cast<std::size_t>(number)];
    for (const Centering centering : { Centering::Node, Centering::Cell })
    {
      bool& hides = centering == Centering::Node ? step.hides_points : step.hides_cells;
      const Int3 lattice = info_.grid.lattice(centering);
      bool found = false;
      for (std::int32_t k = 0; hides && !found && k < lattice[2]; ++k)
      {
        const Box plane{ { 0, 0, k }, { lattice[0], lattice[1], k + 1 } };
        std::vector<std::uint8_t> flags(static_cast<std::size_t>(plane.count()));
        if (Result<void> read = read_hidden(centering, number, plane, flags.data()); !read)
        {
          return read;
        }
        found = std::find(flags.begin(), flags.end(), 1) != flags.end();
      }
      hides = found;
    }
  }
  return {};
}

Result<void> VtkLattice::look_for_moves()
{
  const Int3& nodes = info_.grid.nodes;
  const std::int64_t plane = std::int64_t{ nodes[0] } * nodes[1];
  PlacesHash::Value before{};
  for (int step = 0; info_.points >= 0 && steps_.size() > 1 && step < static_cast<int>(steps_.size()); ++step)
  {
    PlacesHash hash;
    std::vector<std::byte> places(static_cast<std::size_t>(plane) * info_.variables.back().tuple_bytes());
    for (std::int32_t k = 0; k < nodes[2]; ++k)
    {
      if (Result<void> got = read(info_.points, step, { { 0, 0, k }, { nodes[0], nodes[1], k + 1 } }, places.data());
          !got)
      {
        return got;
      }
      hash.add(places.data(), places.size());
    }
    const bool stays = step > 0 && hash.value() == before;
    info_.points_steps[static_cast<std::size_t>(step)] =
        stays ? info_.points_steps[static_cast<std::size_t>(step) - 1] : step;
    before = hash.value();
  }
  return {};
}

std::int64_t VtkLattice::source_bytes() const
{
  std::int64_t bytes = 0;
  for (std::size_t number = 0; number < info_.variables.size(); ++number)
  {
    const Variable& variable = info_.variables[number];
    bytes += volume(info_.grid.lattice(variable.centering)) * static_cast<std::int64_t>(variable.tuple_bytes()) *
             info_.stored_steps(static_cast<std::int32_t>(number));
  }
  return bytes;
}

/// Opens the files one after the other.
class Opening
{
public:
  explicit Opening(const command::SourceChoice& choice)
    : choice_(choice)
  {
    if (of_plot3d())
    {
      open_ = [grid = choice.plot3d](const std::string& path)
      {
        return open_plot3d(grid, path);
      };
    }
  }
  Result<command::Source> run();

private:
  Result<void> look_at(const VtkSteps::File& file);
  Result<void> look_at_first(VtkFileReader& reader, const std::string& path);
  Result<void> look_for_arrays(VtkFileReader& reader, Step& step);
  Result<void> settle_times();
  [[nodiscard]] bool of_plot3d() const { return !choice_.plot3d.path.empty(); }
  [[nodiscard]] Result<VtkSteps> listed() const;

  const command::SourceChoice& choice_;
  OpenFile open_ = VtkFileReader::open;
  FieldInfo info_;
  std::optional<ScalarType> places_type_; ///< of the points of a curvilinear grid
  Steps steps_;
  std::size_t timed_ = 0; ///< steps with a time
  std::shared_ptr<FileChangeGuard> seen_ = std::make_shared<FileChangeGuard>();
  std::vector<std::string> files_;
  std::vector<std::string> notes_;
};

/// The file's own time, as ParaView writes and reads it.
std::optional<double> time_of(vtkDataSet& dataset)
{
  vtkDataArray* times = dataset.GetFieldData()->GetArray("TimeValue");
  const bool given = times != nullptr && times->GetNumberOfTuples() > 0 && std::isfinite(times->GetComponent(0, 0));
  return given ? std::optional<double>(times->GetComponent(0, 0)) : std::nullopt;
}

Result<void> Opening::look_at(const VtkSteps::File& file)
{
  Result<std::unique_ptr<VtkFileReader>> reader = open_(file.path);
  if (!reader)
  {
    return forward_error(reader);
  }
  for (const std::string& path : (*reader)->files())
  {
    if (Result<void> same = seen_->see(path); !same)
    {
      return same;
    }
    files_.push_back(path);
  }
  Result<vtkDataSet*> outline = (*reader)->outline();
  Result<Grid> grid = outline ? stored_grid_of(*outline) : Result<Grid>(tl::unexpected(outline.error()));
  if (!grid)
  {
    return tl::unexpected(std::move(grid.error()).at_path(file.path));
  }
  const std::optional<double> time = file.time ? file.time : time_of(**outline);
  timed_ += time ? 1 : 0;
  steps_.push_back({ file.path, time.value_or(static_cast<double>(steps_.size())), (*reader)->holds() });
  for (const std::string& warning : (*reader)->warnings())
  {
    notes_.push_back(file.path + ": VTK's reader warns: " + warning);
  }
  if (steps_.size() == 1)
  {
    info_.grid = std::move(*grid);
    return look_at_first(**reader, file.path);
  }
  if (*grid != info_.grid)
  {
    return fail(ErrorCode::BadArgument, "its grid is not that of " + steps_.front().path,
        "convert files of one grid; others to a field file each", file.path);
  }
  return look_for_arrays(**reader, steps_.back());
}

Result<void> Opening::look_at_first(VtkFileReader& reader, const std::string& path)
{
  Result<vtkDataSet*> sample = reader.sample(whole_extent_of(info_.grid));
  if (!sample)
  {
    return forward_error(sample);
  }
  const KeptArrays kept = kept_arrays(**sample);
  info_.variables = kept.variables;
  vtkDataArray* const places = places_of(**sample);
  places_type_ = places != nullptr ? std::optional(plain_type_of(*places)) : std::nullopt;
  if (info_.variables.empty())
  {
    return fail(ErrorCode::BadArgument, "the file has no array of 1 to 9 components", "choose another file", path);
  }
  std::string note = kept.note();
  note.erase(note.find_last_not_of(" .") + 1);
  if (!note.empty())
  {
    notes_.push_back(path + ": " + note);
  }
  if (reader.holds() == VtkHolds::Array)
  {
    notes_.push_back(path + ": its values are text: VTK holds all of an array in memory, beside --memory");
  }
  else if (reader.holds() == VtkHolds::File)
  {
    notes_.push_back(path + ": VTK holds all of " + (of_plot3d() ? "the grid and a solution" : "a legacy file") +
                     " in memory, beside --memory");
  }
  return look_for_arrays(reader, steps_.back());
}

/// Checks that the arrays of the first step are there, and notes whether there are ghosts.
Result<void> Opening::look_for_arrays(VtkFileReader& reader, Step& step)
{
  for (const Variable& variable : info_.variables)
  {
    if (!reader.has(variable.name, variable.centering))
    {
      return fail(ErrorCode::BadArgument,
          "it has no array \"" + variable.name + "\", and " + steps_.front().path + " has",
          "convert files of the same arrays", step.path);
    }
  }
  step.hides_points = reader.has(vtkDataSetAttributes::GhostArrayName(), Centering::Node);
  step.hides_cells = reader.has(vtkDataSetAttributes::GhostArrayName(), Centering::Cell);
  return {};
}

/// The solution files of PLOT3D are steps; other files may be lists.
Result<VtkSteps> Opening::listed() const
{
  const std::vector<std::string> paths = command::in_order(choice_.paths);
  if (!of_plot3d())
  {
    return list_steps(paths);
  }
  VtkSteps steps;
  for (const std::string& path : paths)
  {
    steps.files.push_back({ path, std::nullopt });
  }
  return steps;
}

Result<void> Opening::settle_times()
{
  std::set<double> different;
  for (const Step& step : steps_)
  {
    different.insert(step.time);
  }
  // Many programs leave the time of a solution as it is.
  if (of_plot3d() && (different.size() < steps_.size() || timed_ != steps_.size()))
  {
    notes_.emplace_back("the times of the solutions are not all different numbers: 0, 1, 2 ... are taken");
    for (std::size_t number = 0; number < steps_.size(); ++number)
    {
      steps_[number].time = static_cast<double>(number);
    }
    timed_ = steps_.size();
  }
  if (timed_ != 0 && timed_ != steps_.size())
  {
    return fail(ErrorCode::BadArgument,
        "of " + std::to_string(steps_.size()) + " files " + std::to_string(timed_) +
            " say their time, and others do not",
        "list them with their times in a .pvd or .vti.series file", steps_.front().path);
  }
  if (timed_ == 0 && steps_.size() > 1)
  {
    notes_.emplace_back(
        "the files do not say their times: 0, 1, 2 ... are taken; a .pvd or .vti.series file can list others");
  }
  std::stable_sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) { return a.time < b.time; });
  const auto twice =
      std::adjacent_find(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) { return a.time == b.time; });
  if (twice != steps_.end())
  {
    return fail(ErrorCode::BadArgument, "it has the same time as " + (twice + 1)->path,
        "name each step once; parts of one step cannot be joined: save them as .rvf in ParaView (File > Save Data)",
        twice->path);
  }
  for (const Step& step : steps_)
  {
    info_.times.push_back(step.time);
  }
  return {};
}

Result<command::Source> Opening::run()
{
  Result<VtkSteps> steps = listed();
  if (!steps)
  {
    return forward_error(steps);
  }
  files_ = steps->lists;
  for (const VtkSteps::File& file : steps->files)
  {
    if (Result<void> good = look_at(file); !good)
    {
      return forward_error(good);
    }
  }
  if (Result<void> settled = settle_times(); !settled)
  {
    return forward_error(settled);
  }
  if (places_type_)
  {
    add_points(info_, *places_type_);
  }
  info_.ranges.resize(info_.variables.size());
  auto lattice = std::make_unique<VtkLattice>(std::move(info_), std::move(steps_), open_, seen_, std::move(files_));
  Result<void> looked = lattice->look_for_hidden();
  looked = looked ? lattice->look_for_moves() : std::move(looked);
  if (!looked)
  {
    return forward_error(looked);
  }
  return command::Source{ std::move(lattice), std::move(notes_), {} };
}

} // namespace

Result<command::Source> open_vtk_files(const command::SourceChoice& choice)
{
  return Opening(choice).run();
}

} // namespace rivulet
