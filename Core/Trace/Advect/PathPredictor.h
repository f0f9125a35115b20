// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bricks that a particle will probably need next, from its own motion: nothing is learnt or kept.
///
///     std::vector<BrickKey> keys;
///     PathPredictor(context).look(particle, 8, keys);
///     source.prefetch(keys, priority);
///
/// Straight rays begin at the particle: one along its motion and some around it, because paths bend. In unsteady flow a
/// ray goes through time, too. The bricks that the rays enter first come first.
///
/// Threads: any number, if each has a PathPredictor of its own.
#pragma once

#include "Trace/Kernel/AdvectionContext.h"
#include "Trace/Kernel/Particle.h"

#include <vector>

namespace rivulet
{

class PathPredictor
{
public:
  explicit PathPredictor(const AdvectionContext& context)
    : context_(context)
  {
  }

  /// Appends keys of bricks after the one with the particle's next sample, until there are `most` keys. None for a
  /// particle that has not moved yet, and none on AMR meshes.
  void look(const Particle& particle, std::size_t most, std::vector<BrickKey>& keys);

private:
  /// Where a particle is and how it moves, in bricks.
  struct Motion
  {
    Vec3 place{ 0, 0, 0 };
    Vec3 along{ 0, 0, 0 };  ///< from base to trial
    double time = 0.0;      ///< unsteady: at trial
    double duration = 0.0;  ///< unsteady: from base to trial
    double last_time = 0.0; ///< unsteady
    std::int32_t interval = 0;
  };
  /// A place on a straight path. Ways are counted in displacements from base to trial.
  struct Ray
  {
    Int3 brick{ 0, 0, 0 };
    Int3 towards{ 0, 0, 0 };   ///< next brick along each axis: 1, 0 or -1
    Vec3 way{ 0, 0, 0 };       ///< way to the next brick along each axis
    Vec3 across{ 0, 0, 0 };    ///< way through a brick along each axis
    std::int32_t interval = 0; ///< unsteady
    double way_in_time = 0.0;  ///< way to the end of the interval
    bool over = false;
  };
  [[nodiscard]] Motion motion_of(const Particle& particle, const Mesh::WayInBricks& way) const;
  [[nodiscard]] Ray ray(const Vec3& along) const;
  void go_on(Ray& ray) const;
  void set_way_in_time(Ray& ray) const;
  void add(const Ray& ray, std::size_t most, std::vector<BrickKey>& keys) const;

  const AdvectionContext& context_;
  Motion motion_;
  std::vector<Ray> rays_;
};

} // namespace rivulet
