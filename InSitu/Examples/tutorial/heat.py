#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Heat that spreads in a box, in slabs along z, one for each rank: heat.c in Python.

    mpirun -n 2 python3 heat.py insitu.json 100        (configuration, steps)
Documentation/couple-python.md goes through it.
"""

import sys

import numpy as np
import rivulet_insitu
from mpi4py import MPI

N = 48  # cells along each axis
comm = MPI.COMM_WORLD
first = N * comm.rank // comm.size
count = N * (comm.rank + 1) // comm.size - first  # layers of this rank


def start():
    """Heat of this rank's cells, [z, y, x], with one ghost layer below and above."""
    heat = np.zeros((count + 2, N, N))
    z, y, x = np.meshgrid(np.arange(first, first + count) - 0.4 * N, np.arange(N) - 0.5 * N, np.arange(N) - 0.3 * N, indexing="ij")
    heat[1:-1] = np.exp(-0.02 * (x**2 + y**2 + z**2))
    return heat


def exchange(heat):
    """Ghost layers; walls stay at 0."""
    below = comm.rank - 1 if comm.rank > 0 else MPI.PROC_NULL
    above = comm.rank + 1 if comm.rank + 1 < comm.size else MPI.PROC_NULL
    comm.Sendrecv(heat[1], below, recvbuf=heat[-1], source=above)
    comm.Sendrecv(heat[-2], above, recvbuf=heat[0], source=below)


def spread(heat):
    middle = heat[1:-1, 1:-1, 1:-1]
    around = (heat[:-2, 1:-1, 1:-1] + heat[2:, 1:-1, 1:-1] + heat[1:-1, :-2, 1:-1] + heat[1:-1, 2:, 1:-1]
              + heat[1:-1, 1:-1, :-2] + heat[1:-1, 1:-1, 2:])
    middle += 0.15 * (around - 6 * middle)


def main():
    steps = int(sys.argv[2])
    heat = start()
    exchange(heat)
    with rivulet_insitu.Session(sys.argv[1], comm) as insitu:
        for step in range(steps):
            spread(heat)
            exchange(heat)
            if insitu.wants(step):
                insitu.publish_field("temperature", {"heat": heat}, domain=(N, N, N), begin=(0, 0, first), ghosts=(0, 0, 1))
                insitu.execute(step, 0.15 * step)


if __name__ == "__main__":
    main()
