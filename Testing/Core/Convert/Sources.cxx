// SPDX-License-Identifier: BSD-3-Clause
#include "Sources.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace rivulet::test
{

double value_at(int variable, int step, const Int3& at, int component)
{
  return variable * 3000000 + step * 700000 + at[0] + 97.0 * at[1] + 9409.0 * at[2] + 0.25 * component;
}

namespace
{

template <class T>
void fill(int variable, int step, const Box& box, int components, T* out)
{
  for (std::int64_t point = 0; point < box.count(); ++point)
  {
    Int3 at = from_row_major(point, box.size());
    at = { at[0] + box.begin[0], at[1] + box.begin[1], at[2] + box.begin[2] };
    for (int component = 0; component < components; ++component)
    {
      *out++ = static_cast<T>(value_at(variable, step, at, component));
    }
  }
}

} // namespace

NumberedSource::NumberedSource(const Int3& nodes, std::vector<Variable> variables, int steps)
{
  info_.grid.nodes = nodes;
  info_.variables = std::move(variables);
  info_.ranges.resize(info_.variables.size());
  for (int step = 0; step < steps; ++step)
  {
    info_.times.push_back(0.5 * step);
  }
}

Result<void> NumberedSource::read(int variable, int step, const Box& box, void* out)
{
  const Variable& array = info_.variables[static_cast<std::size_t>(variable)];
  if (box.empty() || intersect(box, { { 0, 0, 0 }, info_.grid.lattice(array.centering) }) != box)
  {
    return fail(ErrorCode::BadArgument, "the box reaches outside the lattice");
  }
  if (Result<void> ready = before_read ? before_read() : Result<void>(); !ready)
  {
    return ready;
  }
  points_read += box.count();
  const std::int64_t bytes = box.count() * static_cast<std::int64_t>(array.tuple_bytes());
  for (std::int64_t seen = largest_read; seen < bytes && !largest_read.compare_exchange_weak(seen, bytes);)
  {
  }
  if (array.type == ScalarType::Float32)
  {
    fill(variable, step, box, array.components, static_cast<float*>(out));
  }
  else
  {
    fill(variable, step, box, array.components, static_cast<double*>(out));
  }
  return {};
}

Variable velocity()
{
  return { "velocity", ScalarType::Float32, 3, Centering::Node };
}

Variable cell_pressure()
{
  return { "pressure", ScalarType::Float64, 1, Centering::Cell };
}

std::vector<std::string> names_in(const TemporaryFolder& folder)
{
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
  {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<char> bytes_of(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  return { std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>() };
}

BrickLayout layout_for(const Int3& lattice, const Int3& cells, std::size_t tuple_bytes)
{
  BrickLayout layout;
  layout.cells = cells;
  layout.grid.cells = cells;
  layout.grid.lattice = lattice;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int32_t all = std::max(1, lattice[axis] - 1);
    layout.nodes[axis] = lattice[axis] == 1 ? 1 : cells[axis] + 1;
    layout.grid.count[axis] = (all + cells[axis] - 1) / cells[axis];
  }
  layout.payload = volume(layout.nodes) * static_cast<std::int64_t>(tuple_bytes);
  layout.stride = round_up(layout.payload + static_cast<std::int64_t>(sizeof(BrickTrailer)), kPage);
  return layout;
}

} // namespace rivulet::test
