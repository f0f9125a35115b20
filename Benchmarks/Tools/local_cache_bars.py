# SPDX-License-Identifier: BSD-3-Clause
"""Bars of local_cache.py: Figure 2 of Camp 2011, drawn again from rows of this machine, with copy times in grey."""

import statistics

from plots import COLOURS, Bars

COPIES = {"all ssd": "copy ssd, cp", "cache ssd, second": "copy ssd, stage", "all hd": "copy hd, cp"}


def copies_of(field, rows):
    """Median seconds of each copy of a field."""
    seconds = {}
    for row in rows:
        if row["field"] == field and not row["seeds"]:
            seconds.setdefault(row["side"], []).append(float(row["wall"]))
    return {side: statistics.median(each) for side, each in seconds.items()}


def panels(rows):
    cases = dict.fromkeys((row["field"], row["seeds"], row["ranks"]) for row in rows if row["seeds"])
    panels = []
    for field, seeds, ranks in cases:
        mine = [row for row in rows if (row["field"], row["seeds"], row["ranks"]) == (field, seeds, ranks)]
        base = statistics.median(float(row["wall"]) for row in mine if row["side"] == "remote")
        copies = {side: seconds / base for side, seconds in copies_of(field, rows).items()}
        totals, layers = {}, {}
        for side in dict.fromkeys(row["side"] for row in mine):
            totals[side] = [float(row["wall"]) / base for row in mine if row["side"] == side]
            copy = copies.get(COPIES.get(side))
            layers[side] = ({"trace": statistics.median(totals[side])}, {"copy": copy} if copy else {})
        title = f"{field}\n{int(seeds):,} seeds, {ranks} process{'es' if int(ranks) > 1 else ''}"
        panels.append(Bars(f"time over that of remote ({base:.2f} s)", totals, layers, title, parts={"trace": COLOURS[0], "copy": "#bbbbbb"}))
    return panels, 2 if len(panels) > 1 else 1, "A local disk between slow storage and memory"
