// SPDX-License-Identifier: BSD-3-Clause
#include "Cores.h"

#include <algorithm>
#include <sched.h>

namespace rivulet::insitu
{

namespace
{

constexpr int kMostCores = 8192; // of a node; glibc's cpu_set_t alone holds 1024

/// A set of kMostCores bits in the system's form.
struct CoreSet
{
  std::vector<cpu_set_t> bits{ kMostCores / CPU_SETSIZE };
  static constexpr std::size_t kBytes = kMostCores / 8;

  void add(int core) { CPU_SET_S(static_cast<std::size_t>(core), kBytes, bits.data()); }
  [[nodiscard]] bool has(int core) const { return CPU_ISSET_S(static_cast<std::size_t>(core), kBytes, bits.data()); }
};

} // namespace

Cores allowed_cores()
{
  CoreSet set;
  Cores cores;
  if (sched_getaffinity(0, CoreSet::kBytes, set.bits.data()) == 0)
  {
    for (int core = 0; core < kMostCores; ++core)
    {
      if (set.has(core))
      {
        cores.push_back(core);
      }
    }
  }
  return cores;
}

void bind_this_thread(const Cores& cores)
{
  bind_thread(0, cores);
}

void bind_thread(int thread, const Cores& cores)
{
  if (!cores.empty())
  {
    CoreSet set;
    std::for_each(cores.begin(), cores.end(), [&set](int core) { set.add(core); });
    (void)sched_setaffinity(thread, CoreSet::kBytes, set.bits.data());
  }
}

int ranks_that_share(const Cores& cores, MPI_Comm comm)
{
  MPI_Comm node = MPI_COMM_NULL;
  if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) != MPI_SUCCESS)
  {
    return 1;
  }
  int ranks = 1;
  MPI_Comm_size(node, &ranks);
  std::vector<unsigned char> mine(kMostCores);
  std::for_each(cores.begin(), cores.end(), [&mine](int core) { mine[static_cast<std::size_t>(core)] = 1; });
  std::vector<unsigned char> all(mine.size() * static_cast<std::size_t>(ranks));
  MPI_Allgather(mine.data(), kMostCores, MPI_UNSIGNED_CHAR, all.data(), kMostCores, MPI_UNSIGNED_CHAR, node);
  MPI_Comm_free(&node);
  int sharing = 0;
  for (auto theirs = all.begin(); theirs != all.end(); theirs += kMostCores)
  {
    sharing += std::any_of(cores.begin(), cores.end(), [theirs](int core) { return theirs[core] != 0; }) ? 1 : 0;
  }
  return std::max(sharing, 1);
}

} // namespace rivulet::insitu
