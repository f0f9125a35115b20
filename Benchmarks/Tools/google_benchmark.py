# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program of Google Benchmark, writes its rows, and draws them. `./run bench NAME` calls this.

usage: google_benchmark.py NAME [--out FOLDER] [--quick] [options of Google Benchmark]
Each workload runs five times, and workloads alternate (--benchmark_repetitions and
--benchmark_enable_random_interleaving change that). --quick runs a few workloads once, as a test of the benchmark.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

import built
from pictures import draw_rows
from rows import write_rows

NAME = re.compile(r"(?P<function>[^<]*)<(?P<type>\w+)>(?P<arguments>.*)")


def rows_of(answer):
    """One row for each run: arguments from the benchmark's name, seconds, and counters."""
    rows = []
    for run in answer["benchmarks"]:
        if run.get("run_type") != "iteration":
            continue
        if run.get("error_occurred"):
            sys.exit(f"{run['name']}: {run['error_message']}")
        match = NAME.match(run["name"])
        pairs = [part.split(":") for part in match["arguments"].split("/") if part.count(":") == 1]
        row = {"round": run["repetition_index"], "function": match["function"], "type": match["type"]} | dict(pairs)
        per_second = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[run["time_unit"]]
        rows.append(row | {"seconds": run["real_time"] * per_second, "steps": run["steps"]})
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    arguments, others = parser.parse_known_args()
    folder = (arguments.out or pathlib.Path("out/bench") / arguments.name).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    result = folder / "google-benchmark.json"
    options = ["--benchmark_repetitions=5", "--benchmark_enable_random_interleaving=true"]
    if arguments.quick:
        options = ["--benchmark_filter=<float>/integrator:1/vorticity:0", "--benchmark_min_time=0.01"]
    options += ["--benchmark_display_aggregates_only=true", *others, f"--benchmark_out={result}", "--benchmark_out_format=json"]
    subprocess.run([built.program(f"bench_{arguments.name}"), *options], check=True)
    rows = rows_of(json.loads(result.read_text()))
    if not rows:
        sys.exit(f"{arguments.name}: nothing was run; see --benchmark_filter")
    write_rows(folder / "rows.csv", rows)
    draw_rows(arguments.name, [folder / "rows.csv"])


if __name__ == "__main__":
    main()
