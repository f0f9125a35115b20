// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Describe.h"

#include "Base/Bytes.h"
#include "Base/WholeType.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace rivulet::command
{

namespace
{

using Json = nlohmann::ordered_json;

// Formatted text, as by printf.
[[gnu::format(printf, 1, 2)]] std::string text_of(const char* format, ...)
{
  std::array<char, 512> text{};
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  return text.data();
}

std::string triple(const Int3& values)
{
  return text_of("%d x %d x %d", values[0], values[1], values[2]);
}

const char* name_of(ScalarType type)
{
  return type == ScalarType::Float32 ? "float32" : "float64";
}

/// "int32, held as float64"
std::string type_text(const Variable& variable)
{
  const bool whole = variable.whole != WholeType::None;
  return (whole ? std::string(name_of(variable.whole)) + ", held as " : "") + name_of(variable.type);
}

const char* name_of(Centering centering)
{
  return centering == Centering::Node ? "node" : "cell";
}

const char* name_of(Grid::Kind kind)
{
  return kind == Grid::Kind::Uniform ? "uniform" : kind == Grid::Kind::Rectilinear ? "rectilinear" : "curvilinear";
}

double overhead(std::int64_t stored, std::int64_t raw)
{
  return raw > 0 ? static_cast<double>(stored) / static_cast<double>(raw) : 0.0;
}

std::int64_t total(const FieldSeries& series, std::int64_t (*bytes)(const FieldSeries&, std::size_t))
{
  std::int64_t sum = 0;
  for (std::size_t variable = 0; variable < series.info.variables.size(); ++variable)
  {
    sum += bytes(series, variable);
  }
  return sum;
}

std::string grid_text(const FieldSeries& series)
{
  const FieldInfo& info = series.info;
  const Grid& grid = info.grid;
  std::string text = text_of("grid       %s, %s nodes", name_of(grid.kind), triple(grid.nodes).c_str());
  if (grid.first != Int3{ 0, 0, 0 })
  {
    text += text_of(", first index %d,%d,%d", grid.first[0], grid.first[1], grid.first[2]);
  }
  text += "\n";
  if (info.points >= 0)
  {
    const std::int64_t stored = info.stored_steps(info.points);
    text += "           places of the nodes in \"" + info.variables.back().name + "\"";
    return text +
           (stored > 1 ? text_of(", stored %lld times: the grid moves\n", static_cast<long long>(stored)) : "\n");
  }
  if (grid.kind == Grid::Kind::Uniform)
  {
    return text + text_of("           origin %g,%g,%g, spacing %g,%g,%g\n", grid.origin[0], grid.origin[1],
                      grid.origin[2], grid.spacing[0], grid.spacing[1], grid.spacing[2]);
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::vector<double>& nodes = grid.axes[axis];
    text += nodes.empty() ? "" : text_of("           %c from %g to %g\n", "xyz"[axis], nodes.front(), nodes.back());
  }
  return text;
}

std::string range_text(const ValueRanges& ranges)
{
  std::string text;
  for (const std::array<double, 2>& range : ranges.components)
  {
    text += text_of("%s[%g, %g]", text.empty() ? "" : " ", range[0], range[1]);
  }
  if (ranges.components.size() > 1)
  {
    text += text_of(", magnitude [%g, %g]", ranges.magnitude[0], ranges.magnitude[1]);
  }
  return text.empty() ? "not known" : text;
}

double largest_error(const FieldSeries& series, std::size_t variable)
{
  double largest = 0;
  for (const FieldFile& file : series.files)
  {
    largest = variable < file.layouts.size() ? std::max(largest, file.layouts[variable].largest_error) : largest;
  }
  return largest;
}

bool page_aligned(const FieldSeries& series)
{
  return std::all_of(series.files.begin(), series.files.end(), [](const FieldFile& file) { return file.page_aligned; });
}

const std::string& uuid_of(const FieldSeries& series)
{
  return series.is_store() ? series.store_uuid : series.files.front().uuid;
}

std::string variable_text(const FieldSeries& series, std::size_t index)
{
  const Variable& variable = series.info.variables[index];
  const BrickLayout& layout = series.files.front().layouts[index];
  std::string text =
      "variable   " + variable.name + ": " +
      text_of("%s x %d, %s-centred\n", type_text(variable).c_str(), variable.components, name_of(variable.centering));
  if (index < series.info.ranges.size())
  {
    text += "           range " + range_text(series.info.ranges[index]) + "\n";
  }
  text += text_of("           %lld bricks a step (%s) of %s cells, %lld bytes each\n",
      static_cast<long long>(layout.grid.size()), triple(layout.grid.count).c_str(), triple(layout.cells).c_str(),
      static_cast<long long>(layout.stride));
  if (layout.encoding == Encoding::Fixed16)
  {
    text += text_of("           16-bit fixed point: no value differs by more than %.3g from what was written\n",
        largest_error(series, index));
  }
  return text + "           " + describe_size(record_bytes(series, index), raw_bytes(series, index)) + "\n";
}

Json grid_json(const FieldSeries& series)
{
  const FieldInfo& info = series.info;
  const Grid& grid = info.grid;
  Json json{ { "kind", name_of(grid.kind) }, { "nodes", grid.nodes }, { "first", grid.first } };
  if (info.points >= 0)
  {
    json["points"] = info.variables.back().name;
    json["points_steps"] = info.points_steps;
    return json;
  }
  if (grid.kind == Grid::Kind::Uniform)
  {
    json["origin"] = grid.origin;
    json["spacing"] = grid.spacing;
    json["direction"] = grid.direction;
  }
  else
  {
    json["axes"] = grid.axes;
  }
  return json;
}

Json variable_json(const FieldSeries& series, std::size_t index)
{
  const Variable& variable = series.info.variables[index];
  const BrickLayout& layout = series.files.front().layouts[index];
  Json json{ { "name", variable.name }, { "type", name_of(variable.type) }, { "components", variable.components },
    { "centering", name_of(variable.centering) } };
  if (variable.whole != WholeType::None)
  {
    json["whole_numbers"] = std::string(name_of(variable.whole));
  }
  if (index < series.info.ranges.size() && !series.info.ranges[index].components.empty())
  {
    json["component_ranges"] = series.info.ranges[index].components;
    json["magnitude_range"] = series.info.ranges[index].magnitude;
  }
  json["brick_cells"] = layout.cells;
  json["brick_nodes"] = layout.nodes;
  json["brick_grid"] = layout.grid.count;
  json["bricks_per_step"] = layout.grid.size();
  json["encoding"] = layout.encoding == Encoding::Plain ? "plain" : "fixed16";
  json["largest_error"] = largest_error(series, index);
  json["payload_bytes"] = layout.payload;
  json["stride_bytes"] = layout.stride;
  json["record_bytes"] = record_bytes(series, index);
  json["raw_bytes"] = raw_bytes(series, index);
  return json;
}

/// Steps with hidden points or cells.
std::vector<int> hidden_steps(const FieldSeries& series, Centering centering)
{
  std::vector<int> steps;
  for (int step = 0; step < static_cast<int>(series.info.times.size()); ++step)
  {
    if (series.file_of(step).hides(centering, series.steps[static_cast<std::size_t>(step)].step))
    {
      steps.push_back(step);
    }
  }
  return steps;
}

std::string hidden_text(const FieldSeries& series)
{
  const std::size_t points = hidden_steps(series, Centering::Node).size();
  const std::size_t cells = hidden_steps(series, Centering::Cell).size();
  return points + cells == 0 ? "" : text_of("hidden     points at %zu steps, cells at %zu steps\n", points, cells);
}

} // namespace

std::int64_t raw_bytes(const FieldSeries& series, std::size_t variable)
{
  const std::int64_t points = volume(series.files.front().layouts[variable].grid.lattice);
  return points * static_cast<std::int64_t>(series.info.variables[variable].tuple_bytes()) *
         series.info.stored_steps(static_cast<std::int32_t>(variable));
}

std::int64_t record_bytes(const FieldSeries& series, std::size_t variable)
{
  const BrickLayout& layout = series.files.front().layouts[variable];
  return layout.grid.size() * layout.stride * series.info.stored_steps(static_cast<std::int32_t>(variable));
}

std::string describe_size(std::int64_t stored_bytes, std::int64_t plain_bytes)
{
  return format_bytes(stored_bytes) + text_of(", %.2f times the %s of the plain values",
                                          overhead(stored_bytes, plain_bytes), format_bytes(plain_bytes).c_str());
}

std::string describe_file_size(const std::string& path, std::int64_t plain_bytes)
{
  std::error_code none;
  const std::uintmax_t bytes = std::filesystem::file_size(path, none);
  return describe_size(none ? 0 : static_cast<std::int64_t>(bytes), plain_bytes);
}

ExitCode report_defects(const FieldSeries& series)
{
  constexpr std::size_t kMostNamed = 10;
  ExitCode code = ExitCode::Ok;
  std::size_t named = 0;
  for (const auto& [file, defect] : series.defects)
  {
    code = code == ExitCode::Ok ? exit_code_of(defect) : code;
    if (named == kMostNamed)
    {
      std::fprintf(stderr, "rivulet: %s: %zu more steps cannot be read\n", series.path.c_str(),
          series.defects.size() - kMostNamed);
      break;
    }
    ++named;
    report(defect);
  }
  return code;
}

std::string describe_as_text(const FieldSeries& series)
{
  std::string text = (series.is_store() ? "store      " : "file       ") + series.path + "\n" + grid_text(series);
  text += text_of("steps      %zu, time %g", series.info.times.size(), series.info.times.front());
  text += series.info.times.size() > 1 ? text_of(" to %g\n", series.info.times.back()) : "\n";
  for (std::size_t variable = 0; variable < series.info.variables.size(); ++variable)
  {
    text += variable_text(series, variable);
  }
  text += hidden_text(series);
  text += "size       " + describe_size(series.file_bytes(), total(series, raw_bytes)) + "\n";
  text += "uuid       " + uuid_of(series) + "\n";
  for (const auto& [file, defect] : series.defects)
  {
    text += "bad step   " + std::to_string(file) + "\n";
  }
  return page_aligned(series) ? text : text + "note       bricks do not start on pages: reads are buffered\n";
}

std::string describe_as_json(const FieldSeries& series)
{
  Json json{ { "path", series.path }, { "format", series.is_store() ? "rvs" : "rvf" }, { "uuid", uuid_of(series) },
    { "file_bytes", series.file_bytes() }, { "page_aligned", page_aligned(series) }, { "grid", grid_json(series) },
    { "times", series.info.times } };
  json["variables"] = Json::array();
  for (std::size_t variable = 0; variable < series.info.variables.size(); ++variable)
  {
    json["variables"].push_back(variable_json(series, variable));
  }
  json["hidden"] = { { "points", hidden_steps(series, Centering::Node) },
    { "cells", hidden_steps(series, Centering::Cell) } };
  json["bad_steps"] = Json::array();
  for (const auto& [file, defect] : series.defects)
  {
    json["bad_steps"].push_back(file);
  }
  json["record_bytes"] = total(series, record_bytes);
  json["raw_bytes"] = total(series, raw_bytes);
  json["overhead"] = overhead(series.file_bytes(), total(series, raw_bytes));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace rivulet::command
