// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/FieldFiles.h"

#include "Io/FieldFile/FieldRules.h"
#include "Io/Files/File.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>

#ifdef __SANITIZE_ADDRESS__
// libhdf5 (1.10.8) forgets a few hundred bytes whenever it meets a damaged header.
extern "C" const char* __lsan_default_suppressions() // NOLINT(bugprone-reserved-identifier): LeakSanitizer's name
{
  return "leak:libhdf5\n";
}
#endif

namespace rivulet::test
{

namespace
{

template <class T>
T or_throw(Result<T>&& result)
{
  if (!result)
  {
    throw std::runtime_error(result.error().describe());
  }
  if constexpr (!std::is_void_v<T>)
  {
    return std::move(*result);
  }
}

} // namespace

FieldInfo small_field()
{
  FieldInfo info;
  info.grid.nodes = { 11, 8, 6 };
  info.grid.first = { -2, 0, 5 };
  info.grid.origin = { 0.5, -1.0, 2.0 };
  info.grid.spacing = { 0.25, -0.5, 1.0 };
  info.grid.direction = { 0, 1, 0, 1, 0, 0, 0, 0, 1 };
  info.variables = { { "velocity", ScalarType::Float32, 3, Centering::Node },
    { "pressure", ScalarType::Float64, 1, Centering::Cell } };
  info.times = { 0.0, 0.125 };
  return info;
}

FieldInfo curvilinear_field(int steps)
{
  FieldInfo info = small_field();
  info.times.clear();
  for (int step = 0; step < steps; ++step)
  {
    info.times.push_back(0.125 * step);
  }
  add_points(info, ScalarType::Float64);
  return info;
}

double value_at(int variable, int step, const Int3& point, int component)
{
  return 0.5 + component + 10.0 * point[0] + 200.0 * point[1] + 3000.0 * point[2] + 40000.0 * step +
         100000.0 * variable;
}

std::vector<std::byte> values_of(const Variable& variable, int number, int step, const Box& box)
{
  std::vector<std::byte> bytes(static_cast<std::size_t>(box.count()) * variable.tuple_bytes());
  std::byte* out = bytes.data();
  for (std::int64_t i = 0; i < box.count(); ++i)
  {
    const Int3 at = from_row_major(i, box.size());
    const Int3 point{ at[0] + box.begin[0], at[1] + box.begin[1], at[2] + box.begin[2] };
    for (int c = 0; c < variable.components; ++c, out += size_of(variable.type))
    {
      const double value = value_at(number, step, point, c);
      const auto single = static_cast<float>(value);
      std::memcpy(out, variable.type == ScalarType::Float32 ? static_cast<const void*>(&single) : &value,
          size_of(variable.type));
    }
  }
  return bytes;
}

std::vector<std::byte> payload_of(const FieldInfo& info, const BrickLayout& layout, const BrickKey& key)
{
  const Variable& variable = info.variables[static_cast<std::size_t>(key.variable)];
  const Int3 brick = from_row_major(key.index, layout.grid.count);
  const Box box = lattice_box(layout, brick);
  const std::vector<std::byte> values = values_of(variable, key.variable, key.step, box);
  const auto bytes = static_cast<std::int64_t>(variable.tuple_bytes());
  std::vector<std::byte> payload(static_cast<std::size_t>(layout.values));
  copy_box_to_record(layout, { box, values.data(), dense_strides(box, bytes) }, brick, payload.data());
  return payload;
}

void write_bricks(FieldFileWriter& writer, const FieldInfo& info)
{
  for (int step = 0; step < static_cast<int>(info.times.size()); ++step)
  {
    for (int variable = 0; variable < static_cast<int>(info.variables.size()); ++variable)
    {
      if (!writer.wants(variable, step))
      {
        continue;
      }
      const BrickLayout& layout = writer.layout(variable);
      for (std::int64_t index = 0; index < layout.grid.size(); ++index)
      {
        const BrickKey key{ variable, step, index };
        or_throw(writer.write_brick(key, payload_of(info, layout, key).data()));
      }
    }
  }
}

void write_field(const std::string& path, const FieldInfo& info, const FieldFileOptions& options)
{
  const std::unique_ptr<FieldFileWriter> writer = or_throw(FieldFileWriter::create(path, info, options));
  write_bricks(*writer, info);
  or_throw(writer->finish());
}

std::vector<std::byte> read_record(const FieldFile& file, const RecordPlace& place)
{
  const BrickLayout& layout = file.layouts[static_cast<std::size_t>(place.variable)];
  const File opened = or_throw(File::open(file.path, File::Mode::Read));
  std::vector<std::byte> record(static_cast<std::size_t>(layout.stride));
  const std::int64_t start = layout.steps[static_cast<std::size_t>(place.step)].offset;
  or_throw(opened.pread_full(record.data(), layout.stride, start + place.hilbert * layout.stride));
  return record;
}

std::vector<char> bytes_of(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  return { std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>() };
}

void write_bytes(const std::string& path, const std::vector<char>& bytes)
{
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

} // namespace rivulet::test
