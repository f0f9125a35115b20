# SPDX-License-Identifier: BSD-3-Clause
"""What readers and filters tell of their runs are Python attributes that hold after each run."""
from paraview import servermanager, simple
from plugin_testing import dump, generate, opened, run

STRATEGIES = ("Memory Map", "Buffered Cache", "Direct Cache", "Asynchronous")


def traced(field, **properties):
    lines = simple.RivuletStreamTracer(Input=field, SeedType="Point Cloud", **properties)
    lines.UpdatePipeline()
    return lines


def test_a_reader_tells_how_it_reads_once_it_is_open():
    field = simple.RivuletFieldReader(FileNames=[generate("abc.rvf", "abc", "--size", "32")])
    field.UpdatePipeline()
    assert field.StrategyInUse in STRATEGIES, field.StrategyInUse
    assert field.StrategyReason.endswith("."), field.StrategyReason
    assert field.BytesRead == 0 and field.ValuesRead == "0 B"
    assert field.PeakMemory.startswith("0 B of "), field.PeakMemory


def test_a_reader_tells_what_a_filter_made_it_read():
    field = simple.RivuletFieldReader(FileNames=[generate("abc.rvf", "abc", "--size", "32")], MemoryBudget=64)
    field.UpdatePipeline()
    traced(field, AccessStrategy="Automatic")
    assert field.BytesRead > 0 and field.BricksRead > 0
    assert field.ValuesRead.endswith(f"in {field.BricksRead} bricks"), field.ValuesRead
    assert 0 < field.PeakBytes <= 64 << 20
    assert field.PeakMemory.endswith(" of 64 MiB"), field.PeakMemory
    assert field.CacheHits + field.CacheMisses > 0


def test_a_reader_behind_stock_filters_tells_it_too():
    field = simple.RivuletFieldReader(FileNames=[generate("abc.rvf", "abc", "--size", "32")])
    field.UpdatePipeline()
    shallow = simple.ExtractSubset(Input=field, VOI=[0, 20, 0, 20, 0, 20])
    shallow.UpdatePipeline()
    before = field.BytesRead
    traced(shallow)
    assert field.BytesRead > before


def test_a_filter_tells_of_its_last_run():
    field = simple.RivuletFieldReader(FileNames=[generate("abc.rvf", "abc", "--size", "32")])
    field.UpdatePipeline()
    lines = traced(field, AccessStrategy="Buffered Cache")
    assert lines.StrategyInUse == "Buffered Cache"
    assert lines.StrategyReason.startswith("Bricks are read through the page cache"), lines.StrategyReason
    first = lines.BytesRead
    assert first == lines.FieldData["BytesRead"].GetRange()[0]
    assert lines.PeakBytes == lines.FieldData["PeakBytes"].GetRange()[0]
    assert lines.ValuesRead.endswith("bricks") and lines.PeakMemory.endswith("B")
    lines.AccessStrategy = "Direct Cache"
    lines.MaximumStreamlineLength = 0.5
    lines.UpdatePipeline()
    assert lines.StrategyInUse == "Direct Cache"
    assert 0 < lines.BytesRead < first


def test_a_filter_on_values_in_memory_says_so():
    wavelet = simple.Wavelet()
    gradient = simple.Gradient(Input=wavelet, ScalarArray=["POINTS", "RTData"], ResultArrayName="slope")
    gradient.UpdatePipeline()
    lines = simple.RivuletStreamTracer(Input=gradient, Vectors=["POINTS", "slope"])
    lines.UpdatePipeline()
    assert lines.StrategyInUse == "In Memory", lines.StrategyInUse
    assert lines.BytesRead == 0


def test_a_refused_run_has_nothing_to_tell():
    field = simple.RivuletFieldReader(FileNames=[generate("abc.rvf", "abc", "--size", "32")])
    field.UpdatePipeline()
    lines = traced(field)
    assert lines.StrategyInUse
    lines.MaximumStreamlineLength = -1.0
    lines.UpdatePipeline()
    assert lines.StrategyInUse == "" and lines.ValuesRead == "" and lines.BytesRead == 0


def test_seeds_tell_of_their_run():
    field = simple.RivuletFieldReader(FileNames=[generate("abc.rvf", "abc", "--size", "32")])
    field.UpdatePipeline()
    seeds = simple.RivuletVortexSeeds(Input=field)
    seeds.UpdatePipeline()
    assert seeds.StrategyInUse in STRATEGIES and seeds.BytesRead > 0


def test_a_patch_reader_tells_what_it_read():
    patches = opened(dump("dumps"))
    assert patches.BytesRead > 0 and patches.ThreadsInUse > 0
    assert patches.ValuesRead.endswith("B")


def test_patches_on_demand_are_told_by_reader_and_filter():
    patches = opened(dump("dumps"), ReadOnDemand="Always")
    before = patches.BytesRead
    lines = simple.RivuletStreamTracer(Input=patches, SeedType="Point Cloud")
    lines.UpdatePipeline()
    assert lines.StrategyInUse == "On Demand", lines.StrategyInUse
    assert patches.BytesRead > before


def test_settings_have_widgets():
    """The panel shows no IdTypeVectorProperty."""
    for name in ("StreamTracer", "PathTracer", "StreakLine", "StreakSurface", "FTLE", "SourceDestination", "ResidenceTime", "VortexSeeds"):
        proxy = servermanager.ProxyManager().NewProxy("filters", "Rivulet" + name)
        iterator = proxy.NewPropertyIterator()
        iterator.Begin()
        while not iterator.IsAtEnd():
            own = iterator.GetProperty()
            assert not own.IsA("vtkSMIdTypeVectorProperty") or iterator.GetKey() in ("BytesRead", "PeakBytes"), (
                name, iterator.GetKey())
            iterator.Next()
    many = simple.RivuletSourceDestination()
    many.NumberOfSeeds = 2000000000
    assert "NumberOfSeeds: 2000000000" in str(many.GetClientSideObject())
    fine = simple.RivuletStreakSurface()
    fine.MaximumVertices = 50000000
    assert "MaximumVertices: 50000000" in str(fine.GetClientSideObject())


run(globals())
