# SPDX-License-Identifier: BSD-3-Clause
"""Stores (.rvs): saved step by step, opened by folder or description, and looked at while they grow."""
import os
import shutil

import numpy as np
from plugin_testing import Messages, generate, program, run, scratch, servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

FIELD = ("--dims", "20,16,12", "--dt", "0.5")


def grow(name, steps):
    """A store of so many steps at least."""
    program("generate", "double-gyre", scratch(name), *FIELD, "--steps", str(steps), "--append", "-q")
    return scratch(name)


def remove(path):
    shutil.rmtree(path, ignore_errors=True)


def velocity(proxy, time):
    proxy.UpdatePipeline(time)
    return vtk_to_numpy(servermanager.Fetch(proxy).GetPointData().GetArray("velocity"))


def test_a_folder_and_its_description_open_as_the_store():
    path = grow("opened.rvs", 3)
    whole = simple.OpenDataFile(generate("whole.rvf", "double-gyre", *FIELD, "--steps", "3"))
    for name in (path, path + os.sep, os.path.join(path, "store.json")):
        reader = simple.OpenDataFile(name)
        assert reader.GetXMLName() == "RivuletStoreReader", reader.GetXMLName()
        reader.UpdatePipeline()
        assert list(reader.TimestepValues) == [0.0, 0.5, 1.0], list(reader.TimestepValues)
        for time in (1.0, 0.0, 0.5):
            assert np.array_equal(velocity(reader, time), velocity(whole, time))
    for name in os.listdir(path):
        if name.endswith(".rvf"):  # each step is a field of its own
            assert simple.OpenDataFile(os.path.join(path, name)).GetXMLName() == "RivuletFieldReader"


def test_reload_shows_the_steps_that_have_been_written_since():
    path = scratch("growing.rvs")
    remove(path)
    reader = simple.OpenDataFile(grow("growing.rvs", 2))
    seeds = simple.PointSource(Center=[1.0, 0.5, 0.5], Radius=0.2, NumberOfPoints=5)
    paths = simple.RivuletPathTracerWithCustomSource(Input=reader, SeedSource=seeds)
    with Messages() as said:
        for steps in (2, 3, 5):
            grow("growing.rvs", steps)
            simple.ReloadFiles(reader)
            assert len(reader.TimestepValues) == steps, list(reader.TimestepValues)
            paths.UpdatePipeline(0.5 * (steps - 1))
            assert abs(paths.PointData["SimulationTime"].GetRange()[1] - 0.5 * (steps - 1)) < 1e-6
        assert said.text() == "", said.text()
    whole = simple.OpenDataFile(generate("five.rvf", "double-gyre", *FIELD, "--steps", "5"))
    same = simple.RivuletPathTracerWithCustomSource(Input=whole, SeedSource=seeds)
    same.UpdatePipeline(2.0)
    ends = [vtk_to_numpy(servermanager.Fetch(proxy).GetPoints().GetData()) for proxy in (paths, same)]
    assert np.array_equal(*ends)


def test_a_store_without_steps_says_so_and_shows_them_later():
    path = scratch("early.rvs")
    remove(path)
    grow("early.rvs", 1)
    step = os.path.join(path, "step-00000000.rvf")
    os.rename(step, scratch("kept.rvf"))
    with Messages() as said:
        reader = simple.RivuletStoreReader(FileNames=[path])
        reader.UpdatePipeline()
        assert said.text().count("no step of the store has been written yet") == 1, said.text()
    os.rename(scratch("kept.rvf"), step)
    with Messages() as said:
        simple.ReloadFiles(reader)
        reader.UpdatePipeline()
        assert said.text() == "" and reader.GetDataInformation().GetNumberOfPoints() >= 20 * 16 * 12, said.text()


def test_a_lost_step_is_named_and_ends_lines():
    whole = simple.OpenDataFile(grow("sound.rvs", 6))
    seeds = simple.PointSource(Center=[1.0, 0.5, 0.5], Radius=0.2, NumberOfPoints=5)
    for damage in (os.remove, lambda path: os.truncate(path, 3000)):
        path = scratch("lost.rvs")
        remove(path)
        grow("lost.rvs", 6)
        damage(os.path.join(path, "step-00000003.rvf"))
        for strategy in ("Memory Map", "Buffered Cache", "Direct Cache", "Asynchronous"):
            with Messages() as said:
                reader = simple.RivuletStoreReader(FileNames=[path], AccessStrategy=strategy)
                reader.UpdatePipeline()
                assert "step-00000003.rvf" in said.text(), said.text()
            assert list(reader.TimestepValues) == [0.5 * step for step in range(6)], list(reader.TimestepValues)
            with Messages():
                for time in (0.0, 1.0, 2.5):
                    assert np.array_equal(velocity(reader, time), velocity(whole, time))
                paths = simple.RivuletPathTracerWithCustomSource(Input=reader, SeedSource=seeds)
                paths.UpdatePipeline(2.5)
            assert paths.CellData["ReasonForTermination"].GetRange() == (8.0, 8.0)
            assert 0.9 < paths.PointData["SimulationTime"].GetRange()[1] <= 1.0
            for proxy in (paths, reader):
                simple.Delete(proxy)


def test_saves_all_steps_and_they_come_back():
    path = scratch("saved.rvs")
    source = simple.OpenDataFile(generate("source.rvf", "double-gyre", *FIELD, "--steps", "4", "--with-speed"))
    for _ in range(2):  # the second time in the place of the first
        simple.SaveData(path, proxy=source)
    program("verify", path, "-q")
    assert sorted(os.listdir(path))[4:] == ["steps.index", "store.json"], os.listdir(path)
    back = simple.OpenDataFile(path)
    back.UpdatePipeline()
    assert list(back.TimestepValues) == list(source.TimestepValues)
    for time in (0.0, 1.5):
        assert np.array_equal(velocity(back, time), velocity(source, time))


def write_vtk(name, counts, axes=None, hidden=False):
    """A VTK file of numbers: an image, or a rectilinear grid; and which points are hidden."""
    i, j, k = counts
    points = i * j * k
    kind = "RectilinearGrid" if axes else "ImageData"
    extent = f"0 {i - 1} 0 {j - 1} 0 {k - 1}"
    array = '<DataArray type="{}" Name="{}" format="ascii">{}</DataArray>'.format
    places = "".join(array("Float64", name_of, " ".join(str(n * n) for n in range(count)))
                     for name_of, count in zip("xyz", counts)) if axes else ""
    ghosts = array("UInt8", "vtkGhostType", " ".join("2" if n % 7 == 0 else "0" for n in range(points))) if hidden else ""
    with open(scratch(name), "w", encoding="ascii") as file:
        file.write(f'<VTKFile type="{kind}" version="1.0" byte_order="LittleEndian"><{kind} WholeExtent="{extent}"'
                   + ("" if axes else ' Origin="0 0 0" Spacing="1 1 1"') + f'><Piece Extent="{extent}"><PointData>'
                   + array("Float32", "numbers", " ".join(str(n / 4) for n in range(points))) + ghosts + "</PointData>"
                   + (f"<Coordinates>{places}</Coordinates>" if axes else "") + f"</Piece></{kind}></VTKFile>")
    return scratch(name)


def converted(name, path):
    program("convert", path, scratch(name), "-q", "--force")
    return simple.OpenDataFile(scratch(name))


def test_ranks_write_the_bytes_that_one_would():
    """Ranks share the bricks of images; of rectilinear grids, and where points are hidden, the first writes all."""
    path = scratch("by_ranks.rvs")
    sources = {
        "image": simple.OpenDataFile(generate("source.rvf", "double-gyre", *FIELD, "--steps", "4", "--with-speed")),
        "cells": simple.OpenDataFile(generate("cells.rvf", "abc", "--dims", "60,9,31", "--cell-centred")),
        "part": simple.Wavelet(WholeExtent=[-17, 22, 3, 9, -5, 31]),
        "flat": simple.Wavelet(WholeExtent=[0, 40, 0, 30, 7, 7]),
        "thin": simple.Wavelet(WholeExtent=[0, 4, 0, 3, 0, 5]),
        "rectilinear": converted("r.rvf", write_vtk("r.vtr", (23, 7, 12), axes=True)),
        "hidden": converted("h.rvf", write_vtk("h.vti", (23, 21, 12), hidden=True)),
    }
    for name, source in sources.items():
        remove(path)
        source.UpdatePipeline()
        # The store that `rivulet` makes of the file has the same identity, so its steps have the same bytes.
        simple.SaveData(scratch(name + ".rvf"), proxy=source, WriteAllTimeSteps=1)
        simple.SaveData(path, proxy=source)
        alone = scratch(name + "_alone.rvs")
        remove(alone)
        os.makedirs(alone)
        shutil.copy(os.path.join(path, "store.json"), alone)
        program("convert", scratch(name + ".rvf"), alone, "--append", "-q")
        for step in sorted(os.listdir(alone)):
            with open(os.path.join(alone, step), "rb") as expected, open(os.path.join(path, step), "rb") as found:
                assert expected.read() == found.read(), (name, step)
        assert sorted(os.listdir(alone)) == sorted(os.listdir(path))


def test_adds_the_current_step_as_an_animation_goes_on():
    path = scratch("added.rvs")
    remove(path)
    source = simple.OpenDataFile(generate("source.rvf", "double-gyre", *FIELD, "--steps", "4", "--with-speed"))
    steps = []
    for time in (0.0, 0.5, 0.5, 1.0):
        simple.GetAnimationScene().AnimationTime = time
        source.UpdatePipeline(time)
        simple.SaveData(path, proxy=source, WriteAllTimeSteps=0, Append=1)
        reader = simple.RivuletStoreReader(FileNames=[path])
        reader.UpdatePipeline()
        steps.append(len(list(reader.TimestepValues) or [0]))
    assert steps == [1, 2, 2, 3], steps
    simple.SaveData(path, proxy=source, Append=1)  # what is missing
    reader = simple.RivuletStoreReader(FileNames=[path])
    assert np.array_equal(velocity(reader, 1.5), velocity(source, 1.5))


def bytes_in(path):
    found = {}
    for name in os.listdir(path):
        with open(os.path.join(path, name), "rb") as file:
            found[name] = file.read()
    return found


def attempt_to_save(path, proxy, **options):
    """What was said."""
    with Messages() as said:
        try:
            simple.SaveData(path, proxy=proxy, **options)
        except RuntimeError:
            pass
        return said.text()


def test_a_store_saved_onto_itself():
    path = scratch("itself.rvs")
    other = simple.OpenDataFile(grow("other.rvs", 4))
    expected = {time: velocity(other, time).copy() for time in (0.0, 0.5, 1.0, 1.5)}
    for strategy in ("Memory Map", "Buffered Cache", "Asynchronous"):
        for factor in (1, 2):
            remove(path)
            reader = simple.RivuletStoreReader(FileNames=[grow("itself.rvs", 4)], AccessStrategy=strategy)
            reader.UpdatePipeline()
            source = simple.Calculator(Input=reader, Function=f"velocity*{factor}", ResultArrayName="velocity")
            attempt_to_save(path, source if factor == 2 else reader, WriteAllTimeSteps=1)
            program("verify", path, "-q")
            back = simple.RivuletStoreReader(FileNames=[path])
            back.UpdatePipeline()
            assert list(back.TimestepValues) == list(expected), list(back.TimestepValues)
            for time, values in expected.items():
                assert np.array_equal(velocity(back, time), factor * values), (strategy, factor, time)
            for proxy in (source, reader, back):
                simple.Delete(proxy)


def test_what_cannot_be_saved_leaves_the_store():
    path = scratch("kept.rvs")
    remove(path)
    grow("kept.rvs", 4)
    before = bytes_in(path)
    none = simple.PassArrays(Input=simple.Wavelet(WholeExtent=[-5, 5, -5, 5, -5, 5]), PointDataArrays=[], CellDataArrays=[])
    assert "no array" in attempt_to_save(path, none)
    assert bytes_in(path) == before
    changing = simple.ProgrammableSource(
        OutputDataSetType="vtkImageData",
        Script="""
import vtk
info = self.GetOutputInformation(0)
time = info.Get(vtk.vtkStreamingDemandDrivenPipeline.UPDATE_TIME_STEP()) or 0
image = self.GetOutputDataObject(0)
image.SetExtent(0, 3, 0, 3, 0, 3)
image.SetSpacing(1 + time, 1, 1)
values = vtk.vtkFloatArray()
values.SetName("values")
values.SetNumberOfTuples(64)
values.Fill(1.0)
image.GetPointData().AddArray(values)
""",
        ScriptRequestInformation="""
import vtk
info = self.GetOutputInformation(0)
info.Set(vtk.vtkStreamingDemandDrivenPipeline.WHOLE_EXTENT(), 0, 3, 0, 3, 0, 3)
info.Set(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS(), [0.0, 1.0, 2.0], 3)
info.Set(vtk.vtkStreamingDemandDrivenPipeline.TIME_RANGE(), [0.0, 2.0], 2)
""")
    changing.UpdatePipeline()
    assert "changes" in attempt_to_save(path, changing, WriteAllTimeSteps=1)
    assert bytes_in(path) == before
    reader = simple.OpenDataFile(path)
    for step in (2, 4):
        said = attempt_to_save(os.path.join(path, f"step-{step:08d}.rvf"), reader)
        assert "step of a store" in said, said
    attempt_to_save(path, reader, Append=1)
    assert bytes_in(path) == before
    assert not [name for name in os.listdir(os.path.dirname(path)) if name.startswith(".kept.rvs")]


def test_never_replaces_a_folder_that_is_no_store():
    path = scratch("mine.rvs")
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, "mine.txt"), "w", encoding="ascii") as file:
        file.write("mine")
    for append in (0, 1):
        with Messages() as said:
            try:
                simple.SaveData(path, proxy=simple.Wavelet(), Append=append)
            except RuntimeError:
                pass
            assert "no store" in said.text(), said.text()
    assert os.listdir(path) == ["mine.txt"]


run(globals())
