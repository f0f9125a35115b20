// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Source.h"

#include "Command/Arguments.h"
#include "Command/SourceNames.h"
#include "Command/VtkFiles.h"
#include "Convert/ChosenVariables.h"
#include "Convert/FieldFileLattice.h"
#include "Io/Blocks/BovReader.h"
#include "Io/Blocks/BovVector.h"
#include "Io/Blocks/RawReader.h"
#include "Io/Files/File.h"

namespace rivulet::command
{

namespace
{

Result<Source> open_field_file(const SourceChoice& choice)
{
  Result<std::unique_ptr<FieldFileLattice>> file = FieldFileLattice::open(choice.paths);
  if (!file)
  {
    return forward_error(file);
  }
  return Source{ std::move(*file), {}, {} };
}

Result<Source> from_blocks(Result<std::unique_ptr<BlockReader>> blocks)
{
  if (!blocks)
  {
    return forward_error(blocks);
  }
  std::vector<std::string> notes = (*blocks)->field().notes;
  return Source{ std::move(*blocks), std::move(notes), {} };
}

std::string name_of(const SourceChoice& choice, const std::string& usual)
{
  return !choice.variable.empty() ? choice.variable : choice.vectors.empty() ? usual : "velocity";
}

Grid raw_grid(const RawDescription& raw)
{
  Grid grid;
  grid.origin = raw.origin;
  grid.spacing = raw.spacing;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grid.nodes[axis] = raw.dims[axis] + (raw.cells && raw.dims[axis] > 1 ? 1 : 0);
  }
  return grid;
}

// Refuses larger files, too, because they do not match the description.
Result<void> check_sizes(const BlockReader& reader, const RawDescription& raw)
{
  const std::int64_t values = reader.field().variables.front().part_bytes();
  for (const std::string& path : reader.files())
  {
    const Result<File> file = File::open(path, File::Mode::Read);
    const std::int64_t held = file ? file->size().value_or(0) : 0;
    const std::int64_t excess = held - raw.offset - raw.trailing - values;
    if (excess == 0)
    {
      continue;
    }
    const bool multiple = excess > 0 && excess % values == 0;
    return fail(ErrorCode::BadArgument,
        "--dims, --type, --components, --offset and --trailing make " + std::to_string(held - excess) +
            " bytes, the file has " + std::to_string(held) +
            (multiple ? ": " + std::to_string(1 + excess / values) + " times as many values" : ""),
        "correct them; what follows the values is said with --trailing", path);
  }
  return {};
}

RawVariable raw_variable(const SourceChoice& choice, StoredType type)
{
  const RawDescription& raw = *choice.raw;
  RawVariable variable;
  variable.name = name_of(choice, variable.name);
  variable.type = type;
  variable.components = raw.components;
  variable.centering = raw.cells ? Centering::Cell : Centering::Node;
  variable.big_endian = raw.big_endian;
  variable.offset = raw.offset;
  if (choice.vectors.empty())
  {
    for (const std::string& path : in_order(choice.paths))
    {
      variable.steps.push_back({ path });
    }
    return variable;
  }
  variable.layout = RawLayout::Files;
  variable.components = static_cast<std::int32_t>(choice.vectors.front().size());
  variable.steps = choice.vectors;
  return variable;
}

Result<Source> open_raw_files(const SourceChoice& choice)
{
  const RawDescription& raw = *choice.raw;
  const Result<StoredType> type = parse_stored_type(raw.type);
  if (!type)
  {
    return tl::unexpected(type.error());
  }
  if (!choice.vectors.empty() && raw.components != 1)
  {
    return fail(ErrorCode::BadArgument, "--components says that the values of one file are vectors already",
        "give --vector or --components");
  }
  RawField field;
  field.grid = raw_grid(raw);
  field.variables.push_back(raw_variable(choice, *type));
  for (std::size_t step = 0; step < field.variables.front().steps.size(); ++step)
  {
    field.times.push_back(raw.first_time + raw.time_step * static_cast<double>(step));
  }
  Result<std::unique_ptr<BlockReader>> reader = open_raw_reader(field);
  if (Result<void> sized = reader ? check_sizes(**reader, raw) : Result<void>(); !sized)
  {
    return forward_error(sized);
  }
  return from_blocks(std::move(reader));
}

Result<Source> open_bov_vector(const SourceChoice& choice)
{
  std::vector<std::vector<std::string>> components(choice.vectors.front().size());
  for (const std::vector<std::string>& step : choice.vectors)
  {
    for (std::size_t component = 0; component < components.size(); ++component)
    {
      components[component].push_back(step[component]);
    }
  }
  return from_blocks(open_bov_vector_reader(components, name_of(choice, {})));
}

// Decides by the name's ending first, then by content.
Result<Source> open_described(const SourceChoice& choice, const SourceOpener& open_vtk)
{
  const std::string& first = choice.paths.front();
  if (!choice.plot3d.path.empty())
  {
    return open_vtk(choice);
  }
  if (!choice.vectors.empty() && (ends_with(first, ".bov") || BovHeader::can_read(first)))
  {
    return open_bov_vector(choice);
  }
  if (!choice.vectors.empty())
  {
    return fail(ErrorCode::BadArgument, "the components of a vector are raw files or BOV headers",
        "if this file holds raw values, say how many with --dims", first);
  }
  if (ends_with(first, ".rvf") || names_store(first) || FieldSeries::can_read(first))
  {
    return open_field_file(choice);
  }
  if (ends_with(first, ".bov") || BovHeader::can_read(first))
  {
    return from_blocks(open_bov_reader(choice.paths));
  }
  if (is_vtk_file(first))
  {
    return open_vtk(choice);
  }
  const Result<File> file = File::open(first, File::Mode::Read);
  return !file
             ? tl::unexpected(file.error())
             : fail(ErrorCode::NotThisFormat,
                   "the file is none of those that convert knows: .rvf, .rvs, .bov, and VTK's images, rectilinear and "
                   "curvilinear grids",
                   "if it holds raw values, say how many with --dims; what ParaView can open, save there as .rvf",
                   first);
}

// Applies --variable and --vector to a source with variables of its own.
Result<std::unique_ptr<LatticeReader>> take_variables(std::unique_ptr<LatticeReader> source, const SourceChoice& choice)
{
  if (!choice.components.empty())
  {
    return join_vector(std::move(source), choice.components, name_of(choice, "velocity"));
  }
  const bool all = choice.raw || !choice.vectors.empty() || choice.variable.empty();
  return all ? std::move(source) : choose_variable(std::move(source), choice.variable);
}

} // namespace

Result<Source> open_source(const SourceChoice& choice, const SourceOpener& open_vtk)
{
  for (const std::vector<std::string>& step : choice.vectors)
  {
    if (step.size() < 2 || step.size() > 9 || step.size() != choice.vectors.front().size())
    {
      return fail(ErrorCode::BadArgument, "--vector needs 2 to 9 files, for each step as many",
          "name them as in u.raw,v.raw,w.raw");
    }
  }
  Result<Source> source = choice.raw ? open_raw_files(choice) : open_described(choice, open_vtk);
  if (!source)
  {
    return source;
  }
  Result<std::unique_ptr<LatticeReader>> taken = take_variables(std::move(source->reader), choice);
  if (!taken)
  {
    return tl::unexpected(std::move(taken.error()).at_path(choice.paths.front()));
  }
  source->reader = std::move(*taken);
  source->meaning = meaning_of(choice, source->reader->info());
  return source;
}

} // namespace rivulet::command
