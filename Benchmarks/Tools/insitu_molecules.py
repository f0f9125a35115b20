# SPDX-License-Identifier: BSD-3-Clause
"""Cases of insitu.py with real work on all cores of this machine: the molecular dynamics of InSitu/Examples, and analytics that come with
the runtime."""

import json
import os
import re
import resource
import subprocess
import time

import built
from insitu_sides import figures_of

STEPS = 120
CASES = {  # name of the analytics: every so many steps, and options
    "statistics": (4, {"parallel": False}),
    "radial": (20, {"cutoff": 3.0, "bins": 300}),
    "histogram": (1, {"of": "vx"}),
}


def policies_of(cores):
    """Settings of sessions by name: POLICY-n_a."""
    few = sorted({1, max(1, cores // 4)})
    settings = {"synchronous": {"policy": "synchronous"}, "asynchronous": {"policy": "asynchronous"}}
    for policy, numbers in {"static": few, "dynamic": [*few, cores - 1], "task": [few[-1], cores - 1]}.items():
        settings |= {f"{policy}-{helpers}": {"policy": policy, "analytics_threads": helpers} for helpers in numbers}
    return {name: {"cores": cores, "priority": "normal"} | each for name, each in settings.items()}


def processor_seconds_of_children():
    """Of all that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Molecules:
    """A run from its first report to its end, analytics of the last steps and teardown included. Processor seconds are the whole process's."""

    def __init__(self, cells, steps):
        self.command = [built.program("molecular_dynamics"), "--size", *[str(cells)] * 3, "--steps", str(steps), "--every", "0"]
        self.steps = steps
        self.last_line = None  # of the report: all runs have the same numbers

    def run(self, *words):
        used = processor_seconds_of_children()
        process = subprocess.Popen([*self.command, *words], stdout=subprocess.PIPE, text=True)
        process.stdout.readline()
        process.stdout.readline()
        began = time.perf_counter()
        text = process.stdout.read()
        if process.wait() != 0:
            raise RuntimeError(f"{' '.join(process.args)} ended with {process.returncode}")
        seconds = time.perf_counter() - began
        last_line = text.split("\n\n")[0].splitlines()[-1]
        self.last_line = self.last_line or last_line
        if last_line != self.last_line:
            raise RuntimeError(f"the simulation ended with {last_line}, and before with {self.last_line}")
        return {"seconds": seconds, "hand_over_seconds": 0.0, "simulation_seconds": float(re.search(r"([\d.]+) s for", text)[1]),
                "processor_seconds": processor_seconds_of_children() - used}  # fmt: skip

    def coupled(self, name, settings, analytics, output):
        folder = output / name
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "session.json"
        file.write_text(json.dumps(settings | {"output": str(folder), "analytics": [analytics]}))

        def turn():
            answer = self.run("--insitu", str(file))
            counts = json.loads((folder / "summary.json").read_text())["analytics"][analytics["name"]]
            executed = counts["executions"]["mean"] - counts["failures"]["mean"]
            if executed != self.steps // analytics["every"] + 1:
                raise RuntimeError(f"{folder}/summary.json has {executed} executions without a failure")
            figures = figures_of(folder / "summary.json")
            waits, copies = figures["simulation_waits_s"], figures["simulation_copies_s"]
            return answer | {
                "hand_over_seconds": waits + copies + figures["simulation_in_analytics_s"], "waits_seconds": waits, "copies_seconds": copies,
                "analytics_active_seconds": figures["analytics_active_s"], "analytics_idle_seconds": figures["analytics_idle_s"],
            }  # fmt: skip

        return turn


def molecules(arguments):
    """Particles: 4 cells^3. The step of a million particles takes about 0.2 s of one core."""
    cores = len(os.sched_getaffinity(0))
    cells = 10 if arguments.quick else int(round(20 * (2 * cores) ** (1 / 3)))
    steps = 10 if arguments.quick else arguments.steps or STEPS
    for name, (every, options) in CASES.items():
        host = Molecules(cells, steps)
        analytics = {"name": name, "every": every, "options": options}
        sides = {"alone": lambda host=host: host.run()}
        for side, settings in policies_of(cores).items():
            if not arguments.sides or side in arguments.sides:
                sides[side] = host.coupled(side, settings, analytics, arguments.out / name)
        particles = 4 * cells**3
        yield {"analytics": name, "length": f"{cores} real cores, {particles} particles", "steps": steps, "step_bytes": 48 * particles}, sides
