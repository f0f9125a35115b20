# SPDX-License-Identifier: BSD-3-Clause
"""Part of insitu.py: traces of static and dynamic helper cores, drawn as in Dirand et al. 2018, Fig. 2."""

import contextlib
import pathlib
import sys

from insitu_sides import Host, Shape

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import plot_trace  # noqa: E402

CORES = 6
SIDES = (("static", 2), ("dynamic", 2), ("dynamic", 5))  # policy, threads of analytics
STEPS = 8
SHOWN = (3, 5)  # steps, counted from 0
SHARE = 0.2  # of a step without parallel work: more than elsewhere, as in that figure
WORK = 1.5  # of a step's analytics, in steps of the simulation
PICTURE_MS = 96.0


def run(host, policy, helpers, shape, analysis, folder):
    """Rows of a trace that begins with a step's analytics, and the time of two steps in ms."""
    name = f"trace-{policy}-{helpers}"
    settings = {"policy": policy, "cores": CORES, "analytics_threads": helpers, "priority": "normal", "trace": "trace.json"}
    host.session(name, settings, analysis)()
    rows = plot_trace.read_trace(folder / name / "trace.json")
    executions = [at for row in rows for activity, at, _ in row.spans if activity == "analytics"]
    begin, end = (executions[step] for step in SHOWN)
    for row in rows:
        row.spans = [(activity, at - begin, length) for activity, at, length in row.spans]
    return rows, end - begin


def traces(arguments):
    shape = Shape(CORES, STEPS, sequential=SHARE)
    analysis = {"kind": "parallel", "seconds": WORK * shape.step_seconds, "piece_seconds": 0.001}
    shown = []
    with contextlib.ExitStack() as stack:
        host = Host(stack, shape, arguments.out)
        for policy, helpers in SIDES:
            rows, length = run(host, policy, helpers, shape, analysis, arguments.out)
            totals = plot_trace.shares(rows, 0, length)
            idle = 100 * totals["idle"] / sum(totals.values())
            title = f"{policy}, {helpers} threads of {CORES} for analytics: two steps in {length:.0f} ms, {idle:.0f} % idle"
            print(title)
            shown.append((title, rows, 0, PICTURE_MS))
    plot_trace.draw(shown, arguments.out / "traces.png")
