# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet Residence Time: exact visits, kinds of regions, lattices and clouds as seeds, both ways to the steps."""
import numpy as np
from filter_testing import Messages, array_of, points_of, simple, statistic
from plugin_testing import controller, generate, run
from programmed_flow import UNIFORM, flow, set_sphere

FIRST = controller().GetLocalProcessId() == 0
TURNING = "-y, x, 0"


def cloud(*points):
    """Seeds in the order given."""
    text = ", ".join(str(list(point)) for point in points)
    return simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=f"""
from vtkmodules.vtkCommonCore import vtkPoints
points = vtkPoints()
points.SetDataTypeToDouble()
for point in [{text}]:
    points.InsertNextPoint(point)
self.GetOutputDataObject(0).SetPoints(points)
""")


def residence(source, seeds, **properties):
    made = simple.RivuletResidenceTime(Input=source, SeedSource=seeds, Vectors=["POINTS", "velocity"], MaximumError=1e-9)
    for name, value in properties.items():
        made.__setattr__(name, value)
    return made


def behind(made, origin, normal):
    made.RegionFunction = "Plane"
    made.RegionFunction.Origin, made.RegionFunction.Normal = origin, normal
    return made


def outputs(made, time=0.0):
    made.UpdatePipeline(time)
    return [made.GetClientSideObject().GetOutputDataObject(port) for port in range(2)]


def test_of_a_circle_they_are_those_of_its_angles():
    """Two turns of 2 pi in 4 time units would need a rate of pi: here the rate is 1, from angle 0 on, for 4."""
    made = behind(residence(flow(TURNING), cloud((0.5, 0, 0), (0, 0.5, 0.1), (3, 0, 0))), (0, 0, 0), (0, -1, 0))  # y >= 0
    seeds, visits = outputs(made)
    if FIRST:
        data = seeds.GetPointData()
        assert np.allclose(array_of(data, "ResidenceTime"), [np.pi, np.pi / 2, 0], atol=1e-6)
        assert np.allclose(array_of(data, "ExposureTime"), [np.pi, np.pi / 2, 0], atol=1e-6)
        assert np.allclose(array_of(data, "FirstExitTime")[:2], [np.pi, np.pi / 2], atol=1e-6)
        assert np.isnan(array_of(data, "FirstExitTime")[2]) and np.isnan(array_of(data, "FirstEntryTime")[2])
        assert list(array_of(data, "Exits")) == [1, 1, 0]
        assert list(array_of(data, "ReasonForTermination")) == [7, 7, 10]
        assert np.allclose(array_of(data, "EndTime")[:2], 4)
        assert np.all(array_of(visits.GetPointData(), "Entry")[array_of(visits.GetPointData(), "SeedId") == 1] == 0)
        assert np.allclose(points_of(visits)[:, 1], 0, atol=1e-9)
        assert statistic(seeds, "Visits") == visits.GetNumberOfPoints()


def test_in_a_box_the_time_is_its_length_over_the_speed():
    seeds = cloud((-0.9, 0, 0), (-0.1, 0.2, 0.1), (0.9, 0, 0))
    made = residence(flow(UNIFORM), seeds)
    made.RegionFunction = "Box"
    made.RegionFunction.Position, made.RegionFunction.Length = [-0.25, -0.5, -0.5], [0.5, 1, 1]
    found, visits = outputs(made)
    if FIRST:
        data = found.GetPointData()
        assert np.allclose(array_of(data, "ResidenceTime"), [1.0, 0.7, 0.0], atol=1e-6), array_of(data, "ResidenceTime")
        assert np.allclose(array_of(data, "FirstEntryTime")[:2], [1.3, 0.0], atol=1e-6)
        assert list(array_of(data, "Entries")) == [1, 0, 0] and list(array_of(data, "InsideAtEnd")) == [0, 0, 0]
        assert visits.GetNumberOfPoints() == 3
    made.Duration = 1.5
    found, _ = outputs(made)
    if FIRST:
        data = found.GetPointData()
        assert np.allclose(array_of(data, "ResidenceTime"), [0.2, 0.7, 0.0], atol=1e-6)
        assert list(array_of(data, "InsideAtEnd")) == [1, 0, 0]
    made.IntegrationDirection = "BACKWARD"
    made.Duration = 0
    found, _ = outputs(made, 4.0)
    if FIRST:
        assert np.allclose(array_of(found.GetPointData(), "ResidenceTime"), [0.0, 0.3, 1.0], atol=1e-6)


def test_a_lattice_of_seeds_becomes_a_field():
    lattice = simple.FastUniformGrid(WholeExtent=[-3, 3, -3, 3, 0, 0])
    made = behind(residence(flow("0.1, 0, 0"), lattice), (0.05, 0, 0), (1, 0, 0))
    found, _ = outputs(made)
    if FIRST:
        assert found.GetClassName() == "vtkImageData" and found.GetDimensions() == (7, 7, 1)
        places = np.array([found.GetPoint(i) for i in range(found.GetNumberOfPoints())])
        inside = np.all(np.abs(places) <= 1, axis=1)
        exposure = array_of(found.GetPointData(), "ExposureTime")
        at_zero = inside & (places[:, 0] == 0)
        assert np.allclose(exposure[at_zero], 0.5, atol=1e-6) and np.all(exposure[~inside] == 0)
        assert found.GetPointData().GetScalars().GetName() == "ResidenceTime"


def test_surfaces_and_labels_are_regions_too():
    ball = simple.Sphere(Center=[0.2, 0, 0], Radius=0.3, ThetaResolution=200, PhiResolution=200)
    seeds = cloud((-0.8, 0, 0), (0.2, 0, 0))
    function = residence(flow(UNIFORM), seeds)
    function.RegionFunction = "Sphere"
    set_sphere(function.RegionFunction, (0.2, 0, 0), 0.3)
    surface = residence(flow(UNIFORM), seeds, RegionKind="Surfaces", RegionSurfaces=ball)
    labels = residence(flow(UNIFORM), seeds, RegionKind="Labels", RegionLabelArray="zone")
    expected, found, zones = (outputs(each)[0] for each in (function, surface, labels))
    if FIRST:
        times = array_of(expected.GetPointData(), "ExposureTime")
        assert np.allclose(times, [1.2, 0.6], atol=1e-6)
        assert np.allclose(array_of(found.GetPointData(), "ExposureTime"), times, atol=1e-3)
        both = zones.GetPointData().GetArray("ExposureTime")
        assert both.GetNumberOfComponents() == 2 and both.GetComponentName(0) != both.GetComponentName(1)
        assert both.GetComponent(0, 0) > 0.5 and both.GetComponent(1, 1) > 0.5 and both.GetComponent(1, 0) == 0


def test_both_ways_to_the_steps_agree():
    reader = simple.RivuletFieldReader(FileNames=[generate("gyre.rvf", "double-gyre", "--dims", "41,21,5", "--steps", "9", "--dt", "0.7")])
    copy = simple.PassArrays(Input=reader, PointDataArrays=["velocity"])
    found = []
    reader.UpdatePipeline()
    bounds = reader.GetDataInformation().GetBounds()
    height = 0.5 * (bounds[4] + bounds[5])
    seeds = simple.Plane(Origin=[bounds[0] + 0.1, bounds[2] + 0.1, height], Point1=[bounds[1] - 0.1, bounds[2] + 0.1, height],
                         Point2=[bounds[0] + 0.1, bounds[3] - 0.1, height], XResolution=20, YResolution=10)
    for source in (reader, copy):
        made = behind(residence(source, seeds), (0.5 * (bounds[0] + bounds[1]), 0, 0), (1, 0, 0))
        result = outputs(made)[0]
        found.append([np.array(array_of(result.GetPointData(), name)) for name in ("ExposureTime", "Entries")] if FIRST else None)
    if FIRST:
        assert found[0][0].max() > 1 and found[0][1].max() > 0
        for a, b in zip(*found):
            assert np.array_equal(a, b), [(i, x, y) for i, (x, y) in enumerate(zip(a, b)) if x != y][:5]


def test_the_end_of_the_data_leaves_no_time_and_bad_input_is_refused():
    made = behind(residence(flow(UNIFORM), cloud((0, 0, 0))), (0, 0, 0), (1, 0, 0))
    with Messages() as messages:
        found, _ = outputs(made, 4.0)
    if FIRST:
        assert "have no time left" in messages.text(), messages.text()
        assert np.isnan(array_of(found.GetPointData(), "ResidenceTime")[0])
    made = residence(flow(UNIFORM), cloud((0, 0, 0)), RegionKind="Labels", RegionLabelArray="none")
    with Messages() as messages:
        outputs(made)
    if FIRST:
        assert "none" in messages.text(), messages.text()


def test_seeds_in_blocks_are_one_set():
    both = simple.GroupDatasets(Input=[cloud((-0.9, 0, 0)), cloud((-0.1, 0.2, 0.1))])
    made = residence(flow(UNIFORM), both)
    made.RegionFunction = "Box"
    made.RegionFunction.Position, made.RegionFunction.Length = [-0.25, -0.5, -0.5], [0.5, 1, 1]
    found, _ = outputs(made)
    if FIRST:
        assert np.allclose(array_of(found.GetPointData(), "ResidenceTime"), [1.0, 0.7], atol=1e-6)
        assert found.GetClassName() == "vtkPolyData" and found.GetNumberOfPoints() == 2


def test_what_is_stopped_at_once_is_not_known():
    made = behind(residence(flow(UNIFORM), cloud((-0.5, 0, 0))), (0, 0, 0), (1, 0, 0))
    made.MaximumSeconds = 1e-9
    with Messages() as messages:
        found, _ = outputs(made)
    if FIRST:
        data = found.GetPointData()
        assert "Maximum Seconds" in messages.text(), messages.text()
        assert list(array_of(data, "ReasonForTermination")) == [11] and list(array_of(data, "EndTime")) == [0.0]
        assert np.isnan(array_of(data, "ExposureTime")[0])


run(globals())
