# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of the rows of insitu.py: bars as in Dirand et al. 2018, Fig. 3 to 5.

A bar is the whole time of a side, divided by that of the simulation alone. Its upper half is the simulation's master thread, its
lower half the analytics'. Shown are the rows of the largest number of virtual cores.
"""

import statistics
import textwrap

from plots import Bars

PARTS = {
    "simulation": "#0072B2",
    "simulation hands over or waits": "#9CC9E6",
    "end of analytics": "#DDDDDD",
    "analytics": "#E69F00",
    "analytics idle": "#F6DFB0",
}
USUAL = 0.04  # share of a step without parallel work
MOST_LETTERS = 34  # of a line of a title
WIDEST = 3.2  # times the simulation alone; longer bars are left out, and said so in the title


def middle(rows, column):
    return statistics.median(float(row[column]) / float(row["seconds"]) * float(row["ratio"]) for row in rows)


def layers(rows):
    total = statistics.median(float(row["ratio"]) for row in rows)
    hand_over, simulation = middle(rows, "hand_over_seconds"), middle(rows, "simulation_seconds")
    upper = {"simulation": simulation - hand_over, "simulation hands over or waits": hand_over, "end of analytics": total - simulation}
    if not rows[0]["analytics_active_seconds"]:
        return upper, {}
    active = middle(rows, "analytics_active_seconds")
    return upper, {"analytics": active, "analytics idle": max(total - active, 0)}


def panel_of(rows, title):
    sides = {}
    for row in rows:
        sides.setdefault(row["side"], []).append(row)
    totals = {side: [float(row["ratio"]) for row in its] for side, its in sides.items()}
    wide = [side for side, its in totals.items() if statistics.median(its) > WIDEST]
    if wide:
        title += " (not shown: " + ", ".join(f"{side} {statistics.median(totals[side]):.1f}" for side in wide) + ")"
    title = textwrap.fill(title, MOST_LETTERS)
    shown = {side: its for side, its in totals.items() if side not in wide}
    return Bars("times the simulation alone", shown, {side: layers(sides[side]) for side in shown}, title, parts=PARTS)


def title_of(row):
    if row["part"] == "overhead":
        return f"overhead: 2 real cores, {row['length']} of memory"
    if row["part"] == "molecules":
        return f"{row['analytics']}, {row['length']}"
    what = f"{row['analytics']}, {row['length']}"
    what += f", {100 * float(row['sequential']):.0f} % sequential" if float(row["sequential"]) != USUAL else ""
    if row["part"] == "transit":
        return f"transit, {float(row['step_bytes']) / 1e6:.1f} MB a step"
    return what if row["part"] == "policies" else f"{row['part']}, {what}"


def panels(rows):
    most = max(int(row["virtual_cores"] or 0) for row in rows)
    shown = [row for row in rows if row["virtual_cores"] in ("", str(most))]
    cases = {}
    for row in shown:
        cases.setdefault(title_of(row), []).append(row)
    cores = f", {most} virtual cores" if most else ""
    return [panel_of(its, title) for title, its in cases.items()], 2, "Time of a simulation with analytics beside it" + cores
