// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Source.h"

#include "Command/Arguments.h"
#include "Convert/ChosenVariable.h"
#include "Convert/FieldFileLattice.h"
#include "Io/BovReader.h"
#include "Io/File.h"
#include "Io/RawReader.h"

namespace rivulet::command
{

namespace
{

Result<Source> open_field_file(const SourceChoice& choice)
{
  if (choice.paths.size() > 1)
  {
    return fail(ErrorCode::BadArgument, "several field files cannot be converted into one", "convert them one by one",
        choice.paths.front());
  }
  Result<std::unique_ptr<FieldFileLattice>> file = FieldFileLattice::open(choice.paths.front());
  if (!file)
  {
    return forward_error(file);
  }
  return Source{ std::move(*file), {} };
}

Result<Source> from_blocks(Result<std::unique_ptr<BlockReader>> blocks)
{
  if (!blocks)
  {
    return forward_error(blocks);
  }
  std::vector<std::string> notes = (*blocks)->field().notes;
  return Source{ std::move(*blocks), std::move(notes) };
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

Result<Source> open_raw_files(const SourceChoice& choice)
{
  const RawDescription& raw = *choice.raw;
  const Result<StoredType> type = parse_stored_type(raw.type);
  if (!type)
  {
    return tl::unexpected(type.error());
  }
  RawVariable variable;
  variable.name = choice.variable.empty() ? variable.name : choice.variable;
  variable.type = *type;
  variable.components = raw.components;
  variable.centering = raw.cells ? Centering::Cell : Centering::Node;
  variable.big_endian = raw.big_endian;
  variable.offset = raw.offset;
  RawField field;
  field.grid = raw_grid(raw);
  for (const std::string& path : choice.paths)
  {
    field.times.push_back(raw.first_time + raw.time_step * static_cast<double>(variable.steps.size()));
    variable.steps.push_back({ path });
  }
  field.variables.push_back(std::move(variable));
  return from_blocks(open_raw_reader(field));
}

// By content, where the name does not tell.
Result<Source> open_described(const SourceChoice& choice)
{
  const std::string& first = choice.paths.front();
  if (ends_with(first, ".rvf") || FieldFile::can_read(first))
  {
    return open_field_file(choice);
  }
  if (ends_with(first, ".bov") || BovHeader::can_read(first))
  {
    return from_blocks(open_bov_reader(choice.paths));
  }
  const Result<File> file = File::open(first, File::Mode::Read);
  return !file ? tl::unexpected(file.error())
               : fail(ErrorCode::NotThisFormat, "the file is neither a field file nor a BOV header",
                     "if it holds raw values, say how many with --dims", first);
}

} // namespace

Result<Source> open_source(const SourceChoice& choice)
{
  Result<Source> source = choice.raw ? open_raw_files(choice) : open_described(choice);
  if (source && !choice.raw && !choice.variable.empty())
  {
    Result<std::unique_ptr<LatticeReader>> chosen = choose_variable(std::move(source->reader), choice.variable);
    if (!chosen)
    {
      return tl::unexpected(std::move(chosen.error()).at_path(choice.paths.front()));
    }
    source->reader = std::move(*chosen);
  }
  return source;
}

} // namespace rivulet::command
