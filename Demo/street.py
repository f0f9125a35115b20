# SPDX-License-Identifier: BSD-3-Clause
"""pvbatch street.py FIELD PICTURE BUDGET_MIB REPORT: the wake of a sphere of diameter 1 at the origin in time, as a strip of
frames. In front the smoke of a ring around the sphere (a streak surface); on the wall behind it the plane through the middle,
where bright lines have gathered smoke (the exponent of the flow map back in time)."""

import json
import os
import subprocess
import sys

import numpy as np
import scene
from paraview.simple import *  # noqa: F403 the plugin's proxies appear here
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOImage import vtkPNGReader, vtkPNGWriter

FIELD, PICTURE, BUDGET_MIB, REPORT = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
FRAMES = 6
FRAME_SIZE = [800, 330]
OLDEST = 10.0  # age of the smoke, in diameters travelled
MEMORY = 5.0  # time that exponents look back


def smoke(field, start):
    ring = Ellipse(Center=[0.2, 0.0, 0.0], Normal=[1, 0, 0], MajorRadiusVector=[0.0, 0.55, 0.0], Ratio=1.0, Resolution=48)
    return RivuletStreakSurfaceWithCustomSource(
        Input=field, SeedSource=ring, Vectors=["POINTS", "velocity"], ReleaseStart=start, MaximumTime=OLDEST,
        LargestEdge=0.1, MaximumVertices=80000, MemoryBudget=BUDGET_MIB)


def gathered(field, bounds):
    return RivuletFTLE(
        Input=field, Vectors=["POINTS", "velocity"], IntegrationDirection="BACKWARD", Duration=MEMORY, Lattice="Box",
        Bounds=[-0.8, bounds[1] - 0.4, 0.0, 0.0, -1.5, 1.5], Dimensions=[321, 1, 145], MemoryBudget=BUDGET_MIB)


def show_all(view, surface, plane):
    ball = Show(Sphere(Radius=0.5, ThetaResolution=96, PhiResolution=96), view)
    ball.AmbientColor = ball.DiffuseColor = [0.8, 0.82, 0.86]
    wall = Show(plane, view, "UniformGridRepresentation")
    wall.Representation = "Slice"
    scene.move(wall, [0.0, 1.6, 0.0])
    wall.SliceMode = "XZ Plane"
    scene.colour_by(wall, view, "FTLE", "Inferno", [0.05, 0.75], "exponent")
    wall.SetScalarBarVisibility(view, False)
    wall.LookupTable.NanColor = [0.05, 0.06, 0.1]  # where the flow came in later than the exponent looks back
    shown = Show(surface, view)
    shown.Ambient, shown.Diffuse, shown.Specular, shown.Opacity = 0.15, 0.85, 0.4, 0.9
    scene.colour_by(shown, view, "ParticleAge", "Viridis", [0.0, OLDEST], "age")
    shown.SetScalarBarVisibility(view, False)


def pixels_of(picture):
    """Rows from the bottom, pixels, and colours."""
    reader = vtkPNGReader()
    reader.SetFileName(picture)
    reader.Update()
    image = reader.GetOutput()
    width, height, _ = image.GetDimensions()
    return vtk_to_numpy(image.GetPointData().GetScalars()).reshape(height, width, -1)[:, :, :3]


def put_together(frames):
    """Two columns of frames, in the order of reading."""
    rows = [np.concatenate([pixels_of(frame) for frame in frames[i:i + 2]], axis=1) for i in range(0, len(frames), 2)]
    pixels = np.concatenate(rows[::-1], axis=0)
    image = vtkImageData()
    image.SetDimensions(pixels.shape[1], pixels.shape[0], 1)
    image.GetPointData().SetScalars(numpy_to_vtk(np.ascontiguousarray(pixels.reshape(-1, 3)), deep=True))
    writer = vtkPNGWriter()
    writer.SetFileName(PICTURE)
    writer.SetInputData(image)
    writer.Write()
    for frame in frames:
        os.remove(frame)


class Cost:
    """What a filter took, over all frames."""

    def __init__(self):
        self.seconds = self.bytes = self.peak = self.steps = 0.0

    def update(self, proxy, time):
        output, seconds = scene.update(proxy, time)
        facts = scene.statistics(output)
        self.seconds += seconds
        self.bytes += facts["BytesRead"]
        self.steps += facts["IntegrationSteps"]
        self.peak = max(self.peak, facts["PeakBytes"])
        return output


def main():
    scene.load_rivulet(globals())
    about = json.loads(subprocess.check_output(["rivulet", "info", "--json", FIELD]))
    field = RivuletFieldReader(FileNames=[FIELD], MemoryBudget=BUDGET_MIB)
    field.UpdatePipeline()
    times = list(field.TimestepValues)
    GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
    surface, plane = smoke(field, times[0]), gathered(field, field.GetDataInformation().GetBounds())
    of_surface, of_plane, frames = Cost(), Cost(), []
    view = None
    for number in range(FRAMES):
        at = times[(len(times) - 1) * (number + 4) // (FRAMES + 3)]
        triangles = of_surface.update(surface, at).GetNumberOfPolys()
        of_plane.update(plane, at)
        if view is None:
            view = scene.make_view()
            view.ViewSize, view.ViewTime = FRAME_SIZE, at
            show_all(view, surface, plane)
        view.ViewTime = at
        frames.append(f"{PICTURE}.{number}.png")
        scene.save(view, frames[-1], position=(1.9, -9.0, 1.9), focal_point=(2.55, 0.0, 0.0), angle=21, size=FRAME_SIZE)
    put_together(frames)
    scene.print_table(REPORT, [
        ("time steps, values of one", f"{len(times)}", scene.size(about["raw_bytes"] / len(times))),
        ("memory budget", f"{BUDGET_MIB} MiB", ""),
        ("", "smoke", "exponents"),
        ("most held for the field", scene.size(of_surface.peak), scene.size(of_plane.peak)),
        ("bytes read", scene.size(of_surface.bytes), scene.size(of_plane.bytes)),
        ("steps", f"{of_surface.steps:.0f}", f"{of_plane.steps:.0f}"),
        ("seconds, 6 frames", f"{of_surface.seconds:.1f}", f"{of_plane.seconds:.1f}"),
        ("triangles of the last", f"{triangles}", ""),
    ])


main()
