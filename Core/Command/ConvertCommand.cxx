// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Arguments.h"
#include "Command/Commands.h"
#include "Command/ProgressLine.h"
#include "Command/Source.h"
#include "Command/SourceNames.h"
#include "Command/WriteField.h"

#include <cstdio>
#include <sstream>

namespace rivulet::command
{

namespace
{

struct Options
{
  std::vector<std::string> paths;   ///< the sources, and the target at the end
  std::vector<std::string> vectors; ///< "u.raw,v.raw,w.raw" for each step
  std::string variable;
  std::optional<Int3> dims; ///< values along each axis of raw files; the sources are raw files if given
  RawDescription raw;
  std::string endian = "little";
  Plot3dGrid plot3d;
  WriteOptions write;
};

std::vector<std::string> split_at_commas(const std::string& text)
{
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');)
  {
    parts.push_back(part);
  }
  return parts.empty() ? std::vector<std::string>(1) : parts;
}

// Beside source files, --vector names their variables. Without source files, it names files.
SourceChoice source_of(const Options& options)
{
  SourceChoice choice;
  choice.paths = expand_patterns({ options.paths.begin(), options.paths.end() - 1 });
  for (const std::string& names : options.vectors)
  {
    std::vector<std::string> parts = split_at_commas(names);
    if (options.paths.size() > 1)
    {
      choice.components = std::move(parts);
      continue;
    }
    choice.paths.insert(choice.paths.end(), parts.begin(), parts.end());
    choice.vectors.push_back(std::move(parts));
  }
  choice.variable = options.variable;
  choice.plot3d = options.plot3d;
  if (options.dims)
  {
    choice.raw = options.raw;
    choice.raw->dims = *options.dims;
    choice.raw->big_endian = options.endian == "big";
  }
  return choice;
}

Result<void> check_sources(const Options& options)
{
  if (options.vectors.empty() && options.paths.size() < 2)
  {
    return fail(
        ErrorCode::BadArgument, "this is the target, and no source is named", "name the sources, then the target");
  }
  if (options.dims && !options.plot3d.path.empty())
  {
    return fail(ErrorCode::BadArgument, "--dims says that the sources are raw files, --plot3d-grid that they are not",
        "give one or the other");
  }
  if (options.paths.size() < 2 || options.vectors.empty())
  {
    return {};
  }
  if (options.dims)
  {
    return fail(ErrorCode::BadArgument, "there are raw files beside those of --vector", "give one or the other");
  }
  if (options.vectors.size() > 1)
  {
    return fail(ErrorCode::BadArgument,
        "beside files, --vector names variables of theirs, and it is given several times", "give it once");
  }
  return {};
}

Result<WrittenField> convert_files(const Options& options, const SourceOpener& open_vtk)
{
  if (Result<void> named = check_sources(options); !named)
  {
    return forward_error(named);
  }
  const SourceChoice choice = source_of(options);
  const std::string& target = options.paths.back();
  if (Result<void> other = check_target(target, choice.paths); !other)
  {
    return forward_error(other);
  }
  if (Result<void> named = check_field_name(target, choice.raw.has_value()); !named)
  {
    return forward_error(named);
  }
  if (Result<void> ready = prepare_target(target, options.write); !ready)
  {
    return forward_error(ready);
  }
  Result<Source> source = open_source(choice, open_vtk);
  if (!source)
  {
    return forward_error(source);
  }
  if (Result<void> other = check_target(target, source->reader->files()); !other)
  {
    return forward_error(other);
  }
  for (const std::string& note : source->notes)
  {
    if (!options.write.quiet)
    {
      std::fprintf(stderr, "rivulet: note: %s\n", note.c_str());
    }
  }
  if (!options.write.quiet)
  {
    std::fprintf(stderr, "rivulet: %s\n", source->meaning.c_str());
  }
  ProgressLine line("converting", options.write.quiet);
  return write_field(*source->reader, target, options.write, line.callback());
}

ExitCode run(const Options& options, const SourceOpener& open_vtk)
{
  const Stopwatch watch;
  const Result<WrittenField> done = convert_files(options, open_vtk);
  if (!done)
  {
    return report(concerning(done.error(), options.paths.back()));
  }
  if (!options.write.quiet)
  {
    std::printf("%s: %s, in %.1f s (%s), %d threads, %s of memory\n", options.paths.back().c_str(), done->size.c_str(),
        watch.seconds(), format_rate(done->source_bytes, watch.seconds()).c_str(), done->threads,
        format_bytes(done->memory_bytes).c_str());
  }
  return ExitCode::Ok;
}

void add_raw_options(const cli::Command& command, Options& options)
{
  const char* group = "Raw files";
  const cli::Option dims =
      add_counts(command, "--dims", options.dims, "Values along each axis: the sources are raw files", { true, 1 })
          .group(group);
  const auto add = [&](const cli::Option& option)
  {
    option.group(group).needs(dims);
  };
  RawDescription& raw = options.raw;
  add(command.option("--type", raw.type, "float32 (default), float64, int8, uint8, int16 ... uint64"));
  add(command.option("--components", raw.components, "Components of a value, 1 to 9 (default 1)").in_range(1, 9));
  add(command.option("--endian", options.endian, "little (default) or big").one_of({ "little", "big" }));
  add(command.option("--offset", raw.offset, "Bytes before the first value (default 0)").non_negative());
  add(command.option("--trailing", raw.trailing, "Bytes after the last value (default 0)").non_negative());
  add(add_triple(command, "--origin", raw.origin, "Position of the first node (default 0,0,0)"));
  add(add_triple(command, "--spacing", raw.spacing, "Distance between nodes (default 1,1,1)", { true, 1 }));
  add(command.option("--start-time", raw.first_time, "Time of the first file (default 0)"));
  add(command.option("--dt", raw.time_step, "Time between two files (default 1)").positive());
  add(command.flag("--cell-centred,--cell-centered", raw.cells, "Values are at the cells' centres"));
}

} // namespace

void add_convert(const cli::Command& program, ExitCode& code, const SourceOpener& open_vtk)
{
  const cli::Command command =
      program.add_command("convert", "Turn VTK, BOV, raw or field files into one field file or store");
  const auto options = std::make_shared<Options>();
  command
      .option("FILES", options->paths,
          "SRC... DST: one source, or one for each time step; the target last: a field file (.rvf) or a store (.rvs)")
      .required()
      .values(1, -1);
  command
      .option("--vector", options->vectors,
          "Components of a vector: scalars of the sources, as in u,v,w; or without sources raw files or BOV headers, "
          "as in "
          "u.raw,v.raw,w.raw, once for each step")
      .type_name("NAME,NAME...")
      .repeatable();
  command.option("--variable", options->variable,
      "Name for the variable of raw files or of --vector; else the one variable to take");
  add_write_options(command, options->write);
  add_raw_options(command, *options);
  const cli::Option grid =
      command
          .option("--plot3d-grid", options->plot3d.path, "The sources are solution files (.q) on this grid file (.xyz)")
          .group("PLOT3D");
  command.option("--zone", options->plot3d.zone, "Zone of the grid, from 1 (default: the only one)")
      .positive()
      .group("PLOT3D")
      .needs(grid);
  command.on_run([options, open_vtk, &code] { code = run(*options, open_vtk); });
}

} // namespace rivulet::command
