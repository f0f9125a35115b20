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

/// The four steps of comparisons that sort any four numbers, without branches.
void sort_four(FaceNodes& all)
{
  const auto order = [&all](std::size_t a, std::size_t b)
  {
    const std::int64_t low = std::min(all[a], all[b]);
    all[b] = std::max(all[a], all[b]);
    all[a] = low;
  };
  order(0, 1);
  order(2, 3);
  order(0, 2);
  order(1, 3);
  order(1, 2);
}

/// Of a face of a cell with these nodes; not sorted.
FaceNodes nodes_of(const CellFaces& faces, const std::array<std::int64_t, kMostCorners>& of_cell, int face)
{
  const auto& corners = faces.corners[static_cast<std::size_t>(face)];
  FaceNodes all;
  for (std::size_t i = 0; i < all.size(); ++i)
  {
    const std::int8_t corner = corners[i];
    all[i] = corner >= 0 ? of_cell[static_cast<std::uint8_t>(corner)] : std::numeric_limits<std::int64_t>::max();
  }
  return all;
}

FaceNodes sorted_nodes(const CellNodes& nodes, const CellFace& face)
{
  std::array<std::int64_t, kMostCorners> of_cell; // NOLINT(*-member-init): the first few are used
  nodes.load_corners(face.cell(), of_cell);
  FaceNodes all = nodes_of(faces_of(nodes.type(face.cell()).shape), of_cell, face.face());
  sort_four(all);
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
    for_each_face(nodes, threads, [&](std::int64_t lowest, const CellFace&) { count(lowest); });
    std::uint32_t sum = 0;
    for (std::uint32_t& begin : begins_)
    {
      sum += std::exchange(begin, sum);
    }
    faces_.resize(sum);
    for_each_face(nodes, threads, [&](std::int64_t lowest, const CellFace& face) { faces_[count(lowest)] = face; });
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
  /// Calls use(lowest node, face).
  template <class Use>
  static void for_each_face(const CellNodes& nodes, int threads, const Use& use)
  {
    for_parts(nodes.cells(), threads,
        [&](std::int64_t begin, std::int64_t end)
        {
          std::array<std::int64_t, kMostCorners> of_cell; // NOLINT(*-member-init): the first few are used
          for (std::int64_t cell = begin; cell < end; ++cell)
          {
            if (!nodes.has(cell))
            {
              continue;
            }
            nodes.load_corners(cell, of_cell);
            const auto& faces = faces_of(nodes.type(cell).shape);
            for (int face = 0; face < faces.count; ++face)
            {
              const FaceNodes all = nodes_of(faces, of_cell, face);
              use(std::min(std::min(all[0], all[1]), std::min(all[2], all[3])), CellFace(cell, face));
            }
          }
        });
  }

  std::vector<std::uint32_t> begins_;
  std::vector<CellFace> faces_;
};

/// Has the processor fetch the nodes of some faces' cells, which may lie anywhere, while it works on others.
void fetch_ahead(const CellNodes& nodes, std::span<const CellFace> faces)
{
  const IndexArray& all = nodes.connectivity();
  const std::int64_t bytes_of_cell = std::int64_t{ nodes.only_type()->corners } * (all.wide ? 8 : 4);
  for (const CellFace& face : faces)
  {
    __builtin_prefetch(static_cast<const char*>(all.data) + face.cell() * bytes_of_cell);
  }
}

struct NamedFace
{
  FaceNodes nodes;
  CellFace face;
};

} // namespace

SameFaces::SameFaces(const CellNodes& nodes, std::int64_t cell, int face)
  : nodes_(nodes)
  , cell_(cell)
  , face_(face)
  , wanted_(sorted_nodes(nodes, { cell, face }))
{
}

void SameFaces::look_at(std::int64_t cell)
{
  std::array<std::int64_t, kMostCorners> of_cell; // NOLINT(*-member-init): the first few are used
  nodes_.load_corners(cell, of_cell);
  const CellFaces& faces = faces_of(nodes_.type(cell).shape);
  for (int face = 0; face < faces.count; ++face)
  {
    FaceNodes all = nodes_of(faces, of_cell, face);
    sort_four(all);
    if (all != wanted_)
    {
      continue;
    }
    ++count_;
    if (cell != cell_)
    {
      other_cell_ = cell;
      other_face_ = face;
    }
  }
}

Result<CellLinks> CellLinks::create(const CellNodes& nodes)
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
  made.links_ = std::vector<std::atomic<std::int32_t>>(faces);
  return made;
}

void CellLinks::keep(const SameFaces& same)
{
  if (same.count_ != 2 || same.other_cell_ < 0)
  {
    link(same.cell_, same.face_, kNone);
    return;
  }
  link(same.cell_, same.face_, same.other_cell_);
  link(same.other_cell_, same.other_face_, same.cell_);
}

void CellLinks::find_all(const CellNodes& nodes, std::int64_t points, int threads)
{
  static constexpr std::int64_t kAhead = 2; // nodes; each is the lowest of a few dozen faces
  const bool only = nodes.only_type() != nullptr;
  const FacesByNode by_node(nodes, points, threads);
  for_parts(points, threads,
      [&](std::int64_t begin, std::int64_t end)
      {
        std::vector<NamedFace> all;
        for (std::int64_t node = begin; node < end; ++node)
        {
          if (only && node + kAhead < end)
          {
            fetch_ahead(nodes, by_node.at(node + kAhead));
          }
          all.clear();
          for (const CellFace& face : by_node.at(node))
          {
            all.push_back({ sorted_nodes(nodes, face), face });
          }
          std::sort(all.begin(), all.end(), [](const NamedFace& a, const NamedFace& b) { return a.nodes < b.nodes; });
          for (std::size_t first = 0; first < all.size();)
          {
            std::size_t last = first + 1;
            while (last < all.size() && all[last].nodes == all[first].nodes)
            {
              ++last;
            }
            const bool two = last - first == 2 && all[first].face.cell() != all[first + 1].face.cell();
            for (std::size_t i = first; i < last; ++i)
            {
              const CellFace& other = all[first + last - 1 - i].face;
              link(all[i].face.cell(), all[i].face.face(), two ? other.cell() : kNone);
            }
            first = last;
          }
        }
      });
}

} // namespace rivulet
