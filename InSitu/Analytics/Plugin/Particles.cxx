// SPDX-License-Identifier: BSD-3-Clause
#include "Plugin/Particles.h"

#include "Plugin/Choose.h"

#include <array>
#include <span>

namespace rivulet
{

namespace
{

struct Fixed
{
  const char* name;
  const void* values;
  std::int32_t type;
};

std::array<Fixed, 8> fixed_columns(const rivulet_particles& particles)
{
  return { { { "x", particles.x, RIVULET_FLOAT64 }, { "y", particles.y, RIVULET_FLOAT64 },
      { "z", particles.z, RIVULET_FLOAT64 }, { "vx", particles.vx, RIVULET_FLOAT64 },
      { "vy", particles.vy, RIVULET_FLOAT64 }, { "vz", particles.vz, RIVULET_FLOAT64 },
      { "id", particles.id, RIVULET_INT64 }, { "type", particles.type, RIVULET_INT32 } } };
}

bool is_known_type(std::int32_t type)
{
  return type >= RIVULET_FLOAT32 && type <= RIVULET_UINT8;
}

std::string called(const rivulet_particles& particles)
{
  return "the particles \"" + std::string(particles.name) + "\"";
}

tl::unexpected<Error> missing(const rivulet_particles& particles, const std::string& name)
{
  return fail(ErrorCode::BadArgument, called(particles) + " have no values \"" + name + "\"",
      "choose other values, or let the simulation publish these");
}

} // namespace

Result<const rivulet_particles*> choose_particles(const rivulet_snapshot& snapshot, const std::string& name)
{
  const std::span<const rivulet_particles> sets(snapshot.particles, static_cast<std::size_t>(snapshot.particle_sets));
  Result<const rivulet_particles*> set = choose_by_name(sets, name, "particles", "set");
  if (set && (*set)->count < 0)
  {
    return fail(ErrorCode::BadArgument, called(**set) + " have a negative count");
  }
  return set;
}

Result<Column> column_of(const rivulet_particles& particles, const ColumnName& wanted)
{
  for (const Fixed& fixed : fixed_columns(particles))
  {
    if (wanted.name == fixed.name)
    {
      if (wanted.component != 0)
      {
        return fail(ErrorCode::BadArgument, "the values \"" + wanted.name + "\" have one component");
      }
      return fixed.values != nullptr || particles.count == 0
                 ? Result<Column>(Column{ fixed.values, fixed.type, 1, particles.count })
                 : missing(particles, wanted.name);
    }
  }
  for (const rivulet_array& array : std::span(particles.array, static_cast<std::size_t>(particles.arrays)))
  {
    if (wanted.name != array.name)
    {
      continue;
    }
    if (wanted.component >= array.components || !is_known_type(array.type))
    {
      return fail(
          ErrorCode::BadArgument, "the values \"" + wanted.name + "\" of " + called(particles) +
                                      (is_known_type(array.type) ? " have fewer components" : " have no known type"));
    }
    if (array.data == nullptr && particles.count > 0)
    {
      return missing(particles, wanted.name);
    }
    Column column{ nullptr, array.type, array.components, particles.count };
    visit(Column{ array.data, array.type, 1, 0 }, [&](const auto* values, std::int64_t)
        { column.values = values != nullptr ? values + wanted.component : nullptr; });
    return column;
  }
  return missing(particles, wanted.name);
}

std::string not_finite_note(std::int64_t count, const std::string& what, const std::string& set)
{
  return std::to_string(count) + " " + what + " of \"" + set + "\" " + (count == 1 ? "is" : "are") +
         " not finite, and left out";
}

} // namespace rivulet
