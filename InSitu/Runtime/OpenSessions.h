// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The sessions of this process that are open, so that a simulation may end without rivulet_insitu_finalize: by an
/// early return of main, by exit(), or by MPI_Finalize before it. Accepted data are analysed then, too.
///
///     add_open(session);       // a pointer that stays where it is
///     remove_open(session);
///
/// They end at the beginning of MPI_Finalize, by an attribute of MPI_COMM_SELF (MPI 4.0, 11.2.4), or when the process
/// exits. Not in a child of fork(), which has none of the threads.
///
/// Threads: the simulation's.
#pragma once

#include "Session.h"

namespace rivulet::insitu
{

void add_open(std::unique_ptr<Session>& session);
void remove_open(std::unique_ptr<Session>& session);

} // namespace rivulet::insitu
