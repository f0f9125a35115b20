// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Analytics that write down what they get: one line for each step, with a hash of all bytes, in the file
/// NAME-RANK.txt of the output folder. Compiled twice: `recorder` is local, `recorder_mpi` uses MPI.
///
///     step 20 hash 9f3c sets 1 fields 1 meshes 0 thread other
///
/// "wants": the names of the variables that it wants; by default all. "first": true adds the first step of the run.
/// "milliseconds": the time that each execution takes at least. "loop": elements of a parallel loop; each gets its
/// bodies counted in the line. `thread` is "main" on the thread that has initialised MPI.
#include "InSitu/Runtime/rivulet_analytics.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace
{

struct Recorder
{
  const rivulet_analytics_host* host;
  std::ofstream file;
  int milliseconds = 0;
  bool first = false;
  std::vector<std::string> wants;
};

std::uint64_t mix(std::uint64_t hash, const void* data, std::int64_t bytes)
{
  const auto* const first = static_cast<const unsigned char*>(data);
  for (std::int64_t i = 0; data != nullptr && i < bytes; ++i)
  {
    hash = (hash ^ first[i]) * 1099511628211U;
  }
  return hash * 31 + (data == nullptr ? 1 : 0);
}

std::int64_t size_of(std::int32_t type)
{
  return type == RIVULET_UINT8 ? 1 : type == RIVULET_FLOAT32 || type == RIVULET_INT32 ? 4 : 8;
}

std::uint64_t mix(std::uint64_t hash, const rivulet_array* arrays, std::int32_t number, std::int64_t count)
{
  for (int i = 0; i < number; ++i)
  {
    const rivulet_array& array = arrays[i];
    hash = mix(hash, array.name, static_cast<std::int64_t>(std::strlen(array.name)));
    hash = mix(hash, count > 0 ? array.data : "", count * array.components * size_of(array.type));
  }
  return hash;
}

std::uint64_t mix(std::uint64_t hash, const rivulet_particles& set)
{
  const std::int64_t n = set.count;
  hash = mix(hash, set.name, static_cast<std::int64_t>(std::strlen(set.name)));
  hash = mix(mix(hash, &n, 8), set.id, 8 * n);
  hash = mix(hash, set.type, 4 * n);
  for (const double* const values : { set.x, set.y, set.z, set.vx, set.vy, set.vz })
  {
    hash = mix(hash, values, 8 * n);
  }
  hash = mix(hash, set.array, set.arrays, n);
  hash = mix(mix(hash, set.low, sizeof(set.low)), set.high, sizeof(set.high));
  return mix(hash, set.periodic, sizeof(set.periodic));
}

/// Values of a block along all axes.
std::int64_t values_of(const rivulet_block& block, std::int32_t centring)
{
  std::int64_t values = 1;
  for (int axis = 0; axis < 3; ++axis)
  {
    values *= block.cells[axis] + block.ghosts[axis] + rivulet_ghosts_above(&block, axis) +
              (centring == RIVULET_NODES ? 1 : 0);
  }
  return values;
}

/// Members that only some fields have, where they are there: ghost layers, coordinates and points.
std::uint64_t mix_shape(std::uint64_t hash, const rivulet_field& field, const rivulet_block& block)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    const std::int32_t layers[2] = { block.ghosts[axis], rivulet_ghosts_above(&block, axis) };
    hash = layers[0] + layers[1] > 0 ? mix(hash, layers, sizeof(layers)) : hash;
    const double* const along = field.coordinates[axis];
    hash = along != nullptr ? mix(hash, along, 8 * (field.cells[axis] + 1)) : hash;
  }
  return field.points == nullptr
             ? hash
             : mix(hash, block.points[0], values_of(block, RIVULET_NODES) * 3 * size_of(field.points->type));
}

std::uint64_t mix(std::uint64_t hash, const rivulet_field& field)
{
  hash = mix(hash, field.name, static_cast<std::int64_t>(std::strlen(field.name)));
  hash = mix(mix(hash, field.origin, sizeof(field.origin)), field.spacing, sizeof(field.spacing));
  hash = mix(mix(hash, field.cells, sizeof(field.cells)), field.ratio, 12 * (field.levels - 1));
  for (int b = 0; b < field.blocks; ++b)
  {
    const rivulet_block& block = field.block[b];
    const std::int64_t values = values_of(block, field.centring);
    hash = mix(mix(hash, &block.level, 4), block.begin, sizeof(block.begin));
    hash = mix_shape(hash, field, block);
    for (int v = 0; v < field.variables; ++v)
    {
      const rivulet_variable& variable = field.variable[v];
      hash = mix(hash, variable.name, static_cast<std::int64_t>(std::strlen(variable.name)));
      hash = mix(hash, block.data[v], values * variable.components * size_of(variable.type));
    }
  }
  return hash;
}

/// Indices of either type come to the same.
std::uint64_t mix_indices(std::uint64_t hash, const void* indices, std::int32_t type, std::int64_t count)
{
  for (std::int64_t i = 0; i < count; ++i)
  {
    const std::int64_t one = type == RIVULET_INT32 ? static_cast<const std::int32_t*>(indices)[i]
                                                   : static_cast<const std::int64_t*>(indices)[i];
    hash = mix(hash, &one, sizeof(one));
  }
  return hash;
}

std::uint64_t mix(std::uint64_t hash, const rivulet_mesh& mesh)
{
  hash = mix(hash, mesh.name, static_cast<std::int64_t>(std::strlen(mesh.name)));
  hash = mix(mix(hash, &mesh.points, 8), &mesh.cells, 8);
  if (mesh.points > 0)
  {
    hash = mix(hash, mesh.point, mesh.points * (mesh.real == RIVULET_FLOAT32 ? 12 : 24));
  }
  if (mesh.cells > 0)
  {
    const std::int64_t used = mesh.index == RIVULET_INT32 ? static_cast<const std::int32_t*>(mesh.offset)[mesh.cells]
                                                          : static_cast<const std::int64_t*>(mesh.offset)[mesh.cells];
    hash = mix(hash, mesh.type, mesh.cells);
    hash = mix_indices(hash, mesh.offset, mesh.index, mesh.cells + 1);
    hash = mix_indices(hash, mesh.connectivity, mesh.index, used);
    hash = mix(hash, mesh.ghost_cells, mesh.cells);
  }
  hash = mix(hash, mesh.at_point, mesh.point_arrays, mesh.points);
  return mix(hash, mesh.at_cell, mesh.cell_arrays, mesh.cells);
}

int create(const rivulet_analytics_host* host, void** self)
{
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto options = nlohmann::json::parse(host->options);
  *self = new Recorder{ host,
    std::ofstream(std::string(host->output) + "/" + host->name + "-" + std::to_string(rank) + ".txt"),
    options.value("milliseconds", 0), options.value("first", false),
    options.value("wants", std::vector<std::string>()) };
  return 0;
}

int execute(void* self, const rivulet_snapshot* snapshot)
{
  auto& mine = *static_cast<Recorder*>(self);
  std::uint64_t hash = 14695981039346656037U;
  for (int i = 0; i < snapshot->particle_sets; ++i)
  {
    hash = mix(hash, snapshot->particles[i]);
  }
  for (int i = 0; i < snapshot->fields; ++i)
  {
    hash = mix(hash, snapshot->field[i]);
  }
  for (int i = 0; i < snapshot->meshes; ++i)
  {
    hash = mix(hash, snapshot->mesh[i]);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(mine.milliseconds));
  int main_thread = 0;
  MPI_Is_thread_main(&main_thread);
  int ranks = 0;
#if RECORDER_USES_MPI
  // Each rank must have the same step.
  std::int64_t steps[2] = { snapshot->step, -snapshot->step };
  MPI_Allreduce(MPI_IN_PLACE, steps, 2, MPI_INT64_T, MPI_MAX, mine.host->comm);
  ranks = steps[0] == -steps[1] ? 1 : -1;
#endif
  mine.file << "step " << snapshot->step << " hash " << std::hex << hash << std::dec << " sets "
            << snapshot->particle_sets << " fields " << snapshot->fields << " meshes " << snapshot->meshes << " thread "
            << (main_thread != 0 ? "main" : "other")
            << (mine.first ? " first " + std::to_string(snapshot->first_step) : "") << std::endl;
  return ranks < 0 ? 5 : 0;
}

void destroy(void* self)
{
  delete static_cast<Recorder*>(self);
}

std::int32_t wants(const void* self, const char* /*name*/, const char* variable)
{
  const std::vector<std::string>& names = static_cast<const Recorder*>(self)->wants;
  return names.empty() || std::find(names.begin(), names.end(), variable) != names.end() ? 1 : 0;
}

const rivulet_analytics analytics{ RIVULET_ANALYTICS_ABI, RECORDER_USES_MPI, create, execute, destroy, nullptr, wants };

} // namespace

RIVULET_ANALYTICS_EXPORT const rivulet_analytics* rivulet_analytics_entry(void)
{
  return &analytics;
}
