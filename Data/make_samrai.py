#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes dumps of adaptive meshes with known values: SAMRAI's VisIt dumps, or Chombo's and AMReX's HDF5. See Data/README.md."""

import sys

from samrai import chombo, clusters, damage, index, mesh, options, plot_damage, storage, summary


def write_samrai_step(chosen, naming, shape, cycle, time):
    folder = chosen.folder / naming.folder_of(cycle)
    folder.mkdir(exist_ok=True)
    extents = clusters.write_clusters(folder, naming, shape, chosen.variables, time, chosen)
    summary.write_summary(folder / naming.summary, shape, chosen.variables, extents, cycle, time, chosen)


def main(arguments=None):
    chosen = options.parse(arguments, __doc__)
    storage.Times.kept = chosen.times
    chosen.folder.mkdir(parents=True, exist_ok=True)
    naming = index.naming_of(chosen.naming, chosen.summary_name)
    cycles = [chosen.first_cycle + step * chosen.stride for step in range(chosen.steps)]
    for step, cycle in enumerate(cycles):
        shape = mesh.make_mesh(chosen, step)
        if chosen.format == "samrai":
            write_samrai_step(chosen, naming, shape, cycle, cycle * chosen.dt)
        else:
            path = chosen.folder / chombo.file_name(chosen, cycle)
            chombo.write_hierarchy(path, shape, chosen.variables, cycle, cycle * chosen.dt, chosen)
    if chosen.format == "samrai":
        index.write_index(chosen.folder, naming, cycles, chosen.index_comments)
    if chosen.damage:
        (damage if chosen.format == "samrai" else plot_damage).spoil(chosen.damage, chosen)
    size = sum(path.stat().st_size for path in chosen.folder.rglob("*") if path.is_file())
    print(f"{chosen.folder}: {len(cycles)} time step(s), {len(shape.patches)} patches, {size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
