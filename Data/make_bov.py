#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes Taylor-Green vortices as BOV: a header and one raw file, or one for each block. See Data/README.md."""

import argparse
import math
import sys
from pathlib import Path

import numpy

TYPES = {"FLOAT": "f4", "DOUBLE": "f8", "SHORT": "i2", "INT": "i4"}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("header", type=Path, help="the .bov file; raw files get its name")
    parser.add_argument("--size", type=int, nargs=3, default=[32, 32, 32], help="nodes along x, y, z")
    parser.add_argument("--blocks", type=int, nargs=3, default=[1, 1, 1], help="files along x, y, z; must divide the size")
    parser.add_argument("--type", choices=TYPES, default="FLOAT", help="whole numbers are thousandths")
    parser.add_argument("--endian", choices=["LITTLE", "BIG"], default="LITTLE")
    parser.add_argument("--offset", type=int, default=0, help="bytes before the first value of each file")
    parser.add_argument("--time", type=float, default=0.0)
    arguments = parser.parse_args()
    if any(size % blocks for size, blocks in zip(arguments.size, arguments.blocks)):
        parser.error("--blocks must divide --size")
    return arguments


def velocities(size):
    """Shape (z, y, x, component)."""
    x, y, z = (numpy.linspace(0, 2 * math.pi, nodes) for nodes in size)
    z, y, x = numpy.meshgrid(z, y, x, indexing="ij")
    u = numpy.sin(x) * numpy.cos(y) * numpy.cos(z)
    v = -numpy.cos(x) * numpy.sin(y) * numpy.cos(z)
    return numpy.stack([u, v, numpy.zeros_like(u)], axis=-1)


def cast(values, arguments):
    kind = numpy.dtype(TYPES[arguments.type]).newbyteorder("<" if arguments.endian == "LITTLE" else ">")
    if kind.kind == "i":
        values = numpy.rint(1000 * values)
    return numpy.ascontiguousarray(values, dtype=kind)


def blocks_of(values, counts):
    """The blocks in BOV's order, x fastest."""
    for slab in numpy.split(values, counts[2], axis=0):
        for bar in numpy.split(slab, counts[1], axis=1):
            yield from numpy.split(bar, counts[0], axis=2)


def write_values(arguments):
    values = cast(velocities(arguments.size), arguments)
    blocks = list(blocks_of(values, arguments.blocks))
    stem = arguments.header.with_suffix("")
    names = [f"{stem}.raw"] if len(blocks) == 1 else [f"{stem}_{number:03}.raw" for number in range(len(blocks))]
    for name, block in zip(names, blocks):
        Path(name).write_bytes(bytes(arguments.offset) + block.tobytes())
    return names


def write_header(arguments, names):
    stem = arguments.header.stem.replace("%", "%%")  # a single one begins the number of a block
    pattern = f"{stem}.raw" if len(names) == 1 else f"{stem}_%03d.raw"
    if pattern.startswith("#") or any(c.isspace() for c in pattern):
        pattern = f'"{pattern}"'
    lines = [
        f"TIME: {arguments.time}",
        f"DATA_FILE: {pattern}",
        "DATA_SIZE: {} {} {}".format(*arguments.size),
        f"DATA_FORMAT: {arguments.type}",
        "DATA_COMPONENTS: 3",
        "VARIABLE: velocity",
        f"DATA_ENDIAN: {arguments.endian}",
        "CENTERING: nodal",
        f"BYTE_OFFSET: {arguments.offset}",
        "BRICK_ORIGIN: 0 0 0",
        "BRICK_SIZE: {0} {0} {0}".format(2 * math.pi),
    ]
    if len(names) > 1:
        sides = [size // blocks for size, blocks in zip(arguments.size, arguments.blocks)]
        lines.append("DATA_BRICKLETS: {} {} {}".format(*sides))
    arguments.header.write_text("\n".join(lines) + "\n", encoding="ascii")


def main():
    arguments = parse_arguments()
    names = write_values(arguments)
    write_header(arguments, names)
    print(f"{arguments.header} and {len(names)} raw file{'s' if len(names) > 1 else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
