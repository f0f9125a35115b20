#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a trace of an in situ session: which thread worked for the simulation, and which for analytics.

The picture is that of Dirand et al. 2018, Fig. 2. The session's configuration asks for the trace: "trace": "trace.json". Several
traces are drawn below each other, with the same scale of time.

usage: plot_trace.py TRACE.json... [--from MS] [--to MS] [--rank 0] [--out PICTURE.png]

    plot_trace.py results/trace.json --from 200 --to 300         # 100 ms of it, into results/trace.png

Needs matplotlib and Pillow (Debian: python3-matplotlib, python3-pil).
"""

import argparse
import dataclasses
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import plots  # noqa: E402

# Later ones are drawn over earlier ones. Colours are those of the paper, as far as they can be told apart by everyone.
ACTIVITIES = {
    "idle": "#CFC2E0",
    "simulation, sequential": "#8A8A8A",
    "simulation, parallel": "#0072B2",
    "analytics": "#E69F00",
    "analytics, parallel": "#D55E00",
    "copy": "#009E73",
    "waits for a buffer": "#FFFFFF",
}
MASTERS = ("simulation master", "analytics master")


@dataclasses.dataclass
class Row:
    name: str
    spans: list  # of (activity, begin, length), in ms

    def place(self):
        """The simulation's master thread first, that of analytics last, as in the paper."""
        return (MASTERS[0] != self.name) + (MASTERS[1] == self.name)


def activity_of(event):
    name, category = event["name"], event["cat"]
    if category == "simulation":
        return {"sequential": "simulation, sequential", "copy": "copy", "wait": "waits for a buffer"}.get(name, "simulation, parallel")
    return "analytics, parallel" if name in ("parallel", "worker") else "analytics"


def read_trace(path, rank=0):
    """Rows of the threads of a rank that did something."""
    events = [event for event in json.loads(pathlib.Path(path).read_text())["traceEvents"] if event.get("pid") == rank]
    names = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    rows = {thread: Row(name, []) for thread, name in sorted(names.items())}
    for event in events:
        if event["ph"] == "X":
            rows[event["tid"]].spans.append((activity_of(event), event["ts"] / 1000, event["dur"] / 1000))
    return sorted((row for row in rows.values() if row.spans), key=Row.place)


def shares(rows, begin, end):
    """Milliseconds of each activity in a part of the time, all threads together. What is drawn over another counts."""
    totals = dict.fromkeys(ACTIVITIES, 0.0)
    order = list(ACTIVITIES)
    for row in rows:
        edges = sorted({begin, end} | {min(max(edge, begin), end) for _, at, length in row.spans for edge in (at, at + length)})
        for left, right in zip(edges, edges[1:]):
            middle = (left + right) / 2
            shown = [order.index(activity) for activity, at, length in row.spans if at <= middle < at + length]
            totals[order[max(shown, default=0)]] += right - left
    return totals


def draw_rows_of(axes, rows, begin, end, title):
    for place, row in enumerate(rows):
        axes.broken_barh([(begin, end - begin)], (place - 0.4, 0.8), color=ACTIVITIES["idle"], linewidth=0)
        for activity, colour in ACTIVITIES.items():
            spans = [(at, length) for name, at, length in row.spans if name == activity and at < end and at + length > begin]
            axes.broken_barh(spans, (place - 0.4, 0.8), facecolor=colour, edgecolor="white", linewidth=0.3)
    axes.set_yticks(range(len(rows)), [row.name if row.name in MASTERS else f"worker {place}" for place, row in enumerate(rows)])
    axes.set_ylim(len(rows) - 0.45, -0.55)
    axes.set_xlim(begin, end)
    axes.tick_params(axis="y", length=0)
    axes.set_title(title, loc="left")


def draw(traces, out, note=""):
    """Draws (title, rows, begin, end) below each other. Returns whether a picture was written."""
    try:
        import matplotlib
    except ImportError:
        print(plots.MISSING)
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    style = {"font.size": 9, "axes.titlesize": 9, "axes.titleweight": "bold", "axes.spines.top": False, "axes.spines.right": False}
    with pyplot.rc_context(style):
        heights = [0.5 + 0.2 * len(rows) for _, rows, _, _ in traces]
        figure, grid = pyplot.subplots(len(traces), 1, figsize=(plots.WIDTH, sum(heights) + 0.7), squeeze=False,
                                       constrained_layout=True, gridspec_kw={"height_ratios": heights})  # fmt: skip
        for (title, rows, begin, end), axes in zip(traces, grid.flat):
            draw_rows_of(axes, rows, begin, end, title)
        grid.flat[-1].set_xlabel("time (ms)")
        patches = [pyplot.Rectangle((0, 0), 1, 1, facecolor=colour, edgecolor=plots.GREY, linewidth=0.4) for colour in ACTIVITIES.values()]
        foot = 0.55 / figure.get_figheight()
        figure.get_layout_engine().set(rect=(0, foot, 1, 1 - foot))
        figure.legend(patches, ACTIVITIES, loc="lower center", ncols=4, frameon=False, fontsize=8, bbox_to_anchor=(0.5, 0.25 * foot))
        if note:
            figure.text(0.99, 0.004, note, ha="right", va="bottom", fontsize=6.5, color="#777777")
        plots.save(figure, out)
        pyplot.close(figure)
    print(f"picture: {out}")
    return True


def whole(rows):
    return min(at for row in rows for _, at, _ in row.spans), max(at + length for row in rows for _, at, length in row.spans)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", type=pathlib.Path, nargs="+")
    parser.add_argument("--from", dest="begin", type=float, help="milliseconds since the session began")
    parser.add_argument("--to", dest="end", type=float, help="milliseconds since the session began")
    parser.add_argument("--rank", type=int, default=0)
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    shown = []
    for path in arguments.traces:
        rows = read_trace(path, arguments.rank)
        if not rows:
            sys.exit(f"plot_trace.py: {path} has no activities of rank {arguments.rank}")
        begin, end = whole(rows)
        begin = begin if arguments.begin is None else arguments.begin
        end = end if arguments.end is None else arguments.end
        totals = shares(rows, begin, end)
        print(f"{path}: " + ", ".join(f"{name} {100 * value / sum(totals.values()):.1f} %" for name, value in totals.items()))
        shown.append((path.stem if len(arguments.traces) == 1 else str(path), rows, begin, end))
    if not draw(shown, arguments.out or arguments.traces[0].with_suffix(".png")):
        sys.exit(1)


if __name__ == "__main__":
    main()
