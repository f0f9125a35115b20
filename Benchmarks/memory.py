# SPDX-License-Identifier: BSD-3-Clause
"""How much memory does tracing through a field take, by budget and strategy?

A field of 384^3 float vectors (about 1 GB as .rvf) is traced by pvbatch without a render window, under budgets from 16 MiB
up, with every strategy. The peak of the process over that of an idle pvbatch with the plugin loaded must be at most
budget + 250 MiB + twice the bytes of the output; the script fails otherwise. All rows must have lines of the same bytes.

usage: memory.py [--nodes 384] [--seeds 3000] [--out FOLDER] [--quick]
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import write_rows  # noqa: E402

STRATEGIES = {1: "Memory Map", 2: "Buffered Cache", 3: "Direct Cache", 4: "Asynchronous"}
BUDGETS = [16, 64, 256, 1024]
SLACK = 250


def peak_mib():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def trace(path, budget, strategy, seeds):
    """Runs inside pvbatch. Without a budget, only loads the plugin and reports the idle peak."""
    from paraview import simple
    from paraview.vtk.util import numpy_support

    rivulet = {"__name__": "rivulet"}  # ParaView treats an empty value as none
    simple.LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=rivulet)
    if budget == 0:
        print(json.dumps({"peak_mib": peak_mib()}))
        return
    reader = rivulet["RivuletFieldReader"](FileNames=[path], MemoryBudget=budget, AccessStrategy=strategy)
    reader.UpdatePipeline()
    tracer = rivulet["RivuletStreamTracer"](Input=reader, SeedType="Point Cloud")
    low = reader.GetDataInformation().GetBounds()[0]
    high = reader.GetDataInformation().GetBounds()[1]
    tracer.SeedType.Center = [(low + high) / 2] * 3
    tracer.SeedType.Radius = (high - low) / 2
    tracer.SeedType.NumberOfPoints = seeds
    tracer.MaximumStreamlineLength = (high - low) / 2
    tracer.UpdatePipeline()
    output = tracer.GetClientSideObject().GetOutputDataObject(0)
    digest = hashlib.sha256(numpy_support.vtk_to_numpy(output.GetPoints().GetData()).tobytes())
    for index in range(output.GetPointData().GetNumberOfArrays()):
        digest.update(numpy_support.vtk_to_numpy(output.GetPointData().GetArray(index)).tobytes())
    fields = output.GetFieldData()
    print(
        json.dumps(
            {
                "peak_mib": peak_mib(),
                "output_mib": output.GetActualMemorySize() / 1024,
                "counted_mib": fields.GetArray("PeakBytes").GetTuple1(0) / 2**20,
                "steps": int(fields.GetArray("IntegrationSteps").GetTuple1(0)),
                "seconds": fields.GetArray("TraceSeconds").GetTuple1(0),
                "bytes_read": int(fields.GetArray("BytesRead").GetTuple1(0)),
                "sha256": digest.hexdigest(),
            }
        )
    )


def run(path, budget, strategy, arguments, environment):
    command = ["pvbatch", __file__, "--inside", str(path), str(budget), str(strategy), str(arguments.seeds)]
    answer = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(answer.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=384)
    parser.add_argument("--seeds", type=int, default=3000)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/memory"))
    parser.add_argument("--quick", action="store_true", help="a small field, one budget: to try the benchmark itself")
    parser.add_argument("--inside", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        path, budget, strategy, seeds = arguments.inside
        trace(path, int(budget), int(strategy), int(seeds))
        return
    budgets = BUDGETS
    if arguments.quick:
        arguments.nodes, arguments.seeds, budgets = 128, 300, BUDGETS[:1]
    folder = arguments.out.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "field.rvf"
    size = "x".join([str(arguments.nodes)] * 3)
    subprocess.run([built.program("rivulet"), "generate", "turbulence", str(path), "--size", size, "--force", "--quiet"], check=True)
    environment = dict(os.environ, RIVULET_PLUGIN=built.plugin())
    idle = run(path, 0, 1, arguments, environment)["peak_mib"]
    print(f"field {path.stat().st_size / 2**20:.0f} MiB, idle pvbatch {idle:.0f} MiB")
    rows = []
    for budget in budgets:
        for strategy, name in STRATEGIES.items():
            row = {"budget_mib": budget, "strategy": name} | run(path, budget, strategy, arguments, environment)
            row["over_idle_mib"] = row["peak_mib"] - idle
            row["bound_mib"] = budget + SLACK + 2 * row["output_mib"]
            rows.append(row)
            print(
                f"  budget {budget:5} MiB  {name:15} peak over idle {row['over_idle_mib']:7.1f} MiB of {row['bound_mib']:7.1f} "
                f"allowed (counted {row['counted_mib']:.1f}, output {row['output_mib']:.0f}), {row['seconds']:.2f} s",
                flush=True,
            )
    write_rows(folder / "rows.csv", rows)
    path.unlink()
    assert len({row["sha256"] for row in rows}) == 1, "the lines differ between rows"
    over = [row for row in rows if row["over_idle_mib"] > row["bound_mib"]]
    assert not over, f"{len(over)} rows are over their bound"
    draw_rows("memory", [folder / "rows.csv"])
    print("all rows are within their bounds, and all lines are the same bytes")


if __name__ == "__main__":
    main()
