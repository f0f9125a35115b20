# SPDX-License-Identifier: BSD-3-Clause
"""Values of a flow that stand for missing ones: they are told, and not followed where the user says so."""
import numpy as np
from filter_testing import VECTORS, Messages, add_array, array_of, fetch, image, points_of, produce, simple
from plugin_testing import run, scratch
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkMultiBlockDataSet

FILLS = (1e20, 9.96921e36, -32767.0, -10.0)


def sea(fill, dtype=np.float32, cells=False, nodes=(41, 17, 5)):
    """Water flows along x with a speed of 1 to 1.5, and land is where x > 0.3."""
    dataset = image(nodes)
    count = dataset.GetNumberOfCells() if cells else dataset.GetNumberOfPoints()
    columns = nodes[0] - 1 if cells else nodes[0]
    places = -1.0 + 2.0 / (nodes[0] - 1) * (np.arange(count) % columns + (0.5 if cells else 0.0))
    velocity = np.zeros((count, 3))
    velocity[:, 0] = 1.25 + 0.25 * np.sin(5 * places)
    velocity[places > 0.3] = fill
    add_array(dataset.GetCellData() if cells else dataset.GetPointData(), VECTORS, velocity, dtype)
    return dataset


def lines_of(source, cells=False, **properties):
    seeds = simple.Line(Point1=(-0.8, -0.7, 0), Point2=(-0.8, 0.7, 0), Resolution=7)
    tracer = simple.RivuletStreamTracerWithCustomSource(
        Input=source, SeedSource=seeds, Vectors=["CELLS" if cells else "POINTS", VECTORS], IntegrationDirection="FORWARD",
        MaximumStreamlineLength=4.0, **properties)
    with Messages() as said:
        lines = fetch(tracer)
    return lines, said.text()


def test_they_are_told_once():
    for fill in FILLS:
        for cells in (False, True):
            _, said = lines_of(produce(sea(fill, cells=cells)), cells)
            assert said.count("Warning:") == 1 and "stand for missing values" in said, (fill, said)
            assert f"{np.float32(fill):g}" in said and "Set Ignore Above to" in said, (fill, said)


def test_they_are_told_in_each_run_and_after_each_change():
    dataset = sea(1.0)
    source = produce(dataset)
    said = []
    for fill in (None, None, -32767.0, None, 1.0):
        if fill is not None:
            add_array(dataset.GetPointData(), VECTORS, array_of(sea(fill).GetPointData(), VECTORS), np.float32)
            dataset.Modified()
        said.append(lines_of(source)[1].count("stand for missing values"))
    assert said == [0, 0, 1, 1, 0], said


def test_values_in_place_are_looked_at_again():
    dataset = sea(1.0)
    source = produce(dataset)
    assert lines_of(source)[1] == ""
    values = dataset.GetPointData().GetArray(VECTORS)
    land = sea(1e20).GetPointData().GetArray(VECTORS)
    for i in range(values.GetNumberOfTuples()):
        values.SetTuple(i, land.GetTuple(i))
    values.Modified()
    dataset.Modified()
    assert "1e+20" in lines_of(source)[1]


def test_the_limit_that_is_told_ends_lines_at_the_coast():
    for fill in FILLS:
        for cells in (False, True):
            source = produce(sea(fill, cells=cells))
            _, said = lines_of(source, cells)
            limit = float(said.split("such as ")[2].split(",")[0])
            assert 1.5 < limit < abs(fill), (fill, limit)
            lines, said = lines_of(source, cells, IgnoreAbove=limit)
            assert said == "", said
            assert lines.GetNumberOfLines() == 8
            assert np.all(array_of(lines.GetCellData(), "ReasonForTermination") == 3)
            points = points_of(lines)
            assert points[:, 0].max() < 0.31 and np.all(np.isin(points[:, 1], points[:, 1][points[:, 0] == points[:, 0].min()]))


def test_the_limit_is_for_the_vectors_alone():
    """Also where blocks make one grid, and all their arrays are joined."""
    dataset = sea(1e20)
    pressure = 1e5 + np.arange(dataset.GetNumberOfPoints())
    add_array(dataset.GetPointData(), "pressure", pressure, np.float64)
    both = vtkMultiBlockDataSet()
    for number, extent in enumerate(((0, 20, 0, 16, 0, 4), (20, 40, 0, 16, 0, 4))):
        block = vtkImageData()
        block.DeepCopy(dataset)
        block.Crop(extent)
        both.SetBlock(number, block)
    alone, blocks = (array_of(lines_of(produce(data), IgnoreAbove=10.0)[0].GetPointData(), "pressure") for data in (dataset, both))
    assert len(alone) > 20 and np.all(alone > 1e5)
    assert np.array_equal(alone, blocks)


def test_in_files_and_in_time():
    source = produce(sea(1e20))
    simple.SaveData(scratch("sea.rvf"), proxy=source)
    field = simple.RivuletFieldReader(FileNames=[scratch("sea.rvf")])
    _, said = lines_of(field)
    assert said.count("Warning:") == 1 and "1e+20" in said, said
    lines, said = lines_of(field, IgnoreAbove=10.0)
    memory, _ = lines_of(source, IgnoreAbove=10.0)
    assert said == "" and points_of(lines).tobytes() == points_of(memory).tobytes()


def test_values_of_some_size_are_told_in_files():
    """The ranges of a file show huge values only. One brick, and so many that few of them are read."""
    for nodes in ((41, 17, 5), (129, 65, 65)):
        for fill in (-32767.0, -10.0):
            for cells in (False, True):
                path = scratch(f"land{nodes[0]}.rvf")
                simple.SaveData(path, proxy=produce(sea(fill, cells=cells, nodes=nodes)))
                _, said = lines_of(simple.RivuletFieldReader(FileNames=[path]), cells)
                assert said.count("Warning:") == 1 and f"the value {fill:g} at " in said, (nodes, fill, said)
                share = float(said.split(f"{fill:g} at ")[1].split(" %")[0])
                assert 25 < share < 45, share


def test_values_are_told_in_files_without_ranges():
    velocity = np.zeros((5, 17, 41, 3), np.float32)
    velocity[..., 0] = 1.25 + 0.25 * np.sin(5 * np.linspace(-1, 1, 41))
    for fill in FILLS:
        velocity[:, :, 27:] = fill
        velocity.tofile(scratch("land.dat"))
        with open(scratch("land.bov"), "w", encoding="utf-8") as header:
            header.write("TIME: 0\nDATA_FILE: land.dat\nDATA_SIZE: 41 17 5\nDATA_FORMAT: FLOAT\nVARIABLE: velocity\n"
                         "DATA_ENDIAN: LITTLE\nCENTERING: nodal\nDATA_COMPONENTS: 3\n"
                         "BRICK_ORIGIN: -1 -1 -1\nBRICK_SIZE: 2 2 2\n")
        _, said = lines_of(simple.RivuletBOVReader(FileNames=[scratch("land.bov")]))
        assert said.count("Warning:") == 1 and f"the value {np.float32(fill):g} at " in said, (fill, said)


def test_flows_are_not_suspected():
    still = np.zeros(41 * 17 * 5)
    dataset = image((41, 17, 5))
    places = np.array([dataset.GetPoint(i) for i in range(dataset.GetNumberOfPoints())])
    lid = np.stack([np.where(places[:, 1] > 0.99, 1.0, 1e-6 * places[:, 0]), still, still], axis=-1)
    shear = np.stack([np.where(places[:, 1] > 0, 1.0, -1.0), still, still], axis=-1)
    bodies = np.stack([np.where(np.abs(places[:, 0]) < 0.3, 0.0, 5 + 0.1 * places[:, 1]), still, still], axis=-1)
    for velocity in (lid, shear, bodies, np.zeros((len(still), 3)), np.full((len(still), 3), np.nan)):
        add_array(dataset.GetPointData(), VECTORS, velocity, np.float64)
        source = produce(dataset)
        simple.SaveData(scratch("flow.rvf"), proxy=source)
        for flow in (source, simple.RivuletFieldReader(FileNames=[scratch("flow.rvf")])):
            _, said = lines_of(flow)
            assert "missing values" not in said, said


run(globals())
