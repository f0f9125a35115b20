// SPDX-License-Identifier: BSD-3-Clause
#include "Core/Io/BovFixture.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

namespace rivulet::test
{

namespace
{

template <class T>
std::string number_bytes(double value, bool big)
{
  const T number = static_cast<T>(value);
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &number, sizeof(T)); // the tests run on little-endian machines
  if (big)
  {
    std::reverse(bytes.begin(), bytes.end());
  }
  return bytes;
}

std::string triple(const char* key, const Int3& values)
{
  std::string line = std::string(key) + ":";
  for (const std::int32_t value : values)
  {
    line += " " + std::to_string(value);
  }
  return line + "\n";
}

std::string header_text(const BovCase& what)
{
  std::string text = "# made by a test\nTIME: " + std::to_string(what.time) + "\n";
  text += "DATA_FILE: " + what.name + (what.many() ? "_%03d.raw\n" : ".raw\n");
  text += triple("DATA_SIZE", what.lattice) + "DATA_FORMAT: " + what.format + "\nVARIABLE: velocity\n";
  text += std::string("DATA_ENDIAN: ") + (what.big ? "BIG\n" : "LITTLE\n");
  text += std::string("CENTERING: ") + (what.zonal ? "zonal\n" : "nodal\n");
  text += "DATA_COMPONENTS: " + std::to_string(what.components) + "\n";
  text += "BYTE_OFFSET: " + std::to_string(what.offset) + "\nBRICK_ORIGIN: 1 2 3\nBRICK_SIZE: 10 20 30\n";
  return text + (what.many() ? triple("DATA_BRICKLETS", what.block) : "");
}

Box block_box(const BovCase& what, int block)
{
  const Int3 size = what.file_block();
  const Int3 at =
      from_row_major(block, { what.lattice[0] / size[0], what.lattice[1] / size[1], what.lattice[2] / size[2] });
  const Int3 begin{ at[0] * size[0], at[1] * size[1], at[2] * size[2] };
  return { begin, { begin[0] + size[0], begin[1] + size[1], begin[2] + size[2] } };
}

} // namespace

double BovCase::value(int component, const Int3& at) const
{
  const int number = component + 1 + 3 * at[0] + 37 * at[1] + 1009 * at[2];
  return format == "BYTE" ? number % 251 : number;
}

std::string bytes_of(double value, std::string_view format, bool big)
{
  if (format == "BYTE")
  {
    return number_bytes<std::uint8_t>(value, big);
  }
  if (format == "SHORT")
  {
    return number_bytes<std::int16_t>(value, big);
  }
  if (format == "INT")
  {
    return number_bytes<std::int32_t>(value, big);
  }
  return format == "FLOAT" ? number_bytes<float>(value, big) : number_bytes<double>(value, big);
}

std::string data_path(const TemporaryFolder& folder, const BovCase& what, int block)
{
  const std::string digits = std::to_string(1000 + block).substr(1);
  return folder.file(what.name + (what.many() ? "_" + digits : "") + ".raw");
}

void write_text(const std::string& path, std::string_view text)
{
  std::ofstream(path, std::ios::binary) << text;
}

std::string write_bov_case(const TemporaryFolder& folder, const BovCase& what)
{
  const std::int64_t blocks = volume(what.lattice) / volume(what.file_block());
  for (int block = 0; block < blocks; ++block)
  {
    std::string bytes(static_cast<std::size_t>(what.offset), '#');
    for (const double value : expected_values(what, block_box(what, block)))
    {
      bytes += bytes_of(value, what.format, what.big);
    }
    write_text(data_path(folder, what, block), bytes);
  }
  write_text(folder.file(what.name + ".bov"), header_text(what));
  return folder.file(what.name + ".bov");
}

std::vector<double> expected_values(const BovCase& what, const Box& box)
{
  std::vector<double> values;
  for (std::int64_t i = 0; i < box.count(); ++i)
  {
    const Int3 in = from_row_major(i, box.size());
    for (int c = 0; c < what.components; ++c)
    {
      values.push_back(what.value(c, { box.begin[0] + in[0], box.begin[1] + in[1], box.begin[2] + in[2] }));
    }
  }
  return values;
}

std::vector<double> as_doubles(const void* values, ScalarType type, std::int64_t count)
{
  if (type == ScalarType::Float64)
  {
    const auto* numbers = static_cast<const double*>(values);
    return { numbers, numbers + count };
  }
  const auto* numbers = static_cast<const float*>(values);
  return { numbers, numbers + count };
}

std::vector<BovCase> all_bov_cases()
{
  std::vector<BovCase> cases;
  for (const char* format : { "BYTE", "SHORT", "INT", "FLOAT", "DOUBLE" })
  {
    for (int bits = 0; bits < 16; ++bits)
    {
      BovCase what{ .lattice = { 10, 9, 14 }, .format = format, .big = (bits & 1) != 0 };
      what.block = (bits & 2) != 0 ? Int3{ 5, 3, 7 } : Int3{ 0, 0, 0 };
      what.zonal = (bits & 4) != 0;
      what.components = (bits & 8) != 0 ? 3 : 1;
      what.offset = (bits & 2) != 0 ? 7 : 0;
      cases.push_back(what);
    }
  }
  return cases;
}

std::string name_of(const BovCase& what)
{
  return what.format + (what.big ? "Big" : "Little") + (what.many() ? "Many" : "One") +
         (what.zonal ? "Zonal" : "Nodal") + std::to_string(what.components);
}

} // namespace rivulet::test
