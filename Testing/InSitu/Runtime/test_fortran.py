#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The simulation in Fortran shows analytics what it should.

    test_fortran.py PROGRAM PLUGINS

The hash is computed here anew, from the bytes that the Fortran program has published.
"""

import json
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

MASK = (1 << 64) - 1
PARTICLES = 1000


def mix(state, data):
    """As the plugin `recorder` does: FNV-1a, then a mark for arrays that are missing."""
    for byte in data or b"":
        state = ((state ^ byte) * 1099511628211) & MASK
    return (state * 31 + (data is None)) & MASK


def hash_of_step(step):
    x = [float(i + step) for i in range(1, PARTICLES + 1)]
    parts = [b"atoms", struct.pack("<q", PARTICLES), None, None]
    parts += [struct.pack(f"<{PARTICLES}d", *(factor * each for each in x)) for factor in (1, 2, 3)]
    parts += [None, None, None]  # velocities
    parts += [struct.pack("<3d", 0, 0, 0), struct.pack("<3d", 1, 1, 1), struct.pack("<3i", 0, 0, 0)]
    parts += [b"flow", struct.pack("<3d", 0, 0, 0), struct.pack("<3d", 1, 1, 1), struct.pack("<3q", 4, 3, 2), None]
    parts += [struct.pack("<i", 0), struct.pack("<3q", 0, 0, 0), b"flow", struct.pack("<24f", *[step] * 24)]
    state = 14695981039346656037
    for part in parts:
        state = mix(state, part)
    return state


def main():
    program, plugins = sys.argv[1:3]
    for policy, copies in (("synchronous", 0), ("dynamic", 5)):
        with tempfile.TemporaryDirectory() as folder:
            config = Path(folder, "insitu.json")
            config.write_text(json.dumps({"policy": policy, "cores": 4, "output": folder, "plugins": [plugins],
                                          "analytics": [{"name": "recorder"}]}))
            subprocess.run([program, str(config), str(copies)], check=True)
            lines = Path(folder, "recorder-0.txt").read_text().splitlines()
        assert [line.split()[3] for line in lines] == [f"{hash_of_step(step):x}" for step in range(5)], lines


if __name__ == "__main__":
    main()
