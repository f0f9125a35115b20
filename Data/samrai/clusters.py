# SPDX-License-Identifier: BSD-3-Clause
"""The data files of a SAMRAI dump: /processor.%05d/level.%05d/patch.%05d/<component>, one file per cluster of processors."""

from dataclasses import dataclass, field

import numpy
from h5py import h5g

from .storage import create_file, file_type, write_array

NONE, ALL_OF_IT, MIXED = 0, 1, 2  # how a material fills a patch


@dataclass
class Extents:
    """What the summary says about each component: per patch, defined or not, and the least and greatest value."""
    rows: dict = field(default_factory=dict)
    materials: dict = field(default_factory=dict)  # per material, per patch: flag, minimum, maximum


def patches_of_processors(mesh, processors):
    owned = [[] for _ in range(processors)]
    for number, patch in enumerate(mesh.patches):
        owned[patch.processor].append((number, patch))
    return owned


def file_clusters(options):
    return -(-options.processors // options.procs_per_file)


def write_clusters(folder, naming, mesh, variables, time, options):
    extents = Extents()
    for variable in variables:
        for name in variable.component_names():
            extents.rows[name] = [(0, 0.0, 0.0)] * len(mesh.patches)
    for name in options.materials:
        extents.materials[name] = [(NONE, 0.0, 0.0)] * len(mesh.patches)
    owned = patches_of_processors(mesh, options.processors)
    for cluster in range(file_clusters(options)):
        file = create_file(folder / naming.cluster_of(cluster))
        first = cluster * options.procs_per_file
        for processor in range(first, min(first + options.procs_per_file, options.processors)):
            group = h5g.create(file, f"processor.{processor:05d}".encode())
            for level in range(mesh.levels()):
                level_group = h5g.create(group, f"level.{level:05d}".encode())
                for number, patch in owned[processor]:
                    if patch.level == level:
                        patch_group = h5g.create(level_group, f"patch.{patch.number:05d}".encode())
                        write_fields(patch_group, number, patch, mesh, variables, time, options, extents)
                        write_materials(patch_group, number, patch, mesh, options, extents)
        file.close()
    return extents


def write_fields(group, number, patch, mesh, variables, time, options, extents):
    for variable in variables:
        if variable.missing.holds(number, patch):
            continue
        written = not variable.unwritten.holds(number, patch)
        kind = file_type(variable.type, options.endian)
        for component, name in enumerate(variable.component_names()):
            values = variable.values(mesh, patch, component, time)
            if not written:
                values = numpy.full(values.shape, options.storage.fill)
            extents.rows[name][number] = (1, float(values.min()), float(values.max()))
            shape = values.shape[3 - mesh.dimensions:] if options.storage.rank > 1 else (values.size,)
            write_array(group, name, values.astype(kind).reshape(shape), options.storage, written=written)


def write_materials(group, number, patch, mesh, options, extents):
    """Dense fractions: the first material fades out along x over the middle of the domain, the last takes the rest."""
    if not options.materials:
        return
    x, _, _ = mesh.positions(patch, False, (0, 0, 0), 0.0)
    low, high = mesh.domains[patch.level].lower[0], mesh.domains[patch.level].upper[0] + 1
    middle = mesh.origin[0] + mesh.spacing[patch.level][0] * (low + high) / 2
    shape = tuple(reversed(mesh.stored_sides(patch, False, (0, 0, 0))))
    first = numpy.broadcast_to(numpy.clip(0.5 + middle - x, 0, 1), shape)
    folder = h5g.create(group, b"materials")
    for name, part in zip(options.materials, (first, 1 - first)):
        flag = NONE if part.max() == 0 else ALL_OF_IT if part.min() == 1 else MIXED
        extents.materials[name][number] = (flag, float(part.min()), float(part.max()))
        if flag == MIXED:
            values = part.astype(file_type("f4", options.endian)).reshape(-1)
            write_array(h5g.create(folder, name.encode()), f"{name}-fractions", values, options.storage)
