// SPDX-License-Identifier: BSD-3-Clause
// Traces through a field and writes the cells that each line reads, in order. layouts.py replays them with bricks of
// other shapes. The field comes from memory in bricks of one cell, so the tracer's requests are the cells that it
// needs. Each seed is traced by itself.
//
//   cell_paths FILE.rvf --seeds SEEDS --steps 4096 --out PATHS
//
// SEEDS holds positions, three doubles each. PATHS holds for each line its number of cells and then the cells' numbers,
// row-major in the grid, unsigned 32-bit integers. Prints counts as one line of JSON.
#include "CommandLine/CommandLine.h"
#include "Convert/FieldFileLattice.h"
#include "Store/Source/BrickSource.h"
#include "Trace/Streamlines.h"

#include <cstdio>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace
{

using namespace rivulet;

struct Arguments
{
  std::string file;
  std::string seeds;
  std::string out;
  std::int64_t steps = 4096;
};

/// Float vectors at the nodes, in bricks of one cell. Records the requests. One thread.
class CellBricks final : public BrickSource
{
public:
  CellBricks(FieldInfo info, std::vector<float>&& values)
    : info_(std::move(info))
    , values_(std::move(values))
    , grid_{ .cells = { 1, 1, 1 }, .count = info_.grid.cells(), .lattice = info_.grid.nodes }
  {
  }

  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return grid_; }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override
  {
    const auto cell = static_cast<std::uint32_t>(key.index);
    if (path_.empty() || path_.back() != cell)
    {
      path_.push_back(cell);
    }
    const Int3 at = from_row_major(key.index, grid_.count);
    const std::int64_t row = std::int64_t{ 3 } * grid_.lattice[0];
    const BrickView view{ .data = values_.data() + 3 * row_major(at, grid_.lattice),
      .type = ScalarType::Float32,
      .components = 3,
      .lattice = { at, { at[0] + 2, at[1] + 2, at[2] + 2 } },
      .stride = { 3, row, row * grid_.lattice[1] } };
    return { Lookup::State::Ready, BrickPin(this, nullptr, view), nullptr };
  }
  [[nodiscard]] std::int64_t working_minimum(int) const override { return 0; }
  [[nodiscard]] SourceStatistics statistics() const override { return {}; }

  [[nodiscard]] std::vector<std::uint32_t>& path() { return path_; }

private:
  void unpin(void*) override {}

  FieldInfo info_;
  std::vector<float> values_;
  BrickGrid grid_;
  std::vector<std::uint32_t> path_;
};

Result<std::unique_ptr<CellBricks>> load(const std::string& path)
{
  Result<std::unique_ptr<FieldFileLattice>> file = FieldFileLattice::open({ path });
  if (!file)
  {
    return forward_error(file);
  }
  const FieldInfo& info = (*file)->info();
  const Int3& nodes = info.grid.nodes;
  const Variable& variable = info.variables.front();
  const bool flat = nodes[0] < 2 || nodes[1] < 2 || nodes[2] < 2;
  if (variable.components != 3 || variable.type != ScalarType::Float32 || variable.centering != Centering::Node ||
      flat || volume(info.grid.cells()) > std::numeric_limits<std::uint32_t>::max())
  {
    return fail(ErrorCode::Unsupported, "the first variable must be float vectors at the nodes of a smaller 3-D grid",
        "generate one", path);
  }
  std::vector<float> values(static_cast<std::size_t>(3 * volume(nodes)));
  constexpr std::int32_t kLayers = 64; // each call reads each brick once
  for (Box box{ { 0, 0, 0 }, nodes }; box.begin[2] < nodes[2]; box.begin[2] = box.end[2])
  {
    box.end[2] = std::min(nodes[2], box.begin[2] + kLayers);
    const std::int64_t first = std::int64_t{ 3 } * nodes[0] * nodes[1] * box.begin[2];
    if (Result<void> read = (*file)->read(0, 0, box, values.data() + first); !read)
    {
      return forward_error(read);
    }
  }
  return std::make_unique<CellBricks>(info, std::move(values));
}

std::vector<Vec3> read_seeds(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  std::vector<Vec3> seeds;
  Vec3 seed;
  while (file.read(reinterpret_cast<char*>(seed.data()), sizeof seed))
  {
    seeds.push_back(seed);
  }
  return seeds;
}

Result<nlohmann::json> run(const Arguments& arguments)
{
  Result<std::unique_ptr<CellBricks>> source = load(arguments.file);
  if (!source)
  {
    return forward_error(source);
  }
  TraceField field;
  field.velocity = { source->get(), 0, 0 };
  field.grid = (*source)->info().grid;
  StreamlineOptions options; // the same as in trace_field
  options.integrator = Integrator::RungeKutta4;
  options.direction = TraceDirection::Forward;
  options.maximum_length = 1e9;
  options.maximum_steps = arguments.steps;
  options.compute_vorticity = false;
  std::ofstream out(arguments.out, std::ios::binary);
  std::int64_t steps = 0;
  std::int64_t cells = 0;
  std::int64_t lines = 0;
  for (const Vec3& seed : read_seeds(arguments.seeds))
  {
    std::vector<std::uint32_t>& path = (*source)->path();
    path.assign(1, 0); // room for the count
    Result<TracedLines> traced = trace_streamlines(field, { &seed, 1 }, options, { 1, {} });
    if (!traced)
    {
      return forward_error(traced);
    }
    path.front() = static_cast<std::uint32_t>(path.size() - 1);
    out.write(reinterpret_cast<const char*>(path.data()), static_cast<std::streamsize>(path.size() * sizeof(path[0])));
    steps += traced->statistics.integration_steps;
    cells += path.front();
    ++lines;
  }
  if (!out.flush())
  {
    return fail(ErrorCode::CannotWrite, "the paths cannot be written", "make room", arguments.out);
  }
  return nlohmann::json{ { "lines", lines }, { "steps", steps }, { "cells", cells } };
}

} // namespace

int main(int argc, char** argv)
{
  Arguments arguments;
  cli::Program program("Writes down the cells that lines read.");
  program.option("file", arguments.file).required();
  program.option("--seeds", arguments.seeds, "file of positions").required();
  program.option("--out", arguments.out).required();
  program.option("--steps", arguments.steps);
  if (const std::optional<int> code = program.parse_or_report(argc, argv))
  {
    return *code;
  }
  const auto answer = run(arguments);
  if (!answer)
  {
    std::fprintf(stderr, "cell_paths: %s\n", answer.error().describe().c_str());
    return 1;
  }
  std::printf("%s\n", answer->dump().c_str());
  return 0;
}
