// SPDX-License-Identifier: BSD-3-Clause
#include "Command/Describe.h"

#include "Base/Bytes.h"

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

const char* name_of(Centering centering)
{
  return centering == Centering::Node ? "node" : "cell";
}

const char* name_of(Grid::Kind kind)
{
  return kind == Grid::Kind::Uniform ? "uniform" : "rectilinear";
}

double overhead(std::int64_t stored, std::int64_t raw)
{
  return raw > 0 ? static_cast<double>(stored) / static_cast<double>(raw) : 0.0;
}

std::string size_text(std::int64_t stored, std::int64_t plain)
{
  return format_bytes(stored) +
         text_of(", %.2f times the %s of the plain values", overhead(stored, plain), format_bytes(plain).c_str());
}

std::int64_t total(const FieldFile& file, std::int64_t (*bytes)(const FieldFile&, std::size_t))
{
  std::int64_t sum = 0;
  for (std::size_t variable = 0; variable < file.info.variables.size(); ++variable)
  {
    sum += bytes(file, variable);
  }
  return sum;
}

std::string grid_text(const Grid& grid)
{
  std::string text = text_of("grid       %s, %s nodes", name_of(grid.kind), triple(grid.nodes).c_str());
  if (grid.first != Int3{ 0, 0, 0 })
  {
    text += text_of(", first index %d,%d,%d", grid.first[0], grid.first[1], grid.first[2]);
  }
  text += "\n";
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

std::string variable_text(const FieldFile& file, std::size_t index)
{
  const Variable& variable = file.info.variables[index];
  const BrickLayout& layout = file.layouts[index];
  std::string text =
      "variable   " + variable.name + ": " +
      text_of("%s x %d, %s-centred\n", name_of(variable.type), variable.components, name_of(variable.centering));
  if (index < file.info.ranges.size())
  {
    text += "           range " + range_text(file.info.ranges[index]) + "\n";
  }
  text += text_of("           %lld bricks a step (%s) of %s cells, %lld bytes each\n",
      static_cast<long long>(layout.grid.size()), triple(layout.grid.count).c_str(), triple(layout.cells).c_str(),
      static_cast<long long>(layout.stride));
  if (layout.encoding == Encoding::Fixed16)
  {
    text += text_of("           16-bit fixed point: no value differs by more than %.3g from what was written\n",
        layout.largest_error);
  }
  return text + "           " + size_text(record_bytes(file, index), raw_bytes(file, index)) + "\n";
}

Json grid_json(const Grid& grid)
{
  Json json{ { "kind", name_of(grid.kind) }, { "nodes", grid.nodes }, { "first", grid.first } };
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

Json variable_json(const FieldFile& file, std::size_t index)
{
  const Variable& variable = file.info.variables[index];
  const BrickLayout& layout = file.layouts[index];
  Json json{ { "name", variable.name }, { "type", name_of(variable.type) }, { "components", variable.components },
    { "centering", name_of(variable.centering) } };
  if (index < file.info.ranges.size() && !file.info.ranges[index].components.empty())
  {
    json["component_ranges"] = file.info.ranges[index].components;
    json["magnitude_range"] = file.info.ranges[index].magnitude;
  }
  json["brick_cells"] = layout.cells;
  json["brick_nodes"] = layout.nodes;
  json["brick_grid"] = layout.grid.count;
  json["bricks_per_step"] = layout.grid.size();
  json["encoding"] = layout.encoding == Encoding::Plain ? "plain" : "fixed16";
  json["largest_error"] = layout.largest_error;
  json["payload_bytes"] = layout.payload;
  json["stride_bytes"] = layout.stride;
  json["record_bytes"] = record_bytes(file, index);
  json["raw_bytes"] = raw_bytes(file, index);
  return json;
}

/// Steps with hidden points or cells.
std::vector<int> hidden_steps(const FieldFile& file, Centering centering)
{
  std::vector<int> steps;
  for (int step = 0; step < static_cast<int>(file.info.times.size()); ++step)
  {
    if (file.hides(centering, step))
    {
      steps.push_back(step);
    }
  }
  return steps;
}

std::string hidden_text(const FieldFile& file)
{
  const std::size_t points = hidden_steps(file, Centering::Node).size();
  const std::size_t cells = hidden_steps(file, Centering::Cell).size();
  return points + cells == 0 ? "" : text_of("hidden     points at %zu steps, cells at %zu steps\n", points, cells);
}

} // namespace

std::int64_t raw_bytes(const FieldFile& file, std::size_t variable)
{
  const std::int64_t points = volume(file.layouts[variable].grid.lattice);
  return points * static_cast<std::int64_t>(file.info.variables[variable].tuple_bytes() * file.info.times.size());
}

std::int64_t record_bytes(const FieldFile& file, std::size_t variable)
{
  const BrickLayout& layout = file.layouts[variable];
  return layout.grid.size() * layout.stride * static_cast<std::int64_t>(file.info.times.size());
}

std::string describe_size(const std::string& path, std::int64_t plain_bytes)
{
  std::error_code none;
  const std::uintmax_t bytes = std::filesystem::file_size(path, none);
  return size_text(none ? 0 : static_cast<std::int64_t>(bytes), plain_bytes);
}

std::string describe_as_text(const FieldFile& file)
{
  std::string text = "file       " + file.path + "\n" + grid_text(file.info.grid);
  text += text_of("steps      %zu, time %g", file.info.times.size(), file.info.times.front());
  text += file.info.times.size() > 1 ? text_of(" to %g\n", file.info.times.back()) : "\n";
  for (std::size_t variable = 0; variable < file.info.variables.size(); ++variable)
  {
    text += variable_text(file, variable);
  }
  text += hidden_text(file);
  text += "size       " + size_text(file.file_bytes, total(file, raw_bytes)) + "\n";
  text += "uuid       " + file.uuid + "\n";
  return file.page_aligned ? text : text + "note       bricks do not start on pages: reads are buffered\n";
}

std::string describe_as_json(const FieldFile& file)
{
  Json json{ { "path", file.path }, { "format", "rvf" }, { "uuid", file.uuid }, { "file_bytes", file.file_bytes },
    { "page_aligned", file.page_aligned }, { "grid", grid_json(file.info.grid) }, { "times", file.info.times } };
  json["variables"] = Json::array();
  for (std::size_t variable = 0; variable < file.info.variables.size(); ++variable)
  {
    json["variables"].push_back(variable_json(file, variable));
  }
  json["hidden"] = { { "points", hidden_steps(file, Centering::Node) },
    { "cells", hidden_steps(file, Centering::Cell) } };
  json["record_bytes"] = total(file, record_bytes);
  json["raw_bytes"] = total(file, raw_bytes);
  json["overhead"] = overhead(file.file_bytes, total(file, raw_bytes));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace rivulet::command
