// SPDX-License-Identifier: BSD-3-Clause
// The input is a saved march; or, after the byte 1, its particles. What is read must
// be the same when it is written and read again, and places that are accepted must be in the grid.
#include "Trace/Advect/SavedMarch.h"
#include "Fuzz/Support.h"
#include "Trace/Mesh/CellPosition.h"

#include <algorithm>

namespace
{

using namespace rivulet;

const Int3 kCells{ 4, 3, 1 };

void check(const SavedMarch& march)
{
  const Result<SavedMarch> again = unpack_march(pack_march(march));
  fuzz::expect(again && pack_march(*again) == pack_march(march), "another march when it is read again");
  if (!check_march(march, kCells))
  {
    return;
  }
  for (const SavedParticle& particle : march.particles)
  {
    const ParticleState state = particle.state(5);
    const auto place = state.base.as<CellPosition>();
    fuzz::expect(state.task == -1 || (place.cell[0] < kCells[0] && place.fraction[0] <= 1.0), "a place is outside");
  }
}

/// Particles with the bytes of the input.
SavedMarch march_of(const std::uint8_t* data, std::size_t size)
{
  SavedMarch march{ 7, 3, 0.5, true, std::vector<SavedParticle>(size / sizeof(SavedParticle)) };
  if (!march.particles.empty())
  {
    std::memcpy(march.particles.data(), data, march.particles.size() * sizeof(SavedParticle));
  }
  return march;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  if (size > 0 && data[0] == 1)
  {
    check(march_of(data + 1, size - 1));
    return 0;
  }
  const Result<SavedMarch> march = unpack_march({ reinterpret_cast<const std::byte*>(data), size });
  if (march)
  {
    check(*march);
  }
  else
  {
    fuzz::expect(!march.error().what.empty(), "an error says nothing");
  }
  return 0;
}
