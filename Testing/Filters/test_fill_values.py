# SPDX-License-Identifier: BSD-3-Clause
"""Values of a flow that stand for missing ones: they are told, and not followed where the user says so."""
import numpy as np
from filter_testing import VECTORS, Messages, add_array, array_of, fetch, image, points_of, produce, simple
from plugin_testing import run, scratch

FILLS = (1e20, 9.96921e36, -32767.0, -10.0)


def sea(fill, dtype=np.float32, cells=False):
    """Water flows along x with a speed of 1 to 1.5, and land is where x > 0.3."""
    dataset = image((41, 17, 5))
    count = dataset.GetNumberOfCells() if cells else dataset.GetNumberOfPoints()
    places = np.array([dataset.GetCell(i).GetBounds()[0] + 0.025 if cells else dataset.GetPoint(i)[0] for i in range(count)])
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


def test_in_files_and_in_time():
    source = produce(sea(1e20))
    simple.SaveData(scratch("sea.rvf"), proxy=source)
    field = simple.RivuletFieldReader(FileNames=[scratch("sea.rvf")])
    _, said = lines_of(field)
    assert said.count("Warning:") == 1 and "1e+20" in said, said
    lines, said = lines_of(field, IgnoreAbove=10.0)
    memory, _ = lines_of(source, IgnoreAbove=10.0)
    assert said == "" and points_of(lines).tobytes() == points_of(memory).tobytes()


def test_flows_are_not_suspected():
    still = np.zeros(41 * 17 * 5)
    dataset = image((41, 17, 5))
    places = np.array([dataset.GetPoint(i) for i in range(dataset.GetNumberOfPoints())])
    lid = np.stack([np.where(places[:, 1] > 0.99, 1.0, 1e-6 * places[:, 0]), still, still], axis=-1)
    shear = np.stack([np.where(places[:, 1] > 0, 1.0, -1.0), still, still], axis=-1)
    bodies = np.stack([np.where(np.abs(places[:, 0]) < 0.3, 0.0, 5 + 0.1 * places[:, 1]), still, still], axis=-1)
    for velocity in (lid, shear, bodies, np.zeros((len(still), 3)), np.full((len(still), 3), np.nan)):
        add_array(dataset.GetPointData(), VECTORS, velocity, np.float64)
        _, said = lines_of(produce(dataset))
        assert "missing values" not in said, said


run(globals())
