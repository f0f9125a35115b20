// SPDX-License-Identifier: BSD-3-Clause
// append_to_store FOLDER STEPS
//
// A simulation that appends its time steps to a store: a vortex that decays, on 49 x 49 x 33 nodes. Started again with
// more steps, it goes on where the store ends. A program needs no more than this to be looked at while it runs: open
// FOLDER in ParaView, and use Reload Files.
#include "Io/FieldFile/WriteBox.h"
#include "Io/Series/StoreWriter.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace
{

using namespace rivulet;

FieldInfo describe()
{
  FieldInfo field;
  field.grid.nodes = { 49, 49, 33 };
  field.grid.origin = { -1.0, -1.0, 0.0 };
  field.grid.spacing = { 1.0 / 24, 1.0 / 24, 1.0 / 32 };
  field.variables = { { "velocity", ScalarType::Float32, 3, Centering::Node } };
  return field;
}

/// The velocity at all nodes, i fastest.
std::vector<float> simulate(const Grid& grid, double time)
{
  std::vector<float> values;
  for (std::int32_t k = 0; k < grid.nodes[2]; ++k)
  {
    for (std::int32_t j = 0; j < grid.nodes[1]; ++j)
    {
      for (std::int32_t i = 0; i < grid.nodes[0]; ++i)
      {
        const double x = grid.origin[0] + grid.spacing[0] * i;
        const double y = grid.origin[1] + grid.spacing[1] * j;
        const double spin = std::exp(-0.1 * time - 4.0 * (x * x + y * y));
        values.push_back(static_cast<float>(-y * spin));
        values.push_back(static_cast<float>(x * spin));
        values.push_back(0.1F);
      }
    }
  }
  return values;
}

Result<void> append(StoreWriter& store, FieldInfo field, double time)
{
  field.times = { time };
  Result<std::unique_ptr<FieldFileWriter>> step = store.begin_step(field);
  if (!step)
  {
    return forward_error(step);
  }
  const std::vector<float> values = simulate(field.grid, time);
  const Box all{ { 0, 0, 0 }, field.grid.nodes };
  const ConstStridedBox box{ all, reinterpret_cast<const std::byte*>(values.data()), dense_strides(all, 12) };
  const Result<void> written = write_box(**step, 0, 0, box, bricks_within((*step)->layout(0), all));
  return written ? (*step)->finish() : written;
}

Result<void> run(const std::string& folder, int steps)
{
  Result<std::unique_ptr<StoreWriter>> store = StoreWriter::open(folder, { .start = StoreStart::Append });
  if (!store)
  {
    return forward_error(store);
  }
  while (static_cast<int>((*store)->times().size()) < steps)
  {
    const double time = 0.5 * static_cast<double>((*store)->times().size());
    if (Result<void> appended = append(**store, describe(), time); !appended)
    {
      return appended;
    }
    std::printf("time %g is in the store\n", time);
  }
  return {};
}

} // namespace

int main(int argc, char** argv)
{
  const int steps = argc == 3 ? std::atoi(argv[2]) : 0;
  if (steps < 1)
  {
    std::fputs("usage: append_to_store FOLDER STEPS\n", stderr);
    return 1;
  }
  if (const Result<void> done = run(argv[1], steps); !done)
  {
    std::fprintf(stderr, "append_to_store: %s\n", done.error().describe().c_str());
    return 2;
  }
  return 0;
}
