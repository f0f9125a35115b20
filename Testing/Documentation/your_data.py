# SPDX-License-Identifier: BSD-3-Clause
"""Small files of many kinds for the examples of Documentation/your-data.md, and what must come out of them.

All hold one flow, a rigid rotation about z with an updraught: velocity (-y, x, 1/2) in the box from -1 to 1. It is linear,
so interpolation is exact, and a line stays as far from the axis as it began.
"""

import os

import numpy as np

NODES = (20, 22, 24)
AXES = [np.linspace(-1, 1, nodes) for nodes in NODES]
CELLS_OF_CASE = 8  # along each side of the OpenFOAM case


def velocity_at(x, y, z):
    return np.stack([-y, x, np.full_like(z, 0.5)], axis=-1).astype("<f4")


def positions(axes):
    """x, y and z of all nodes, as arrays with x fastest."""
    z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    return x, y, z


# ------------------------------------------------------------------------------------------------ without ParaView


def make_raw_files():
    velocity = velocity_at(*positions(AXES))
    np.save("velocity.npy", velocity)
    for component, name in enumerate("uvw"):
        np.ascontiguousarray(velocity[..., component]).tofile(name + ".raw")


def make_hdf5_files():
    import h5py

    velocity = velocity_at(*positions(AXES))
    with h5py.File("simulation.h5", "w") as file:
        file["velocity"] = velocity
    with h5py.File("packed.h5", "w") as file:
        for component, name in enumerate("uvw"):
            file.create_dataset(name, data=velocity[..., component], chunks=(8, 8, 8), compression="gzip")


def make_xdmf_file():
    """Beside simulation.h5."""
    size = " ".join(str(nodes) for nodes in reversed(NODES))
    spacing = " ".join(str(2 / (nodes - 1)) for nodes in reversed(NODES))
    with open("simulation.xmf", "w", encoding="ascii") as file:
        file.write(f"""<?xml version="1.0"?>
<Xdmf Version="2.0"><Domain><Grid Name="box" GridType="Uniform">
  <Topology TopologyType="3DCoRectMesh" Dimensions="{size}"/>
  <Geometry GeometryType="ORIGIN_DXDYDZ">
    <DataItem Dimensions="3" Format="XML">-1 -1 -1</DataItem>
    <DataItem Dimensions="3" Format="XML">{spacing}</DataItem>
  </Geometry>
  <Attribute Name="velocity" AttributeType="Vector" Center="Node">
    <DataItem Dimensions="{size} 3" NumberType="Float" Precision="4" Format="HDF">simulation.h5:/velocity</DataItem>
  </Attribute>
</Grid></Domain></Xdmf>
""")


def make_plot3d_files():
    x, y, z = positions(AXES)
    velocity = velocity_at(x, y, z)
    density = np.ones_like(x)
    with open("grid.xyz", "wb") as file:
        np.array(NODES, "<i4").tofile(file)
        for values in (x, y, z):
            values.astype("<f4").tofile(file)
    with open("solution.q", "wb") as file:
        np.array(NODES, "<i4").tofile(file)
        np.array([0.5, 0, 1e5, 0], "<f4").tofile(file)
        for values in (density, *np.moveaxis(velocity, -1, 0), 2.5 * density):
            np.ascontiguousarray(values).astype("<f4").tofile(file)


# -------------------------------------------------------------------------------------------------- an OpenFOAM case


def node_of_case(i, j, k):
    return i + (CELLS_OF_CASE + 1) * (j + (CELLS_OF_CASE + 1) * k)


def cell_of_case(place):
    return place[0] + CELLS_OF_CASE * (place[1] + CELLS_OF_CASE * place[2])


def face_of_case(place, axis, upper):
    """The nodes of a cell's face, in the order that points out of the cell."""
    corner = list(place)
    corner[axis] += upper
    along, across = (axis + 1) % 3, (axis + 2) % 3
    nodes = []
    for a, b in ((0, 0), (1, 0), (1, 1), (0, 1)):
        at = list(corner)
        at[along] += a
        at[across] += b
        nodes.append(node_of_case(*at))
    return nodes if upper else nodes[::-1]


def faces_of_case():
    """(owner, neighbour, nodes) of inner faces and (owner, nodes) of outer ones, in OpenFOAM's order."""
    side = range(CELLS_OF_CASE)
    inner, outer = [], []
    for place in ((i, j, k) for k in side for j in side for i in side):
        for axis in range(3):
            for upper in (0, 1):
                beyond = list(place)
                beyond[axis] += 1 if upper else -1
                face = face_of_case(place, axis, upper)
                if beyond[axis] not in side:
                    outer.append((cell_of_case(place), face))
                elif upper:
                    inner.append((cell_of_case(place), cell_of_case(beyond), face))
    return sorted(inner), outer


def write_foam(path, kind, body):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(f"FoamFile {{ version 2.0; format ascii; class {kind}; object {os.path.basename(path)}; }}\n{body}\n")


def foam_list(entries):
    entries = list(entries)
    return f"{len(entries)}\n(\n" + "\n".join(map(str, entries)) + "\n)\n"


def foam_vectors(x, y, z):
    return foam_list(f"({a} {b} {c})" for a, b, c in zip(x.ravel(), y.ravel(), z.ravel()))


def make_openfoam_case():
    inner, outer = faces_of_case()
    nodes = np.linspace(-1, 1, CELLS_OF_CASE + 1)
    mesh = "cavity/constant/polyMesh/"
    write_foam(mesh + "points", "vectorField", foam_vectors(*positions([nodes] * 3)))
    write_foam(mesh + "faces", "faceList", foam_list("4(%d %d %d %d)" % tuple(face[-1]) for face in inner + outer))
    write_foam(mesh + "owner", "labelList", foam_list(face[0] for face in inner + outer))
    write_foam(mesh + "neighbour", "labelList", foam_list(face[1] for face in inner))
    write_foam(mesh + "boundary", "polyBoundaryMesh",
               f"1 ( walls {{ type wall; nFaces {len(outer)}; startFace {len(inner)}; }} )")  # fmt: skip
    x, y, z = positions([(nodes[1:] + nodes[:-1]) / 2] * 3)
    velocity = foam_vectors(-y, x, np.full_like(z, 0.5))
    write_foam("cavity/1/U", "volVectorField", "dimensions [0 1 -1 0 0 0 0];\ninternalField nonuniform List<vector>\n"
               f"{velocity};\nboundaryField {{ walls {{ type zeroGradient; }} }}")  # fmt: skip
    write_foam("cavity/system/controlDict", "dictionary", "startTime 0; endTime 1; deltaT 1; writeInterval 1;")
    with open("cavity/cavity.foam", "w", encoding="ascii"):
        pass


# -------------------------------------------------------------------------------------------------- an AMReX plot file


def middles_of_level(level):
    """Of 16 cells along each axis: level 1, half as wide, fills the middle of level 0."""
    return -1 + 0.125 / 2**level * (level * 8 + 0.5 + np.arange(16))


def box_of_level(level):
    corners = " ".join(f"({corner},{corner},{corner})" for corner in (level * 8, level * 8 + 15))
    return f"({corners} (0,0,0))"


def make_amrex_plot():
    header = "HyperCLaw-V1.1\n3\nx_velocity\ny_velocity\nz_velocity\n3\n0\n1\n-1 -1 -1\n1 1 1\n2\n"
    header += f"{box_of_level(0)} ((0,0,0) (31,31,31) (0,0,0))\n0 0\n" + "0.125 " * 3 + "\n" + "0.0625 " * 3 + "\n0\n0\n"
    for level, half in enumerate((1, 0.5)):
        folder = f"plt00000/Level_{level}"
        os.makedirs(folder)
        header += f"{level} 1 0\n0\n" + f"{-half} {half}\n" * 3 + f"Level_{level}/Cell\n"
        values = np.moveaxis(velocity_at(*positions([middles_of_level(level)] * 3)), -1, 0).astype("<f8")
        with open(f"{folder}/Cell_D_00000", "wb") as file:
            kind = "((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))"  # doubles, the last byte first
            file.write(f"FAB {kind}{box_of_level(level)} 3\n".encode())
            np.ascontiguousarray(values).tofile(file)
        least, most = ("".join(f"{value}," for value in found) for found in (values.min((1, 2, 3)), values.max((1, 2, 3))))
        with open(f"{folder}/Cell_H", "w", encoding="ascii") as file:
            file.write(f"1\n0\n3\n0\n(1 0\n{box_of_level(level)}\n)\n1\nFabOnDisk: Cell_D_00000 0\n\n")
            file.write(f"1,3\n{least}\n\n1,3\n{most}\n")
    with open("plt00000/Header", "w", encoding="ascii") as file:
        file.write(header)


def make_wrf_file():
    """Two steps of this flow between levels that follow a hill, on WRF's staggered grid, with a map factor of 1."""
    import netCDF4

    x, y = np.meshgrid(np.linspace(0, 2, 20), np.linspace(0, 2, 22))  # the axis of the flow is at the first column
    sides = np.linspace(0, 1, 25)[:, None, None]
    hill = 0.3 * np.exp(-4 * ((x - 1) ** 2 + (y - 1) ** 2))
    height = hill + (2 - hill) * sides  # of the lower and upper sides of layers
    middle = (height[1:] + height[:-1]) / 2
    with netCDF4.Dataset("wrfout_d01.nc", "w", format="NETCDF3_64BIT_OFFSET") as wrf:
        wrf.DX, wrf.DY = x[0, 1] - x[0, 0], y[1, 0] - y[0, 0]
        for name, size in (("Time", None), ("k", 24), ("ks", 25), ("j", 22), ("js", 23), ("i", 20), ("is", 21)):
            wrf.createDimension(name, size)
        u, v, w = np.moveaxis(velocity_at(x[None] + 0 * middle, y[None] + 0 * middle, middle - 1), -1, 0)
        sides_of = {"U": (2, ("k", "j", "is"), u), "V": (1, ("k", "js", "i"), v), "W": (0, ("ks", "j", "i"), w)}
        for name, (axis, dims, values) in sides_of.items():
            # Values at sides whose means are these: the first side is that of the first middle.
            values = np.moveaxis(values, axis, 0)
            at_sides = [values[0]]
            for value in values:
                at_sides.append(2 * value - at_sides[-1])
            variable = wrf.createVariable(name, "f8", ("Time", *dims))
            variable[:2] = np.moveaxis(np.stack(at_sides), 0, axis)
        for name, values in (("PH", 0 * height), ("PHB", 9.81 * height)):
            wrf.createVariable(name, "f8", ("Time", "ks", "j", "i"))[:2] = values
        wrf.createVariable("MAPFAC_M", "f8", ("Time", "j", "i"))[:2] = 1.0
        wrf.createVariable("XTIME", "f8", ("Time",))[:2] = [0.0, 60.0]


def make_roms_file():
    """Two steps of this flow between a bottom and a surface that rises, on ROMS's staggered grid, a metre to a side."""
    import netCDF4

    degree = np.pi / 180 * 6371000.0
    x, y = np.meshgrid(np.linspace(-1, 1, 20), np.linspace(-1, 1, 22))
    s = -1 + (np.arange(24) + 0.5) / 24
    with netCDF4.Dataset("ocean_his.nc", "w", format="NETCDF3_64BIT_OFFSET") as roms:
        for name, size in (("time", None), ("s", 24), ("j", 22), ("jv", 21), ("i", 20), ("iu", 19)):
            roms.createDimension(name, size)
        plane = {"lon_rho": x / degree, "lat_rho": y / degree, "h": 1.0 + 0 * x, "mask_rho": 1.0 * (x < 0.96), "angle": 0 * x}
        for name, values in plane.items():
            roms.createVariable(name, "f8", ("j", "i"))[:] = values
        for name in ("s_rho", "Cs_r"):
            roms.createVariable(name, "f8", ("s",))[:] = s
        roms.createVariable("hc", "f8", ())[...] = 0.1
        roms.createVariable("Vtransform", "i4", ())[...] = 2
        roms.createVariable("ocean_time", "f8", ("time",))[:2] = [100.0, 101.0]
        roms.createVariable("zeta", "f4", ("time", "j", "i"))[:2] = np.stack((0.05 * x, 0.1 + 0.1 * y))
        u, v = -(y[:, 1:] + y[:, :-1]) / 2, (x[1:] + x[:-1]) / 2
        roms.createVariable("u", "f4", ("time", "s", "j", "iu"))[:2] = np.broadcast_to(u, (2, 24, 22, 19))
        roms.createVariable("v", "f4", ("time", "s", "jv", "i"))[:2] = np.broadcast_to(v, (2, 24, 21, 20))


def make_plain_files():
    make_wrf_file()
    make_roms_file()
    make_raw_files()
    make_amrex_plot()
    make_hdf5_files()
    make_xdmf_file()
    make_plot3d_files()
    make_openfoam_case()
    make_ensight_case()


# ------------------------------------------------------------------------------------------------------ an EnSight case
def make_ensight_case():
    """Hexahedra in one part, as EnSight Gold in plain text: of an array all values of x, then of y, then of z."""
    shape = tuple(len(axis) for axis in AXES)
    places = np.stack(positions(AXES), -1).reshape(-1, 3)
    velocity = velocity_at(*positions(AXES)).reshape(-1, 3)
    number = np.arange(1, len(places) + 1).reshape(positions(AXES)[0].shape)
    low, high = slice(None, -1), slice(1, None)
    corners = [(low, low, low), (low, low, high), (low, high, high), (low, high, low),
               (high, low, low), (high, low, high), (high, high, high), (high, high, low)]
    cells = np.stack([number[corner].ravel() for corner in corners], -1)
    assert np.prod(shape) == len(places)

    def columns(array):
        return "".join(f"{value:12.5e}\n" for value in array.T.ravel())

    with open("flow.geo", "w", encoding="ascii") as file:
        file.write("cells\nof a test\nnode id assign\nelement id assign\npart\n%10d\nall\ncoordinates\n%10d\n" % (1, len(places)))
        file.write(columns(places) + "hexa8\n%10d\n" % len(cells))
        file.write("".join("%10d" * 8 % tuple(cell) + "\n" for cell in cells))
    with open("flow.vel", "w", encoding="ascii") as file:
        file.write("velocity\npart\n%10d\ncoordinates\n" % 1 + columns(velocity))
    with open("flow.case", "w", encoding="ascii") as file:
        file.write("FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: flow.geo\nVARIABLE\nvector per node: velocity flow.vel\n")


# ------------------------------------------------------------------------------------------------- in ParaView's Python


def vtk_array(values, name):
    from vtkmodules.util.numpy_support import numpy_to_vtk

    array = numpy_to_vtk(np.ascontiguousarray(values), deep=1)
    array.SetName(name)
    return array


def image(first=(0, 0, 0), last=tuple(nodes - 1 for nodes in NODES)):
    from vtkmodules.vtkCommonDataModel import vtkImageData

    made = vtkImageData()
    made.SetExtent(*(value for pair in zip(first, last) for value in pair))
    made.SetOrigin(-1, -1, -1)
    made.SetSpacing(*(2 / (nodes - 1) for nodes in NODES))
    return made


def image_with_velocity(first=(0, 0, 0), last=tuple(nodes - 1 for nodes in NODES)):
    axes = [axis[low : high + 1] for axis, low, high in zip(AXES, first, last)]
    made = image(first, last)
    made.GetPointData().AddArray(vtk_array(velocity_at(*positions(axes)).reshape(-1, 3), "velocity"))
    return made


def rectilinear():
    from vtkmodules.vtkCommonDataModel import vtkRectilinearGrid

    made = vtkRectilinearGrid()
    made.SetDimensions(NODES)
    bent = [axis + 0.1 * (1 - axis**2) for axis in AXES]
    for name, axis in zip("XYZ", bent):
        getattr(made, f"Set{name}Coordinates")(vtk_array(axis, name))
    made.GetPointData().AddArray(vtk_array(velocity_at(*positions(bent)).reshape(-1, 3), "velocity"))
    return made


def curvilinear():
    from vtkmodules.vtkCommonCore import vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkStructuredGrid

    places = np.stack(positions(AXES), axis=-1).reshape(-1, 3)
    places[:, 0] += 0.1 * (1 - places[:, 0] ** 2) * places[:, 1]
    points = vtkPoints()
    points.SetData(vtk_array(places, "points"))
    made = vtkStructuredGrid()
    made.SetDimensions(NODES)
    made.SetPoints(points)
    made.GetPointData().AddArray(vtk_array(velocity_at(*places.T), "velocity"))
    return made


def unstructured():
    from vtkmodules.vtkFiltersCore import vtkAppendFilter

    append = vtkAppendFilter()
    append.AddInputData(image_with_velocity())
    append.Update()
    return append.GetOutput()


def blocks():
    from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet

    made = vtkMultiBlockDataSet()
    made.SetBlock(0, image_with_velocity((0, 0, 0), (10, 21, 23)))
    made.SetBlock(1, image_with_velocity((10, 0, 0), (19, 21, 23)))
    return made


def levels():
    """Two levels of 16^3 cells, the finer one in the middle."""
    from vtkmodules.vtkCommonDataModel import vtkAMRBox, vtkOverlappingAMR, vtkUniformGrid

    made = vtkOverlappingAMR()
    made.Initialize(2, [1, 1])
    made.SetGridDescription(8)  # VTK_XYZ_GRID
    made.SetOrigin([-1, -1, -1])
    made.SetRefinementRatio(0, 2)
    for level, first in enumerate((0, 8)):
        spacing = 0.125 / 2**level
        made.SetSpacing(level, [spacing] * 3)
        made.SetAMRBox(level, 0, vtkAMRBox([first] * 3, [first + 15] * 3))
        grid = vtkUniformGrid()
        grid.SetOrigin([-1 + first * spacing] * 3)
        grid.SetSpacing([spacing] * 3)
        grid.SetDimensions(17, 17, 17)
        velocity = velocity_at(*positions([middles_of_level(level)] * 3))
        grid.GetCellData().AddArray(vtk_array(velocity.reshape(-1, 3), "velocity"))
        made.SetDataSet(level, 0, grid)
    return made


def three_scalars():
    made = image()
    velocity = velocity_at(*positions(AXES))
    for component, name in enumerate("uvw"):
        made.GetPointData().AddArray(vtk_array(velocity[..., component].ravel(), name))
    return made


def make_vtk_files():
    from vtkmodules.vtkIOExodus import vtkExodusIIWriter
    from vtkmodules.vtkIOLegacy import vtkDataSetWriter
    from vtkmodules.vtkIONetCDF import vtkNetCDFCFWriter
    from vtkmodules.vtkIOXML import (vtkXMLDataSetWriter, vtkXMLMultiBlockDataWriter, vtkXMLUniformGridAMRWriter)

    for writer, data, name in (
        (vtkXMLDataSetWriter, image_with_velocity(), "flow.vti"), (vtkXMLDataSetWriter, rectilinear(), "flow.vtr"),
        (vtkXMLDataSetWriter, curvilinear(), "flow.vts"), (vtkXMLDataSetWriter, unstructured(), "flow.vtu"),
        (vtkDataSetWriter, image_with_velocity(), "points.vtk"), (vtkDataSetWriter, rectilinear(), "rectilinear.vtk"),
        (vtkDataSetWriter, curvilinear(), "curvilinear.vtk"), (vtkDataSetWriter, unstructured(), "cells.vtk"),
        (vtkXMLMultiBlockDataWriter, blocks(), "blocks.vtm"), (vtkXMLUniformGridAMRWriter, levels(), "flow.vthb"),
        (vtkXMLDataSetWriter, three_scalars(), "uvw.vti"), (vtkNetCDFCFWriter, three_scalars(), "flow.nc"),
        (vtkExodusIIWriter, unstructured(), "flow.exo"),
    ):  # fmt: skip
        made = writer()
        made.SetInputData(data)
        made.SetFileName(name)
        if hasattr(made, "SetDataModeToBinary"):
            made.SetDataModeToBinary()  # appended values: see Documentation/known-faults.md
        assert made.Write(), name


def check_lines(lines, tolerance=0.01):
    """Lines of this flow are there, and each stays as far from the axis as it began."""
    from paraview import servermanager
    from vtkmodules.util.numpy_support import vtk_to_numpy

    lines.UpdatePipeline()
    made = servermanager.Fetch(lines)
    assert made.GetNumberOfCells() > 100, f"{made.GetNumberOfCells()} lines"
    radius = np.hypot(*vtk_to_numpy(made.GetPoints().GetData())[:, :2].T)
    begins = vtk_to_numpy(made.GetLines().GetOffsetsArray())
    nodes = vtk_to_numpy(made.GetLines().GetConnectivityArray())
    for first, end in zip(begins[:-1], begins[1:]):
        line = radius[nodes[first:end]]
        assert abs(line - line[0]).max() < tolerance, f"a line drifts by {abs(line - line[0]).max()}"
