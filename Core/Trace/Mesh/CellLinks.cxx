// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/CellLinks.h"

#include "Parallel/Team.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <compare>
#include <limits>
#include <span>
#include <utility>

namespace rivulet
{

namespace
{

/// A cell and one of its faces in 32 bits.
class CellFace
{
public:
  CellFace() = default;
  CellFace(std::int64_t cell, int face)
    : bits_(static_cast<std::uint32_t>(cell << kFaceBits | face))
  {
  }
  static constexpr int kFaceBits = 3;
  [[nodiscard]] std::int64_t cell() const { return bits_ >> kFaceBits; }
  [[nodiscard]] int face() const { return static_cast<int>(bits_ & ((1U << kFaceBits) - 1)); }

private:
  std::uint32_t bits_ = 0;
};

/// The nodes of a face, sorted; the highest ones are the largest number where it has fewer.
using FaceNodes = std::array<std::int64_t, 4>;

FaceNodes nodes_of(const CellNodes& nodes, std::int64_t cell, int face)
{
  FaceNodes all;
  all.fill(std::numeric_limits<std::int64_t>::max());
  const auto& corners = faces_of(nodes.type(cell).shape).corners[static_cast<std::size_t>(face)];
  for (std::size_t i = 0; i < all.size() && corners[i] >= 0; ++i)
  {
    all[i] = nodes.node(cell, corners[i]);
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// Calls work(begin, end) for parts of [0, count), by a team.
template <class Work>
void for_parts(std::int64_t count, int threads, const Work& work)
{
  static constexpr std::int64_t kAtATime = 4096;
  std::atomic<std::int64_t> next{ 0 };
  run_team(count <= kAtATime ? 1 : threads,
      [&](int)
      {
        for (std::int64_t begin = next.fetch_add(kAtATime); begin < count; begin = next.fetch_add(kAtATime))
        {
          work(begin, std::min(begin + kAtATime, count));
        }
      });
}

/// Faces that have the same lowest node, together.
class FacesByNode
{
public:
  FacesByNode(const CellNodes& nodes, std::int64_t points, int threads)
    : begins_(static_cast<std::size_t>(points) + 1, 0)
  {
    for_each_face(nodes, threads, [&](const FaceNodes& of_face, const CellFace&) { count(of_face[0]); });
    std::uint32_t sum = 0;
    for (std::uint32_t& begin : begins_)
    {
      sum += std::exchange(begin, sum);
    }
    faces_.resize(sum);
    for_each_face(
        nodes, threads, [&](const FaceNodes& of_face, const CellFace& face) { faces_[count(of_face[0])] = face; });
  }

  /// In any order.
  [[nodiscard]] std::span<const CellFace> at(std::int64_t node) const
  {
    // each begin has moved on to the next node's
    const std::size_t begin = node > 0 ? begins_[static_cast<std::size_t>(node) - 1] : 0;
    return { faces_.data() + begin, begins_[static_cast<std::size_t>(node)] - begin };
  }

private:
  std::uint32_t count(std::int64_t node)
  {
    return std::atomic_ref<std::uint32_t>(begins_[static_cast<std::size_t>(node)])
        .fetch_add(1, std::memory_order_relaxed);
  }
  template <class Use>
  static void for_each_face(const CellNodes& nodes, int threads, const Use& use)
  {
    for_parts(nodes.cells(), threads,
        [&](std::int64_t begin, std::int64_t end)
        {
          for (std::int64_t cell = begin; cell < end; ++cell)
          {
            const int faces = nodes.has(cell) ? faces_of(nodes.type(cell).shape).count : 0;
            for (int face = 0; face < faces; ++face)
            {
              use(nodes_of(nodes, cell, face), CellFace(cell, face));
            }
          }
        });
  }

  std::vector<std::uint32_t> begins_;
  std::vector<CellFace> faces_;
};

struct NamedFace
{
  FaceNodes nodes;
  CellFace face;
};

} // namespace

Result<CellLinks> CellLinks::create(const CellNodes& nodes, std::int64_t points, int threads)
{
  if (nodes.cells() >= std::int64_t{ 1 } << (32 - CellFace::kFaceBits))
  {
    return fail(ErrorCode::Unsupported, "the mesh has more than 2^29 cells", "take a part of it");
  }
  CellLinks made;
  const CellType* const only = nodes.only_type();
  std::uint32_t faces = 0;
  if (only != nullptr)
  {
    made.faces_of_each_ = faces_of(only->shape).count;
    faces = static_cast<std::uint32_t>(made.faces_of_each_ * nodes.cells());
  }
  for (std::int64_t cell = 0; only == nullptr && cell < nodes.cells(); ++cell)
  {
    made.firsts_.push_back(faces);
    faces += nodes.has(cell) ? static_cast<std::uint32_t>(faces_of(nodes.type(cell).shape).count) : 0;
  }
  made.links_.assign(faces, -1);
  const FacesByNode by_node(nodes, points, threads);
  for_parts(points, threads,
      [&](std::int64_t begin, std::int64_t end)
      {
        std::vector<NamedFace> all;
        for (std::int64_t node = begin; node < end; ++node)
        {
          all.clear();
          for (const CellFace& face : by_node.at(node))
          {
            all.push_back({ nodes_of(nodes, face.cell(), face.face()), face });
          }
          std::sort(all.begin(), all.end(), [](const NamedFace& a, const NamedFace& b) { return a.nodes < b.nodes; });
          for (std::size_t first = 0; first < all.size();)
          {
            std::size_t last = first + 1;
            while (last < all.size() && all[last].nodes == all[first].nodes)
            {
              ++last;
            }
            if (last - first == 2 && all[first].face.cell() != all[first + 1].face.cell())
            {
              made.link(all[first].face.cell(), all[first].face.face(), all[first + 1].face.cell());
              made.link(all[first + 1].face.cell(), all[first + 1].face.face(), all[first].face.cell());
            }
            first = last;
          }
        }
      });
  return made;
}

} // namespace rivulet
