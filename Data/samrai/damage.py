# SPDX-License-Identifier: BSD-3-Clause
"""Deliberate faults in the last time step of a SAMRAI dump, one at a time, for tests of how readers refuse."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import h5py
import numpy
from h5py import h5d, h5p, h5s, h5t, h5z

from .index import naming_of
from .storage import Compound
from .summary import PATCH_EXTENTS, PATCH_MAP

UNKNOWN_FILTER = 32999  # registered by nobody
CHUNKED = {"storage": "chunked", "larger_than": 0}


@dataclass(frozen=True)
class Place:
    """One time step, and the index above it."""
    folder: Path
    index: Path
    summary: Path
    clusters: list


@dataclass(frozen=True)
class Kind:
    apply: Callable
    options: dict = field(default_factory=dict)  # what the dump must be made with


def spoil(kind, options):
    naming = naming_of(options.naming, options.summary_name)
    step = options.folder / naming.folder_of(options.first_cycle + (options.steps - 1) * options.stride)
    clusters = sorted(path for path in step.iterdir() if path.name != naming.summary)
    KINDS[kind].apply(Place(options.folder, options.folder / naming.index, step / naming.summary, clusters))


# Files and the index


def truncate_cluster(place):
    os.truncate(place.clusters[0], place.clusters[0].stat().st_size * 2 // 3)


def remove_cluster(place):
    place.clusters[0].unlink()


def garbage_summary(place):
    place.summary.write_bytes(b"this is no HDF5 file\n" * 100)


def append_to_index(place, line):
    with place.index.open("a", encoding="ascii") as index:
        index.write(line + "\n")


def index_missing_dump(place):
    append_to_index(place, f"{place.summary.parent.name}9/{place.summary.name}")


def index_escapes(place):
    append_to_index(place, f"../{place.folder.name}-outside/{place.summary.parent.name}/{place.summary.name}")
    append_to_index(place, str(place.summary.resolve()))


# Metadata


def replace_compound(place, name, compound, change):
    """Reads a compound of the summary, changes its rows, and writes it anew, perhaps in another layout."""
    with h5py.File(place.summary, "r+") as file:
        rows = file["extents"][name][()]
        del file["extents"][name]
        compound.write(file["extents"].id, name, [tuple(row[member] for member, _, _ in compound.members)
                                                  for row in change(rows)])


def change_boxes(change):
    def apply(place):
        def change_rows(rows):
            change(rows["lower"], rows["upper"])
            return rows
        replace_compound(place, "patch_extents", PATCH_EXTENTS, change_rows)
    return apply


def overlap(lower, upper):
    upper[1] += lower[0] - lower[1]
    lower[1] = lower[0]


def negative_side(lower, upper):
    upper[0, 0] = lower[0, 0] - 2


def huge_side(lower, upper):
    limits = numpy.iinfo("i4")
    lower[0], upper[0] = limits.min, limits.max


def change_patch_map(member, value):
    def apply(place):
        def change_rows(rows):
            rows[member][0] = value
            return rows
        replace_compound(place, "patch_map", PATCH_MAP, change_rows)
    return apply


def other_member_order(place):
    """Not a fault: a reader that goes by names reads the same."""
    order = (2, 0, 3, 1)
    members = tuple((*PATCH_MAP.members[old][:2], 4 * new) for new, old in enumerate(order))
    replace_compound(place, "patch_map", Compound(16, members), lambda rows: rows)
    members = tuple((*PATCH_EXTENTS.members[old][:2], offset) for old, offset in ((3, 0), (2, 24), (1, 48), (0, 60)))
    replace_compound(place, "patch_extents", Compound(72, members), lambda rows: rows)


def zero_patches(place):
    with h5py.File(place.summary, "r+") as file:
        basic = file["BASIC_INFO"]
        basic["number_patches_at_level"][...] = 0
        basic["number_global_patches"][...] = 0
    for name, compound in (("patch_map", PATCH_MAP), ("patch_extents", PATCH_EXTENTS)):
        replace_compound(place, name, compound, lambda rows: rows[:0])


def wrong_rank(place):
    with h5py.File(place.summary, "r+") as file:
        values = file["BASIC_INFO/dx"][()].reshape(-1)
        del file["BASIC_INFO/dx"]
        file["BASIC_INFO/dx"] = values


def without_names(place):
    with h5py.File(place.summary, "r+") as file:
        del file["BASIC_INFO/var_names"]


# Fields


def first_field(file):
    """The path of the first field that has values."""
    found = []
    file.visititems(lambda name, item: found.append(name) if isinstance(item, h5py.Dataset) and item.size else None)
    return found[0]


def short_dataset(place):
    with h5py.File(place.clusters[0], "r+") as file:
        name = first_field(file)
        values, kind = file[name][()].reshape(-1)[:-1], file[name].dtype
        del file[name]
        file.create_dataset(name, data=values, dtype=kind)


def absent_dataset(place):
    with h5py.File(place.clusters[0], "r+") as file:
        del file[first_field(file)]


def flip_byte(path, offset):
    with path.open("r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ 0xFF]))


def flip_in_chunk(position):
    """Inverts one byte of the first chunk, where the file holds it."""
    def apply(place):
        with h5py.File(place.clusters[0], "r") as file:
            dataset = file[first_field(file)].id
            chunk = dataset.get_chunk_info(0, dataset.get_space())
        flip_byte(place.clusters[0], chunk.byte_offset + int(chunk.size * position))
    return apply


def unknown_filter(place):
    with h5py.File(place.clusters[0], "r+") as file:
        name = first_field(file)
        values = file[name][()]
        group, leaf = file[name].parent.id, name.rsplit("/", 1)[1]
        del file[name]
        properties = h5p.create(h5p.DATASET_CREATE)
        properties.set_chunk(values.shape)
        properties.set_filter(UNKNOWN_FILTER, h5z.FLAG_OPTIONAL, ())  # a mandatory one cannot be made
        dataset = h5d.create(group, leaf.encode(), h5t.py_create(values.dtype), h5s.create_simple(values.shape), properties)
        dataset.write_direct_chunk((0,) * values.ndim, values.tobytes(), 0)


KINDS = {
    "truncated-cluster": Kind(truncate_cluster),
    "missing-cluster": Kind(remove_cluster),
    "garbage-summary": Kind(garbage_summary),
    "index-missing-dump": Kind(index_missing_dump),
    "index-escapes": Kind(index_escapes),
    "short-dataset": Kind(short_dataset),
    "absent-dataset": Kind(absent_dataset),
    "wrong-rank": Kind(wrong_rank),
    "no-names": Kind(without_names),
    "no-such-cluster": Kind(change_patch_map("file_cluster_number", 9999)),
    "no-such-processor": Kind(change_patch_map("processor_number", 9999)),
    "no-such-level": Kind(change_patch_map("level_number", 99)),
    "overlapping-boxes": Kind(change_boxes(overlap)),
    "negative-box": Kind(change_boxes(negative_side)),
    "huge-box": Kind(change_boxes(huge_side)),
    "zero-patches": Kind(zero_patches),
    "corrupt-deflate": Kind(flip_in_chunk(0.0), {**CHUNKED, "filters": ["deflate"]}),
    "corrupt-fletcher32": Kind(flip_in_chunk(0.5), {**CHUNKED, "filters": ["fletcher32"]}),
    "unknown-filter": Kind(unknown_filter),
    "member-order": Kind(other_member_order),
}
