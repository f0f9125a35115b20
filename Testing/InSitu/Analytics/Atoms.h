// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Sets of particles for tests, and files that analytics wrote.
#pragma once

#include "Base/Box.h"
#include "rivulet_insitu_data.h"
#include "Support/TemporaryFolder.h"

#include <fstream>
#include <memory>
#include <mpi.h>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace rivulet::test
{

struct Atoms
{
  std::vector<Vec3> at;
  std::vector<Vec3> velocity{}; ///< empty: the set has none
  Vec3 low{ 0, 0, 0 };
  Vec3 high{ 0, 0, 0 };
  std::array<int, 3> periodic{ 0, 0, 0 };
};

/// `count` independent, uniform positions in the box, with velocities.
inline Atoms ideal_gas(std::size_t count, const Vec3& low, const Vec3& high, unsigned seed = 1)
{
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform;
  Atoms atoms{ {}, {}, low, high };
  for (std::size_t i = 0; i < count; ++i)
  {
    Vec3& at = atoms.at.emplace_back();
    Vec3& velocity = atoms.velocity.emplace_back();
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      at[axis] = low[axis] + (high[axis] - low[axis]) * uniform(random);
      velocity[axis] = uniform(random) - 0.5;
    }
  }
  return atoms;
}

/// The part that rank `rank` of `ranks` has: slabs along x.
inline Atoms slab_of(const Atoms& all, int rank, int ranks)
{
  Atoms part{ {}, {}, all.low, all.high, all.periodic };
  for (std::size_t i = 0; i < all.at.size(); ++i)
  {
    const double place = (all.at[i][0] - all.low[0]) / (all.high[0] - all.low[0]) * ranks;
    if (static_cast<int>(place) == rank)
    {
      part.at.push_back(all.at[i]);
      if (!all.velocity.empty())
      {
        part.velocity.push_back(all.velocity[i]);
      }
    }
  }
  return part;
}

/// The set as a simulation publishes it.
class AtomsSnapshot
{
public:
  explicit AtomsSnapshot(const Atoms& atoms, std::int64_t step = 0, double time = 0.0)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      for (std::size_t i = 0; i < atoms.at.size(); ++i)
      {
        columns_[axis].push_back(atoms.at[i][axis]);
        if (!atoms.velocity.empty())
        {
          columns_[axis + 3].push_back(atoms.velocity[i][axis]);
        }
      }
      set_.low[axis] = atoms.low[axis];
      set_.high[axis] = atoms.high[axis];
      set_.periodic[axis] = atoms.periodic[axis];
    }
    const auto pointer = [&](std::size_t column)
    {
      return columns_[column].empty() ? nullptr : columns_[column].data();
    };
    set_.name = "atoms";
    set_.count = static_cast<std::int64_t>(atoms.at.size());
    set_.x = pointer(0);
    set_.y = pointer(1);
    set_.z = pointer(2);
    set_.vx = pointer(3);
    set_.vy = pointer(4);
    set_.vz = pointer(5);
    snapshot_.step = step;
    snapshot_.time = time;
    snapshot_.particle_sets = 1;
    snapshot_.particles = &set_;
  }
  AtomsSnapshot(const AtomsSnapshot&) = delete;
  AtomsSnapshot& operator=(const AtomsSnapshot&) = delete;

  [[nodiscard]] rivulet_particles& set() { return set_; }
  [[nodiscard]] const rivulet_snapshot& operator*() const { return snapshot_; }
  [[nodiscard]] rivulet_snapshot& snapshot() { return snapshot_; }

private:
  std::array<std::vector<double>, 6> columns_;
  rivulet_particles set_{};
  rivulet_snapshot snapshot_{};
};

inline std::string text_of(const std::string& path)
{
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The cells of a table without its comments; the first row has the names.
inline std::vector<std::vector<std::string>> table_of(const std::string& path, char separator = ',')
{
  std::ifstream file(path);
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);)
  {
    if (line.empty() || line[0] == '#')
    {
      continue;
    }
    std::stringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, separator);)
    {
      rows.back().push_back(cell);
    }
  }
  return rows;
}

inline int world_rank()
{
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

inline int world_size()
{
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// A folder that all ranks share; it goes with the first rank's object.
class SharedFolder
{
public:
  SharedFolder()
  {
    std::array<char, 4096> path{};
    if (world_rank() == 0)
    {
      own_ = std::make_unique<TemporaryFolder>();
      own_->path().string().copy(path.data(), path.size() - 1);
    }
    MPI_Bcast(path.data(), static_cast<int>(path.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    path_ = path.data();
  }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;
  ~SharedFolder() { MPI_Barrier(MPI_COMM_WORLD); }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
  std::unique_ptr<TemporaryFolder> own_;
  std::string path_;
};

} // namespace rivulet::test
