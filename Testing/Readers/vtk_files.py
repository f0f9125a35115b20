# SPDX-License-Identifier: BSD-3-Clause
"""Images and rectilinear grids as VTK's own files, in every way that they can be written."""
import itertools

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkRectilinearGrid
from vtkmodules.vtkFiltersExtraction import vtkExtractRectilinearGrid
from vtkmodules.vtkImagingCore import vtkExtractVOI
from vtkmodules.vtkIOLegacy import (vtkDataSetWriter, vtkRectilinearGridReader, vtkStructuredPointsReader)
from vtkmodules.vtkIOXML import (vtkXMLImageDataReader, vtkXMLImageDataWriter, vtkXMLPImageDataReader,
                                 vtkXMLPRectilinearGridReader, vtkXMLRectilinearGridReader, vtkXMLRectilinearGridWriter)

KINDS = ("u1", "i2", "f4", "f8")
EXTENT = (-3, 20, 2, 17, 5, 25)


def add(attributes, name, values):
    array = numpy_to_vtk(np.ascontiguousarray(values), deep=1)
    array.SetName(name)
    attributes.AddArray(array)


def add_values(grid, seed=1):
    """Arrays of all kinds at points and in cells, scalars and vectors."""
    numbers = np.random.default_rng(seed)
    for kind, components in itertools.product(KINDS, (1, 3)):
        for place, attributes, count in (("p", grid.GetPointData(), grid.GetNumberOfPoints()),
                                         ("c", grid.GetCellData(), grid.GetNumberOfCells())):
            shape = (count, components) if components > 1 else count
            values = (numbers.random(shape) - (0 if kind == "u1" else 0.5)) * 250
            add(attributes, f"{place}_{kind}_{components}", values.astype(kind))
    return grid


def image(extent=EXTENT, seed=1, turned=True):
    grid = vtkImageData()
    grid.SetExtent(extent)
    grid.SetOrigin(1, -2, 3.5)
    grid.SetSpacing(0.5, 0.25, 2)
    if turned:
        grid.SetDirectionMatrix(0, 1, 0, -1, 0, 0, 0, 0, 1)
    return add_values(grid, seed)


def rectilinear(extent=EXTENT, seed=1):
    grid = vtkRectilinearGrid()
    grid.SetExtent(extent)
    for axis, put in enumerate((grid.SetXCoordinates, grid.SetYCoordinates, grid.SetZCoordinates)):
        nodes = np.arange(extent[2 * axis + 1] - extent[2 * axis] + 1, dtype="f8")
        put(numpy_to_vtk(np.ascontiguousarray(nodes ** 1.5 - axis), deep=1))
    return add_values(grid, seed)


def is_image(grid):
    return isinstance(grid, vtkImageData)


def write_xml(grid, path, mode="appended", compressor="None", pieces=1, big_endian=False):
    writer = vtkXMLImageDataWriter() if is_image(grid) else vtkXMLRectilinearGridWriter()
    writer.SetFileName(path)
    writer.SetInputData(grid)
    getattr(writer, {"ascii": "SetDataModeToAscii", "binary": "SetDataModeToBinary"}.get(mode, "SetDataModeToAppended"))()
    writer.SetEncodeAppendedData(1 if mode == "encoded" else 0)
    getattr(writer, f"SetCompressorTypeTo{compressor}")()
    writer.SetBlockSize(1 << 12)  # many blocks of what is compressed
    if pieces > 1:
        writer.SetNumberOfPieces(pieces)
    if big_endian:
        writer.SetByteOrderToBigEndian()
    assert writer.Write() == 1


def write_legacy(grid, path, binary):
    writer = vtkDataSetWriter()
    writer.SetFileName(path)
    writer.SetInputData(grid)
    writer.SetFileType(2 if binary else 1)
    assert writer.Write() == 1


def write_parallel(grid, path, ghosts=0):
    """Eight pieces, in files of their own beside the list; each reaches `ghosts` cells into its neighbours."""
    whole = grid.GetExtent()
    kind, ending = ("ImageData", "vti") if is_image(grid) else ("RectilinearGrid", "vtr")
    halves = []
    for axis in range(3):
        low, high = whole[2 * axis], whole[2 * axis + 1]
        middle = (low + high) // 2
        halves.append([(low, min(high, middle + ghosts)), (max(low, middle - ghosts), high)])
    pieces = []
    for number, (x, y, z) in enumerate(itertools.product(*halves)):
        cut = vtkExtractVOI() if is_image(grid) else vtkExtractRectilinearGrid()
        cut.SetInputData(grid)
        cut.SetVOI(*x, *y, *z)
        cut.Update()
        name = f"{path}_{number}.{ending}"
        part = cut.GetOutput()
        assert part.GetExtent() == (*x, *y, *z), part.GetExtent()
        write_xml(part, name, compressor="ZLib")
        source = name.rsplit("/", 1)[-1]
        pieces.append(f'<Piece Extent="{" ".join(map(str, (*x, *y, *z)))}" Source="{source}"/>')

    def declared(attributes):
        arrays = [attributes.GetArray(number) for number in range(attributes.GetNumberOfArrays())]
        types = {3: "UInt8", 4: "Int16", 10: "Float32", 11: "Float64"}
        return "".join(f'<PDataArray type="{types[array.GetDataType()]}" Name="{array.GetName()}" '
                       f'NumberOfComponents="{array.GetNumberOfComponents()}"/>' for array in arrays)

    extra = ('Origin="1 -2 3.5" Spacing="0.5 0.25 2"' if is_image(grid) else "")
    coordinates = "" if is_image(grid) else "<PCoordinates>" + '<PDataArray type="Float64"/>' * 3 + "</PCoordinates>"
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<?xml version="1.0"?>\n<VTKFile type="P{kind}" version="1.0" byte_order="LittleEndian" '
                   f'header_type="UInt32">\n<P{kind} WholeExtent="{" ".join(map(str, whole))}" GhostLevel="{ghosts}" {extra}>'
                   f"<PPointData>{declared(grid.GetPointData())}</PPointData>"
                   f"<PCellData>{declared(grid.GetCellData())}</PCellData>{coordinates}{''.join(pieces)}"
                   f"</P{kind}></VTKFile>\n")


def read(path):
    """What VTK's own reader makes of a file."""
    readers = {"vti": vtkXMLImageDataReader, "vtr": vtkXMLRectilinearGridReader, "pvti": vtkXMLPImageDataReader,
               "pvtr": vtkXMLPRectilinearGridReader}
    ending = path.rsplit(".", 1)[-1]
    if ending == "vtk":
        reader = vtkStructuredPointsReader()
        reader.SetFileName(path)
        reader = reader if reader.IsFileStructuredPoints() else vtkRectilinearGridReader()
        for kind in ("Scalars", "Vectors", "Normals", "Tensors", "ColorScalars", "TCoords", "Fields"):
            getattr(reader, f"ReadAll{kind}On")()
    else:
        reader = readers[ending]()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def arrays(grid):
    """Name of each array, with its values and whether they are in cells."""
    found = {}
    for cells, attributes in ((False, grid.GetPointData()), (True, grid.GetCellData())):
        for number in range(attributes.GetNumberOfArrays()):
            array = attributes.GetArray(number)
            found[array.GetName()] = (cells, vtk_to_numpy(array))
    return found


def assert_same(found, expected):
    """Geometry, and types and values of arrays, one by one."""
    assert found.GetExtent() == expected.GetExtent(), (found.GetExtent(), expected.GetExtent())
    if is_image(expected):
        assert found.GetOrigin() == expected.GetOrigin() and found.GetSpacing() == expected.GetSpacing()
        matrices = (found.GetDirectionMatrix(), expected.GetDirectionMatrix())
        assert all(matrices[0].GetElement(i, j) == matrices[1].GetElement(i, j) for i in range(3) for j in range(3))
    else:
        for axis in "XYZ":
            mine, theirs = (vtk_to_numpy(getattr(grid, f"Get{axis}Coordinates")()) for grid in (found, expected))
            assert np.array_equal(mine, theirs), axis
    mine, theirs = arrays(found), arrays(expected)
    theirs = {name: value for name, value in theirs.items() if name != "vtkGhostType"}
    assert sorted(mine) == sorted(theirs), (sorted(mine), sorted(theirs))
    for name, (cells, values) in theirs.items():
        assert mine[name][0] == cells, name
        assert mine[name][1].dtype == values.dtype, (name, mine[name][1].dtype)
        assert np.array_equal(mine[name][1], values), name
