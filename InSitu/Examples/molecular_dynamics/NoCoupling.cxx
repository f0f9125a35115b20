// SPDX-License-Identifier: BSD-3-Clause
#include "Coupling.h"

namespace molecular_dynamics
{

Result<Coupling> Coupling::open(const std::string& /*config*/, MPI_Comm /*comm*/)
{
  return tl::unexpected(std::string("this build has no in situ runtime"));
}

void Coupling::run(const std::function<void()>& body) const
{
  body();
}

void Coupling::show(const Simulation& /*simulation*/) const {}

void Coupling::Close::operator()(rivulet_insitu* /*session*/) const {}

} // namespace molecular_dynamics
