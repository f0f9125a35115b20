# SPDX-License-Identifier: BSD-3-Clause
"""Test dumps of adaptive meshes, written from the published layouts: SAMRAI's VisIt dumps, Chombo's and AMReX's HDF5.

    fields.py     what the values are: closed forms of position, time and component
    mesh.py       where the values are: levels, patches, families, positions, the deformed mesh
    variables.py  which arrays there are: centring, components, type, ghosts, what is left out
    storage.py    how an array lies in an HDF5 file: byte order, layout, filters
    clusters.py   data files of a SAMRAI dump        summary.py    their common description
    index.py      names of files and the index       chombo.py     the same mesh in Chombo's and AMReX's layouts
    options.py    the command line                   presets.py    sets of options for large dumps
    damage.py     deliberate faults
"""
