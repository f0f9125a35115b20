# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet's filters on a simulation's field, as a Catalyst script; run by pvbatch with a store, the same afterwards.

    lines.py STORE FOLDER        with the steps of a store, as the script has done at each step

The windows of time of the exponents are those that the script has left in LIVE_FOLDER.
"""
import json
import os
import sys
from pathlib import Path

from paraview.simple import *

SEEDS = {"Point1": [-1.5, -1.2, 0.2], "Point2": [-1.5, 1.2, 0.2], "Resolution": 8}
WINDOW = 1.5 # intervals between steps
WINDOWS = Path(os.environ["LIVE_FOLDER"]) / "windows.json"


def with_seeds(make, flow, **properties):
    made = make(Input=flow, SeedType="Line", **properties)
    for name, value in SEEDS.items():
        setattr(made.SeedType, name, value)
    return made


def filters(flow, known):
    """`known`: all steps are there, and the mean time between them."""
    at_steps = {"Release": "At Steps", "ForceReinjectionEveryNSteps": 1} if known else {}
    return {"stream": with_seeds(RivuletStreamTracer, flow, MaximumStreamlineLength=2),
            "path": with_seeds(RivuletPathTracer, flow),
            "streak": with_seeds(RivuletStreakLine, flow, **at_steps),
            "surface": with_seeds(RivuletStreakSurface, flow, Sampling="Dense", DenseLevel=1),
            "stream_surface": with_seeds(RivuletStreakSurface, flow, SurfaceType="Stream Surface", StreamTime=20, StreamRows=4)}


def exponents(flow):
    return RivuletFTLE(Input=flow, Lattice="Box", Bounds=[-1.6, 2.5, -1.2, 1.2, -0.4, 0.4], Dimensions=[15, 12, 5],
                       ComputeFlowMap=1)


def save(made, time, name):
    made.UpdatePipeline(time)
    SaveData(name, proxy=made, Precision=17, UseScientificNotation=1, FieldAssociation="Point Data")


def save_all(made, time, step, folder):
    for name, lines in made.items():
        save(lines, time, f"{folder}/{name}-{step:04d}.csv")


def window_of(made):
    facts = made.GetFieldDataInformation()
    return [facts.GetArray(name).GetRange()[0] for name in ("ReleaseTime", "IntegrationTime")]


if "STORE_IS_GIVEN" in os.environ:
    store = OpenDataFile(sys.argv[1])
    made = filters(store, True)
    map_of_flow = exponents(store)
    windows = json.loads(WINDOWS.read_text(encoding="ascii"))
    for number, time in enumerate(store.TimestepValues):
        save_all(made, time, number, sys.argv[2])
        start, map_of_flow.Duration = windows[number]
        if number > 0:
            save(map_of_flow, start, f"{sys.argv[2]}/exponents-{number:04d}.csv")
else:
    from paraview import catalyst

    options = catalyst.Options()
    flow = TrivialProducer(registrationName="flow")
    made, steps, windows = {}, [], []
    map_of_flow = exponents(flow)
    map_of_flow.Duration = WINDOW * float(os.environ["INTERVAL"])

    def catalyst_execute(info):
        if not made:
            made.update(filters(flow, False))
        save_all(made, info.time, len(steps), os.environ["LIVE_FOLDER"])
        save(map_of_flow, info.time, f'{os.environ["LIVE_FOLDER"]}/exponents-{len(steps):04d}.csv')
        steps.append(info.time)
        windows.append(window_of(map_of_flow))
        WINDOWS.write_text(json.dumps(windows), encoding="ascii")
