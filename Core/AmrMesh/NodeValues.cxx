// SPDX-License-Identifier: BSD-3-Clause
#include "AmrMesh/NodeValues.h"

#include "AmrMesh/RefineBox.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

namespace
{

template <class Visit>
void for_each(const Box& box, const Visit& visit)
{
  Int3 at;
  for (at[2] = box.begin[2]; at[2] < box.end[2]; ++at[2])
  {
    for (at[1] = box.begin[1]; at[1] < box.end[1]; ++at[1])
    {
      for (at[0] = box.begin[0]; at[0] < box.end[0]; ++at[0])
      {
        visit(at);
      }
    }
  }
}

Box around(const std::vector<Int3>& places)
{
  Box box{ places.front(), places.front() };
  for (const Int3& at : places)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      box.begin[axis] = std::min(box.begin[axis], at[axis]);
      box.end[axis] = std::max(box.end[axis], at[axis] + 1);
    }
  }
  return box;
}

template <class Scalar>
void copy_values(const BrickView& view, const Box& box, LevelValues& to)
{
  for_each(box,
      [&](const Int3& at)
      {
        const auto* from = static_cast<const Scalar*>(view.data);
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          from += (at[axis] - view.lattice.begin[axis]) * view.stride[axis];
        }
        std::copy_n(from, to.components, to.at(at));
        to.states[to.number(at)] = LevelValues::State::Known;
      });
}

} // namespace

LevelValues::LevelValues(const Box& the_box, std::size_t the_components)
  : box(the_box)
  , components(the_components)
  , values(static_cast<std::size_t>(the_box.count()) * the_components, std::nan(""))
  , states(static_cast<std::size_t>(the_box.count()), State::Missing)
{
  memory.take(static_cast<std::int64_t>(values.size() * sizeof(double) + states.size()));
}

Box NodeValues::nodes_of(const Box& cells) const
{
  Box nodes = cells;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    nodes.end[axis] += mesh_.flat(axis) ? 0 : 1;
  }
  return nodes;
}

Result<LevelValues> NodeValues::nodes(int level, const Box& box)
{
  const bool at_cells = patches_.variable().centering == Centering::Cell;
  Result<LevelValues> nodes = at_cells ? mean_of_cells(level, box) : stored_nodes(level, box);
  const std::vector<Int3> on_faces = level == 0 ? std::vector<Int3>() : on_faces_to_coarser(level, box);
  if (!nodes || on_faces.empty())
  {
    return nodes;
  }
  if (Result<void> done = take_from_coarser(level, on_faces, *nodes); !done)
  {
    return forward_error(done);
  }
  return nodes;
}

/// Cells of the domain that touch a box of nodes.
Box NodeValues::cells_around(int level, const Box& nodes) const
{
  const Int3 cells = mesh_.level(level).grid.cells();
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = std::max(nodes.begin[axis] - 1, 0);
    box.end[axis] = std::min(nodes.end[axis], cells[axis]);
  }
  return box;
}

/// Cells without components. Cells in a coarser level and not in this one are Known.
LevelValues NodeValues::only_coarser(int level, const Box& cells) const
{
  LevelValues marks(cells, 0);
  const auto mark = [&](const Box& part, LevelValues::State as)
  {
    for_each(part, [&](const Int3& at) { marks.states[marks.number(at)] = as; });
  };
  Int3 ratio{ 1, 1, 1 };
  for (int coarser = level - 1; coarser >= 0; --coarser)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      ratio[axis] *= mesh_.level(coarser + 1).ratio[axis];
    }
    for (const std::int32_t box : mesh_.boxes_in(coarser, coarsen(cells, ratio)))
    {
      mark(intersect(cells, refine(mesh_.level(coarser).boxes[static_cast<std::size_t>(box)], ratio)),
          LevelValues::State::Known);
    }
  }
  for (const std::int32_t box : mesh_.boxes_in(level, cells))
  {
    mark(intersect(cells, mesh_.level(level).boxes[static_cast<std::size_t>(box)]), LevelValues::State::Missing);
  }
  return marks;
}

/// Nodes that touch a cell of a coarser level where this level has no cell.
std::vector<Int3> NodeValues::on_faces_to_coarser(int level, const Box& nodes) const
{
  const LevelValues coarse = only_coarser(level, cells_around(level, nodes));
  std::vector<Int3> found;
  if (std::find(coarse.states.begin(), coarse.states.end(), LevelValues::State::Known) == coarse.states.end())
  {
    return found;
  }
  for_each(nodes,
      [&](const Int3& node)
      {
        const Box touched = cells_around(level, { node, { node[0] + 1, node[1] + 1, node[2] + 1 } });
        bool touches = false;
        for_each(touched, [&](const Int3& cell) { touches = touches || coarse.known(cell); });
        if (touches)
        {
          found.push_back(node);
        }
      });
  return found;
}

Result<void> NodeValues::take_from_coarser(int level, const std::vector<Int3>& places, LevelValues& nodes)
{
  const Int3& ratio = mesh_.level(level).ratio;
  const Box fine = around(places);
  Box wanted;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    wanted.begin[axis] = fine.begin[axis] / ratio[axis];
    wanted.end[axis] = (fine.end[axis] - 1 + ratio[axis] - 1) / ratio[axis] + 1;
  }
  Result<LevelValues> coarse = this->nodes(level - 1, wanted);
  if (!coarse)
  {
    return forward_error(coarse);
  }
  for (const Int3& node : places)
  {
    double* to = nodes.at(node);
    std::fill_n(to, components_, 0.0);
    for (int corner = 0; corner < 8; ++corner)
    {
      double share = 1.0;
      Int3 at;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        const double fraction = static_cast<double>(node[axis] % ratio[axis]) / ratio[axis];
        const bool upper = (corner >> axis & 1) != 0;
        at[axis] = node[axis] / ratio[axis] + (upper ? 1 : 0);
        share *= upper ? fraction : 1.0 - fraction;
      }
      if (share != 0.0) // nodes without a share may lie outside
      {
        const double* from = coarse->at(at);
        for (std::size_t c = 0; c < components_; ++c)
        {
          to[c] += share * from[c];
        }
      }
    }
    nodes.states[nodes.number(node)] = LevelValues::State::Known;
  }
  return {};
}

Result<LevelValues> NodeValues::mean_of_cells(int level, const Box& nodes)
{
  Result<LevelValues> cells = stored_cells(level, cells_around(level, nodes));
  if (!cells)
  {
    return forward_error(cells);
  }
  LevelValues values(nodes, components_);
  for_each(nodes, [&](const Int3& node) { mean_at(node, *cells, values); });
  return values;
}

/// A node on the boundary of the domain, which may have any shape, touches fewer than eight cells.
void NodeValues::mean_at(const Int3& node, const LevelValues& cells, LevelValues& to) const
{
  const Box around =
      intersect({ { node[0] - 1, node[1] - 1, node[2] - 1 }, { node[0] + 1, node[1] + 1, node[2] + 1 } }, cells.box);
  std::array<const double*, 8> there;
  std::size_t known = 0;
  for (std::int32_t k = around.begin[2]; k < around.end[2]; ++k)
  {
    for (std::int32_t j = around.begin[1]; j < around.end[1]; ++j)
    {
      std::size_t cell = cells.number({ around.begin[0], j, k });
      for (std::int32_t i = around.begin[0]; i < around.end[0]; ++i, ++cell)
      {
        there[known] = &cells.values[cell * components_];
        known += cells.states[cell] == LevelValues::State::Known ? 1 : 0;
      }
    }
  }
  if (known == 0)
  {
    return;
  }
  double* value = to.at(node);
  for (std::size_t c = 0; c < components_; ++c)
  {
    double sum = there[0][c];
    for (std::size_t i = 1; i < known; ++i)
    {
      sum += there[i][c];
    }
    value[c] = known == 8 ? sum * 0.125 : sum / static_cast<double>(known);
  }
  to.states[to.number(node)] = LevelValues::State::Known;
}

Result<LevelValues> NodeValues::stored_cells(int level, const Box& cells)
{
  LevelValues values(cells, components_);
  for (const std::int32_t box : mesh_.boxes_in(level, cells))
  {
    const Box part = intersect(cells, mesh_.level(level).boxes[static_cast<std::size_t>(box)]);
    if (Result<void> done = copy_box(level, box, part, values); !done)
    {
      return forward_error(done);
    }
  }
  if (level + 1 == mesh_.levels())
  {
    return values;
  }
  const AmrMeshLevel& finer = mesh_.level(level + 1);
  for (const std::int32_t child : mesh_.boxes_in(level + 1, refine(cells, finer.ratio)))
  {
    const Box covered = intersect(cells, covered_by(finer.boxes[static_cast<std::size_t>(child)], finer.ratio));
    if (covered.empty())
    {
      continue;
    }
    Result<LevelValues> fine = stored_cells(level + 1, refine(covered, finer.ratio));
    if (!fine)
    {
      return forward_error(fine);
    }
    const double share = 1.0 / static_cast<double>(volume(finer.ratio));
    for_each(covered,
        [&](const Int3& at)
        {
          double* to = values.at(at);
          std::fill_n(to, components_, 0.0);
          for_each(refine({ at, { at[0] + 1, at[1] + 1, at[2] + 1 } }, finer.ratio),
              [&](const Int3& part)
              {
                for (std::size_t c = 0; c < components_; ++c)
                {
                  to[c] += fine->at(part)[c] * share;
                }
              });
          values.states[values.number(at)] = LevelValues::State::Known;
        });
  }
  return values;
}

Result<LevelValues> NodeValues::stored_nodes(int level, const Box& nodes)
{
  LevelValues values(nodes, components_);
  const Box touched = cells_around(level, nodes);
  std::vector<std::int32_t> boxes = mesh_.boxes_in(level, touched);
  // If boxes share a node, the value of the first box counts.
  std::reverse(boxes.begin(), boxes.end());
  for (const std::int32_t box : boxes)
  {
    const Box part = intersect(nodes, nodes_of(mesh_.level(level).boxes[static_cast<std::size_t>(box)]));
    if (Result<void> done = part.empty() ? Result<void>{} : copy_box(level, box, part, values); !done)
    {
      return forward_error(done);
    }
  }
  if (level + 1 == mesh_.levels())
  {
    return values;
  }
  const AmrMeshLevel& finer = mesh_.level(level + 1);
  boxes = mesh_.boxes_in(level + 1, refine(touched, finer.ratio));
  std::reverse(boxes.begin(), boxes.end());
  for (const std::int32_t child : boxes)
  {
    const Box fine = nodes_of(finer.boxes[static_cast<std::size_t>(child)]);
    Box shared;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      shared.begin[axis] = (fine.begin[axis] + finer.ratio[axis] - 1) / finer.ratio[axis];
      shared.end[axis] = (fine.end[axis] - 1) / finer.ratio[axis] + 1;
    }
    shared = intersect(shared, nodes);
    if (shared.empty())
    {
      continue;
    }
    Box wanted = refine(shared, finer.ratio);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      wanted.end[axis] -= finer.ratio[axis] - 1;
    }
    Result<LevelValues> finest = stored_nodes(level + 1, wanted);
    if (!finest)
    {
      return forward_error(finest);
    }
    for_each(shared,
        [&](const Int3& at)
        {
          const Int3 same{ at[0] * finer.ratio[0], at[1] * finer.ratio[1], at[2] * finer.ratio[2] };
          std::copy_n(finest->at(same), components_, values.at(at));
          values.states[values.number(at)] = LevelValues::State::Known;
        });
  }
  return values;
}

Result<void> NodeValues::copy_box(int level, std::int32_t box, const Box& wanted, LevelValues& to)
{
  Result<HeldPatch> held = patches_.hold(level, box);
  if (!held)
  {
    return forward_error(held);
  }
  const BrickView& view = held->view;
  if (intersect(view.lattice, wanted) != wanted || view.components != static_cast<std::int32_t>(components_))
  {
    return fail(ErrorCode::Corrupt, "the array \"" + patches_.variable().name +
                                        "\" does not have a value for all of box " + std::to_string(box) +
                                        " of level " + std::to_string(level));
  }
  view.type == ScalarType::Float32 ? copy_values<float>(view, wanted, to) : copy_values<double>(view, wanted, to);
  return {};
}

} // namespace rivulet
