// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Arguments.h"
#include "Command/Commands.h"
#include "Command/Interrupt.h"
#include "Command/ProgressLine.h"
#include "Command/WriteField.h"
#include "Convert/BovWriter.h"
#include "Generate/GeneratedField.h"

#include <cstdio>

namespace rivulet::command
{

namespace
{

struct Options
{
  std::string kind;
  std::string target;
  FieldParameters parameters;
  GeneratedFieldOptions field;
  WriteOptions write;
  std::string format; ///< "rvf", "bov", or empty: by the target's ending
  Int3 blocks{ 1, 1, 1 };
  std::optional<Vec3> lower;
  std::optional<Vec3> upper;
  bool doubles = false;
  bool cells = false;
};

Result<std::unique_ptr<GeneratedField>> make_field(const Options& options)
{
  Result<std::unique_ptr<AnalyticField>> formula = make_analytic_field(options.kind, options.parameters);
  if (!formula)
  {
    return forward_error(formula);
  }
  GeneratedFieldOptions field = options.field;
  field.type = options.doubles ? ScalarType::Float64 : ScalarType::Float32;
  field.centering = options.cells ? Centering::Cell : Centering::Node;
  if (options.lower || options.upper)
  {
    FieldDomain domain = (*formula)->domain();
    domain.lower = options.lower.value_or(domain.lower);
    domain.upper = options.upper.value_or(domain.upper);
    field.domain = domain;
  }
  return GeneratedField::create(std::move(*formula), field);
}

bool as_bov(const Options& options)
{
  return options.format == "bov" || (options.format.empty() && ends_with(options.target, ".bov"));
}

// Returns names and size of the files.
Result<std::string> write_as_bov(GeneratedField& field, const Options& options, const ByteProgress& progress)
{
  BovOptions how;
  how.existing = options.write.force ? OnExisting::Replace : OnExisting::Keep;
  how.blocks = options.blocks;
  how.memory = options.write.memory;
  how.threads = options.write.threads;
  how.sync = options.write.sync;
  how.cancel = &interrupt_requested();
  how.progress = progress;
  const Result<BovReport> report = write_bov(field, options.target, how);
  if (!report)
  {
    return tl::unexpected(report.error());
  }
  const std::string& first = report->headers.front();
  return (report->headers.size() == 1 ? first : first + " ... " + report->headers.back()) + ": " +
         format_bytes(report->bytes);
}

Result<std::string> write_as_field(GeneratedField& field, const Options& options, const ByteProgress& progress)
{
  const Result<WrittenField> written = write_field(field, options.target, options.write, progress);
  if (!written)
  {
    return tl::unexpected(written.error());
  }
  return options.target + ": " + written->size;
}

ExitCode run(const Options& options)
{
  Result<std::unique_ptr<GeneratedField>> field = make_field(options);
  if (!field)
  {
    return report(field.error());
  }
  if (Result<void> named = as_bov(options) ? Result<void>() : check_field_name(options.target, true); !named)
  {
    return report(named.error());
  }
  if (Result<void> ready = prepare_target(options.target, options.write); !ready)
  {
    return report(ready.error());
  }
  const Stopwatch watch;
  const Result<std::string> made = [&]
  {
    ProgressLine line("generating", options.write.quiet);
    return as_bov(options) ? write_as_bov(**field, options, line.callback())
                           : write_as_field(**field, options, line.callback());
  }();
  if (!made)
  {
    return report(concerning(made.error(), options.target));
  }
  if (!options.write.quiet)
  {
    std::printf("%s, %.1f s\n", made->c_str(), watch.seconds());
  }
  return ExitCode::Ok;
}

void add_field_options(const cli::Command& command, Options& options)
{
  GeneratedFieldOptions& field = options.field;
  command.option("DST", options.target, "What to write: a field file (.rvf), a store (.rvs), or BOV (.bov)").required();
  add_counts(command, "--dims,--size", field.nodes, "Grid nodes along each axis (default 64,64,64)", { true, 1 });
  command.option("--steps", field.steps, "Time steps (default 1)").positive();
  command.option("--dt", field.time_step, "Time between two steps (default 1)").positive();
  command.option("--start-time", field.start_time, "Time of the first step (default 0)");
  add_triple(command, "--lower", options.lower, "Lower corner of the box (default: the field's own)");
  add_triple(command, "--upper", options.upper, "Upper corner of the box");
  command.flag("--float64", options.doubles, "Double precision");
  command.flag("--cell-centred,--cell-centered", options.cells, "Values at the cells' centres");
  command.flag("--with-speed", field.with_speed, "A second variable: the velocity's magnitude");
  command.option("--twist", field.mesh.twist,
      "A curvilinear grid: nodes moved by up to so many spacings, 0 to 0.2 (default 0: a uniform grid)");
  command.option("--twist-rate", field.mesh.rate, "The grid moves: radians per unit of time (default 0)");
  command.option("--format", options.format, "rvf or bov (default: by the name's ending)").one_of({ "rvf", "bov" });
  add_counts(command, "--blocks", options.blocks, "Files along each axis that a BOV step is cut into (default 1,1,1)");
}

// Parameters of one kind.
void add_parameters(const cli::Command& command, const FieldKind& kind, FieldParameters& into)
{
  for (const FieldParameter& parameter : kind.parameters)
  {
    char standard[32];
    std::snprintf(standard, sizeof standard, "%g", parameter.standard);
    const std::string help = parameter.help + ", in " + parameter.unit + " (default " + standard + ")";
    const auto store = [&into, name = parameter.name](double value)
    {
      into[name] = value;
    };
    command
        .number_option(
            "--" + parameter.name, store, parameter.unit == "1" ? parameter.help + " (default " + standard + ")" : help)
        .group("Parameters of the field");
  }
}

} // namespace

void add_generate(const cli::Command& program, ExitCode& code)
{
  const cli::Command command = program.add_command("generate", "Write an analytic field of any size");
  command.require_command();
  command.set_footer("`rivulet generate KIND --help` lists the parameters of a kind.");
  for (const FieldKind& kind : analytic_field_kinds())
  {
    const cli::Command one = command.add_command(kind.name, kind.help);
    const auto options = std::make_shared<Options>();
    options->kind = kind.name;
    add_field_options(one, *options);
    add_write_options(one, options->write);
    add_parameters(one, kind, options->parameters);
    one.on_run([options, &code] { code = run(*options); });
  }
}

} // namespace rivulet::command
