// SPDX-License-Identifier: BSD-3-Clause
#include "TestSimulation.h"

#include <mpi.h>

#include <fstream>
#include <sstream>

namespace rivulet::test
{

namespace
{

std::string broadcast(std::string text)
{
  int size = static_cast<int>(text.size());
  MPI_Bcast(&size, 1, MPI_INT, 0, MPI_COMM_WORLD);
  text.resize(static_cast<std::size_t>(size));
  MPI_Bcast(text.data(), size, MPI_CHAR, 0, MPI_COMM_WORLD);
  return text;
}

} // namespace

int rank()
{
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  return number;
}

int ranks()
{
  int number = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &number);
  return number;
}

Workplace::Workplace()
{
  if (rank() == 0)
  {
    folder_.emplace();
  }
  path_ = broadcast(folder_ ? folder_->path().string() : "");
}

Workplace::~Workplace()
{
  MPI_Barrier(MPI_COMM_WORLD);
}

rivulet_insitu* Workplace::open(nlohmann::json configuration)
{
  const nlohmann::json defaults{ { "cores", 8 }, { "output", path_ }, { "plugins", { RIVULET_TEST_PLUGINS } } };
  for (const auto& [key, value] : defaults.items())
  {
    if (!configuration.contains(key))
    {
      configuration[key] = value;
    }
  }
  return open_text(configuration.dump());
}

rivulet_insitu* Workplace::open_text(const std::string& text)
{
  const std::string path = file("insitu-" + std::to_string(rank()) + ".json");
  std::ofstream(path) << text;
  rivulet_insitu* insitu = nullptr;
  code_ = rivulet_insitu_initialize(path.c_str(), MPI_COMM_WORLD, &insitu);
  return insitu;
}

std::string Workplace::text_of(const std::string& name) const
{
  std::ostringstream text;
  text << std::ifstream(file(name)).rdbuf();
  return text.str();
}

std::vector<std::string> Workplace::lines_of(const std::string& name) const
{
  std::ifstream from(file(name + "-" + std::to_string(rank()) + ".txt"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(from, line);)
  {
    lines.push_back(line);
  }
  return lines;
}

std::vector<int> Workplace::steps_of(const std::string& name) const
{
  std::vector<int> steps;
  for (const std::string& line : lines_of(name))
  {
    std::istringstream words(line);
    std::string word;
    int step = -1;
    words >> word >> step;
    steps.push_back(step);
  }
  return steps;
}

nlohmann::json Workplace::summary() const
{
  return nlohmann::json::parse(broadcast(rank() == 0 ? text_of("summary.json") : ""));
}

TestSimulation::TestSimulation(int particles)
{
  const auto count = static_cast<std::size_t>(particles == 0 ? 0 : particles + 7 * rank());
  ids_.resize(count);
  types_.resize(count);
  for (auto& each : numbers_)
  {
    each.resize(count);
  }
  stress_.resize(6 * count);
  flags_.resize(count);
  arrays_ = { rivulet_array{ "stress", RIVULET_FLOAT32, 6, stress_.data() },
    rivulet_array{ "flags", RIVULET_UINT8, 1, flags_.data() } };
  particles_ = { "atoms", static_cast<std::int64_t>(count), ids_.data(), types_.data(), numbers_[0].data(),
    numbers_[1].data(), numbers_[2].data(), numbers_[3].data(), numbers_[4].data(), nullptr, 2, arrays_.data(),
    { 0, 0, 0 }, { 1, 2, 3 }, { 1, 0, 1 } };
  variables_ = { rivulet_variable{ "velocity", RIVULET_FLOAT32, 3 },
    rivulet_variable{ "pressure", RIVULET_FLOAT64, 1 } };
  // Two blocks of level 0 and a patch of level 1, with different ghost layers.
  blocks_ = { { 0, { 0, 0, 0 }, { 4, 8, 1 }, { 1, 1, 0 }, nullptr },
    { 0, { 4, 0, 0 }, { 4, 8, 1 }, { 2, 0, 0 }, nullptr }, { 1, { 6, 2, 0 }, { 5, 3, 1 }, { 0, 0, 0 }, nullptr } };
  const std::array<std::size_t, 3> nodes{ 7 * 11 * 2, 9 * 9 * 2, 6 * 4 * 2 };
  data_.resize(blocks_.size());
  for (std::size_t i = 0; i < blocks_.size(); ++i)
  {
    velocity_.emplace_back(3 * nodes[i]);
    pressure_.emplace_back(nodes[i]);
    data_[i] = { velocity_[i].data(), pressure_[i].data() };
    blocks_[i].data = data_[i].data();
  }
  field_ = { "flow", RIVULET_NODES, { 0, 0, 0 }, { 0.5, 0.5, 0.5 }, { 8, 8, 1 }, 2, ratio_.data(), 2, variables_.data(),
    static_cast<std::int32_t>(blocks_.size()), blocks_.data() };
}

void TestSimulation::fill(int step)
{
  const int seed = 100 * step + rank();
  const auto number = [seed](std::size_t i, int what)
  {
    return (seed + 1) * 0.25 + static_cast<double>(i) * what;
  };
  for (std::size_t i = 0; i < ids_.size(); ++i)
  {
    ids_[i] = static_cast<std::int64_t>(i) + seed;
    types_[i] = static_cast<std::int32_t>(i % 3);
    flags_[i] = static_cast<unsigned char>(i + static_cast<std::size_t>(seed));
    for (std::size_t k = 0; k < numbers_.size(); ++k)
    {
      numbers_[k][i] = number(i, static_cast<int>(k));
    }
  }
  for (std::size_t i = 0; i < stress_.size(); ++i)
  {
    stress_[i] = static_cast<float>(number(i, 11));
  }
  for (std::size_t b = 0; b < velocity_.size(); ++b)
  {
    for (std::size_t i = 0; i < velocity_[b].size(); ++i)
    {
      velocity_[b][i] = static_cast<float>(number(i, static_cast<int>(b) + 13));
    }
    for (std::size_t i = 0; i < pressure_[b].size(); ++i)
    {
      pressure_[b][i] = number(i, static_cast<int>(b) + 17);
    }
  }
}

std::optional<int> TestSimulation::advance(rivulet_insitu* insitu, int step)
{
  if (rivulet_insitu_wants(insitu, step) == 0)
  {
    return std::nullopt;
  }
  fill(step);
  rivulet_insitu_publish_particles(insitu, &particles_);
  rivulet_insitu_publish_field(insitu, &field_);
  const int code = rivulet_insitu_execute(insitu, step, 0.5 * step);
  fill(-1000); // analytics that read the simulation's own arrays after execute would see this
  return code;
}

} // namespace rivulet::test
