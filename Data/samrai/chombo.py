# SPDX-License-Identifier: BSD-3-Clause
"""The same mesh as Chombo and AMReX write it to HDF5: one file per time step, all boxes of a level in one dataset.

Box after box, within a box component after component, x fastest; data:offsets=0 counts elements. AMReX can also give
each component a dataset (`data:datatype=1` ...); its data never has ghosts, though the attribute ngrow may say so.
"""

import numpy
from h5py import h5a, h5d, h5g, h5s, h5t

from .storage import ALL, Compound, create_file, creation, creation_list, file_type, string_type

AXES = "ijk"


def box_type(dimensions):
    names = [f"{side}_{axis}" for side in ("lo", "hi") for axis in AXES[:dimensions]]
    return Compound(8 * dimensions, tuple((name, "i4", 4 * number) for number, name in enumerate(names)))


def vector_type(dimensions, prefix, names, kind):
    size = numpy.dtype(kind).itemsize
    members = tuple((prefix + name, kind, size * axis) for axis, name in enumerate(names[:dimensions]))
    return Compound(size * dimensions, members)


def write_attribute(place, name, kind, values):
    values = numpy.asarray(values, kind)
    space = h5s.create_simple(values.shape) if values.ndim else h5s.create(h5s.SCALAR)
    h5a.create(place, name.encode(), h5t.py_create(values.dtype), space).write(values)


def write_text(place, name, text):
    kind = string_type(len(text) + 1)
    value = numpy.array(text.encode(), f"S{len(text) + 1}")
    h5a.create(place, name.encode(), kind, h5s.create(h5s.SCALAR)).write(value, kind)


def write_compound(place, name, compound, row):
    value = numpy.zeros((), compound.dtype())
    for (member, _, _), number in zip(compound.members, row):
        value[member] = number
    kind = compound.hdf5_type()
    h5a.create(place, name.encode(), kind, h5s.create(h5s.SCALAR)).write(value, kind)


def check(mesh, variables, options):
    """Why this mesh or these variables cannot be told in these formats; None if they can."""
    if mesh.deformed or mesh.origin != (0, 0, 0) and options.format == "chombo":
        return "this format knows no deformed meshes, and Chombo no origin other than 0"
    if any(variable.node or variable.missing.levels or variable.missing.patches for variable in variables):
        return "this format holds cell variables only, everywhere"
    apart = options.format == "amrex-multi"  # a dataset for each component
    if len({(variable.type if not apart else "", variable.ghosts) for variable in variables}) != 1:
        return "all variables need the same type and ghosts in this format"
    if options.storage.compressed_here() or options.storage.rank > 1:
        return "this format is written without lz4, zstd and --rank"
    return None


def file_name(options, cycle):
    return f"plot.{cycle:06d}.{options.dimensions}d.hdf5" if options.format == "chombo" else f"plt{cycle:05d}.h5"


def names_of(variable, options):
    if variable.components == options.dimensions and options.vector_suffixes:
        return [variable.name + suffix for suffix in options.vector_suffixes[:variable.components]]
    return variable.component_names()


def write_hierarchy(path, mesh, variables, cycle, time, options):
    names = [name for variable in variables for name in names_of(variable, options)]
    scalar = (lambda value: value) if options.format == "chombo" else (lambda value: [value])
    file = create_file(path, options.newest)
    write_attribute(file, "num_levels", "i4", scalar(mesh.levels()))
    write_attribute(file, "num_components", "i4", scalar(len(names)))
    write_attribute(file, "time", "f8", scalar(time))
    for number, name in enumerate(names):
        write_text(file, f"component_{number}", name)
    common = h5g.create(file, b"Chombo_global")
    write_attribute(common, "SpaceDim", "i4", scalar(mesh.dimensions))
    if options.format == "chombo":
        write_text(file, "filetype", "VanillaAMRFileType")
        write_attribute(file, "iteration", "i4", cycle)
        write_attribute(common, "testReal", "f8", 0.0)
    else:
        write_text(file, "version_name", "HyperCLaw-V1.1")
        write_text(file, "plotfile_type", "VanillaHDF5")
        write_attribute(file, "dim", "i4", [mesh.dimensions])
        write_attribute(file, "finest_level", "i4", [mesh.levels() - 1])
        write_attribute(file, "coordinate_system", "i4", [0])
    for level in range(mesh.levels()):
        group = h5g.create(file, f"level_{level}".encode())
        patches = sorted((patch for patch in mesh.patches if patch.level == level), key=lambda patch: patch.processor)
        describe = describe_chombo if options.format == "chombo" else describe_amrex
        describe(group, mesh, level, patches, variables, cycle, time)
        write_boxes(group, mesh, patches, options)
        write_level(group, mesh, patches, variables, time, options)
    file.close()


def domain_of(mesh, level):
    domain = mesh.domains[level]
    return (*domain.lower[:mesh.dimensions], *domain.upper[:mesh.dimensions])


def ratio_to_finer(mesh, level):
    return mesh.ratios[level + 1] if level + 1 < mesh.levels() else (1, 1, 1)


def describe_chombo(group, mesh, level, patches, variables, cycle, time):
    del patches, cycle
    dimensions = mesh.dimensions
    spacing, ratio = mesh.spacing[level][:dimensions], ratio_to_finer(mesh, level)[:dimensions]
    indices = vector_type(dimensions, "intvect", AXES, "i4")
    if len({*mesh.spacing[0][:dimensions]}) == 1 and all(len({*r[:dimensions]}) == 1 for r in mesh.ratios):
        write_attribute(group, "dx", "f8", spacing[0])
        write_attribute(group, "ref_ratio", "i4", ratio[0])
    else:
        write_compound(group, "vec_dx", vector_type(dimensions, "", "xyz", "f8"), spacing)
        write_compound(group, "vec_ref_ratio", indices, ratio)
    write_attribute(group, "dt", "f8", 0.0)
    write_attribute(group, "time", "f8", time)
    write_compound(group, "prob_domain", box_type(dimensions), domain_of(mesh, level))
    data = h5g.create(group, b"data_attributes")
    write_attribute(data, "comps", "i4", sum(variable.components for variable in variables))
    write_text(data, "objectType", "FArrayBox")
    for name in ("ghost", "outputGhost"):
        write_compound(data, name, indices, variables[0].ghosts[:dimensions])


def describe_amrex(group, mesh, level, patches, variables, cycle, time):
    dimensions = mesh.dimensions
    spacing, origin = mesh.spacing[level][:dimensions], mesh.origin[:dimensions]
    sides = mesh.domains[level].sides()
    write_attribute(group, "ref_ratio", "i4", [ratio_to_finer(mesh, level)[0]])
    write_attribute(group, "Vec_dx", "f8", spacing)
    write_attribute(group, "dx", "f8", [spacing[0]])
    write_attribute(group, "prob_lo", "f8", origin)
    write_attribute(group, "prob_hi", "f8", [low + width * side for low, width, side in zip(origin, spacing, sides)])
    write_compound(group, "prob_domain", box_type(dimensions), domain_of(mesh, level))
    write_attribute(group, "domain_type", "i4", [0] * dimensions)
    write_attribute(group, "steps", "i4", [cycle])
    write_attribute(group, "ngrid", "i4", [len(patches)])
    write_attribute(group, "time", "f8", [time])
    write_attribute(group, "ngrow", "i4", [max(variables[0].ghosts)])


def write_boxes(group, mesh, patches, options):
    dimensions = mesh.dimensions
    box_type(dimensions).write(group, "boxes", [
        (*patch.box.lower[:dimensions], *patch.box.upper[:dimensions]) for patch in patches])
    if options.format == "chombo":
        owners = numpy.array([patch.processor for patch in patches], "i4")
        dataset = h5d.create(group, b"Processors", h5t.NATIVE_INT32, h5s.create_simple(owners.shape), creation())
        dataset.write(ALL, ALL, owners)
    else:
        centre = vector_type(dimensions, "", AXES, "i4")
        centre.write(group, "boxcenter", [(0,) * dimensions for _ in patches])


def write_level(group, mesh, patches, variables, time, options):
    interior = options.format != "chombo"
    columns = [(variable, component) for variable in variables for component in range(variable.components)]
    together = [columns] if options.format != "amrex-multi" else [[column] for column in columns]
    ghosts = (0, 0, 0) if interior else variables[0].ghosts
    sizes = [int(numpy.prod(mesh.stored_sides(patch, False, ghosts))) * len(together[0]) for patch in patches]
    offsets = numpy.concatenate([[0], numpy.cumsum(sizes)]).astype("i8")
    dataset = h5d.create(group, b"data:offsets=0", h5t.NATIVE_INT64, h5s.create_simple(offsets.shape), creation())
    dataset.write(ALL, ALL, offsets)
    shape = (int(offsets[-1]),)
    for number, group_of_columns in enumerate(together):
        kind = file_type(group_of_columns[0][0].type, options.endian)
        properties = creation_list(shape, shape[0], options.storage)
        properties.set_fill_time(h5d.FILL_TIME_NEVER)
        if properties.get_layout() == h5d.CONTIGUOUS:
            properties.set_alloc_time(h5d.ALLOC_TIME_EARLY)
        name = f"data:datatype={number}"
        dataset = h5d.create(group, name.encode(), h5t.py_create(kind), h5s.create_simple(shape), properties)
        for patch, start, size in zip(patches, offsets.tolist(), sizes):
            values = numpy.concatenate([variable.values(mesh, patch, component, time, interior).ravel()
                                        for variable, component in group_of_columns]).astype(kind)
            place = h5s.create_simple(shape)
            place.select_hyperslab((start,), (size,))
            dataset.write(h5s.create_simple((size,)), place, values, h5t.py_create(kind))
