# SPDX-License-Identifier: BSD-3-Clause
"""Streak surfaces in a flow that folds and stretches them, by Rivulet Streak Surface. A process of unsteady.py.

Field: the double gyre (amplitude 0.1, epsilon 0.25, one period in 10) on [0, 2] x [0, 1] x [0, 1], whose phase turns with z by a
quarter of a period, and a vertical motion 0.05 sin(pi x) sin(pi z) cos(pi y / 2), which stops at the floor and the lid. No particle
leaves. The field is that of the samples, linear in between: all surfaces are of it, and their vertices exact up to the
integrator's error. Seeds: a straight curve that is steep, released from time 0 on.

usage: pvpython streaking.py --folder FOLDER --threads 2 --part surfaces --sampling Dense --setting 3
FOLDER holds field.rvf, field.npy [t, k, j, i, 3], times.npy and, for surfaces, reference.npz. Parts:
reference   writes reference.npz: the surface at the last time with edges up to --setting
surfaces    a row of a surface at the last time, and how far it is from the reference
frames      rows of frames at time steps, each gone on with from the one before, and begun anew
"""

import argparse
import hashlib
import os
import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from steps_in_memory import image_of, steps_in_memory  # noqa: E402
from surface_distance import Surface, distance_between  # noqa: E402
from turns import seconds_of, serve  # noqa: E402

PERIOD = 10.0
LAST = 8.0  # time
CURVE = [0.3, 0.3, 0.1], [0.6, 0.7, 0.9]
PIECES = 8  # of the curve where the sampling is dense
ROWS = 4  # of the reference's base, to a time step
EVERY = 4  # frames to a row
OF_A_FRAME = ["seconds", "processor_seconds", "steps", "requests", "bricks_read"]
LITTLE = 8  # MiB, in which two time steps of the full field are held


def velocity_at(x, y, z, time):
    """Components of the flow. Arrays, or numbers."""
    shift = 0.25 * np.sin(2 * np.pi * time / PERIOD + 0.5 * np.pi * z)
    f = shift * x * x + (1 - 2 * shift) * x
    u = -0.1 * np.pi * np.sin(np.pi * f) * np.cos(np.pi * y)
    v = 0.1 * np.pi * np.cos(np.pi * f) * np.sin(np.pi * y) * (2 * shift * x + 1 - 2 * shift)
    w = 0.05 * np.sin(np.pi * x) * np.sin(np.pi * z) * np.cos(0.5 * np.pi * y)
    return u, v, w


def make_input(folder, program, nodes, steps):
    """Samples as a field file, and as an array with the same values."""
    times = np.linspace(0, LAST, steps)
    x, y, z = np.meshgrid(np.linspace(0, 2, 2 * nodes - 1), np.linspace(0, 1, nodes), np.linspace(0, 1, nodes), indexing="ij")
    field = np.stack([np.stack([each.transpose(2, 1, 0) for each in velocity_at(x, y, z, time)], -1) for time in times])
    field = field.astype(np.float32)
    np.save(folder / "field.npy", field)
    np.save(folder / "times.npy", times)
    files = [folder / f"step{number:03}.raw" for number in range(steps)]
    for file, values in zip(files, field):
        values.tofile(file)
    command = [program, "convert", *files, folder / "field.rvf", "--dims", f"{2 * nodes - 1},{nodes},{nodes}", "--components", 3]
    command += ["--variable", "velocity", "--spacing", ",".join([str(1 / (nodes - 1))] * 3), "--dt", times[1], "--force", "--quiet"]
    subprocess.run([str(word) for word in command], check=True)
    for file in files:
        file.unlink()


def steps_of(folder):
    """A source of all time steps, which are in memory."""
    field = np.load(folder / "field.npy")
    spacing = [1 / (field.shape[2] - 1)] * 3
    return steps_in_memory((image_of(values, [0, 0, 0], spacing) for values in field), np.load(folder / "times.npy"))


class Tracer:
    """A Rivulet Streak Surface in this process."""

    def __init__(self, arguments, memory=None, pieces=PIECES, **properties):
        from paraview import simple

        rivulet = {"__name__": "rivulet"}  # ParaView treats an empty value as none
        simple.LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=rivulet)
        reader = rivulet["RivuletFieldReader"](FileNames=[str(arguments.folder / "field.rvf")])
        line = simple.Line(Point1=CURVE[0], Point2=CURVE[1], Resolution=pieces)
        self.proxy = rivulet["RivuletStreakSurfaceWithCustomSource"](Input=reader, SeedSource=line)
        self.proxy.Vectors = ["POINTS", "velocity"]
        self.proxy.NumberOfThreads = arguments.threads
        for name, value in properties.items():
            setattr(self.proxy, name, value)
        self.proxy.UpdateVTKObjects()
        line.UpdatePipeline()
        reader.UpdatePipelineInformation()
        self.filter = self.proxy.GetClientSideObject()
        if memory is not None:
            self.filter.SetInputConnection(0, memory.GetOutputPort())
        release = simple.GetParaViewVersion()
        self.facts = {"version": f"ParaView {release.major}.{release.minor}", "threads": arguments.threads}

    def begin_anew(self):
        self.filter.Modified()

    def update(self, time):
        """Wall and processor seconds of an update."""
        _, seconds = seconds_of(lambda: self.filter.UpdateTimeStep(time))
        assert self.filter.GetOutput().GetNumberOfCells() > 0, f"no surface at {time}"
        return seconds

    def said(self, name):
        return int(self.filter.GetOutput().GetFieldData().GetArray(name).GetValue(0))

    def way(self):
        self.proxy.UpdatePropertyInformation()
        return self.proxy.GetProperty("TimeAccess").GetData()

    def counts(self):
        output = self.filter.GetOutput()
        of_run = {"paths": self.said("Vertices"), "started": self.said("VerticesStarted"), "steps": self.said("IntegrationSteps")}
        of_input = {"requests": self.said("StepsRequested"), "bricks_read": self.said("BricksRead")}
        return of_run | of_input | {"triangles": output.GetNumberOfCells()}

    def surface(self):
        from vtkmodules.util.numpy_support import vtk_to_numpy

        output = self.filter.GetOutput()
        triangles = vtk_to_numpy(output.GetPolys().GetConnectivityArray()).reshape(-1, 3)
        return Surface(vtk_to_numpy(output.GetPoints().GetData()).astype(float), triangles.astype(np.int64))

    def digest(self):
        """Of the bytes of the triangles and of all arrays."""
        from vtkmodules.util.numpy_support import vtk_to_numpy

        output = self.filter.GetOutput()
        data = output.GetPointData()
        arrays = [data.GetArray(number) for number in range(data.GetNumberOfArrays())]
        digest = hashlib.sha256()
        for array in [output.GetPoints().GetData(), output.GetPolys().GetConnectivityArray(), *arrays]:
            digest.update(vtk_to_numpy(array).tobytes())
        return digest.hexdigest()


def properties_of(arguments):
    if arguments.sampling == "Dense":
        return {"Sampling": "Dense", "DenseLevel": int(arguments.setting)}
    return {"Sampling": "Adaptive", "LargestEdge": arguments.setting}


def last_time(arguments):
    return float(np.load(arguments.folder / "times.npy")[-1])


def reference(arguments):
    """The base has more rows than those of the surfaces that are compared, so that it hides nothing that they show."""
    spacing = np.diff(np.load(arguments.folder / "times.npy"))[0]
    tracer = Tracer(arguments, LargestEdge=arguments.setting, ReleaseInterval=spacing / ROWS, MaximumLevel=20,
                    MaximumVertices=20_000_000)  # fmt: skip

    def run():
        seconds = tracer.update(last_time(arguments))
        surface = tracer.surface()
        np.savez(arguments.folder / "reference.npz", points=surface.points, triangles=surface.triangles)
        return seconds | tracer.counts() | {"longest_edge": surface.longest_edge()}

    return run


def surfaces(arguments):
    tracer = Tracer(arguments, **properties_of(arguments))
    tracer.update(last_time(arguments))
    surface, digest = tracer.surface(), tracer.digest()
    given = np.load(arguments.folder / "reference.npz")
    measured = distance_between(surface, Surface(given["points"], given["triangles"]))
    measured |= {"longest_edge": surface.longest_edge()}

    def run():
        tracer.begin_anew()
        seconds = tracer.update(last_time(arguments))
        assert tracer.digest() == digest, "another surface than in the run before"
        return seconds | tracer.facts | tracer.counts() | measured

    return run


def frames(arguments):
    """Frames are compared byte by byte with the surface of the same time that is begun anew."""
    times = np.load(arguments.folder / "times.npy")
    memory = None if arguments.way == "bricks" else steps_of(arguments.folder)
    budget = {"MemoryBudget": LITTLE} if arguments.way == "two steps" else {}
    animated, anew = (Tracer(arguments, memory, **properties_of(arguments), **budget) for _ in range(2))
    way = "As bricks" if arguments.way == "bricks" else "Step by step"

    def run():
        rows = []
        animated.begin_anew()
        for number, time in enumerate(times[1:], start=1):
            seconds = animated.update(time)
            assert animated.way().startswith(way), animated.way()
            if number % EVERY != 0:
                continue
            counts = animated.counts()
            anew.begin_anew()
            whole = anew.update(time) | anew.counts()
            assert anew.digest() == animated.digest(), f"another surface at {time} than the one that is begun anew"
            row = {"frame": number} | seconds | animated.facts | counts
            rows.append(row | {f"anew_{name}": whole[name] for name in OF_A_FRAME})
        return {"rows": rows}

    return run


PARTS = {"reference": reference, "surfaces": surfaces, "frames": frames}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--part", choices=PARTS, required=True)
    parser.add_argument("--sampling", choices=["Adaptive", "Dense"], default="Adaptive")
    parser.add_argument("--setting", type=float, required=True, help="largest edge, or dense level")
    parser.add_argument("--way", choices=["bricks", "steps", "two steps"], default="bricks")
    arguments = parser.parse_args()
    serve(PARTS[arguments.part](arguments))


if __name__ == "__main__":
    main()
