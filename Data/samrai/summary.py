# SPDX-License-Identifier: BSD-3-Clause
"""The summary of a SAMRAI dump. What SAMRAI puts through its database has the byte order of the data (big-endian);
compounds and two-dimensional arrays are native."""

import numpy
from h5py import h5g

from .clusters import file_clusters
from .storage import Compound, create_file, file_type, write_array, write_strings

PATCH_MAP = Compound(16, (("processor_number", "i4", 4), ("file_cluster_number", "i4", 0), ("level_number", "i4", 8),
                          ("patch_number", "i4", 12)))
PATCH_EXTENTS = Compound(72, (("lower", "3i4", 0), ("upper", "3i4", 12), ("xlo", "3f8", 24), ("xup", "3f8", 48)))
EXTENTS_MEMBERS = (("data_is_defined", "i1"), ("material_composition_flag", "i4"), ("species_composition_flag", "i4"),
                   ("min", "f8"), ("max", "f8"))
# Only the offsets differ between the writers.
EXTENTS = {layout: Compound(32, tuple((*member, offset) for member, offset in zip(EXTENTS_MEMBERS, offsets)))
           for layout, offsets in {"samrai3": (24, 16, 20, 0, 8), "ibsamrai2": (0, 4, 8, 16, 24)}.items()}
NOT_A_MATERIAL = 2  # what real dumps hold in the composition flags of plain variables


def family_type(counted):
    return Compound(8, (("offset", "i4", 0), (counted, "i4", 4)))


class Writer:
    """A group of the summary, and how scalars and arrays of the database are put into it."""

    def __init__(self, group, options):
        self.group = group
        self.options = options

    def put(self, name, kind, values):
        """Scalars are arrays of length 1."""
        array = numpy.atleast_1d(numpy.asarray(values)).astype(file_type(kind, self.options.endian))
        storage = self.options.storage if self.options.storage.rank == 1 else None
        write_array(self.group, name, array, *([storage] if storage else []))

    def put_native(self, name, kind, rows):
        write_array(self.group, name, numpy.array(rows, kind).reshape(len(rows), 3), database=False)

    def put_text(self, name, *strings):
        write_strings(self.group, name, strings)


def write_summary(path, mesh, variables, extents, cycle, time, options):
    file = create_file(path)
    basic = Writer(h5g.create(file, b"BASIC_INFO"), options)
    write_run(basic, mesh, cycle, time, options)
    write_variables(basic, mesh, variables)
    write_families(basic, mesh)
    group = h5g.create(file, b"extents")
    write_patches(group, mesh, options)
    for name, rows in extents.rows.items():
        EXTENTS[options.extents].write(group, f"{name}-Extents", [
            (defined, NOT_A_MATERIAL, NOT_A_MATERIAL, low, high) for defined, low, high in rows])
    if options.materials:
        write_materials(file, group, extents, options)
    file.close()


def write_run(basic, mesh, cycle, time, options):
    dimensions = mesh.dimensions
    basic.put("VDR_version_number", "f4", 2.0)
    basic.put_text("grid_type", "DEFORMED" if mesh.deformed else "CARTESIAN")
    basic.put("time", "f8", time)
    basic.put("time_step_number", "i4", cycle)
    basic.put_text("time_of_dump", "Thu Jan 01 00:00:00 UTC 1970")  # the same bytes from the same options
    basic.put("number_processors", "i4", options.processors)
    basic.put("number_file_clusters", "i4", file_clusters(options))
    basic.put("number_dimensions_of_problem", "i4", dimensions)
    basic.put("number_levels", "i4", mesh.levels())
    basic.put("number_patches_at_level", "i4", mesh.counts())
    basic.put("number_global_patches", "i4", len(mesh.patches))
    unused = [0] * (3 - dimensions)
    ratios = [[-1] * dimensions + unused] + [list(ratio[:dimensions]) + unused for ratio in mesh.ratios[1:]]
    basic.put_native("ratios_to_coarser_levels", "i4", ratios)
    basic.put("XLO", "f8", [0.0] * 3 if mesh.deformed else mesh.origin)
    basic.put_native("dx", "f8", numpy.zeros((mesh.levels(), 3)) if mesh.deformed else mesh.spacing)
    if mesh.deformed:
        basic.put("deformed_coordinate_scaling", "f8", [1.0] * 3)
    if options.extents == "samrai3":
        basic.put_text("patch_names_printf", "f%F R%P B%B L%02L P%05T")


def write_variables(basic, mesh, variables):
    basic.put("number_visit_variables", "i4", len(variables))
    basic.put_text("var_names", *[variable.name for variable in variables])
    basic.put("var_cell_centered", "i4", [int(not variable.node) for variable in variables])
    basic.put("var_number_components", "i4", [variable.components for variable in variables])
    basic.put("material_state_variable", "i4", [0] * len(variables))
    basic.put("scaling", "f8", [0.0 if variable.function == "position" else 1.0 for variable in variables])
    basic.put_native("var_number_ghosts", "i4", [variable.ghosts for variable in variables])


def write_families(basic, mesh):
    for kind, counted, relatives in (("child", "number_children", mesh.children),
                                     ("parent", "number_parents", mesh.parents)):
        flat = [number for family in relatives for number in family]
        basic.put(f"{kind}_array_length", "i4", len(flat))
        if not flat:
            continue
        starts = numpy.cumsum([0] + [len(family) for family in relatives])
        basic.put(f"{kind}_array", "i4", flat)
        family_type(counted).write(basic.group, f"{kind}_pointer_array", [
            (int(start) if family else -1, len(family)) for start, family in zip(starts, relatives)])


def patch_map_rows(mesh, options):
    return [(patch.processor, patch.processor // options.procs_per_file, patch.level, patch.number)
            for patch in mesh.patches]


def patch_extents_rows(mesh):
    rows = []
    for patch in mesh.patches:
        bounds = [(0.0,) * 3, (0.0,) * 3]
        if not mesh.deformed:
            for side, index in enumerate((patch.box.lower, [high + 1 for high in patch.box.upper])):
                bounds[side] = tuple(start + width * i for start, width, i
                                     in zip(mesh.origin, mesh.spacing[patch.level], index))
        rows.append((patch.box.lower, patch.box.upper, *bounds))
    return rows


def write_patches(group, mesh, options):
    PATCH_MAP.write(group, "patch_map", patch_map_rows(mesh, options))
    PATCH_EXTENTS.write(group, "patch_extents", patch_extents_rows(mesh))
    if options.bdry_type:
        flags = []
        for patch in mesh.patches:
            domain = mesh.domains[patch.level]
            for axis in range(3):
                used = axis < mesh.dimensions
                flags.append(int(used and patch.box.lower[axis] == domain.lower[axis]))
                flags.append(int(used and patch.box.upper[axis] == domain.upper[axis]))
        write_array(group, "bdry_type", numpy.array(flags, "i4"), database=False)


def write_materials(file, extents_group, extents, options):
    materials = Writer(h5g.create(file, b"materials"), options)
    materials.put_text("material_names", *options.materials)
    materials.put("material_number_ghosts", "i4", [0, 0, 0])
    h5g.create(materials.group, b"species")
    group = h5g.create(extents_group, b"materials")
    for name, rows in extents.materials.items():
        EXTENTS[options.extents].write(h5g.create(group, name.encode()), f"{name}-Fractions", [
            (int(flag != 0), flag, 0, low, high) for flag, low, high in rows])
