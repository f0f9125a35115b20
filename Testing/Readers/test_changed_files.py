# SPDX-License-Identifier: BSD-3-Clause
"""Files that are changed while they are open, and filters that write where they should only read."""
import os
import shutil
import time

import numpy as np
from plugin_testing import Messages, generate, information, run, scratch, servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

STRATEGIES = ("Automatic", "Memory Map", "Buffered Cache", "Direct Cache", "Asynchronous")


def truncate(path):
    os.truncate(path, os.path.getsize(path) // 2)


def rewrite(path):
    with open(path, "r+b") as file:
        file.seek(os.path.getsize(path) // 2)
        file.write(b"\x3f" * 4096)


def replace(path):
    shutil.copy(path, path + ".new")
    os.rename(path + ".new", path)


def touch(path):
    os.utime(path)


def fields(number):
    """A fresh field in each format: what to open, the file of its values, and the reader."""
    rvf = scratch(f"field{number}.rvf")
    shutil.copy(generate("field.rvf", "abc", "--size", "33,31,29"), rvf)
    yield rvf, rvf, simple.RivuletFieldReader
    made = generate("blocks.bov", "abc", "--size", "33,31,29")
    bov = scratch(f"blocks{number}.bov")
    values = bov.replace(".bov", ".raw")
    shutil.copy(made.replace(".bov", ".raw"), values)
    with open(made) as header, open(bov, "w") as file:
        file.write(header.read().replace("blocks.raw", os.path.basename(values)))
    yield bov, values, simple.RivuletBOVReader


def extract(reader):
    simple.Threshold(Input=reader, Scalars=["POINTS", "velocity"], LowerThreshold=-9, UpperThreshold=9).UpdatePipeline()


def contour(reader):
    simple.Contour(Input=reader, ContourBy=["POINTS", "velocity"], Isosurfaces=[1.5]).UpdatePipeline()


def told(use):
    """What is said until a change is told, and twice more. A reader looks at its files the less often the longer that takes,
    and on a busy machine that may be a second."""
    give_up = time.monotonic() + 20
    with Messages() as said:
        while not said.text() and time.monotonic() < give_up:
            time.sleep(0.03)
            use()
        for _ in range(2):
            time.sleep(0.03)
            use()
    return said.text()


def assert_told_once(change, use, strategy, number):
    for path, values, make in fields(number):
        reader = make(FileNames=[path], AccessStrategy=strategy)
        use(reader)
        time.sleep(0.03)
        change(values)
        text = told(lambda: use(reader))
        what = (change.__name__, use.__name__, strategy, text)
        assert text.count(os.path.basename(values)) == 1, what
        assert text.count("Reload Files") == 1, what
        simple.Delete(reader)


def test_each_change_is_told_once_whatever_the_strategy():
    number = 0
    for change in (truncate, rewrite, replace, touch):
        for use in (extract, contour):
            for strategy in STRATEGIES:
                number += 1
                assert_told_once(change, use, strategy, number)


def test_a_change_is_told_when_the_pipeline_is_updated_though_nothing_is_read():
    for path, values, make in fields("quiet"):
        reader = make(FileNames=[path])
        extract(reader)
        rewrite(values)
        said = told(lambda: reader.GetClientSideObject().Update())  # as for a filter that asks for no values
        assert said.count("Reload Files") == 1, said


def test_a_field_that_nobody_read_may_change():
    for path, values, make in fields("unread"):
        reader = make(FileNames=[path])
        reader.UpdatePipelineInformation()
        touch(values)
        time.sleep(0.03)
        with Messages() as said:
            reader.UpdatePipelineInformation()
        assert not said.text(), said.text()


def test_reload_files_reads_what_is_there_now():
    for path, values, make in fields("reload"):
        reader = make(FileNames=[path])
        contour(reader)
        if path == values:
            os.remove(path)
            generate(os.path.basename(path), "taylor-green", "--size", "33,31,29")
        else:
            rewrite(values)
        time.sleep(0.03)
        with Messages() as said:
            contour(reader)
        assert said.text().count("Reload Files") == 1, said.text()
        with Messages() as said:
            simple.ReloadFiles(reader)
            extract(reader)
            contour(reader)
        assert not said.text(), said.text()


def test_a_large_mapped_file_cut_short_ends_in_an_error():
    path = scratch("huge.bov")
    with open(path, "w") as file:
        file.write("DATA_FILE: huge.raw\nDATA_SIZE: 512 512 300\nDATA_FORMAT: FLOAT\nDATA_ENDIAN: LITTLE\nVARIABLE: p\n")
    values = path.replace(".bov", ".raw")
    with open(values, "wb") as file:
        file.truncate(512 * 512 * 300 * 4)
    reader = simple.RivuletBOVReader(FileNames=[path], AccessStrategy="Memory Map")
    reader.UpdatePipeline()
    array = reader.GetClientSideObject().GetOutputDataObject(0).GetPointData().GetArray("p")
    assert vtk_to_numpy(array)[0] == 0
    os.truncate(values, 4096)
    with Messages() as said:
        held = vtk_to_numpy(array)
        assert np.isnan(held[1024::1024]).all() and (held[:1024] == 0).all()
        time.sleep(0.03)
        simple.Contour(Input=reader, ContourBy=["POINTS", "p"], Isosurfaces=[0.5]).UpdatePipeline()
    assert said.text().count("huge.raw") == 1 and "cut short" in said.text(), said.text()
    os.remove(values)


def test_what_a_script_writes_into_an_array_goes_no_further():
    for path, values, make in fields("written"):
        for strategy in STRATEGIES:
            reader = make(FileNames=[path], AccessStrategy=strategy)
            reader.UpdatePipeline()
            before = np.array(vtk_to_numpy(servermanager.Fetch(reader).GetPointData().GetArray("velocity")))
            array = reader.GetClientSideObject().GetOutputDataObject(0).GetPointData().GetArray("velocity")
            with Messages() as said:
                mine = vtk_to_numpy(array)
                mine *= 2
                assert (mine == 2 * before).all()
                assert (vtk_to_numpy(array) == before).all()
                assert array.GetTuple(7) == tuple(before[7])
                assert (vtk_to_numpy(servermanager.Fetch(reader).GetPointData().GetArray("velocity")) == before).all()
                assert (mine == 2 * before).all()
            text = said.text()
            assert text.count('"velocity"') == 1 and "copy" in text, (strategy, text)
            with Messages() as said:
                array.SetComponent(0, 0, 3.5)
                array.SetTuple(1, (3.5, 3.5, 3.5))
            assert said.text().count("cannot be written") == 1, said.text()
            assert array.GetTuple(0) == tuple(before[0])


def test_a_programmable_filter_may_write_where_it_reads():
    for path, _, make in fields("script"):
        for strategy in STRATEGIES:
            reader = make(FileNames=[path], AccessStrategy=strategy)
            script = ("from vtkmodules.util.numpy_support import vtk_to_numpy\n"
                      "values = vtk_to_numpy(self.GetInputDataObject(0, 0).GetPointData().GetArray('velocity'))\n"
                      "values += 100\n"
                      "output.PointData.append(values.max(axis=1), 'largest')\n")
            with Messages() as said:
                made = simple.ProgrammableFilter(Input=reader, Script=script)
                made.UpdatePipeline()
                assert made.PointData["largest"].GetRange()[0] > 90
                whole = servermanager.Fetch(simple.Threshold(Input=reader, Scalars=["POINTS", "velocity"],
                                                             LowerThreshold=-99, UpperThreshold=99))
            assert whole.GetNumberOfPoints() == 33 * 31 * 29
            assert said.text().count('"velocity"') == 1, said.text()


def test_ranges_of_blocks_are_exact_or_said_to_be_estimates():
    path = generate("ranged.bov", "abc", "--size", "120,110,100")
    values = np.fromfile(path.replace(".bov", ".raw"), dtype=np.float32).reshape(-1, 3)
    reader = simple.RivuletBOVReader(FileNames=[path])
    reader.UpdatePipeline()
    for component in range(3):
        expected = (values[:, component].min(), values[:, component].max())
        assert reader.PointData["velocity"].GetRange(component) == expected
    magnitude = np.sqrt((values.astype(float) ** 2).sum(axis=1))
    assert np.allclose(reader.PointData["velocity"].GetRange(-1), (magnitude.min(), magnitude.max()), rtol=1e-15)
    assert information(reader, "EstimatedRanges") in ("", None)

    with open(scratch("wide.bov"), "w") as file:
        file.write("DATA_FILE: wide.raw\nDATA_SIZE: 512 512 300\nDATA_FORMAT: FLOAT\nDATA_ENDIAN: LITTLE\nVARIABLE: p\n")
    with open(scratch("wide.raw"), "wb") as file:
        file.truncate(512 * 512 * 300 * 4)
        file.seek(12345678 * 4)
        file.write(np.array([-7, 8], dtype=np.float32).tobytes())
    reader = simple.RivuletBOVReader(FileNames=[scratch("wide.bov")])
    reader.UpdatePipeline()
    reader.PointData["p"].GetRange()
    assert information(reader, "EstimatedRanges") == "p", information(reader, "EstimatedRanges")
    reader.ExactRanges = 1
    reader.UpdatePipeline()
    assert reader.PointData["p"].GetRange() == (-7, 8), reader.PointData["p"].GetRange()
    assert information(reader, "EstimatedRanges") in ("", None)
    os.remove(scratch("wide.raw"))


run(globals())
