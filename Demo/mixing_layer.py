# SPDX-License-Identifier: BSD-3-Clause
"""pvbatch mixing_layer.py FIELD PICTURE BUDGET_MIB REPORT: streamlines through a field larger than the budget."""

import json
import subprocess
import sys

import scene
from paraview.simple import *  # noqa: F403 the plugin's proxies appear here

FIELD, PICTURE, BUDGET_MIB, REPORT = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
SEEDS = 850


def make_picture(field, lines):
    view = scene.make_view()
    outline = Show(Outline(Input=field), view)
    outline.AmbientColor = outline.DiffuseColor = [0.45, 0.5, 0.6]
    outline.LineWidth, outline.Opacity = 1.2, 0.55
    tubes = Tube(Input=lines, Radius=0.012, NumberofSides=8, Capping=1)
    speed = Calculator(Input=tubes, Function="mag(velocity)", ResultArrayName="Speed")
    display = Show(speed, view)
    display.Ambient, display.Diffuse, display.Specular, display.SpecularPower = 0.12, 0.85, 0.35, 25
    scene.colour_by(display, view, "Speed", "Inferno", [0.0, 2.6], "Speed")
    scene.save(view, PICTURE, position=(16.9, -13.4, 3.6), focal_point=(3.14, 3.14, -0.62), angle=20)


def main():
    scene.load_rivulet(globals())
    about = json.loads(subprocess.check_output(["rivulet", "info", "--json", FIELD]))
    bricks = sum(variable["bricks_per_step"] for variable in about["variables"])
    idle = scene.peak_memory()

    field = RivuletFieldReader(FileNames=[FIELD], MemoryBudget=BUDGET_MIB)
    seeds = RivuletVortexSeeds(Input=field, MinimumVorticity=20.0, NumberOfSeeds=SEEDS)
    seeding, seeding_seconds = scene.update(seeds)
    lines = RivuletStreamTracerWithCustomSource(Input=field, SeedSource=seeds, MaximumStreamlineLength=2.5,
                                                MaximumSteps=20000)
    tracing, tracing_seconds = scene.update(lines)
    peak = scene.peak_memory()

    seeding_cost, tracing_cost = scene.statistics(seeding), scene.statistics(tracing)
    scene.print_table(REPORT, [
        ("field: values, file", scene.size(about["raw_bytes"]), scene.size(about["file_bytes"])),
        ("memory budget", f"{BUDGET_MIB} MiB", ""),
        ("most held for the field", scene.size(max(seeding_cost["PeakBytes"], tracing_cost["PeakBytes"])), ""),
        ("process: idle, peak", scene.size(idle), scene.size(peak)),
        ("", "", ""),
        ("", "finding seeds", "tracing"),
        ("seeds, lines", f"{seeding.GetNumberOfPoints()}", f"{tracing.GetNumberOfLines()}"),
        ("bytes read", scene.size(seeding_cost["BytesRead"]), scene.size(tracing_cost["BytesRead"])),
        (f"bricks read, of {bricks}", f"{seeding_cost['BricksRead']:.0f}", f"{tracing_cost['BricksRead']:.0f}"),
        ("steps", "", f"{tracing_cost['IntegrationSteps']:.0f}"),
        ("seconds", f"{seeding_seconds:.1f}", f"{tracing_seconds:.1f}"),
    ])
    make_picture(field, lines)


main()
