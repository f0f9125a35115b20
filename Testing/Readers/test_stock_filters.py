# SPDX-License-Identifier: BSD-3-Clause
"""Stock filters on a lazily paged field give what they give on the same values in memory."""
import sys

import numpy as np
from plugin_testing import generate, information, run, scratch, servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

BUDGETS = (0, 2)  # MiB; the field has 1.3 MiB of bricks, so 2 leave little beside a copy


def fields(budget):
    path = generate("tg.rvf", "taylor-green", "--size", "41,37,33", "--with-speed")
    lazy = simple.OpenDataFile(path)
    lazy.MemoryBudget = budget
    vti = scratch("tg.pvti")
    if budget == BUDGETS[0]:
        simple.SaveData(vti, proxy=lazy, DataMode="Binary")  # see Documentation/known-faults.md
    memory = simple.OpenDataFile(vti)
    for source in (lazy, memory):
        source.UpdatePipeline()  # filters take their defaults from its bounds
    return lazy, memory


def values_of(proxy):
    proxy.UpdatePipeline()
    data = servermanager.Fetch(proxy)
    arrays = {}
    if data.GetNumberOfPoints() and hasattr(data, "GetPoints"):
        arrays["points"] = vtk_to_numpy(data.GetPoints().GetData()).copy()
    for attributes in (data.GetPointData(), data.GetCellData()):
        for number in range(attributes.GetNumberOfArrays()):
            array = attributes.GetArray(number)
            values = [array.GetTuple(i) for i in range(array.GetNumberOfTuples())]
            arrays[array.GetName()] = np.array(values)
    return data.GetNumberOfPoints(), arrays


def fingerprint(result):
    count, arrays = result
    return count, tuple((name, arrays[name].tobytes()) for name in sorted(arrays))


def assert_same(make, tolerance=0.0):
    for budget in BUDGETS:
        lazy, memory = fields(budget)
        count, arrays = values_of(make(lazy))
        assert count > 0
        expected_count, expected = values_of(make(memory))
        assert count == expected_count, (count, expected_count)
        assert sorted(arrays) == sorted(expected), (sorted(arrays), sorted(expected))
        differing = [name for name in arrays
                     if not np.allclose(arrays[name], expected[name], rtol=0, atol=tolerance, equal_nan=True)]
        assert not differing, differing


def test_slice():
    assert_same(lambda source: simple.Slice(Input=source))


def test_contour():
    # Contour interpolates ordinary arrays in float and all others in double.
    assert_same(lambda source: simple.Contour(Input=source, ContourBy=["POINTS", "speed"], Isosurfaces=[0.5]), 1e-6)


def test_threshold():
    assert_same(lambda source: simple.Threshold(Input=source, Scalars=["POINTS", "speed"], LowerThreshold=0.4,
                                                UpperThreshold=0.6))


def test_probe_location():
    def probe(source):
        made = simple.ProbeLocation(Input=source, ProbeType="Fixed Radius Point Source")
        made.ProbeType.Center = [1.0, 2.0, 3.0]
        return made
    assert_same(probe)


def test_calculator():
    assert_same(lambda source: simple.Calculator(Input=source, Function="velocity_X^2 + speed", ResultArrayName="made"))


def test_extract_subset():
    assert_same(lambda source: simple.ExtractSubset(Input=source, VOI=[3, 30, 0, 20, 9, 9]))


def test_a_subset_reads_only_its_bricks():
    lazy = simple.OpenDataFile(fields(0)[0].FileNames[0])
    slab = simple.ExtractSubset(Input=lazy, VOI=[0, 8, 0, 8, 0, 8])
    slab.UpdatePipeline()
    if servermanager.vtkProcessModule.GetProcessModule().GetNumberOfLocalPartitions() == 1:
        assert information(lazy, "BricksRead") <= 2, information(lazy, "BricksRead")


def test_each_strategy_gives_the_same_values():
    path = generate("tg.rvf", "taylor-green", "--size", "41,37,33", "--with-speed")
    seen = set()
    for strategy in ("Automatic", "Memory Map", "Buffered Cache", "Direct Cache", "Asynchronous"):
        reader = simple.RivuletFieldReader(FileNames=[path], AccessStrategy=strategy, MemoryBudget=1)
        seen.add(fingerprint(values_of(simple.Threshold(Input=reader, Scalars=["POINTS", "speed"], LowerThreshold=0.5,
                                                 UpperThreshold=0.6))))
    assert len(seen) == 1


def test_a_field_larger_than_its_budget_says_what_to_do():
    from plugin_testing import Messages
    path = generate("large.rvf", "taylor-green", "--size", "91,91,91")
    reader = simple.RivuletFieldReader(FileNames=[path], MemoryBudget=4)
    with Messages() as said:
        simple.Contour(Input=reader, ContourBy=["POINTS", "velocity"], Isosurfaces=[0.5]).UpdatePipeline()
    text = said.text()
    for part in ("large.rvf", '"velocity"', "8.6 MiB", "4 MiB", "Memory Budget"):
        assert part in text, (part, text)
    assert text.count("Memory Budget") == 1, text
    assert information(reader, "PeakBytes") <= 4 << 20


if "--alone" in sys.argv:  # what is about this rank's messages and counters
    run(globals())
else:
    run({name: value for name, value in globals().items() if name != "test_a_field_larger_than_its_budget_says_what_to_do"})
