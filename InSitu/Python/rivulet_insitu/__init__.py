# SPDX-License-Identifier: BSD-3-Clause
"""In situ analytics for a simulation that is a program in Python, with mpi4py and NumPy.

    import rivulet_insitu

    with rivulet_insitu.Session("insitu.json", comm) as insitu:
        for step in range(steps):
            compute()
            if insitu.wants(step):
                insitu.publish_field("flow", {"velocity": velocity}, domain=(64, 64, 64), begin=(0, 0, first))
                insitu.execute(step, time)

The configuration says which analytics run, how often, and on which threads (Documentation/in-situ.md). Arrays are shown
where they lie: nothing is copied or converted on the way to the runtime.

Order of axes: arrays are [z, y, x] or [z, y, x, component], as NumPy prints them, with x running fastest. Triples
(origin, spacing, domain, begin, ghosts) are (x, y, z).

Units and frames are the simulation's own. Positions, origins and spacings are in one frame for all ranks.

Ownership: an array stays the simulation's, and must not change from `publish_...` until `execute` has returned. The
session holds a reference to it for this time. Each name is published once in a step; discard() forgets a step that is
given up before execute.

Threads: one thread of each rank calls all functions, the one that made the session. Python's lock is free while the
runtime works, so other threads go on. All ranks call Session, execute and finalize, with the same configuration, step
and time. All ranks publish the same names in the same order; a rank that has no values publishes empty arrays.

Errors: a value that cannot be shown is a TypeError or a ValueError. A failure of the runtime is a warning, InSituWarning,
and a code: the simulation goes on. With strict=True it is an exception, InSituError.
"""

from ._data import Block
from ._session import Code, InSituError, InSituWarning, Session

__all__ = ["Block", "Code", "InSituError", "InSituWarning", "Session"]
