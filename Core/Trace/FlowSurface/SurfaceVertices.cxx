// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowSurface/SurfaceVertices.h"

#include <algorithm>

namespace rivulet
{

void SurfaceVertices::drop_passing()
{
  const auto passing = [](const SurfaceVertex& vertex)
  {
    return !vertex.seed.lasting;
  };
  if (std::none_of(vertices_.begin(), vertices_.end(), passing))
  {
    return;
  }
  std::erase_if(vertices_, passing);
  ids_.clear();
  std::vector<ParticleState> states;
  for (std::size_t i = 0; i < vertices_.size(); ++i)
  {
    SurfaceVertex& vertex = vertices_[i];
    ids_.emplace(vertex.seed.key, static_cast<std::int64_t>(i));
    if (vertex.state >= 0)
    {
      states.push_back(state_of(vertex));
      vertex.state = static_cast<std::int64_t>(states.size()) - 1;
    }
  }
  states_ = std::move(states);
}

} // namespace rivulet
