# SPDX-License-Identifier: BSD-3-Clause
"""Deliberate faults in the last plot file of Chombo or AMReX, one at a time, for tests of how readers refuse."""

import os

import h5py
import numpy

from .chombo import file_name
from .damage import CHUNKED, Kind, flip_byte, huge_side, negative_side, overlap
from .storage import Compound

DATA = "data:datatype=0"


def spoil(kind, options):
    path = options.folder / file_name(options, options.first_cycle + (options.steps - 1) * options.stride)
    KINDS[kind].apply(path)


def truncate_file(path):
    os.truncate(path, path.stat().st_size * 2 // 3)


def garbage_file(path):
    path.write_bytes(b"this is no HDF5 file\n" * 100)


def editing(change):
    """A fault that is made in the open file."""
    def apply(path):
        with h5py.File(path, "r+") as file:
            change(file)
    return apply


def change_boxes(level, change):
    """`change` gets the lowest and highest cells of all boxes as arrays of rows."""
    def apply(file):
        boxes = file[f"level_{level}/boxes"]
        rows = boxes[()]
        axes = "ijk"[:len(rows.dtype.names) // 2]
        lower, upper = ([[int(row[f"{side}_{axis}"]) for axis in axes] for row in rows] for side in ("lo", "hi"))
        change(lower, upper)
        for row, low, high in zip(rows, lower, upper):
            for axis, first, last in zip(axes, low, high):
                row[f"lo_{axis}"], row[f"hi_{axis}"] = first, last
        boxes[...] = rows
    return editing(apply)


def first_side(change):
    """The faults of SAMRAI's boxes, which want arrays."""
    def apply(lower, upper):
        low, high = numpy.array(lower), numpy.array(upper)
        change(low, high)
        lower[:], upper[:] = low.tolist(), high.tolist()
    return change_boxes(0, apply)


def move(cells):
    def apply(lower, upper):
        lower[0] = [low + cells for low in lower[0]]
        upper[0] = [high + cells for high in upper[0]]
    return apply


def to_the_corner(lower, upper):
    """Where the next coarser level of three has no box: it covers the middle."""
    upper[0] = [high - low for low, high in zip(lower[0], upper[0])]
    lower[0] = [0] * len(lower[0])


def change_offsets(change):
    def apply(file):
        offsets = file["level_0/data:offsets=0"]
        values = offsets[()]
        change(values)
        offsets[...] = values
    return editing(apply)


def beyond_the_end(values):
    values += 1000


def not_rising(values):
    values[1] = values[2] + 1


def other_size(values):
    values[1] += 1


def before_the_beginning(values):
    values -= 8


def set_attribute(place, name, value):
    def apply(file):
        del file[place].attrs[name]
        file[place].attrs[name] = value
    return editing(apply)


def without_name(file):
    del file.attrs["component_0"]


def without_data(file):
    del file["level_0"][DATA]


def short_data(file):
    values = file["level_0"][DATA][()]
    del file["level_0"][DATA]
    file["level_0"].create_dataset(DATA, data=values[:-1])


def of_nodes(file):
    level = file["level_0"]
    if "boxcenter" in level:
        rows = level["boxcenter"][()]
        rows["j"] = 1
        level["boxcenter"][...] = rows
    else:
        level["data_attributes"].attrs["objectType"] = "NodeFArrayBox"


def flip_in_chunk(path):
    with h5py.File(path, "r") as file:
        dataset = file["level_0"][DATA].id
        chunk = dataset.get_chunk_info(0, dataset.get_space())
    flip_byte(path, chunk.byte_offset)


def other_member_order(file):
    """Not a fault: a reader that goes by names reads the same."""
    rows = file["level_0/boxes"][()]
    del file["level_0/boxes"]
    names = tuple(reversed(rows.dtype.names))
    members = tuple((name, "i4", 4 * number) for number, name in enumerate(names))
    Compound(4 * len(names), members).write(file["level_0"].id, "boxes", [tuple(row[name] for name in names) for row in rows])


def no_more_boxes(file):
    """Not a fault: a level that a simulation has not come to refine."""
    count = int(file.attrs["num_levels"].item())
    file.copy("level_0", f"level_{count}")
    level = file[f"level_{count}"]
    kind = level["boxes"].dtype
    for name in ("boxes", "data:offsets=0", DATA):
        del level[name]
    level.create_dataset("boxes", (0,), kind)
    level.create_dataset("data:offsets=0", data=[0])
    file.attrs.modify("num_levels", count + 1)


KINDS = {
    "truncated-file": Kind(truncate_file),
    "garbage-file": Kind(garbage_file),
    "overlapping-boxes": Kind(first_side(overlap)),
    "negative-box": Kind(first_side(negative_side)),
    "huge-box": Kind(first_side(huge_side)),
    "box-outside": Kind(change_boxes(0, move(10000))),
    "box-not-nested": Kind(change_boxes(2, to_the_corner), {"levels": 3}),
    "offsets-beyond": Kind(change_offsets(beyond_the_end)),
    "offsets-falling": Kind(change_offsets(not_rising)),
    "offsets-size": Kind(change_offsets(other_size)),
    "offsets-negative": Kind(change_offsets(before_the_beginning)),
    "no-such-level": Kind(set_attribute("/", "num_levels", 7)),
    "many-levels": Kind(set_attribute("/", "num_levels", 2**31 - 1)),
    "many-components": Kind(set_attribute("/", "num_components", 2**31 - 1)),
    "more-components": Kind(set_attribute("/", "num_components", 2)),
    "other-ratio": Kind(set_attribute("level_0", "ref_ratio", 3)),
    "zero-spacing": Kind(set_attribute("level_0", "dx", 0.0)),
    "no-name": Kind(editing(without_name)),
    "no-data": Kind(editing(without_data)),
    "short-data": Kind(editing(short_data)),
    "node-values": Kind(editing(of_nodes)),
    "corrupt-deflate": Kind(flip_in_chunk, {**CHUNKED, "filters": ["deflate"]}),
    "member-order": Kind(editing(other_member_order)),
    "empty-level": Kind(editing(no_more_boxes)),
}
