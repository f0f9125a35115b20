// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Store/FieldOnDisk.h"

#include "Curve/Hilbert.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

namespace rivulet::test
{

namespace
{

template <class T>
T need(Result<T> result)
{
  if (!result)
  {
    std::fprintf(stderr, "%s\n", result.error().describe().c_str());
    std::abort();
  }
  if constexpr (!std::is_void_v<T>)
  {
    return std::move(*result);
  }
}

template <class T>
void fill_payload(std::byte* payload, const BrickLayout& layout, std::int32_t components, const BrickKey& key)
{
  const Int3 brick = from_row_major(key.index, layout.grid.count);
  auto* out = reinterpret_cast<T*>(payload);
  for (std::int64_t n = 0; n < volume(layout.nodes); ++n)
  {
    Int3 point = from_row_major(n, layout.nodes);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      point[axis] = std::min(point[axis] + brick[axis] * layout.cells[axis], layout.grid.lattice[axis] - 1);
    }
    for (std::int32_t c = 0; c < components; ++c)
    {
      *out++ = static_cast<T>(value_at(key, c, point));
    }
  }
}

double scalar(const BrickView& view, std::int64_t at)
{
  return view.type == ScalarType::Float32 ? static_cast<const float*>(view.data)[at]
                                          : static_cast<const double*>(view.data)[at];
}

std::int64_t index_in(const BrickView& view, const Int3& point)
{
  std::int64_t at = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    at += view.stride[axis] * (point[axis] - view.lattice.begin[axis]);
  }
  return at;
}

/// What the cells of a brick need. Cell-centred variables need the cells themselves, and so fewer.
Box needed(const BrickKey& key, const BrickGrid& grid)
{
  const Int3 brick = from_row_major(key.index, grid.count);
  const std::int32_t shared = key.variable == 2 ? 0 : 1;
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = brick[axis] * grid.cells[axis];
    box.end[axis] = std::min(box.begin[axis] + grid.cells[axis] + shared, grid.lattice[axis]);
  }
  return box;
}

} // namespace

FieldInfo small_field(const std::vector<double>& times)
{
  FieldInfo info;
  info.grid.nodes = { 23, 17, 11 };
  info.variables = { { "velocity", ScalarType::Float32, 3, Centering::Node },
    { "pressure", ScalarType::Float64, 1, Centering::Node }, { "stress", ScalarType::Float32, 9, Centering::Cell } };
  info.times = times;
  info.ranges.resize(info.variables.size());
  return info;
}

double value_at(const BrickKey& key, std::int32_t component, const Int3& point)
{
  const std::int64_t place = point[0] + 32 * (point[1] + 32 * point[2]);
  return static_cast<double>(place + 16384 * (component + 9 * (key.variable + 3 * key.step)));
}

void write_field(const std::string& path, const FieldInfo& info, std::int32_t first_step, Encoding encoding)
{
  const std::unique_ptr<FieldFileWriter> writer =
      need(FieldFileWriter::create(path, info, { .brick_cells = { 4, 4, 4 }, .encoding = encoding }));
  for (std::int32_t variable = 0; variable < static_cast<std::int32_t>(info.variables.size()); ++variable)
  {
    const BrickLayout& layout = writer->layout(variable);
    const Variable& what = info.variables[static_cast<std::size_t>(variable)];
    std::vector<std::byte> payload(static_cast<std::size_t>(layout.values));
    for (std::int32_t step = 0; step < static_cast<std::int32_t>(info.times.size()); ++step)
    {
      for (std::int64_t index = 0; index < layout.grid.size(); ++index)
      {
        const BrickKey named{ variable, step + first_step, index };
        what.type == ScalarType::Float32 ? fill_payload<float>(payload.data(), layout, what.components, named)
                                         : fill_payload<double>(payload.data(), layout, what.components, named);
        need(writer->write_brick({ variable, step, index }, payload.data()));
      }
    }
  }
  need(writer->finish());
}

std::vector<double> all_values(const FieldInfo& info, std::int32_t variable)
{
  const Variable& what = info.variables[static_cast<std::size_t>(variable)];
  const Int3 lattice = info.grid.lattice(what.centering);
  std::vector<double> values;
  for (std::int64_t n = 0; n < volume(lattice); ++n)
  {
    for (std::int32_t c = 0; c < what.components; ++c)
    {
      values.push_back(value_at({ variable, 0, 0 }, c, from_row_major(n, lattice)));
    }
  }
  return values;
}

std::int64_t wrong_values(const BrickView& view, const BrickKey& key, const BrickGrid& grid)
{
  const Box must = needed(key, grid);
  std::int64_t wrong = must.count() - intersect(must, view.lattice).count();
  for (std::int64_t n = 0; n < view.lattice.count(); ++n)
  {
    Int3 point = from_row_major(n, view.lattice.size());
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      point[axis] += view.lattice.begin[axis];
    }
    for (std::int32_t c = 0; c < view.components; ++c)
    {
      wrong += scalar(view, index_in(view, point) + c) == value_at(key, c, point) ? 0 : 1;
    }
  }
  return wrong;
}

std::vector<BrickKey> all_keys(const BrickSource& source)
{
  std::vector<BrickKey> keys;
  for (std::int32_t variable = 0; variable < static_cast<std::int32_t>(source.info().variables.size()); ++variable)
  {
    for (std::int32_t step = 0; step < static_cast<std::int32_t>(source.info().times.size()); ++step)
    {
      for (std::int64_t index = 0; index < source.bricks(variable).size(); ++index)
      {
        keys.push_back({ variable, step, index });
      }
    }
  }
  std::mt19937 random(7);
  std::shuffle(keys.begin(), keys.end(), random);
  return keys;
}

void damage_byte(const std::string& path, std::int64_t offset)
{
  std::FILE* file = std::fopen(path.c_str(), "r+b");
  std::fseek(file, offset, SEEK_SET);
  const int byte = std::fgetc(file);
  std::fseek(file, offset, SEEK_SET);
  std::fputc(byte ^ 1, file);
  std::fclose(file);
}

std::int64_t offset_of(const std::string& path, const BrickKey& key)
{
  const FieldFile file = need(FieldFile::open(path));
  const BrickLayout& layout = file.layouts[static_cast<std::size_t>(key.variable)];
  const std::int64_t place = HilbertCurve(layout.grid.count).index(from_row_major(key.index, layout.grid.count));
  return layout.steps[static_cast<std::size_t>(key.step)].offset + place * layout.stride;
}

} // namespace rivulet::test
