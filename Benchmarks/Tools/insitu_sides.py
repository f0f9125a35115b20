# SPDX-License-Identifier: BSD-3-Clause
"""Sides of insitu.py: processes of a virtual simulation, each coupled with analytics in one way, that take turns.

    with contextlib.ExitStack() as stack:
        host = Host(stack, shape, folder)
        sides = {"alone": host.alone, "dynamic-4": host.session("dynamic-4", {"policy": "dynamic", ...}, analysis)}
        rows = take_turns({"part": "policies", ...}, sides, 15)
"""

import dataclasses
import json
import statistics

import built
from rows import summary
from turns import Turns

KINDS = ("sequential", "parallel", "nested", "histogram", "changing")
LENGTHS = ("short", "long")
STEP_SECONDS = 0.032
STEPS = 20
STEPS_OF_CHANGING = 30  # ten of each
# Work of a step, all threads together, in steps of the simulation on N cores; and each of a histogram's two pauses.
WORK = {
    ("sequential", "short"): 0.5, ("sequential", "long"): 1.15,
    ("parallel", "short"): 0.5, ("parallel", "long"): 3.0,
    ("nested", "short"): 0.5, ("nested", "long"): 3.0,
    ("histogram", "short"): 0.3, ("histogram", "long"): 0.5,
    ("changing", "short"): 0.5, ("changing", "long"): 3.0,
}  # fmt: skip
CASE = ("part", "virtual_cores", "sequential", "analytics", "length", "step_bytes")
PAUSE = {("histogram", "short"): 0.2, ("histogram", "long"): 0.5, ("changing", "short"): 0.1, ("changing", "long"): 0.1}
COLUMNS = ["part", "round", "virtual_cores", "sequential", "analytics", "length", "steps", "step_bytes", "side", "seconds", "ratio", "simulation_seconds",
           "hand_over_seconds", "longest_hand_over_seconds", "waits_seconds", "copies_seconds", "analytics_active_seconds",
           "analytics_idle_seconds", "worked_seconds", "busy", "bound", "processor_seconds", "peak_bytes", "other_peak_bytes"]  # fmt: skip


@dataclasses.dataclass
class Shape:
    """Options of virtual_host."""

    cores: int
    steps: int = STEPS
    step_seconds: float = STEP_SECONDS
    sequential: float = 0.04
    particles: int = 20_000
    memory_mib: int = 0

    def words(self):
        return [word for field in dataclasses.fields(self)
                for word in (f"--{field.name.replace('_', '-')}", getattr(self, field.name))]  # fmt: skip


def analysis_of(kind, length):
    """Options of the virtual analytics."""
    case = (kind, length)
    return {"kind": kind, "seconds": WORK[case] * STEP_SECONDS, "piece_seconds": 0.001, "pause_seconds": PAUSE.get(case, 0) * STEP_SECONDS}


def steps_of(kind, quick):
    return 4 if quick else STEPS_OF_CHANGING if kind == "changing" else STEPS


class Host:
    """A process of virtual_host, which runs once for each turn."""

    def __init__(self, stack, shape, folder, *words, ranks=0):
        launcher = ["mpirun", "--bind-to", "none", "-n", ranks] if ranks else []
        program = [built.program("virtual_host"), *shape.words(), *words]
        self.folder = folder
        self.ranks = ranks
        self.turns = stack.enter_context(Turns([*launcher, *program]))

    def alone(self):
        return self.turns.turn("{}")

    def coupled(self, name):
        """A side whose coupling the process has from its command line."""
        seen = self.folder / f"seen-{name}.txt"

        def turn():
            seen.unlink(missing_ok=True)  # digests of an earlier run prove nothing
            return self.turns.turn(json.dumps({"seen": str(seen)}))

        return turn

    def session(self, name, settings, analysis, check=None, **more):
        """A side with a session. `more`: keys of its analytics, such as `first`, `repeat` or `plugin`. Digests are compared where one rank's
        virtual analytics see each step once; `check(output)` may look at results besides."""
        output = self.folder / name
        output.mkdir(parents=True, exist_ok=True)
        plugins = next(built.build_folder().rglob("virtual_analytics.so")).resolve().parent
        analytics = {"name": "virtual", "plugin": "virtual_analytics", "options": analysis} | more
        file = output / "session.json"
        file.write_text(json.dumps(settings | {"plugins": [str(plugins)], "output": str(output), "analytics": [analytics]}))
        seen = output / "seen.txt"
        compared = not self.ranks and not more.keys() & {"first", "plugin"} and more.get("repeat", 1) == 1

        def turn():
            seen.unlink(missing_ok=True)
            answer = self.turns.turn(json.dumps({"configuration": str(file), "seen": str(seen) if compared else ""}))
            if check:
                check(output)
            figures = figures_of(output / "summary.json")
            return answer | {
                "waits_seconds": figures["simulation_waits_s"], "copies_seconds": figures["simulation_copies_s"],
                "analytics_active_seconds": figures["analytics_active_s"], "analytics_idle_seconds": figures["analytics_idle_s"],
            }  # fmt: skip

        return turn


def figures_of(path):
    """Means over ranks of a session's figures."""
    return {key: value["mean"] for key, value in json.loads(path.read_text())["session"].items()}


def take_turns(facts, sides, rounds):
    """Rows of a case. A ratio is to the first side in the same round."""
    rows = []
    for number in range(rounds):
        alone = None
        for name, turn in sides.items():
            answer = turn()
            alone = alone or answer["seconds"]
            row = facts | {"round": number, "side": name, "ratio": answer["seconds"] / alone} | answer
            if facts.get("virtual_cores") and "worked_seconds" in row:
                row["bound"] = max(1.0, row["worked_seconds"] / (facts["virtual_cores"] * alone))
            rows.append({column: row.get(column, "") for column in COLUMNS})
    return rows


def report(rows):
    """Ratios of a case."""
    print(", ".join(f"{key.replace('_', ' ')} {rows[0][key]}" for key in CASE if rows[0][key] != ""), flush=True)
    for side in dict.fromkeys(row["side"] for row in rows):
        its = [row for row in rows if row["side"] == side]
        seconds = statistics.median(row["seconds"] for row in its)
        print(f"  {side:26} {seconds:7.3f} s  {summary([row['ratio'] for row in its])} of alone", flush=True)
