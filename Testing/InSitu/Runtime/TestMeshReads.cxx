// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Meshes are checked and copied without a byte read beyond their arrays. Each array ends at a page that nobody may
/// read.
#include "InSitu/Runtime/CheckData.h"
#include "InSitu/Runtime/SnapshotBuffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace rivulet::insitu
{
namespace
{

using testing::HasSubstr;

/// Memory for values that end at a page without access.
class Guarded
{
public:
  Guarded()
    : page_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)))
    , memory_(static_cast<std::byte*>(
          ::mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)))
  {
    EXPECT_EQ(::mprotect(memory_ + page_, page_, PROT_NONE), 0);
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { ::munmap(memory_, 2 * page_); }

  /// A copy of the values; a page holds all of them.
  template <class T>
  const T* put(const std::vector<T>& values)
  {
    const std::size_t bytes = values.size() * sizeof(T);
    std::byte* const begin = memory_ + page_ - bytes;
    if (bytes > 0)
    {
      std::memcpy(begin, values.data(), bytes);
    }
    return reinterpret_cast<const T*>(begin);
  }

private:
  std::size_t page_;
  std::byte* memory_;
};

template <class Index>
struct Cells
{
  std::vector<std::uint8_t> types;
  std::vector<Index> offsets;
  std::vector<Index> connectivity;
};

constexpr std::int64_t kPoints = 9;

/// A mesh whose arrays are as long as its cells and its last offset say.
template <class Index>
class GuardedMesh
{
public:
  explicit GuardedMesh(const Cells<Index>& cells)
  {
    mesh_.name = "fuel";
    mesh_.index = sizeof(Index) == 4 ? RIVULET_INT32 : RIVULET_INT64;
    mesh_.points = kPoints;
    mesh_.point = points_.put(std::vector<double>(3 * kPoints));
    mesh_.cells = static_cast<std::int64_t>(cells.types.size());
    mesh_.type = types_.put(cells.types);
    mesh_.offset = offsets_.put(cells.offsets);
    mesh_.connectivity = connectivity_.put(cells.connectivity);
  }

  [[nodiscard]] std::string refused() const
  {
    const Result<void> checked = check_mesh(mesh_);
    return checked ? "" : checked.error().describe();
  }
  void copy() const
  {
    const SnapshotBuffer::Choice all{ [](const char*, const char*)
      {
        return true;
      } };
    const rivulet_snapshot published{ 0, 0, 0, nullptr, 0, nullptr, 0, nullptr, 1, &mesh_ };
    SnapshotBuffer buffer;
    ASSERT_TRUE(buffer.reserve(SnapshotBuffer::bytes_for(published, all)));
    buffer.copy(published, all);
  }

private:
  Guarded points_;
  Guarded types_;
  Guarded offsets_;
  Guarded connectivity_;
  rivulet_mesh mesh_{};
};

/// Polygons in sound offsets.
template <class Index>
Cells<Index> sound_cells(std::mt19937& random)
{
  const auto below = [&random](int end)
  {
    return static_cast<Index>(random() % static_cast<unsigned>(end));
  };
  Cells<Index> made;
  made.offsets.push_back(0);
  for (Index cell = below(6); cell > 0; --cell)
  {
    made.types.push_back(7);
    made.offsets.push_back(made.offsets.back() + below(5));
  }
  made.connectivity.resize(static_cast<std::size_t>(made.offsets.back()));
  std::generate(made.connectivity.begin(), made.connectivity.end(), [&] { return below(kPoints); });
  return made;
}

/// Whether the runtime accepts, found from the arrays alone.
template <class Index>
bool is_sound(const Cells<Index>& cells)
{
  return cells.offsets.front() == 0 && std::is_sorted(cells.offsets.begin(), cells.offsets.end()) &&
         std::all_of(cells.connectivity.begin(), cells.connectivity.end(),
             [](Index point) { return point >= 0 && point < kPoints; });
}

/// Random offsets and points in sound arrays. The last offset stays: it is the length of the connectivity.
template <class Index>
void spoil(Cells<Index>& cells, std::mt19937& random)
{
  const std::array<Index, 6> odd{ std::numeric_limits<Index>::max(), std::numeric_limits<Index>::min(), -1, kPoints,
    1'000'000'000, 3 };
  const auto put_into = [&](std::vector<Index>& values, std::size_t count)
  {
    if (count > 0)
    {
      values[random() % count] = odd.at(random() % odd.size());
    }
  };
  if (random() % 2 == 0 && !cells.types.empty())
  {
    put_into(cells.offsets, cells.offsets.size() - 1);
  }
  if (random() % 4 == 0)
  {
    put_into(cells.connectivity, cells.connectivity.size());
  }
}

template <class Index>
void check_random_meshes()
{
  std::mt19937 random(5);
  int sound = 0;
  for (int i = 0; i < 4000; ++i)
  {
    Cells<Index> cells = sound_cells<Index>(random);
    spoil(cells, random);
    const GuardedMesh<Index> mesh(cells);
    const std::string told = mesh.refused();
    ASSERT_EQ(told.empty(), is_sound(cells)) << told;
    sound += told.empty() ? 1 : 0;
    if (told.empty() && i % 10 == 0)
    {
      mesh.copy();
    }
  }
  EXPECT_GT(sound, 1000);
  EXPECT_LT(sound, 3500);
}

} // namespace

TEST(MeshReads, KeepToTheArraysWhateverTheOffsets)
{
  check_random_meshes<std::int32_t>();
  check_random_meshes<std::int64_t>();
}

TEST(MeshReads, EndAtTheLastOffset)
{
  const Cells<std::int64_t> beyond{ { 7, 7 }, { 0, 1'000'000'000, 8 }, { 0, 1, 2, 3, 4, 5, 6, 7 } };
  EXPECT_THAT(GuardedMesh(beyond).refused(), HasSubstr("cell 0 ends at 1000000000, beyond the last offset, 8"));
  const Cells<std::int64_t> endless{ { 7 }, { 0, std::numeric_limits<std::int64_t>::max() }, {} };
  EXPECT_THAT(GuardedMesh(endless).refused(), HasSubstr("which no array can hold"));
}

TEST(MeshReads, LeaveOffsetsAloneWhereThereAreNoCells)
{
  const GuardedMesh<std::int64_t> none(Cells<std::int64_t>{});
  EXPECT_EQ(none.refused(), "");
  none.copy();
}

} // namespace rivulet::insitu
