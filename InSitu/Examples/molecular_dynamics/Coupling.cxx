// SPDX-License-Identifier: BSD-3-Clause
#include "Coupling.h"

#include "rivulet_insitu.h"

namespace molecular_dynamics
{

Result<Coupling> Coupling::open(const std::string& config, MPI_Comm comm)
{
  Coupling coupling;
  rivulet_insitu* session = nullptr;
  if (rivulet_insitu_initialize(config.c_str(), comm, &session) != RIVULET_OK)
  {
    return tl::unexpected(std::string(rivulet_insitu_message(nullptr)));
  }
  coupling.session_.reset(session);
  return coupling;
}

void Coupling::run(const std::function<void()>& body) const
{
  rivulet_insitu_run(
      session_.get(), [](void* data) { (*static_cast<const std::function<void()>*>(data))(); },
      const_cast<std::function<void()>*>(&body));
}

/// Arrays are shown as they are: own particles come first in them. Messages on this step are in the runtime's log.
void Coupling::show(const Simulation& simulation) const
{
  if (rivulet_insitu_wants(session_.get(), simulation.steps()) == 0)
  {
    return;
  }
  const Particles& from = simulation.particles();
  rivulet_particles shown{};
  shown.name = "particles";
  shown.count = from.count;
  shown.id = from.id.data();
  shown.type = from.type.data();
  shown.x = from.position[0].data();
  shown.y = from.position[1].data();
  shown.z = from.position[2].data();
  shown.vx = from.velocity[0].data();
  shown.vy = from.velocity[1].data();
  shown.vz = from.velocity[2].data();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    shown.high[axis] = simulation.domain().length()[axis];
    shown.periodic[axis] = 1;
  }
  rivulet_insitu_publish_particles(session_.get(), &shown);
  rivulet_insitu_execute(session_.get(), simulation.steps(), simulation.time());
}

void Coupling::Close::operator()(rivulet_insitu* session) const
{
  rivulet_insitu_finalize(&session);
}

} // namespace molecular_dynamics
