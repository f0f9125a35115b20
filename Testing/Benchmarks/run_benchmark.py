#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run_benchmark.py NAME SCRATCH [OPTIONS]: a benchmark's quick form, and what it leaves.

The benchmarks check their results themselves. What cannot be run on this machine is skipped (77), and says why.
"""

import csv
import importlib.util
import json
import math
import pathlib
import shutil
import subprocess
import sys

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "Benchmarks"
HOST = {"cpu", "cores", "kernel", "provenance"}
LEFT = {  # benchmark, or a part of it: rows it must leave at least, and what each of them says in numbers above zero
    "conversion": (2, {"cp_seconds", "convert_seconds", "source_bytes", "ratio"}),
    "in_memory": (2, {"steps", "seconds", "steps_per_second"}),
    "index": (40, {"seconds", "datasets"}),
    "insitu": (60, {"seconds", "ratio", "simulation_seconds", "processor_seconds"}),
    "kernel": (2, {"seconds", "steps", "threads"}),
    "layouts": (4, {"seconds", "file_bytes", "bricks_read", "steps"}),
    "meshes": (8, {"steps", "seconds", "cpu_seconds", "steps_per_second"}),
    "memory": (4, {"budget_mib", "peak_mib", "output_mib", "steps", "seconds", "bound_mib"}),
    "opening": (3, {"seconds", "grown_mb"}),
    "outofcore": (6, {"seconds", "floor", "bricks_read", "device_bytes", "steps"}),
    "read": (20, {"seconds", "datasets"}),
    "single_seed": (24, {"steps", "seconds", "seeds"}),
    "store": (2, {"seconds"}),
    "store --only owners": (10, {"ranks", "bricks", "balance"}),
    "local_cache": (7, {"wall"}),
    "study --slow --parts figure-7": (30, {"seconds", "floor", "line_steps", "line_bricks", "threads"}),
    "study": (60, {"seconds", "floor", "line_steps", "line_bricks", "threads"}),
    "streak_store": (1, {"seconds", "bytes_read", "bricks_needed", "peak_bytes", "points"}),
    "strategies": (15, {"seconds", "steps", "bricks_read"}),
    "unsteady": (23, {"seconds", "processor_seconds", "paths", "steps"}),
}


def command(name, scratch, options):
    script = BENCHMARKS / f"{name}.py"
    words = [script] if script.exists() else [BENCHMARKS / "Tools" / "google_benchmark.py", name]
    return [sys.executable, *map(str, words), "--quick", "--out", str(scratch), *options]


def check_rows(name, scratch, options):
    least, numbers = LEFT.get(" ".join([name, *options]), LEFT[name])
    (path,) = scratch.glob("rows*.csv")
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= least, f"{len(rows)} rows in {path}, at least {least} were expected"
    missing = (numbers | HOST) - set(rows[0])
    assert not missing, f"{path} has no columns {missing}"
    for row in rows:
        for column in numbers:
            assert math.isfinite(float(row[column])) and float(row[column]) > 0, f"{path}: {column} is {row[column]}"
    records = json.loads(path.with_suffix(".json").read_text())
    for key in {row["provenance"] for row in rows}:
        assert records[key]["configuration"]["build type"], f"{path}: {key} does not say what was built"
    return path.with_suffix(".png")


def check_picture(path):
    """Of the benchmark, or several whose names begin like that."""
    if not importlib.util.find_spec("matplotlib"):
        print("no picture is looked for: matplotlib is missing")
        return
    drawn = list(path.parent.glob(f"{path.stem}*.png"))
    assert drawn, f"there is no {path}"
    for each in drawn:
        assert each.read_bytes().startswith(b"\x89PNG"), f"{each} is no picture"


def main():
    name, scratch, *options = sys.argv[1:]
    scratch = pathlib.Path(scratch)
    shutil.rmtree(scratch, ignore_errors=True)
    done = subprocess.run(command(name, scratch, options), check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)
    check_picture(check_rows(name, scratch, options))
    shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
