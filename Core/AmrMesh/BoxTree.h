// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Search for the boxes that share cells with a given box: a binary tree of bounding boxes, each node with half of the
/// boxes of its parent. Memory is proportional to the number of boxes, for any sizes and distances. A search visits few
/// boxes in vain if the boxes do not overlap.
///
///     const BoxTree tree(boxes);
///     tree.visit(cells, [&](std::int32_t number) { found.push_back(number); return true; });   // false: enough
///
/// Immutable; may be shared by threads.
#pragma once

#include "Base/Box.h"

#include <array>
#include <cstdint>
#include <vector>

namespace rivulet
{

class BoxTree
{
public:
  BoxTree() = default;
  explicit BoxTree(const std::vector<Box>& boxes);

  /// Calls `more` with the number of each box that shares cells with `cells`, in no special order, until it returns
  /// false.
  template <class More>
  void visit(const Box& cells, const More& more) const
  {
    std::array<std::int32_t, kDeepest> later;
    std::size_t waiting = 0;
    for (std::int32_t at = nodes_.empty() ? kNone : 0; at != kNone;)
    {
      const Node& node = nodes_[static_cast<std::size_t>(at)];
      const bool meets = !intersect(node.around, cells).empty();
      if (meets && node.second != kNone)
      {
        later[waiting++] = node.second;
        ++at; // the first half follows its parent
        continue;
      }
      if (meets && !visit_leaf(node, cells, more))
      {
        return;
      }
      at = waiting == 0 ? kNone : later[--waiting];
    }
  }

private:
  static constexpr std::int32_t kNone = -1;
  static constexpr std::int32_t kLeaf = 4;    ///< largest number of boxes in a leaf
  static constexpr std::size_t kDeepest = 32; ///< depth of a tree of 2^31 boxes

  struct Entry
  {
    Box box;
    std::int32_t number = 0;
  };
  struct Node
  {
    Box around;
    std::int32_t begin = 0; ///< first entry; end is exclusive
    std::int32_t end = 0;
    std::int32_t second = kNone; ///< index of the node of the second half; kNone in a leaf
  };

  template <class More>
  [[nodiscard]] bool visit_leaf(const Node& leaf, const Box& cells, const More& more) const
  {
    for (std::int32_t i = leaf.begin; i < leaf.end; ++i)
    {
      const Entry& entry = entries_[static_cast<std::size_t>(i)];
      if (!intersect(entry.box, cells).empty() && !more(entry.number))
      {
        return false;
      }
    }
    return true;
  }
  void build(std::int32_t begin, std::int32_t end);

  std::vector<Entry> entries_; ///< in the order of the leaves
  std::vector<Node> nodes_;    ///< in depth-first order, first half before second half
};

} // namespace rivulet
