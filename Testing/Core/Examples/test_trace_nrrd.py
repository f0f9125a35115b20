#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The example of another format traces the right line, and refuses by name what it does not know.

usage: test_trace_nrrd.py trace_nrrd
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

example = sys.argv[1]
NODES = (41, 31, 21)


def written(folder, name, kind, endian, more=""):
    """A uniform flow along (1, 0.5, 0.25) in a box from (-1, -1, -1), in cells of 0.1."""
    values = np.broadcast_to(np.array([1, 0.5, 0.25]), (*NODES[::-1], 3))
    values.astype({"big": ">", "little": "<"}[endian] + {"float": "f4", "double": "f8"}[kind]).tofile(folder / f"{name}.raw")
    header = folder / f"{name}.nhdr"
    header.write_text(f"NRRD0004\n# a comment\ntype: {kind}\ndimension: 4\nsizes: 3 {' '.join(map(str, NODES))}\n"
                      f"spacings: NaN 0.1 0.1 0.1\naxis mins: NaN -1 -1 -1\nendian: {endian}\nencoding: raw\n{more}"
                      f"data file: {name}.raw\n\n")  # fmt: skip
    return header


def run(header, *seed):
    return subprocess.run([example, header, *map(str, seed)], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for kind, endian in (("float", "little"), ("float", "big"), ("double", "little")):
        done = run(written(folder, kind + endian, kind, endian), -0.95, -0.5, -0.5)
        assert done.returncode == 0, done.stderr
        end = np.array(done.stdout.split()[-3:], dtype=float)
        t = end[0] + 0.95  # the line leaves the box at x = 3, after t = 3.95
        assert np.allclose(end, [end[0], -0.5 + 0.5 * t, -0.5 + 0.25 * t], atol=1e-5) and 2.9 < end[0] <= 3.0001, done.stdout

    refused = run(written(folder, "skipping", "float", "little", "line skip: 2\n"), 0, 0, 0)
    assert refused.returncode == 1 and '"line skip"' in refused.stderr and "skipping.nhdr" in refused.stderr, refused
    for key in ("byte skip: 16", "space directions: none", "axis maxs: NaN 1 1 1"):
        assert f'"{key.split(":")[0]}"' in run(written(folder, "other", "float", "little", key + "\n"), 0, 0, 0).stderr
    compressed = folder / "packed.nhdr"
    compressed.write_text((folder / "floatlittle.nhdr").read_text().replace("encoding: raw", "encoding: gzip"))
    assert '"encoding" is "gzip"' in run(compressed, 0, 0, 0).stderr
    short = written(folder, "short", "float", "little")
    with open(folder / "short.raw", "r+b") as file:
        file.truncate(1000)
    assert "short.raw" in run(short, 0, 0, 0).stderr
    assert "no NRRD header" in run(folder / "short.raw", 0, 0, 0).stderr
print("right lines, and four messages")
