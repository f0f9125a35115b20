# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet's filters on a simulation's field, as a Catalyst script; run by pvbatch with a store, the same afterwards.

    lines.py STORE FOLDER        with the steps of a store, as the script has done at each step
"""
import os
import sys

from paraview.simple import *

SEEDS = {"Point1": [-1.5, -1.2, 0.2], "Point2": [-1.5, 1.2, 0.2], "Resolution": 8}


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
            "streak": with_seeds(RivuletStreakLine, flow, **at_steps)}


def save(made, time, step, folder):
    for name, lines in made.items():
        lines.UpdatePipeline(time)
        SaveData(f"{folder}/{name}-{step:04d}.csv", proxy=lines, Precision=17, UseScientificNotation=1, FieldAssociation="Point Data")


if "STORE_IS_GIVEN" in os.environ:
    store = OpenDataFile(sys.argv[1])
    made = filters(store, True)
    for number, time in enumerate(store.TimestepValues):
        save(made, time, number, sys.argv[2])
else:
    from paraview import catalyst

    options = catalyst.Options()
    flow = TrivialProducer(registrationName="flow")
    made, steps = {}, []

    def catalyst_execute(info):
        if not made:
            made.update(filters(flow, False))
        save(made, info.time, len(steps), os.environ["LIVE_FOLDER"])
        steps.append(info.time)
