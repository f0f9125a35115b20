# SPDX-License-Identifier: BSD-3-Clause
"""How do the raw rows of two runs of a benchmark differ?

Groups rows by the columns that identify a workload. Prints the provenance of both files, and for each group the median and the
spread of one column before and after, and the ratio of the medians. Draws them if matplotlib is installed. Two runs on a shared
machine are weak evidence: prefer benchmarks that compare within one run.

usage: compare.py BEFORE.csv AFTER.csv [--value seconds] [--by COLUMN...] [--plot FILE.png]
"""

import argparse
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
from plots import Ranges, draw  # noqa: E402
from provenance import describe  # noqa: E402
from rows import read_rows, rows_provenance, summary  # noqa: E402

KEYS = ["side", "run", "seeding", "size", "strategy", "budget_mib", "threads", "cache", "name"]
VALUES = ["seconds", "real_time", "ratio"]


def groups_of(rows, by, value):
    groups = {}
    for row in rows:
        if row.get("void") != "True" and row.get(value):
            groups.setdefault(tuple(row[key] for key in by), []).append(float(row[value]))
    return groups


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("--value", help="the column to compare; the first of " + ", ".join(VALUES) + " that is there")
    parser.add_argument("--by", nargs="+", help="the columns that say what was run")
    parser.add_argument("--plot", type=pathlib.Path, help="where to draw a picture (needs matplotlib)")
    arguments = parser.parse_args()
    rows = [read_rows(arguments.before), read_rows(arguments.after)]
    columns = [name for name in rows[0][0] if name in rows[1][0]]
    by = arguments.by or [key for key in KEYS if key in columns]
    value = arguments.value or next((name for name in VALUES if name in columns), None)
    if value not in columns or not set(by) <= set(columns):
        sys.exit(f"compare.py: the files share the columns {', '.join(columns)}; choose with --value and --by")
    before, after = (groups_of(each, by, value) for each in rows)
    names = [name for name in before if name in after]
    if not names:
        sys.exit("compare.py: nothing was run in both")
    for side, path in (("before", arguments.before), ("after", arguments.after)):
        for record in rows_provenance(path).values():
            print(f"{side}: {describe(record)}")
    width = max(len(" ".join(name)) for name in names)
    print(f"{value} by {', '.join(by)}: median (spread, rows)")
    for name in names:
        ratio = statistics.median(after[name]) / statistics.median(before[name])
        print(f"{' '.join(name):{width}}  {summary(before[name])} -> {summary(after[name])}  ratio {ratio:.3f}")
    if arguments.plot:
        sides = {"before": before, "after": after}
        values = {side: {" ".join(name): groups[name] for name in names} for side, groups in sides.items()}
        draw(arguments.plot, [Ranges(value, values)])


if __name__ == "__main__":
    main()
