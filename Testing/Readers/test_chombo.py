# SPDX-License-Identifier: BSD-3-Clause
"""Plot files of Chombo and AMReX: every value, series, on demand, several ranks, and files that are something else."""
import os
import shutil

import numpy as np
from patch_testing import arrays_of, cell_centres, grids_of, linear, marks_of, output_of
from plugin_testing import (Messages, SCRATCH, can_read, controller, dump, generate, information, run, scratch,
                            servermanager, simple, system_python)
from vtkmodules.util.numpy_support import vtk_to_numpy

VARIABLES = ("--variable", "name=rho,type=f8", "--variable", "name=vel,type=f8,shape=vector",
             "--vector-suffixes", "x", "y", "z")


def plots(name, *options):
    """The plot files that the options make, in alphabetical order."""
    folder = dump(name, *options)
    return [os.path.join(folder, file) for file in sorted(os.listdir(folder))]


def opened(files, **properties):
    reader = simple.RivuletChomboReader(FileNames=files, **properties)
    reader.UpdatePipeline()
    return reader


def all_cells(reader, time):
    """Centres of the cells of all ranks, with their values."""
    centres = simple.CellCenters(Input=reader)
    merged = simple.MergeBlocks(Input=centres, MergePoints=0)
    merged.UpdatePipeline(time)
    cells = servermanager.Fetch(merged)
    return vtk_to_numpy(cells.GetPoints().GetData()).astype(float), cells.GetPointData()


def check_every_value(reader, time, least):
    at, data = all_cells(reader, time)
    assert len(at) >= least, (len(at), least)
    assert np.allclose(vtk_to_numpy(data.GetArray("rho")), linear(*at.T, time), rtol=1e-6)
    expected = np.stack([linear(*at.T, time, c) for c in range(3)], -1)
    assert np.allclose(vtk_to_numpy(data.GetArray("vel")), expected, rtol=1e-6)


def test_every_format_has_every_value_at_every_time():
    for kind in ("chombo", "amrex", "amrex-multi"):
        files = plots("all-" + kind, "--format", kind, "--steps", "3", "--levels", "3", *VARIABLES)
        reader = opened(list(reversed(files)))
        times = list(reader.TimestepValues)
        assert times == [0.0, 0.625, 1.25], times
        assert sorted(reader.CellArrays) == ["rho", "vel"], reader.CellArrays
        for time in times:
            check_every_value(reader, time, 24 * 16 * 12)


def test_files_are_known_by_their_content():
    chombo, amrex = (plots("one-" + kind, "--format", kind)[0] for kind in ("chombo", "amrex"))
    for file in (chombo, amrex):
        reader = simple.OpenDataFile(file)
        assert reader.SMProxy.GetXMLName() == "RivuletChomboReader", (file, reader)
    other = scratch("field.h5")
    shutil.copy(generate("field.rvf", "abc", "--size", "8"), other)  # HDF5, but a field of ours
    text = scratch("text.hdf5")
    with open(text, "w", encoding="ascii") as file:
        file.write("no HDF5 at all\n")
    summary = os.path.join(dump("summary"), "visit_dump.00000", "summary.samrai")
    assert all(can_read("RivuletChomboReader", name) for name in (chombo, amrex))
    assert not any(can_read("RivuletChomboReader", name) for name in (other, text, summary, scratch("none"), SCRATCH))
    assert not any(can_read("RivuletSAMRAIReader", name) for name in (chombo, amrex, other, text, SCRATCH))


def test_wrong_files_are_one_clear_error():
    summary = os.path.join(dump("summary"), "visit_dump.00000", "summary.samrai")
    for path, text in ((summary, "not a plot file of Chombo or AMReX"), (scratch("none.hdf5"), "none.hdf5"),
                       (plots("nodes", "--format", "chombo", "--damage", "node-values")[0], "values of cells"),
                       (plots("overlap", "--format", "amrex", "--damage", "overlapping-boxes")[0], "overlap")):
        with Messages() as said:
            assert opened([path]).GetDataInformation().GetNumberOfCells() == 0
        assert said.text().count("ERR") == 1 and text in said.text(), said.text()


def test_files_of_other_codes_are_named_with_the_way_round():
    contents = {"Enzo": "file.create_group('Grid00000001')",
                "FLASH": "file['unknown names'] = [1]; file['bounding box'] = [1]",
                "Athena++": "file.attrs['NumMeshBlocks'] = 1; file.attrs['MeshBlockSize'] = [4, 4, 4]",
                "PLUTO": "file.create_group('Timestep_0/vars'); file.create_group('cell_coords')",
                "": "file['velocity'] = [1.0]"}
    for code, content in contents.items():
        path = scratch(f"of-{code or 'nobody'}.h5")
        system_python("-c", f"import h5py, sys\nwith h5py.File(sys.argv[1], 'w') as file: {content}", path)
        with Messages() as said:
            opened([path])
        assert "not a plot file of Chombo or AMReX" in said.text(), said.text()
        assert (f"but one of {code}. Open " in said.text()) if code else ("but one of" not in said.text()), said.text()
        assert not code or "ParaView's" in said.text(), said.text()


def test_names_of_vectors_and_names_that_are_there_twice():
    files = plots("names", "--format", "chombo", *(part for name in ("xVel", "yVel", "zVel", "rho", "rho")
                                                   for part in ("--variable", "name=" + name)))
    with Messages() as said:
        reader = opened(files)
    assert sorted(reader.CellArrays) == ["Vel", "rho", "rho_2"], reader.CellArrays
    assert said.text().count('there is more than one "rho"') == 1, said.text()
    for _, grid in grids_of(output_of(reader)):
        assert {array.GetName() for array in arrays_of(grid)} >= {"Vel", "rho", "rho_2"}
        assert grid.GetCellData().GetArray("Vel").GetNumberOfComponents() == 3


def test_a_pattern_is_a_series():
    files = plots("pattern", "--format", "chombo", "--steps", "3", *VARIABLES)
    for name in files[:2]:
        shutil.copy(name, name.replace(".hdf5", ".map.hdf5"))  # as a program with a mapped mesh leaves them
    with Messages() as said:
        reader = opened([os.path.join(os.path.dirname(files[0]), "*.hdf5")])
        assert len(reader.TimestepValues) == 3, reader.TimestepValues
    assert said.text().count("the mesh is mapped") == 1, said.text()


def test_levels_and_arrays_can_be_left_out():
    files = plots("all-chombo", "--format", "chombo", "--steps", "3", "--levels", "3", *VARIABLES)
    reader = opened(files, FinestLevel=1, CellArrays=["rho"])
    assert output_of(reader).GetNumberOfLevels() == 2
    assert {array.GetName() for _, grid in grids_of(output_of(reader)) if grid for array in arrays_of(grid)} <= \
        {"rho", "vtkGhostType"}


def test_on_demand_values_are_those_read_at_once():
    files = plots("demand", "--format", "chombo", "--cells", "64", "64", "64", "--patches", "4", *VARIABLES)
    lazy = opened(files, ReadOnDemand="Always")
    assert information(lazy, "ThreadsInUse") == 0
    check_every_value(lazy, 0.0, 64**3 - 32**3)  # what the finer level does not hide
    # Ranges come from some of the values.
    low, high = lazy.CellData["rho"].GetRange()
    exact = opened(files, ReadOnDemand="Never").CellData["rho"].GetRange()
    assert exact[0] <= low < low + 0.7 * (exact[1] - exact[0]) < high <= exact[1], (low, high, exact)


def test_on_demand_a_slice_reads_what_it_crosses():
    files = plots("demand", "--format", "chombo", "--cells", "64", "64", "64", "--patches", "4", *VARIABLES)
    reader = opened(files, ReadOnDemand="Always", CellArrays=["vel"])
    before = information(reader, "BytesRead")
    cut = simple.Slice(Input=reader, SliceType="Plane")
    cut.SliceType.Origin, cut.SliceType.Normal = [0.3, 1.0, 1.0], [1, 0, 0]
    cut.UpdatePipeline()
    touched = information(reader, "BytesRead") - before
    everything = sum(grid.GetNumberOfCells() * 24 for _, grid in grids_of(output_of(reader)) if grid)
    print(f"read {before} bytes for ranges, then {touched} of {everything}")
    assert before <= (4 << 20) * 1.1
    assert 0 < touched < 0.5 * everything


def test_lines_go_through_levels():
    reader = opened(plots("rotation", "--format", "chombo", "--levels", "2", "--cells", "24", "24", "12", "--spacing",
                          "0.125", "0.125", "0.125", "--variable", "name=vel,type=f8,shape=vector,function=rotation",
                          "--vector-suffixes", "x", "y", "z"))
    lines = simple.RivuletStreamTracer(Input=reader, Vectors=["CELLS", "vel"], SeedType="Point Cloud")
    lines.SeedType.Center, lines.SeedType.Radius = [1.0, 1.0, 0.5], 0.2
    lines.UpdatePipeline()
    points = vtk_to_numpy(servermanager.Fetch(lines).GetPoints().GetData())
    assert len(points) > 100


def test_damage_is_one_error_or_left_out():
    files = plots("corrupt", "--format", "chombo", "--damage", "corrupt-deflate", *VARIABLES)
    with Messages() as said:
        assert opened(files).GetDataInformation().GetNumberOfCells() == 0
    assert said.text().count("ERR") == 1 and "Skip Unreadable Patches" in said.text(), said.text()
    with Messages() as said:
        assert opened(files, SkipUnreadablePatches=1).GetDataInformation().GetNumberOfCells() > 1000
    assert said.text().count("WARN") + said.text().count("Warn") >= 1, said.text()


def test_ratios_that_differ_make_a_multiblock():
    files = plots("uneven", "--format", "amrex", "--dimensions", "2", "--cells", "32", "32", "--ratio", "4x2")
    output = output_of(opened(files))
    assert output.GetClassName() == "vtkMultiBlockDataSet"
    assert any(marks_of(grid.GetCellData(), grid.GetNumberOfCells()).any() for level, grid in grids_of(output) if grid)


def test_a_checkpoint_is_called_one():
    (file,) = plots("restart", "--format", "chombo")
    system_python("-c", "import h5py, sys\nwith h5py.File(sys.argv[1], 'r+') as file:\n"
                        "    for level in [name for name in file if name.startswith('level_')]:\n"
                        "        file[level].move('data:offsets=0', 'conserved:offsets=0')\n"
                        "        file[level].move('data:datatype=0', 'conserved:datatype=0')", file)
    with Messages() as said:
        opened([file])
    assert said.text().count("checkpoint") == 1 and "open a plot file" in said.text().lower(), said.text()


def test_ghost_layers_are_left_out_or_kept_and_marked():
    files = plots("ghosts", "--format", "chombo", "--variable", "name=rho,type=f8,ghosts=2")
    least = 24 * 16 * 12
    for keep in (0, 1):
        reader = opened(files, KeepGhostLayers=keep)
        own = 0
        for _, grid in grids_of(output_of(reader)):
            if grid is None:
                continue
            values = vtk_to_numpy(grid.GetCellData().GetArray("rho"))
            assert np.allclose(values, linear(*cell_centres(grid), 0.0), rtol=1e-12)
            own += np.count_nonzero(marks_of(grid.GetCellData(), grid.GetNumberOfCells()) & 1 == 0)
        assert controller().GetNumberOfProcesses() > 1 or own > least, own


run(globals())
