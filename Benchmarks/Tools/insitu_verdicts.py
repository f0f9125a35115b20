# SPDX-License-Identifier: BSD-3-Clause
"""Bars that the policies of insitu.py are held against, with the rows of one run.

    print_verdicts(rows)      # "holds" or "FAILS" for each bar and case, with medians of ratios within rounds
"""

import statistics

from insitu_sides import CASE

MOST_OVERHEAD = 1.05  # of dynamic helper cores over the simulation alone, analytics cheaper than a step
MOST_OVER_STATIC = 1.05  # of dynamic helper cores over the best number of static ones
LEAST_UNDER_SYNCHRONOUS = 0.8


def cases_of(rows, part):
    cases = {}
    for row in rows:
        if row["part"] == part:
            cases.setdefault(tuple(str(row[key]) for key in CASE), {}).setdefault(row["side"], {})[row["round"]] = row
    return cases


def ratio(case, side, other, column="seconds"):
    """Median over rounds of a time of a side, divided by the whole time of another."""
    return statistics.median(float(row[column]) / float(case[other][number]["seconds"]) for number, row in case[side].items())


def best(case, policy):
    """The side of a policy, in its plain form, that takes least; None if there is none."""
    sides = [side for side in case if side.startswith(policy + "-") and "," not in side]
    return min(sides, key=lambda side: ratio(case, side, "alone"), default=None)


def verdicts_of(case, facts):
    """(bar, value, limit) for a case of the part policies. Bars whose sides did not run are left out."""
    dynamic, static = best(case, "dynamic"), best(case, "static")
    if not dynamic:
        return
    if facts["length"] == "short":
        yield f"{dynamic} / alone", ratio(case, dynamic, "alone"), MOST_OVERHEAD
        yield f"{dynamic}, last step / alone", ratio(case, dynamic, "alone", "simulation_seconds"), MOST_OVERHEAD
    if static:
        limit = 1.0 if facts["analytics"] == "changing" else MOST_OVER_STATIC
        yield f"{dynamic} / {static}", ratio(case, dynamic, static), limit
    if "synchronous" in case:
        yield f"{dynamic} / synchronous", ratio(case, dynamic, "synchronous"), LEAST_UNDER_SYNCHRONOUS


def print_verdicts(rows):
    for key, case in cases_of(rows, "policies").items():
        facts = dict(zip(CASE, key))
        for bar, value, limit in verdicts_of(case, facts):
            name = f"N {facts['virtual_cores']}, {facts['analytics']}, {facts['length']}"
            print(f"{name:32} {bar:30} {value:.3f}  {'holds' if value <= limit else 'FAILS'}: at most {limit}")
