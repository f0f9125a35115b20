# SPDX-License-Identifier: BSD-3-Clause
"""`rivulet convert` of VTK's own files: what is read back is what VTK's own reader reads, value by value."""
import itertools
import json
import os
import signal
import subprocess
import time

import numpy as np
import vtk_files
from plugin_testing import program, run, scratch, simple
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkUnstructuredGrid
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridWriter

OK, USAGE, INPUT, CORRUPT, CANCELLED = 0, 1, 2, 4, 130


def refused(*arguments, code):
    """What `rivulet convert` says of what it does not convert. Nothing is left of it."""
    before = sorted(os.listdir(scratch("")))
    done = subprocess.run([os.environ["RIVULET_PROGRAM"], "convert", *arguments, scratch("refused.rvf")], text=True,
                          capture_output=True, check=False)
    assert done.returncode == code, (done.returncode, done.stderr)
    assert sorted(os.listdir(scratch(""))) == before
    assert done.stderr.count("rivulet: ") == 1 and done.stdout == "", done.stderr
    return done.stderr


def converted(*arguments):
    """What the converted files hold, at each of their times."""
    target = scratch("converted.rvf")
    program("convert", *arguments, target, "-q", "--force")
    program("verify", target, "-q")
    source = simple.OpenDataFile(target)
    source.UpdatePipelineInformation()
    found = []
    for time_of_step in list(source.TimestepValues) or [0.0]:
        source.UpdatePipeline(time_of_step)
        output = source.GetClientSideObject().GetOutputDataObject(0)
        copy = output.NewInstance()
        copy.DeepCopy(output)
        found.append(copy)
    times = json.loads(program("info", target, "--json"))["times"]
    simple.Delete(source)
    return found, times


def assert_comes_back(path, *options, expected=None):
    """Compares with the grid that was written; with what VTK reads where a file does not hold all of it. Not with what VTK
    reads of appended values: see Documentation/known-faults.md."""
    found, _ = converted(path, *options)
    vtk_files.assert_same(found[0], expected or vtk_files.read(path))


def test_every_way_to_write_xml():
    for make, ending in ((vtk_files.image, "vti"), (vtk_files.rectilinear, "vtr")):
        path = scratch(f"a.{ending}")
        for mode, compressor in itertools.product(("ascii", "binary", "appended", "encoded"), ("None", "ZLib", "LZ4")):
            grid = make()
            vtk_files.write_xml(grid, path, mode, compressor)
            assert_comes_back(path, "--brick", "5", expected=None if mode == "ascii" else grid)


def test_little_memory_and_many_threads():
    for make, ending in ((vtk_files.image, "vti"), (vtk_files.rectilinear, "vtr")):
        path = scratch(f"a.{ending}")
        grid = make()
        vtk_files.write_xml(grid, path, "appended", "None")
        assert_comes_back(path, "--memory", "60kB", "--threads", "3", expected=grid)  # parts of rows
        vtk_files.write_xml(grid, path, "binary", "ZLib")
        assert_comes_back(path, "--memory", "60kB", "--brick", "4", expected=grid)


def test_values_of_any_bytes():
    """Appended values whose bytes look like XML, with heads of several lengths before them."""
    for size, byte in itertools.product((3, 9, 30, 31), (0x00, 0x3C, 0x3E, 0x26, 0x5F, 0xFF)):
        grid = vtkImageData()
        grid.SetDimensions(size, 5, 4)
        for number in range(1 + size % 3):
            values = np.full((grid.GetNumberOfPoints(), 3), byte, "u1")
            vtk_files.add(grid.GetPointData(), f"a{number}" * (1 + number), values)
        vtk_files.write_xml(grid, scratch("a.vti"))
        assert_comes_back(scratch("a.vti"), expected=grid)


def test_several_pieces_in_one_file_and_the_other_endian():
    for make, ending in ((vtk_files.image, "vti"), (vtk_files.rectilinear, "vtr")):
        path = scratch(f"a.{ending}")
        grid = make()
        vtk_files.write_xml(grid, path, pieces=5, compressor="ZLib")
        assert_comes_back(path, expected=grid)
        vtk_files.write_xml(grid, path, big_endian=True)
        assert_comes_back(path, "--memory", "100kB", expected=grid)


def test_parallel_files():
    for make, ending in ((lambda: vtk_files.image(turned=False), "pvti"), (vtk_files.rectilinear, "pvtr")):
        for ghosts, memory in itertools.product((0, 2), ("1GiB", "60kB")):
            path = scratch(f"a.{ending}")
            grid = make()
            vtk_files.write_parallel(grid, path, ghosts)
            assert_comes_back(path, "--memory", memory, expected=grid)


def test_legacy_files():
    for make, binary in itertools.product((lambda: vtk_files.image(turned=False), vtk_files.rectilinear), (False, True)):
        path = scratch("a.vtk")
        vtk_files.write_legacy(make(), path, binary)
        assert_comes_back(path)


def test_planes_and_lines():
    for extent in ((0, 20, 0, 15, 4, 4), (3, 3, 0, 15, 0, 9), (0, 20, 7, 7, 2, 9), (0, 30, 0, 0, 0, 0)):
        for make, ending in ((vtk_files.image, "vti"), (vtk_files.rectilinear, "vtr")):
            path = scratch(f"a.{ending}")
            grid = make(extent)
            vtk_files.write_xml(grid, path)
            assert_comes_back(path, "--brick", "4", expected=grid)


def steps(count, **fields):
    """Files of as many steps, and their grids."""
    grids = [vtk_files.image((0, 8, 0, 7, 0, 6), seed=step) for step in range(count)]
    for step, grid in enumerate(grids):
        if "times" in fields:
            vtk_files.add(grid.GetFieldData(), "TimeValue", np.array([fields["times"][step]]))
        vtk_files.write_xml(grid, scratch(f"s{step}.vti"))
    return [scratch(f"s{step}.vti") for step in range(count)], grids


def assert_steps(arguments, grids, times):
    found, found_times = converted(*arguments)
    assert found_times == times, found_times
    for mine, theirs in zip(found, grids):
        vtk_files.assert_same(mine, theirs)


def test_files_are_steps_in_the_order_of_their_numbers_or_times():
    names, grids = steps(12)
    assert_steps(sorted(names), grids, list(range(12)))
    assert_steps([scratch("s*.vti")], grids, list(range(12)))
    names, grids = steps(3, times=[0.5, 3.0, 1.25])
    assert_steps(names, [grids[0], grids[2], grids[1]], [0.5, 1.25, 3.0])


def test_collections_and_series_have_their_own_times():
    _, grids = steps(3, times=[7.0, 8.0, 9.0])
    with open(scratch("s.pvd"), "w", encoding="utf-8") as file:
        entries = "".join(f'<DataSet timestep="{time_of_step}" group="" part="0" file="s{step}.vti"/>'
                          for step, time_of_step in enumerate((0.25, 0.5, 0.75)))
        file.write(f'<?xml version="1.0"?><VTKFile type="Collection" version="0.1"><Collection>{entries}'
                   "</Collection></VTKFile>")
    assert_steps([scratch("s.pvd")], grids, [0.25, 0.5, 0.75])
    for name in ("s.vti.series", "s.vtk.series"):
        with open(scratch(name), "w", encoding="utf-8") as file:
            json.dump({"file-series-version": "1.0",
                       "files": [{"name": f"s{step}.vti", "time": 2.5 * step} for step in range(3)]}, file)
        assert_steps([scratch(name)], grids, [0.0, 2.5, 5.0])


def test_the_time_of_one_file_is_kept():
    names, grids = steps(1, times=[4.5])
    assert_steps(names, grids, [4.5])


def test_what_is_hidden_stays_hidden():
    grid = vtk_files.image((0, 8, 0, 7, 0, 6))
    points = np.array([(2 if i % 5 == 0 else 0) | (i % 2) for i in range(grid.GetNumberOfPoints())], "u1")
    cells = np.array([(0, 32, 8, 1)[i % 4] for i in range(grid.GetNumberOfCells())], "u1")
    vtk_files.add(grid.GetPointData(), "vtkGhostType", points)
    vtk_files.add(grid.GetCellData(), "vtkGhostType", cells)
    vtk_files.write_xml(grid, scratch("a.vti"))
    found, _ = converted(scratch("a.vti"))
    mine = vtk_files.arrays(found[0])
    assert np.array_equal(vtk_files.vtk_to_numpy(found[0].GetPointData().GetArray("vtkGhostType")), points & 2)
    hidden = vtk_files.vtk_to_numpy(found[0].GetCellData().GetArray("vtkGhostType"))
    assert np.array_equal(hidden != 0, (cells & 40) != 0)
    assert np.array_equal(mine["p_f4_3"][1], vtk_files.arrays(grid)["p_f4_3"][1])
    vtk_files.add(grid.GetPointData(), "vtkGhostType", points & 1)  # duplicates only
    vtk_files.add(grid.GetCellData(), "vtkGhostType", cells & 1)
    vtk_files.write_xml(grid, scratch("a.vti"))
    converted(scratch("a.vti"))
    said = json.loads(program("info", scratch("converted.rvf"), "--json"))
    assert said["hidden"] == {"points": [], "cells": []}, said["hidden"]


def test_one_array_or_scalars_as_a_vector():
    grid = vtk_files.image()
    vtk_files.write_xml(grid, scratch("a.vti"))
    found, _ = converted(scratch("a.vti"), "--variable", "p_f4_3")
    assert list(vtk_files.arrays(found[0])) == ["p_f4_3"]
    found, _ = converted(scratch("a.vti"), "--vector", "p_f4_1,p_u1_1,p_i2_1", "--variable", "flow")
    mine, theirs = vtk_files.arrays(found[0]), vtk_files.arrays(grid)
    assert sorted(mine) == sorted((set(theirs) - {"p_f4_1", "p_u1_1", "p_i2_1"}) | {"flow"}), sorted(mine)
    for component, name in enumerate(("p_f4_1", "p_u1_1", "p_i2_1")):
        assert np.array_equal(mine["flow"][1][:, component], theirs[name][1]), name
    text = refused(scratch("a.vti"), "--vector", "p_f4_1,p_f8_1", code=USAGE)
    assert "differ in type" in text, text
    text = refused(scratch("a.vti"), "--vector", "p_f4_1,w", code=INPUT)
    assert "a.vti" in text and 'no variable "w"' in text, text


def test_scalars_of_several_whole_types_as_a_vector():
    grid = vtk_files.image()
    ids = np.arange(grid.GetNumberOfPoints(), dtype="i8")
    vtk_files.add(grid.GetPointData(), "near", ids.astype("i4"))
    vtk_files.add(grid.GetPointData(), "far", ids)
    vtk_files.write_xml(grid, scratch("a.vti"))
    found, _ = converted(scratch("a.vti"), "--vector", "near,far", "--variable", "both")
    assert np.array_equal(vtk_files.arrays(found[0])["both"][1], np.stack([ids, ids], 1))
    ids[5] = 2**53 + 1  # no double holds it
    vtk_files.add(grid.GetPointData(), "far", ids)
    vtk_files.write_xml(grid, scratch("a.vti"))
    text = refused(scratch("a.vti"), "--vector", "near,far", "-q", code=INPUT)
    assert '"far" has whole numbers from 2^53 on' in text, text


def test_notes_name_what_is_changed():
    vtk_files.write_xml(vtk_files.image(), scratch("a.vti"), "ascii")
    done = subprocess.run([os.environ["RIVULET_PROGRAM"], "convert", scratch("a.vti"), scratch("noted.rvf")], text=True,
                          capture_output=True, check=True)
    assert "values are text: VTK holds all of an array" in done.stderr, done.stderr
    assert "is saved as" not in done.stderr, done.stderr


def test_other_grids_are_refused_with_a_remedy():
    writer = vtkXMLUnstructuredGridWriter()
    writer.SetFileName(scratch("a.vtu"))
    writer.SetInputData(vtkUnstructuredGrid())
    writer.Write()
    text = refused(scratch("a.vtu"), code=INPUT)
    assert "a.vtu" in text and "UnstructuredGrid" in text and "Resample To Image" in text, text
    with open(scratch("b.vtk"), "w", encoding="utf-8") as file:
        file.write("# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET POLYDATA\nPOINTS 0 float\n")
    text = refused(scratch("b.vtk"), code=INPUT)
    assert "b.vtk" in text and "POLYDATA" in text and "Resample To Image" in text, text


def test_steps_that_do_not_fit_are_refused_by_name():
    names, _ = steps(2)
    vtk_files.write_xml(vtk_files.image((0, 8, 0, 7, 0, 5)), names[1])
    text = refused(*names, code=USAGE)
    assert "s1.vti" in text and "its grid is not that of" in text, text
    grid = vtk_files.image((0, 8, 0, 7, 0, 6))
    grid.GetCellData().RemoveArray("c_f4_3")
    vtk_files.write_xml(grid, names[1])
    text = refused(*names, code=USAGE)
    assert "s1.vti" in text and 'no array "c_f4_3"' in text, text
    names, _ = steps(2, times=[1.0, 1.0])
    text = refused(*names, code=USAGE)
    assert "s0.vti" in text and "same time" in text, text
    vtk_files.write_xml(vtk_files.image((0, 8, 0, 7, 0, 6)), names[1])
    text = refused(*names, code=USAGE)
    assert "1 say their time" in text, text


def test_lists_that_name_nothing_or_parts_are_refused():
    steps(2)
    with open(scratch("s.pvd"), "w", encoding="utf-8") as file:
        file.write('<VTKFile type="Collection"><Collection><DataSet timestep="0" part="0" file="s0.vti"/>'
                   '<DataSet timestep="0" part="1" file="s1.vti"/></Collection></VTKFile>')
    text = refused(scratch("s.pvd"), code=INPUT)
    assert "several files at one time" in text and "Resample To Image" in text, text
    with open(scratch("s.vti.series"), "w", encoding="utf-8") as file:
        file.write('{"file-series-version": "1.0", "files": [{"name": "nowhere.vti"}]}')
    text = refused(scratch("s.vti.series"), code=INPUT)
    assert "nowhere.vti" in text and "no such file" in text, text
    with open(scratch("s.vti.series"), "w", encoding="utf-8") as file:
        file.write('{"file-series-version": "1.0", "files": [')
    text = refused(scratch("s.vti.series"), code=CORRUPT)
    assert "s.vti.series" in text and "not JSON" in text, text


def test_damaged_files_are_refused_with_what_vtk_says():
    for make, name, write in ((vtk_files.image, "a.vti", vtk_files.write_xml),
                              (vtk_files.rectilinear, "a.vtr", vtk_files.write_xml),
                              (vtk_files.image, "a.vtk", lambda grid, path: vtk_files.write_legacy(grid, path, True))):
        write(make(), scratch(name))
        with open(scratch(name), "rb") as file:
            data = file.read()
        for share in (0.1, 0.5, 0.9):
            with open(scratch(name), "wb") as file:
                file.write(data[:int(len(data) * share)])
            text = refused(scratch(name), "-q", code=INPUT)
            assert name in text and "VTK's reader" in text, text
        os.remove(scratch(name))


def test_the_target_is_no_source_and_no_piece_of_one():
    vtk_files.write_parallel(vtk_files.image(turned=False), scratch("a.pvti"))
    with open(scratch("a.pvti_3.vti"), "rb") as file:
        before = file.read()
    os.symlink(scratch("a.pvti_3.vti"), scratch("target.rvf"))  # the name of a .vti file is refused as it is
    done = subprocess.run([os.environ["RIVULET_PROGRAM"], "convert", scratch("a.pvti"), scratch("target.rvf"), "--force"],
                          text=True, capture_output=True, check=False)
    assert done.returncode == USAGE and "the source is read from" in done.stderr, done.stderr
    os.remove(scratch("target.rvf"))
    with open(scratch("a.pvti_3.vti"), "rb") as file:
        assert file.read() == before


def test_a_signal_leaves_nothing():
    grid = vtkImageData()
    grid.SetDimensions(220, 220, 220)
    vtk_files.add(grid.GetPointData(), "velocity", np.zeros((grid.GetNumberOfPoints(), 3), "f4"))
    vtk_files.write_xml(grid, scratch("large.vti"), "encoded", "ZLib")
    before = sorted(os.listdir(scratch("")))
    process = subprocess.Popen([os.environ["RIVULET_PROGRAM"], "convert", scratch("large.vti"), scratch("stopped.rvf"),
                                "--threads", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while sorted(os.listdir(scratch(""))) == before and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.005)
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == CANCELLED, process.communicate()
    assert sorted(os.listdir(scratch(""))) == before


run(globals())
