// SPDX-License-Identifier: BSD-3-Clause
// Writes a field file of any size without values: every brick is a hole in the file. It opens like a complete one.
//
//   hollow_field FILE.rvf NODES        a cube of NODES^3 float vectors
#include "Io/FieldFile/FieldFileHdf5.h"
#include "Io/FieldFile/FieldRules.h"

#include <charconv>
#include <cstdio>
#include <fstream>
#include <string_view>

namespace
{

int complain(const rivulet::Error& error)
{
  std::fprintf(stderr, "hollow_field: %s\n", error.describe().c_str());
  return 1;
}

rivulet::Result<rivulet::hdf5::StoredField> describe(int nodes)
{
  rivulet::hdf5::StoredField field;
  field.uuid = "00000000-0000-4000-8000-000000000000";
  field.grid.nodes = { nodes, nodes, nodes };
  field.times = { 0.0 };
  rivulet::hdf5::StoredVariable velocity;
  velocity.variable = { "velocity", rivulet::ScalarType::Float32, 3, rivulet::Centering::Node };
  velocity.ranges = { { { -1, 1 }, { -1, 1 }, { -1, 1 } }, { 0, 1 } };
  const auto layout = rivulet::make_layout(field.grid, velocity.variable, { 9, 9, 9 });
  if (!layout)
  {
    return tl::unexpected(layout.error());
  }
  velocity.brick_cells = layout->cells;
  velocity.brick_nodes = layout->nodes;
  velocity.brick_count = layout->grid.size();
  velocity.payload = layout->payload;
  velocity.stride = layout->stride;
  velocity.brick_range_checksums = { 0 };
  field.variables.push_back(velocity);
  return field;
}

} // namespace

int main(int argc, char** argv)
{
  int nodes = 0;
  const std::string_view text = argc == 3 ? argv[2] : "";
  if (std::from_chars(text.data(), text.data() + text.size(), nodes).ec != std::errc{} || nodes < 2)
  {
    std::fputs("usage: hollow_field FILE.rvf NODES\n", stderr);
    return 1;
  }
  std::ofstream(argv[1]).close();
  auto field = describe(nodes);
  if (!field)
  {
    return complain(field.error());
  }
  if (auto made = rivulet::hdf5::create_file(argv[1], *field); !made)
  {
    return complain(made.error());
  }
  if (auto finished = rivulet::hdf5::complete_file(argv[1], *field); !finished)
  {
    return complain(finished.error());
  }
  return 0;
}
