# SPDX-License-Identifier: BSD-3-Clause
"""The film again, from the store that was written beside the simulation.

    pvbatch film_again.py STORE FRAMES AGAIN FILM.avi

FRAMES has the frames that were made beside the simulation, AGAIN gets those from the store, and FILM.avi all of them.
Says how many are the same.
"""
import filecmp
import os
import sys

import film_view
import scene
from paraview.simple import SaveScreenshot
from vtkmodules.vtkIOFFMPEG import vtkFFMPEGWriter
from vtkmodules.vtkIOImage import vtkPNGReader

STORE, FRAMES, AGAIN, FILM = sys.argv[1:]


def put_together(frames):
    reader, writer = vtkPNGReader(), vtkFFMPEGWriter()
    writer.SetInputConnection(reader.GetOutputPort())
    writer.SetFileName(FILM)
    writer.SetRate(10)
    for number, frame in enumerate(frames):
        reader.SetFileName(frame)
        reader.Update()
        if number == 0:
            writer.Start()
        writer.Write()
    writer.End()


def main():
    scene.load_rivulet(globals())
    os.makedirs(AGAIN, exist_ok=True)
    flow = RivuletStoreReader(FileNames=[STORE])  # noqa: F821, load_rivulet makes it
    flow.UpdatePipeline()
    view = film_view.make_view(flow)
    names = sorted(name for name in os.listdir(FRAMES) if name.endswith(".png"))
    same = 0
    for name, time in zip(names, flow.TimestepValues):
        view.ViewTime = time
        SaveScreenshot(os.path.join(AGAIN, name), view, ImageResolution=film_view.SIZE)
        same += filecmp.cmp(os.path.join(FRAMES, name), os.path.join(AGAIN, name), shallow=False)
    put_together([os.path.join(AGAIN, name) for name in names])
    print(f"{len(names)} frames beside the simulation, {len(flow.TimestepValues)} steps in the store: {same} frames are the same")


main()
