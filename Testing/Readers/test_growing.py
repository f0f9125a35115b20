# SPDX-License-Identifier: BSD-3-Clause
"""A series that is being written while ParaView looks on: what is complete is shown, and Reload Files finds the rest."""
import fcntl
import os
import shutil

import numpy as np
from patch_testing import cell_centres, grids_of, linear, output_of
from plugin_testing import Messages, dump, run, simple
from vtkmodules.util.numpy_support import vtk_to_numpy


def cut(path):
    os.truncate(path, os.path.getsize(path) * 2 // 3)


class Growing:
    """Three dumps, of which the third is not there yet."""

    def __init__(self, name):
        self.folder = dump(name, "--steps", "3", "--variable", "name=a")
        self.last = os.path.join(self.folder, "visit_dump.00020")
        self.kept = os.path.join(self.folder, "kept")
        os.rename(self.last, self.kept)

    def write(self, spoil=None, file="summary.samrai"):
        shutil.rmtree(self.last, ignore_errors=True)
        shutil.copytree(self.kept, self.last)
        if spoil:
            spoil(os.path.join(self.last, file))


def check_steps(reader, steps, said):
    """So many steps, each with its values; one message if there is one more."""
    assert len(reader.TimestepValues) == steps, reader.TimestepValues
    for time in list(reader.TimestepValues):
        reader.UpdatePipeline(time)
        cells = 0
        for _, grid in grids_of(output_of(reader)):
            if grid is None:
                continue  # another rank has it
            values = vtk_to_numpy(grid.GetCellData().GetArray("a"))
            assert np.allclose(values, linear(*cell_centres(grid), time), rtol=1e-6)
            cells += len(values)
        assert cells > 500
    if steps < 3:
        assert said.text().count("visit_dump.00020") > 0 and said.text().count("Reload Files") == 1, said.text()
    else:
        assert said.text() == "", said.text()


def test_a_dump_that_is_being_written_is_left_out_until_it_is_complete():
    growing = Growing("growing")
    with Messages() as said:
        reader = simple.RivuletSAMRAIReader(FileNames=[os.path.join(growing.folder, "dumps.visit")])
        reader.UpdatePipeline()
        check_steps(reader, 2, said)
    cluster = "processor_cluster.00000.samrai"
    for spoil, file in ((cut, "summary.samrai"), (os.remove, cluster), (cut, cluster),
                        (lambda path: os.truncate(path, 0), cluster)):
        growing.write(spoil, file)
        with Messages() as said:
            simple.ReloadFiles(reader)
            check_steps(reader, 2, said)
    growing.write()
    # HDF5 locks what it writes. Nobody is kept from looking, and no lock of ours may stand in the writer's way.
    with open(os.path.join(growing.last, "summary.samrai"), "rb") as held, Messages() as said:
        fcntl.flock(held, fcntl.LOCK_EX)
        simple.ReloadFiles(reader)
        check_steps(reader, 3, said)


def test_half_a_dump_can_be_looked_at():
    growing = Growing("half")
    growing.write(os.remove, "processor_cluster.00000.samrai")
    with Messages() as said:
        reader = simple.RivuletSAMRAIReader(FileNames=[os.path.join(growing.folder, "dumps.visit")],
                                            SkipUnreadablePatches=1)
        reader.UpdatePipeline(1.25)
    assert len(reader.TimestepValues) == 3, reader.TimestepValues
    assert "processor_cluster.00000" in said.text(), said.text()
    assert reader.GetDataInformation().GetNumberOfCells() > 100


def test_the_steps_of_a_folder_are_found_when_they_are_there():
    growing = Growing("folder")
    os.remove(os.path.join(growing.folder, "dumps.visit"))
    reader = simple.RivuletSAMRAIReader(FileNames=[growing.folder])
    reader.UpdatePipeline()
    assert len(reader.TimestepValues) == 2
    growing.write()
    simple.ReloadFiles(reader)
    assert len(reader.TimestepValues) == 3


def test_a_plot_file_that_is_being_written_is_left_out_until_it_is_complete():
    folder = dump("plots", "--format", "chombo", "--steps", "3", "--variable", "name=a,type=f8")
    last = os.path.join(folder, "plot.000020.3d.hdf5")
    shutil.copy(last, folder + ".kept")
    cut(last)
    with Messages() as said:
        reader = simple.RivuletChomboReader(FileNames=[os.path.join(folder, "plot.*.hdf5")])
        reader.UpdatePipeline()
    assert len(reader.TimestepValues) == 2
    assert said.text().count("plot.000020") == 1 and "Reload Files" in said.text(), said.text()
    shutil.copy(folder + ".kept", last)
    with Messages() as said:
        simple.ReloadFiles(reader)
    assert len(reader.TimestepValues) == 3 and said.text() == "", said.text()


run(globals())
