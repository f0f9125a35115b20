// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The D3Q19 lattice: velocities in opposite pairs, and collision with two relaxation times.
///
/// Populations are stored as deviations from the weights, f - w, so that single precision serves the flow and not the
/// fluid at rest. Lattice units: cell and time step are 1, density is about 1, the speed of sound squared is 1/3.
///
/// Y. Qian, D. d'Humieres, P. Lallemand, "Lattice BGK models for Navier-Stokes equation", Europhys. Lett. 17, 1992.
/// I. Ginzburg, F. Verhaeghe, D. d'Humieres, "Two-relaxation-time lattice Boltzmann scheme", Commun. Comput. Phys. 3,
/// 2008. The odd rate is 1, which removes odd parts of the populations beyond momentum, as regularised collision does
/// (J. Latt, B. Chopard, "Lattice Boltzmann method with regularized pre-collision distribution
/// functions", Math. Comput. Simul. 72, 2006). The rate for walls exactly half way, (1/even - 1/2)(1/odd - 1/2) =
/// 3/16, is unstable at the small viscosities of a wake.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lattice_boltzmann
{

using Int3 = std::array<std::int32_t, 3>;
using Vec3 = std::array<double, 3>;

inline constexpr int kDirections = 19;
inline constexpr int kPairs = 9;

/// Direction 0 is at rest. Direction 2 p + 1 has the velocity kPairVelocity[p], direction 2 p + 2 the opposite one.
inline constexpr std::array<Int3, kPairs> kPairVelocity{ { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 0 },
    { 1, -1, 0 }, { 1, 0, 1 }, { 1, 0, -1 }, { 0, 1, 1 }, { 0, 1, -1 } } };

inline constexpr float kRestWeight = 1.0F / 3.0F;
inline constexpr float kAxisWeight = 1.0F / 18.0F;
inline constexpr float kDiagonalWeight = 1.0F / 36.0F;

/// Relaxation rates of the even and odd halves of a pair of populations.
struct Rates
{
  float even = 1;
  float odd = 1;
};

/// The rates for a kinematic viscosity, (1/even - 1/2) / 3.
[[nodiscard]] constexpr Rates rates_for(double viscosity)
{
  return { static_cast<float>(1.0 / (3.0 * viscosity + 0.5)), 1.0F };
}

/// Density - 1 and velocity, of one cell or of a vector of cells.
template <class Real>
struct Moments
{
  Real excess, u, v, w;
};

/// The functions below work on floats and on vectors of floats.
#define LATTICE_INLINE inline __attribute__((always_inline))
#define LATTICE_LAMBDA __attribute__((always_inline))

template <class Real>
LATTICE_INLINE Moments<Real> moments_of(const Real (&f)[kDirections])
{
  const Real excess =
      f[0] + ((f[1] + f[2]) + (f[3] + f[4]) + (f[5] + f[6])) +
      (((f[7] + f[8]) + (f[9] + f[10])) + ((f[11] + f[12]) + (f[13] + f[14])) + ((f[15] + f[16]) + (f[17] + f[18])));
  const Real x = (f[1] - f[2]) + ((f[7] - f[8]) + (f[9] - f[10])) + ((f[11] - f[12]) + (f[13] - f[14]));
  const Real y = (f[3] - f[4]) + ((f[7] - f[8]) - (f[9] - f[10])) + ((f[15] - f[16]) + (f[17] - f[18]));
  const Real z = (f[5] - f[6]) + ((f[11] - f[12]) - (f[13] - f[14])) + ((f[15] - f[16]) - (f[17] - f[18]));
  const Real inverse = 1.0F / (1.0F + excess);
  return { excess, x * inverse, y * inverse, z * inverse };
}

/// Even and odd half of a pair's equilibrium.
template <class Real>
struct EquilibriumOfPair
{
  Real even, odd;
};

/// For the pair along c, with along = c . u and square = 1.5 u . u.
template <class Real>
LATTICE_INLINE EquilibriumOfPair<Real> pair_equilibrium(
    const Moments<Real>& m, const Real& square, float weight, const Real& along)
{
  const Real density = 1.0F + m.excess;
  return { weight * (m.excess + density * (4.5F * along * along - square)), (3.0F * weight) * density * along };
}

template <class Real>
LATTICE_INLINE Real square_term(const Moments<Real>& m)
{
  return 1.5F * (m.u * m.u + m.v * m.v + m.w * m.w);
}

/// Calls visit(pair, weight, c . u) for the nine pairs.
template <class Real, class Visit>
LATTICE_INLINE void for_each_pair(const Moments<Real>& m, Visit visit)
{
  visit(0, kAxisWeight, m.u);
  visit(1, kAxisWeight, m.v);
  visit(2, kAxisWeight, m.w);
  visit(3, kDiagonalWeight, m.u + m.v);
  visit(4, kDiagonalWeight, m.u - m.v);
  visit(5, kDiagonalWeight, m.u + m.w);
  visit(6, kDiagonalWeight, m.u - m.w);
  visit(7, kDiagonalWeight, m.v + m.w);
  visit(8, kDiagonalWeight, m.v - m.w);
}

/// Replaces populations by the populations after collision.
template <class Real>
LATTICE_INLINE void collide(Real (&f)[kDirections], const Rates& rates)
{
  const Moments<Real> m = moments_of(f);
  const Real square = square_term(m);
  f[0] -= rates.even * (f[0] - kRestWeight * (m.excess - (1.0F + m.excess) * square));
  for_each_pair(m,
      [&](int pair, float weight, const Real& along) LATTICE_LAMBDA
      {
        Real& there = f[2 * pair + 1];
        Real& back = f[2 * pair + 2];
        const EquilibriumOfPair<Real> target = pair_equilibrium(m, square, weight, along);
        const Real even = rates.even * (0.5F * (there + back) - target.even);
        const Real odd = rates.odd * (0.5F * (there - back) - target.odd);
        there -= even + odd;
        back -= even - odd;
      });
}

template <class Real>
LATTICE_INLINE void set_equilibrium(Real (&f)[kDirections], const Moments<Real>& m)
{
  const Real square = square_term(m);
  f[0] = kRestWeight * (m.excess - (1.0F + m.excess) * square);
  for_each_pair(m,
      [&](int pair, float weight, const Real& along) LATTICE_LAMBDA
      {
        const EquilibriumOfPair<Real> target = pair_equilibrium(m, square, weight, along);
        f[2 * pair + 1] = target.even + target.odd;
        f[2 * pair + 2] = target.even - target.odd;
      });
}

} // namespace lattice_boltzmann
