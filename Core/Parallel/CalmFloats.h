// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The floating-point environment of a simulation while other code runs on its threads. Simulations may trap invalid
/// operations, divisions by zero and overflows (gfortran -ffpe-trap, Intel -fpe0, feenableexcept); code that compares
/// with NaN on purpose would end them there.
///
///     const CalmFloats calm;          // no traps; flags and rounding mode come back with the end of the scope
///     const SimulationsFloats own;    // within: the simulation's own again, to do something on its behalf
///
/// Threads: each has an environment of its own. Threads that are started within have no traps.
#pragma once

#include <cfenv>

namespace rivulet
{

class CalmFloats
{
public:
  CalmFloats()
    : outer_(outermost())
  {
    std::feholdexcept(&before_);
    outermost() = outer_ != nullptr ? outer_ : &before_;
  }
  CalmFloats(const CalmFloats&) = delete;
  CalmFloats& operator=(const CalmFloats&) = delete;
  ~CalmFloats()
  {
    outermost() = outer_;
    std::fesetenv(&before_);
  }

private:
  friend class SimulationsFloats;

  [[nodiscard]] static const std::fenv_t*& outermost()
  {
    static thread_local const std::fenv_t* environment = nullptr;
    return environment;
  }

  const std::fenv_t* outer_;
  std::fenv_t before_{};
};

class SimulationsFloats
{
public:
  SimulationsFloats()
  {
    std::fegetenv(&calm_);
    if (CalmFloats::outermost() != nullptr)
    {
      std::fesetenv(CalmFloats::outermost());
    }
  }
  SimulationsFloats(const SimulationsFloats&) = delete;
  SimulationsFloats& operator=(const SimulationsFloats&) = delete;
  ~SimulationsFloats() { std::fesetenv(&calm_); }

private:
  std::fenv_t calm_{};
};

} // namespace rivulet
