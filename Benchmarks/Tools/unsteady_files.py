# SPDX-License-Identifier: BSD-3-Clause
"""Parts of unsteady.py with fields on disk and limited memory: their inputs, and the sides that take turns.

    with contextlib.ExitStack() as stack:
        sides = out_of_core(stack, arguments)   # {name: function that runs once and returns a row}
"""

import json
import os
import pathlib
import shutil
import subprocess

import built
import outofcore
from cold_runs import MemoryGroup, drop_caches, uniform_seeds

TOOLS = pathlib.Path(__file__).parent
THREADS = 2
STEPS = 50
TIME = 10.0  # of all steps together
PARTICLES = 10000
LEAST_MEMORY = 48 << 20  # of the program without a field
PLAIN, MIB = {"threads": THREADS}, 1 << 20


class Unavailable(Exception):
    """The machine cannot run a part."""


def needs(*programs):
    if os.geteuid() != 0:
        raise Unavailable("it needs root, for the memory cgroup and the page cache")
    for program in programs:
        if not shutil.which(program):
            raise Unavailable(f"it needs {program}")
    try:
        MemoryGroup(1 << 30).close()
        drop_caches()
    except OSError as error:
        raise Unavailable(f"it needs a memory cgroup and to drop the page cache: {error}") from error


def run_in_group(command, limit):
    """The last line of JSON that a program prints in a memory cgroup; without a limit outside of any."""
    group = MemoryGroup(limit) if limit else None
    try:
        enter = group.enter if group else None
        done = subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True, preexec_fn=enter)
        return json.loads(done.stdout.strip().splitlines()[-1])
    finally:
        if group:
            group.close()


# ------------------------------------------------------------------------------------------------------------ out of core


def make_gyres(stack, path, nodes, steps):
    """Double gyre, in which particles stay, with so many nodes along y and z. Removed at the end."""
    stack.callback(path.unlink, missing_ok=True)
    command = [built.program("rivulet"), "generate", "double-gyre", path, "--dims", f"{2 * nodes},{nodes},{nodes}", "--force", "--quiet"]
    subprocess.run([str(word) for word in [*command, "--steps", steps, "--dt", TIME / (steps - 1)]], check=True)


def out_of_core(stack, arguments):
    """Two sides: the values in the order of bricks, cached, and read ahead by threads of the source."""
    needs("fio")
    file = arguments.out / "gyres.rvf"
    nodes = round((arguments.size / (STEPS * 2 * 12 * 1.4)) ** (1 / 3))
    make_gyres(stack, file, nodes, STEPS)
    size = file.stat().st_size
    grid, stride = outofcore.field_facts(file)
    seeds = arguments.out / "gyres.seeds"
    uniform_seeds(seeds, *(grid[key] for key in ("nodes", "spacing", "origin")), PARTICLES if size > 1e9 else 300)
    limit = max(LEAST_MEMORY, size // 20)
    budget = max(4, limit // 2 // MIB)  # the rest is for the lines and the program
    print(f"  {size / 1e9:.2f} GB, memory limit {limit / 1e6:.0f} MB, budget {budget} MiB", flush=True)
    step = TIME / (STEPS - 1) / 2
    trace = [built.program("trace_in_time"), file, "--seeds", seeds, "--threads", THREADS, "--integrator", 1, "--step", step]
    device = outofcore.RealDevice({"rvf": file})
    # Each brick counts once, when its checksum is verified: these are the distinct bricks.
    reference = run_in_group([*trace, "--strategy", outofcore.MEMORY_MAP], None)

    def turn(strategy):
        floor = device.least_seconds(reference["bricks_read"], stride)
        drop_caches()
        run = run_in_group([*trace, "--strategy", strategy, "--budget", budget], limit)
        assert run["hash"] == reference["hash"], "other lines than without a limit"
        void = run["device_bytes"] < 0.98 * reference["bricks_read"] * stride
        return PLAIN | run | {"floor": floor, "bricks": reference["bricks_read"], "void": void}

    strategies = {"asynchronous": outofcore.ASYNCHRONOUS, "buffered": outofcore.BUFFERED}
    return {name: lambda number=number: turn(number) for name, number in strategies.items()}


# -------------------------------------------------------------------------------------------------------------- exponents

MEMORY = 512 * MIB
EDGE, INTERVALS = 256, 10


def exponents(stack, arguments):
    """Sides: end states alone, in chunks of the same sizes; exponents by the library; exponents by the filter."""
    needs()
    edge = 24 if arguments.quick else EDGE
    file = arguments.out / "gyre-of-exponents.rvf"
    make_gyres(stack, file, 33, INTERVALS + 1)
    chunk = max(2 * edge**2, 2 << 20)
    trace = [built.program("trace_in_time"), file, "--threads", THREADS, "--lattice", ",".join([str(edge)] * 3), "--most-nodes", chunk]
    trace += ["--bounds", 0, 2, 0, 1, 0, 1, "--integrator", 1, "--step", TIME / INTERVALS / 2, "--budget", 64]
    sides = {
        "end states": lambda: PLAIN | run_in_group(trace, MEMORY),
        "exponents": lambda: PLAIN | run_in_group([*trace, "--exponents"], MEMORY),
    }
    if arguments.quick:
        return sides
    filtered = ["pvpython", TOOLS / "exponents.py", "--file", file, "--edge", edge, "--step", TIME / INTERVALS / 2]
    environment = ["env", f"RIVULET_PLUGIN={built.plugin()}"]
    by_filter = [*environment, *filtered, "--threads", THREADS, "--duration", TIME]
    if "missing" in run_in_group([*by_filter, "--edge", 4], None):
        print("left out: filter: this plugin has no Rivulet FTLE")
        return sides
    return sides | {"filter": lambda: PLAIN | run_in_group(by_filter, MEMORY)}
