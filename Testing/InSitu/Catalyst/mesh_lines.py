# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet's filters on a simulation's mesh that moves, as a Catalyst script; run by pvbatch with the files of the steps that it
leaves, the same afterwards.

    mesh_lines.py SERIES FOLDER        with the .pvd of the steps
"""
import os
import sys

from paraview.simple import *

LIVE = os.environ["LIVE_FOLDER"]
SEEDS = {"Point1": [1.0, 4.0, 2.0], "Point2": [5.0, 8.0, 9.0], "Resolution": 8}


def with_seeds(make, flow, **properties):
    made = make(Input=flow, Vectors=["POINTS", "velocity"], SeedType="Line", **properties)
    for name, value in SEEDS.items():
        setattr(made.SeedType, name, value)
    return made


def filters(flow, known):
    """`known`: all steps are there, and the mean time between them."""
    at_steps = {"Release": "At Steps", "ForceReinjectionEveryNSteps": 1} if known else {}
    vectors = {"Input": flow, "Vectors": ["POINTS", "velocity"]}
    return {"stream": with_seeds(RivuletStreamTracer, flow, MaximumStreamlineLength=8),
            "path": with_seeds(RivuletPathTracer, flow),
            "streak": with_seeds(RivuletStreakLine, flow, **at_steps),
            "surface": with_seeds(RivuletStreakSurface, flow, Sampling="Dense", DenseLevel=1),
            "box": RivuletFTLE(Lattice="Box", Bounds=[1.0, 6.0, 3.0, 8.0, 2.0, 9.0], Dimensions=[6, 5, 4], ComputeFlowMap=1, **vectors),
            "points": RivuletFTLE(ComputeFlowMap=1, **vectors),
            "windows": RivuletFTLE(ComputeFlowMap=1, Duration=0.2, **vectors)}


def start_of(name, number, times):
    """Time at which particles of exponents are released: the windows are of two steps. None: of a filter at present."""
    return {"box": times[0], "points": times[0], "windows": times[2 * ((number - 1) // 2)]}.get(name)


def save(proxy, time, name):
    proxy.UpdatePipeline(time)
    SaveData(name, proxy=proxy, Precision=17, UseScientificNotation=1, FieldAssociation="Point Data")


if "SERIES_IS_GIVEN" in os.environ:
    series = OpenDataFile(sys.argv[1])
    made = filters(series, True)
    times = list(series.TimestepValues)
    for number, time in enumerate(times[1:], start=1):
        for name, proxy in made.items():
            start = start_of(name, number, times)
            if start is not None:
                proxy.Duration = time - start
            save(proxy, time if start is None else start, f"{sys.argv[2]}/{name}-{number:04d}.csv")
else:
    from paraview import catalyst

    options = catalyst.Options()
    flow = TrivialProducer(registrationName="wing")
    made, steps = {}, []

    def catalyst_execute(info):
        if not made:
            made.update(filters(flow, False))
        number = len(steps)
        for name, proxy in made.items():
            save(proxy, info.time, f"{LIVE}/{name}-{number:04d}.csv")
        kind = "pvtu" if flow.GetDataInformation().GetDataSetTypeAsString() == "vtkUnstructuredGrid" else "pvts"
        SaveData(f"{LIVE}/step-{number:04d}.{kind}", proxy=flow)
        steps.append(f'<DataSet timestep="{info.time!r}" file="step-{number:04d}.{kind}"/>')
        with open(f"{LIVE}/steps.pvd", "w", encoding="ascii") as file:
            file.write('<VTKFile type="Collection" version="0.1"><Collection>' + "".join(steps) + "</Collection></VTKFile>")
