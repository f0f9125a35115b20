# SPDX-License-Identifier: BSD-3-Clause
"""Helpers for runs with a cold page cache and a memory limit. Needs root."""

import os
import pathlib
import time

import numpy as np


class MemoryGroup:
    """Memory cgroup, version 1 or 2, and programs that run in it."""

    def __init__(self, limit):
        root = pathlib.Path("/sys/fs/cgroup")
        first = (root / "memory").is_dir()
        self.folder = (root / "memory" if first else root) / f"rivulet-bench-{os.getpid()}"
        self.folder.mkdir(exist_ok=True)
        (self.folder / ("memory.limit_in_bytes" if first else "memory.max")).write_text(str(limit))

    def enter(self):
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def close(self):
        """What a program leaves behind (pvpython, a daemon of MPI) ends a little later."""
        for _ in range(100):
            try:
                self.folder.rmdir()
                return
            except OSError:
                time.sleep(0.1)
        self.folder.rmdir()


def drop_caches():
    os.sync()
    pathlib.Path("/proc/sys/vm/drop_caches").write_text("3")


def uniform_seeds(path, nodes, spacing, origin, count):
    """Positions on a lattice over the whole grid, well inside it."""
    side = int(np.ceil(count ** (1 / 3)))
    at = (np.stack(np.unravel_index(np.arange(count), (side,) * 3)[::-1], axis=1) + 0.5) / side
    (np.array(origin) + at * (np.array(nodes) - 1) * np.array(spacing)).tofile(path)
