// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The explicit Runge-Kutta methods as data: slope s is taken at  x + h * sum_j at[s][j] k_j,  the step ends at x + h *
/// sum_j end[j] k_j,  and |h * sum_j error[j] k_j| estimates its error. In unsteady flow slope s is taken at the time
/// t + node[s] h.
///
/// Sources: midpoint and classical methods as in any textbook (Hairer, Norsett, Wanner, "Solving Ordinary Differential
/// Equations I", II.1); J. R. Cash, A. H. Karp, ACM Trans. Math. Softw. 16 (1990) 201-222, table for orders 5 and 4,
/// which is the method of vtkRungeKutta45.
#pragma once

#include "Trace/Contract/TraceOptions.h"

namespace rivulet
{

inline constexpr int kMaxSlopes = 6;

struct Tableau
{
  int slopes;
  bool adaptive;
  double at[kMaxSlopes][kMaxSlopes];
  double end[kMaxSlopes];
  double error[kMaxSlopes];
  double node[kMaxSlopes];
};

inline constexpr Tableau kMidpoint{ 2, false, { {}, { 0.5 } }, { 0, 1 }, {}, { 0, 0.5 } };

inline constexpr Tableau kClassical{ 4, false, { {}, { 0.5 }, { 0, 0.5 }, { 0, 0, 1 } },
  { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 }, {}, { 0, 0.5, 0.5, 1 } };

inline constexpr Tableau kCashKarp{ 6, true,
  { {}, { 1.0 / 5.0 }, { 3.0 / 40.0, 9.0 / 40.0 }, { 3.0 / 10.0, -9.0 / 10.0, 6.0 / 5.0 },
      { -11.0 / 54.0, 5.0 / 2.0, -70.0 / 27.0, 35.0 / 27.0 },
      { 1631.0 / 55296.0, 175.0 / 512.0, 575.0 / 13824.0, 44275.0 / 110592.0, 253.0 / 4096.0 } },
  { 37.0 / 378.0, 0, 250.0 / 621.0, 125.0 / 594.0, 0, 512.0 / 1771.0 },
  { 37.0 / 378.0 - 2825.0 / 27648.0, 0, 250.0 / 621.0 - 18575.0 / 48384.0, 125.0 / 594.0 - 13525.0 / 55296.0,
      -277.0 / 14336.0, 512.0 / 1771.0 - 1.0 / 4.0 },
  { 0, 1.0 / 5.0, 3.0 / 10.0, 3.0 / 5.0, 1, 7.0 / 8.0 } };

[[nodiscard]] constexpr const Tableau& tableau_of(Integrator integrator)
{
  switch (integrator)
  {
  case Integrator::RungeKutta2:
    return kMidpoint;
  case Integrator::RungeKutta4:
    return kClassical;
  default:
    return kCashKarp;
  }
}

} // namespace rivulet
